// filter.hpp: the lines that a CPU used last, by virtual address. With it most accesses need only
// one comparison and no translation.
//
// The filter is a shortcut and no part of the model: without it every count would be the same.
//  F1 An entry is the most recent line of its set in the L2. Lines of a set agree in the bits that
//     choose an entry, since these are bits of the set's number, so the next line that is used in
//     the set replaces the entry. Hence a hit needs no update of the order of use.
//  F2 These bits lie inside a page, so a virtual line and its physical line choose the same entry,
//     and a line that another CPU takes away can be forgotten by its physical number.
//  F3 A store hits only an entry that was stored to before: the L2 then holds the line modified.
//  F4 Mappings change only in the kernel, which a CPU enters before its user code goes on. So each
//     entry into the kernel calls forget_all().
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "locality/machine.hpp"

namespace vicino::lab {

class Filter {
 public:
  Filter(int cpus, std::uint64_t l2_sets)
      : mask_(std::min<std::uint64_t>(l2_sets, kEntries) - 1), cpus_(cpus) {
    for (int cpu = 0; cpu < cpus; ++cpu) forget_all(cpu);
  }

  bool hit(int cpu, std::uint64_t virtual_line, bool store) const {
    const std::uint64_t entry = cpus_[cpu][virtual_line & mask_];
    return entry >> 1 == virtual_line && (entry & 1) >= store;
  }
  void remember(int cpu, std::uint64_t virtual_line, bool store) {
    cpus_[cpu][virtual_line & mask_] = virtual_line << 1 | store;
  }
  void forget(int cpu, std::uint64_t line) { cpus_[cpu][line & mask_] = kNone; }
  void forget_all(int cpu) { cpus_[cpu].fill(kNone); }

 private:
  static constexpr std::uint64_t kEntries = kPageBytes >> kLineBits;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // no virtual line is that large

  std::uint64_t mask_;
  std::vector<std::array<std::uint64_t, kEntries>> cpus_;
};

}  // namespace vicino::lab
