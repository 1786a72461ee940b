#include "team/code.hpp"

#include <link.h>
#include <stdio.h>

#include <list>
#include <span>

#include "base/elf.hpp"
#include "team/cold.hpp"

namespace vicino::team {
namespace {

struct Wanted {
  uintptr_t address;
  CodeObject object;
};

bool is_loaded(const dl_phdr_info& info, uintptr_t address, uint64_t bytes) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& header = info.dlpi_phdr[i];
    const uintptr_t into = address - info.dlpi_addr - header.p_vaddr;
    if (header.p_type == PT_LOAD && into < header.p_memsz && bytes <= header.p_memsz - into)
      return true;
  }
  return false;
}

std::string build_id_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& header = info.dlpi_phdr[i];
    const uintptr_t address = info.dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_NOTE || !is_loaded(info, address, header.p_memsz)) continue;
    const std::span notes(reinterpret_cast<const std::byte*>(address), header.p_memsz);
    std::string id = build_id_among(notes, header.p_align);
    if (!id.empty()) return id;
  }
  return {};
}

int note_if_it_holds(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  if (!is_loaded(*info, wanted.address, 1)) return 0;
  // The program itself has no name here, and the one it was started by may be relative.
  wanted.object = {info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe",
                   build_id_of(*info), info->dlpi_addr};
  return 1;
}

struct KnownTable {
  std::string path;
  FunctionTable functions;
};

// Under the Cold lock, though a large file takes a while: once, and fork() must find it free.
const FunctionTable& table_of(const std::string& path) {
  const Cold cold;  // before the list's own guard, which fork() would not find free
  static auto& known = *new std::list<KnownTable>;  // threads outlive main()
  auto table = known.begin();
  while (table != known.end() && table->path != path) ++table;
  if (table == known.end()) table = known.insert(table, {path, FunctionTable::read(path)});
  return table->functions;
}

}  // namespace

CodeObject object_at(const void* address) {
  Wanted wanted{reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(note_if_it_holds, &wanted);
  return std::move(wanted.object);
}

CodeLocation locate(const CallSite& call) {
  CodeLocation location;
  if (call.source != nullptr)
    static_cast<config::Location&>(location) = config::parse_source(call.source);
  if (!location.function.empty()) return location;
  const CodeObject object = object_at(call.address);
  if (object.path.empty()) return location;
  const auto hit =
      table_of(object.path).at(reinterpret_cast<uintptr_t>(call.address) - object.moved_by);
  location.function = hit.name;
  location.offset = hit.offset;
  return location;
}

std::string describe(const CallSite& call) {
  const CodeLocation location = locate(call);
  if (!location.file.empty()) return location.file + ":" + std::to_string(location.line);
  char number[32];
  if (location.function.empty()) {
    snprintf(number, sizeof number, "%p", call.address);
    return number;
  }
  if (location.offset == 0) return location.function;
  snprintf(number, sizeof number, "+0x%llx", static_cast<unsigned long long>(location.offset));
  return location.function + number;
}

}  // namespace vicino::team
