// arrays.hpp: where the arrays of a parallel region begin and end, as its captured words tell.
//
// Why    The kernel merges neighbouring mappings, so a mapping is not an array. But what a region
//        captures, the words of gcc's struct and clang's arguments, points to the arrays that it
//        works on: itself, or as a pointer, a std::vector or an object with such members does.
// How    Words are followed through at most two blocks of memory. A word that lies in large private
//        memory, or that malloc() gave for much of other memory, is where an array begins. Its end: the
//        vector's own word, else the size that glibc keeps in front of what malloc() gives, else the
//        next array's begin or the mapping's end.
// Cost   a system call of a third of a microsecond for each block that is read; at most kMostBlocks.
// Not    exact: any word may look like an address. What is found is only where pages may be moved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pages/kernel.hpp"

namespace vicino::pages {

struct Array {
  uintptr_t begin;
  uintptr_t end;
  friend bool operator==(const Array&, const Array&) = default;
};

inline constexpr int kMostBlocks = 48;

// In order of address, apart from each other. `words`: what the region captures. `all`: the
// process's mappings; `large`: those of them in which arrays lie of which nothing else tells.
std::vector<Array> find_arrays(Kernel& kernel, std::span<const topo::Mapping> all,
                               std::span<const topo::Mapping> large,
                               std::span<const uintptr_t> words);

}  // namespace vicino::pages
