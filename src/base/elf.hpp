// elf.hpp: the functions and objects in a program's or library's symbol table, and its build-id.
//
// Why    dladdr() knows exported functions only, and a parallel loop is never one: gcc names it
//        main._omp_fn.0 in .symtab, where debuggers look. dladdr() also takes the loader's lock,
//        which a thread may hold that waits for us: a constructor that runs a parallel region.
// Not    trusting: a file may be cut short, or made to mislead. Whatever lies outside of it, or has
//        another size than it should, makes the table empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vicino {

class SymbolTable {
 public:
  struct Hit {
    std::string_view name;  // as linkers know it; lives as long as the table
    uint64_t offset;        // of the address, in the function or object
  };

  // Of a 64-bit ELF file of this machine's byte order; empty of any other file.
  static SymbolTable read(const std::string& path);

  // What holds the address, counted as the file counts; an empty name if nothing does.
  Hit at(uint64_t address) const noexcept;
  std::size_t size() const noexcept { return symbols_.size(); }

 private:
  struct Symbol {
    uint64_t begin, size;
    uint32_t name;  // into names_
  };
  std::vector<Symbol> symbols_;  // by `begin`
  std::string names_;            // each ends with a 0
};

// The build-id among ELF notes that are aligned to `alignment`, in hexadecimal; empty if there is
// none. Compilers' linkers put one in: two files that have the same hold the same code.
std::string build_id_among(std::span<const std::byte> notes, std::size_t alignment);
// That of a file, by its sections; empty as well of a file that is not what SymbolTable reads.
std::string build_id_of(const std::string& path);

}  // namespace vicino
