#include "site/code.hpp"

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include <list>
#include <new>
#include <span>

#include "base/elf.hpp"
#include "sync/cold.hpp"

namespace vicino::site {
namespace {

struct Wanted {
  uintptr_t address;
  CodeObject object;
  bool lacks_memory = false;
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
  // No exception may pass the C library's frame.
  try {
    // The program itself has no name here, and the name that it was started by may be relative.
    wanted.object = {info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe",
                     build_id_of(*info), info->dlpi_addr};
  } catch (const std::bad_alloc&) {
    wanted.lacks_memory = true;
  }
  return 1;
}

struct KnownTable {
  std::string path;
  SymbolTable symbols;
};

// Takes the Cold lock, although a large file takes a while: each file is read once, and fork() must
// find the list unlocked.
const SymbolTable& table_of(const std::string& path) {
  // Taken before the guard of the static variable, which a child of fork() might find taken.
  const sync::Cold cold;
  static auto& known = *new std::list<KnownTable>;  // threads outlive main()
  auto table = known.begin();
  while (table != known.end() && table->path != path) ++table;
  if (table == known.end()) table = known.insert(table, {path, SymbolTable::read(path)});
  return table->symbols;
}

config::Location as_written(const CallSite& call) {
  return call.source != nullptr ? config::parse_source(call.source) : config::Location();
}

struct Code {
  std::string file;     // without its folder; empty if no loaded file holds the address
  std::string symbol;   // as linkers know it; empty if the file has no symbol there
  uint64_t offset = 0;  // from the symbol's beginning; without a symbol, from the file's
};

Code find_code(const void* address) {
  const CodeObject object = object_at(address);
  if (object.path.empty()) return {};
  const uint64_t offset = reinterpret_cast<uintptr_t>(address) - object.moved_by;
  const std::string path = name_of(object);
  const auto hit = table_of(object.path).at(offset);
  return {path.substr(path.rfind('/') + 1), std::string(hit.name),
          hit.name.empty() ? offset : hit.offset};
}

}  // namespace

std::string name_of(const CodeObject& object) {
  if (object.path != "/proc/self/exe") return object.path;
  char target[PATH_MAX];
  const ssize_t length = readlink(object.path.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : object.path;
}

CodeObject object_at(const void* address) {
  Wanted wanted{reinterpret_cast<uintptr_t>(address), {}};
  const sync::ForkGate::Inside inside(list_of_objects);
  dl_iterate_phdr(note_if_it_holds, &wanted);
  if (wanted.lacks_memory) throw std::bad_alloc();
  return std::move(wanted.object);
}

uint64_t unloaded_objects() noexcept {
  const auto note = [](dl_phdr_info* info, std::size_t, void* unloaded) {
    *static_cast<uint64_t*>(unloaded) = info->dlpi_subs;
    return 1;
  };
  uint64_t unloaded = 0;
  const sync::ForkGate::Inside inside(list_of_objects);
  dl_iterate_phdr(note, &unloaded);
  return unloaded;
}

config::Location locate(const CallSite& call) {
  config::Location location = as_written(call);
  location.symbol = find_code(call.address).symbol;
  return location;
}

std::string describe(const CallSite& call) {
  const config::Location written = as_written(call);
  if (!written.file.empty()) return written.file + ":" + std::to_string(written.line);
  if (!written.function.empty()) return written.function + ":" + std::to_string(written.line);
  char number[32];
  const Code code = find_code(call.address);
  if (code.file.empty()) {
    snprintf(number, sizeof number, "%p", call.address);
    return number;
  }
  const std::string name = code.symbol.empty() ? code.file : config::readable(code.symbol);
  if (code.offset == 0) return name;
  snprintf(number, sizeof number, "+0x%llx", static_cast<unsigned long long>(code.offset));
  return name + number;
}

}  // namespace vicino::site
