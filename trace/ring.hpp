// ring.hpp: the records that a thread has written and the writer has not read.
//
// One thread puts, one takes. A record that does not fit is dropped and counted; nobody ever waits. So that a span
// which was put can always be ended, the ring keeps a place free for the end of each open span. When the ring is half
// full, the thread calls `kNudge`, which wakes the writer.
//
// Invariants
//  R1 taken <= put <= taken + kRecords.
//  R2 For each open span whose beginning was put there is a free place: put + open <= taken + kRecords.
//     put_begin() takes two places of those that are free, put_end() one that was kept.
// Memory order
//  (1) the release of the count of records put, by the thread, pairs with
//  (2) its acquire by the writer: it sees the records.
//  (3) the release of the count of records taken, by the writer, pairs with
//  (4) its acquire by the thread: the writer has read what the thread overwrites.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::trace {

template <class Record, size_t kRecords, auto kNudge>
class Ring {
 public:
  // The thread's. False: dropped, as there were not `spare` places left besides.
  bool put_begin(const Record& record, size_t spare = 0) noexcept {
    if (!has_free(open_ + 2 + spare)) return drop();
    ++open_;
    store(record);
    return true;
  }
  // The end of a span whose beginning was put.
  void put_end(const Record& record) noexcept {
    --open_;
    store(record);
  }
  bool put_instant(const Record& record, size_t spare = 0) noexcept {
    if (!has_free(open_ + 1 + spare)) return drop();
    store(record);
    return true;
  }

  // The writer's. Calls `take` for the records, oldest first, until it says false.
  template <class Take>
  size_t take(Take&& take) noexcept {
    const size_t end = put_.load(std::memory_order_acquire);  // (2)
    const size_t begin = taken_.load(std::memory_order_relaxed);
    size_t at = begin;
    while (at != end && take(records_[at % kRecords])) ++at;
    if (at != begin) taken_.store(at, std::memory_order_release);  // (3)
    return at - begin;
  }
  // How many were dropped since the thread began. Relaxed: it is only told.
  uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  bool has_free(size_t places) noexcept {
    const size_t filled = put_.load(std::memory_order_relaxed) + places;
    if (filled <= known_taken_ + kRecords / 2) return true;
    known_taken_ = taken_.load(std::memory_order_acquire);  // (4)
    if (filled > known_taken_ + kRecords / 2) kNudge();
    return filled <= known_taken_ + kRecords;
  }
  void store(const Record& record) noexcept {
    const size_t put = put_.load(std::memory_order_relaxed);
    records_[put % kRecords] = record;
    put_.store(put + 1, std::memory_order_release);  // (1)
  }
  bool drop() noexcept {
    dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return false;
  }

  plat::atomic<size_t> put_{0};
  size_t known_taken_ = 0;  // the thread's
  size_t open_ = 0;         // the thread's: spans whose beginning was put
  plat::atomic<uint64_t> dropped_{0};
  alignas(kLine) plat::atomic<size_t> taken_{0};
  alignas(kLine) Record records_[kRecords];
};

}  // namespace vicino::trace
