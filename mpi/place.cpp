#include "place.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "base/elf.hpp"

namespace vicino::pmpi {
namespace {

constexpr int kCallers = 3;               // that are named
constexpr std::size_t kLongestName = 80;  // C++ names can be thousands of letters long

struct Code {
  std::string file;      // without folders
  std::string function;  // empty: unknown
  uint64_t offset = 0;   // in the function, or in the file
  uint64_t offset_in_file = 0;
};

const SymbolTable& table_of(const std::string& path) {
  static std::map<std::string, SymbolTable> tables;
  auto at = tables.find(path);
  if (at == tables.end()) at = tables.emplace(path, SymbolTable::read(path)).first;
  return at->second;
}

std::string readable(std::string_view symbol) {
  const std::string name(symbol);
  int status = 0;
  const std::unique_ptr<char, decltype(&free)> written(
      name.starts_with("_Z") ? abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status)
                             : nullptr,
      free);
  std::string readable = written ? written.get() : name;
  if (readable.size() > kLongestName) readable = readable.substr(0, kLongestName - 3) + "...";
  return readable;
}

std::string program_file() {
  char target[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : "program";
}

Code code_at(const void* address) {
  // A call can be a function's last instruction: then the return address is behind the function.
  const auto inside = reinterpret_cast<uintptr_t>(address) - 1;
  Dl_info info;
  link_map* object = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(inside), &info, reinterpret_cast<void**>(&object),
              RTLD_DL_LINKMAP) == 0 ||
      object == nullptr)
    return {};
  const bool is_program = object->l_name == nullptr || object->l_name[0] == '\0';
  const std::string path = is_program ? program_file() : object->l_name;
  Code code{path.substr(path.rfind('/') + 1), {}, inside - object->l_addr, inside - object->l_addr};
  const auto hit = table_of(is_program ? "/proc/self/exe" : path).at(code.offset_in_file);
  if (hit.name.empty()) return code;
  code.function = readable(hit.name);
  code.offset = hit.offset;
  return code;
}

std::string hex(uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(number));
  return text;
}

bool is_outside_of_program(const Code& code) {
  return code.function.starts_with("__libc_start") || code.function == "_start" ||
         code.function == "clone3" || code.function == "start_thread";
}

std::string place_of(const Code& code) {
  if (code.file.empty()) return "unknown code";
  // Back from the call to where it returns, as debuggers and addr2line take it.
  if (code.function.empty()) return code.file + hex(code.offset + 1);
  return code.function + hex(code.offset + 1) + " in " + code.file;
}

}  // namespace

Place place_of(std::span<const void* const> path) {
  Place result;
  int callers = 0;
  for (const void* address : path) {
    if (address == nullptr) break;
    const Code code = code_at(address);
    result.key += ' ' + code.file + hex(code.offset_in_file);
    if (is_outside_of_program(code)) break;
    if (result.place.empty()) {
      result.place = place_of(code);
    } else if (++callers <= kCallers) {
      if (callers > 1) result.from += ", ";
      result.from += !code.function.empty() ? code.function : place_of(code);
    } else if (callers == kCallers + 1) {
      result.from += ", ...";
    }
    if (code.function == "main") break;
  }
  return result;
}

}  // namespace vicino::pmpi
