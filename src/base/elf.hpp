// elf.hpp: the functions and objects in a program's or library's symbol table, the libraries that
// it needs, what it asks them for, and its build-id.
//
// Why    dladdr() knows exported functions only, and the function of a parallel loop is never
//        exported: gcc names it main._omp_fn.0 in .symtab, where debuggers look. dladdr() also
//        takes the loader's lock, and a thread that waits for this one may hold that lock: it runs
//        a constructor with a parallel region.
// Not    trusting: a file may be cut short, or made to mislead. A table or name that lies outside
//        of the file, or has an unexpected size, makes the SymbolTable empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vicino {

class SymbolTable {
 public:
  struct Hit {
    std::string_view name;  // as linkers know it; lives as long as the table
    uint64_t offset;        // from the start of the function or object to the address
  };

  // Reads a 64-bit ELF file of this machine's byte order; the table of any other file is empty.
  static SymbolTable read(const std::string& path);

  // The symbol that holds `address`, a virtual address of the file; an empty name if none does.
  Hit at(uint64_t address) const noexcept;
  std::size_t size() const noexcept { return symbols_.size(); }

 private:
  struct Symbol {
    uint64_t begin, size;
    uint32_t name;  // into names_
  };
  std::vector<Symbol> symbols_;  // by `begin`
  std::string names_;            // each name ends with a 0
};

// What a program or library asks the dynamic loader for.
struct Needs {
  std::vector<std::string> libraries;    // DT_NEEDED, in the file's order
  std::vector<std::string> search_path;  // DT_RPATH and DT_RUNPATH as written, `$ORIGIN` and all

  bool operator==(const Needs&) const = default;
};
// Empty for a file that SymbolTable cannot read, and for a static program.
Needs needs_of(const std::string& path);

// A function or object that a program or library needs of another, under a version; or, without a
// name, the version as such, without which the loader does not start the program.
struct Wanted {
  std::string library;  // as DT_NEEDED has it
  std::string version;
  std::string name;

  bool operator==(const Wanted&) const = default;
};
// What a file needs of these libraries; weak references are left out, for the program can do
// without them. Empty for a file that SymbolTable cannot read.
std::vector<Wanted> wanted_from(const std::string& path,
                                std::span<const std::string_view> libraries);
// Of these only the versions as such, without a look at the symbols.
std::vector<Wanted> versions_wanted_from(const std::string& path,
                                         std::span<const std::string_view> libraries);

// What a library has for others.
struct Offered {
  std::set<std::string> names;  // of functions and objects, whatever their versions
  std::set<std::string> versions;
};
Offered offered_by(const std::string& path);

// The build-id among ELF notes that are aligned to `alignment`, in hexadecimal; empty if there is
// none. Linkers add it: two files with the same build-id hold the same code.
std::string build_id_among(std::span<const std::byte> notes, std::size_t alignment);
// The build-id of a file, found by its sections; empty also for a file that SymbolTable cannot
// read.
std::string build_id_of(const std::string& path);

}  // namespace vicino
