#include "team/code.hpp"

#include <link.h>
#include <stdio.h>

#include <list>

#include "base/elf.hpp"
#include "team/cold.hpp"

namespace vicino::team {
namespace {

// The program or library that holds an address.
struct Object {
  uintptr_t address;
  std::string path;
  uintptr_t moved_by = 0;  // from where the file says that it lies
};

int note_if_it_holds(dl_phdr_info* info, std::size_t, void* data) {
  auto& object = *static_cast<Object*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    if (object.address - info->dlpi_addr - header.p_vaddr >= header.p_memsz) continue;
    // The program itself has no name here, and the one it was started by may be relative.
    object.path = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
    object.moved_by = info->dlpi_addr;
    return 1;
  }
  return 0;
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

CodeLocation locate(const CallSite& call) {
  CodeLocation location;
  if (call.source != nullptr)
    static_cast<config::Location&>(location) = config::parse_source(call.source);
  if (!location.function.empty()) return location;
  Object object{reinterpret_cast<uintptr_t>(call.address), {}};
  dl_iterate_phdr(note_if_it_holds, &object);
  if (object.path.empty()) return location;
  const auto hit = table_of(object.path).at(object.address - object.moved_by);
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
