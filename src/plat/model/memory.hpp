// memory.hpp: the part of the C++20 memory model that the checker explores.
//
// A location keeps all its stores, in modification order; a thread keeps, per location, the oldest
// store that it may still read. A load chooses among the stores from there on; an RMW reads the
// newest. A store carries a message: a view that an acquiring reader joins to its own:
//  release   the writer's view
//  relaxed   the writer's view at its last release fence
//  any RMW   also the message of the store it read, which makes a release sequence
// seq_cst operations have one total order, the order of execution: per location, the newest store
// that a seq_cst operation read or wrote is a lower bound for later seq_cst loads, and a seq_cst
// fence exchanges with these bounds all that its thread knows.
//
// README.md lists what this model leaves out.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "plat/model/view.hpp"

namespace vicino::model {

// Identifies an access: the thread, and the number of the operation in that thread.
struct Event {
  ThreadId thread = 0;
  uint16_t number = 0;
};

struct Store {
  uint64_t value;
  Event by;
  View message;
};

// Plain data: the last accesses to it, to find races.
struct Footprint {
  Event written;
  std::array<uint16_t, kMaxThreads> read{};
};

class Memory {
 public:
  void clear() noexcept;

  // A new location at an address; an earlier location there is forgotten. `full()` says when there
  // are too many.
  void create(const void* address, uint64_t value, Event by);
  // Like create(), before the threads begin. Most of the scenario's big structures are never
  // touched, so the first store is added only when a thread looks.
  void declare(const void* address) { addresses_.push_back(address); }
  // The location at an address; if it has no store yet, it has always held `value`.
  LocationId find(const void* address, uint64_t value);
  bool full() const noexcept { return addresses_.size() == kMaxLocations; }
  const void* address(LocationId l) const noexcept { return addresses_[l]; }

  const Store& at(LocationId l, Time t) const noexcept { return locations_[l].stores[t]; }
  Time newest(LocationId l) const noexcept;
  Time oldest(ThreadId thread, LocationId l, std::memory_order order) const noexcept;

  void read(ThreadId thread, LocationId l, Time t, std::memory_order order) noexcept;
  void write(Event by, LocationId l, uint64_t value, std::memory_order order);
  // After read() of the newest store: the writing half of an RMW.
  void replace(Event by, LocationId l, uint64_t value, std::memory_order order);
  void fence(ThreadId thread, std::memory_order order) noexcept;
  // A digest of the newest store of each location that seq_cst operations know.
  uint64_t strength() const noexcept;
  // The thread has seen the newest store, as a system call does; this orders nothing else.
  void look(ThreadId thread, LocationId l) noexcept;

  // A thread begins an operation; returns its number.
  uint16_t tick(ThreadId thread) noexcept { return ++threads_[thread].now.clock[thread]; }
  void spawn(ThreadId parent, ThreadId child) noexcept;
  void join(ThreadId parent, ThreadId child) noexcept;

  // Returns false when an access to plain data races with an earlier one.
  bool touch(ThreadId thread, Footprint& data, bool writes) const noexcept;

  // Equal digests mean the same stores in the same order and the same seq_cst order. The threads'
  // views are left out, because they follow from the threads' histories.
  uint64_t digest() const noexcept { return digest_; }

 private:
  struct Location {
    std::vector<Store> stores;
    uint64_t digest = 0;
  };
  struct Thread {
    View now;
    View pending;   // read without acquiring: an acquire fence joins it
    View released;  // `now` at the last release fence
  };

  void append(Event by, LocationId l, uint64_t value, const View& message);
  void strengthen(LocationId l, Time t) noexcept;

  std::vector<const void*> addresses_;  // by location; nullptr for a forgotten location
  std::array<Location, kMaxLocations> locations_;
  std::array<Thread, kMaxThreads> threads_;
  Frontier strong_{};  // seq_cst
  uint64_t digest_ = 0;
};

}  // namespace vicino::model
