// memory.hpp: the part of the C++20 memory model that the checker explores.
//
// A location keeps all its stores, in modification order; a thread keeps, per location, the oldest
// store it may still read. A load chooses among the stores from there on; an RMW reads the newest.
// A store carries a message, the view that whoever acquires it joins:
//  release   the writer's view
//  relaxed   the writer's view at its last release fence
//  any RMW   also the message of the store it read, which makes a release sequence
// seq_cst has one order, that of execution: per location, the newest store that a seq_cst operation
// read or wrote bounds later seq_cst loads from below, and seq_cst fences exchange all that they
// know with it.
//
// What this leaves out is listed in README.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "plat/model/view.hpp"

namespace vicino::model {

// Of an access: which thread and the how-manieth of its operations.
struct Event {
  ThreadId thread = 0;
  uint16_t number = 0;
};

struct Store {
  uint64_t value;
  Event by;
  View message;
};

// Data that is not atomic: who touched it last, to find races.
struct Footprint {
  Event written;
  std::array<uint16_t, kMaxThreads> read{};
};

class Memory {
 public:
  void clear() noexcept;

  // A new location at an address; one that was there before is forgotten. `full()` says when there
  // are too many.
  void create(const void* address, uint64_t value, Event by);
  // The same before the threads begin. The scenario's big structures are mostly never touched, so
  // the first store waits for somebody who looks.
  void declare(const void* address) { addresses_.push_back(address); }
  // The location at an address; one that has no store yet holds `value` and always did.
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
  // A digest of the newest store that seq_cst operations know, of each location.
  uint64_t strength() const noexcept;
  // The thread has seen the newest store, as a system call does; no more order than that.
  void look(ThreadId thread, LocationId l) noexcept;

  // A thread begins an operation; gives its number.
  uint16_t tick(ThreadId thread) noexcept { return ++threads_[thread].now.clock[thread]; }
  void spawn(ThreadId parent, ThreadId child) noexcept;
  void join(ThreadId parent, ThreadId child) noexcept;

  // Gives false when an access to plain data races with an earlier one.
  bool touch(ThreadId thread, Footprint& data, bool writes) const noexcept;

  // Same digest, same stores in the same order and same seq_cst order; of the threads' views only
  // what follows from their histories is left out.
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

  std::vector<const void*> addresses_;  // by location; nullptr when forgotten
  std::array<Location, kMaxLocations> locations_;
  std::array<Thread, kMaxThreads> threads_;
  Frontier strong_{};  // seq_cst
  uint64_t digest_ = 0;
};

}  // namespace vicino::model
