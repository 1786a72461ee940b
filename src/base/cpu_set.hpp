// cpu_set.hpp: a set of the operating system's CPU numbers, of any size.
//
// Why    cpu_set_t ends at 1024 CPUs, and hwloc's bitmaps belong to hwloc; places are kept,
//        compared and printed in layers that know neither.
// Cost   one vector; an empty set allocates nothing.
//
// Invariant (check())
//  I1 trimmed  the last word is not zero, so equal sets have equal words, and no operation depends
//              on how large the other set once was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace vicino {

class CpuSet {
 public:
  // This is above any kernel's NR_CPUS; a number typed by hand must not allocate gigabytes.
  static constexpr int kMaxCpus = 1 << 16;

  CpuSet() noexcept = default;
  static CpuSet of(int cpu);
  static CpuSet range(int first, int count);
  // "0-3,8", as the kernel writes it; "" is the empty set.
  static Result<CpuSet> parse_list(std::string_view text);
  // `mask` is what sched_getaffinity() filled in.
  static CpuSet from_kernel(std::span<const unsigned long> mask);

  void set(int cpu);
  void clear(int cpu) noexcept;
  bool test(int cpu) const noexcept;

  bool empty() const noexcept { return words_.empty(); }
  int count() const noexcept;
  // The lowest CPU in the set, and the lowest above `cpu`; -1 if there is none.
  int first() const noexcept { return next(-1); }
  int next(int cpu) const noexcept;
  int last() const noexcept;

  CpuSet& operator&=(const CpuSet& other) noexcept;
  CpuSet& operator|=(const CpuSet& other);
  CpuSet& operator-=(const CpuSet& other) noexcept;
  friend CpuSet operator&(CpuSet a, const CpuSet& b) noexcept { return a &= b; }
  friend CpuSet operator|(CpuSet a, const CpuSet& b) { return a |= b; }
  friend CpuSet operator-(CpuSet a, const CpuSet& b) noexcept { return a -= b; }
  friend bool operator==(const CpuSet&, const CpuSet&) = default;

  bool contains(const CpuSet& other) const noexcept;
  bool intersects(const CpuSet& other) const noexcept;

  std::string to_list() const;
  // The arguments for sched_setaffinity() are mask.data() and mask.size_bytes(); the mask is never
  // empty. It is part of the set and allocates nothing: a thread that binds itself as the first thing
  // that it does would make malloc() set up an arena for it, while other threads are being started.
  std::span<const unsigned long> to_kernel() const& noexcept;
  void to_kernel() && = delete;

  // Calls f(cpu) in ascending order.
  template <class F>
  void for_each(F f) const {
    for (int cpu = first(); cpu >= 0; cpu = next(cpu)) f(cpu);
  }

  bool check() const noexcept { return words_.empty() || words_.back() != 0; }

 private:
  void trim() noexcept;

  std::vector<uint64_t> words_;
};

}  // namespace vicino
