// room.hpp: how many threads a region gets among other processes, where OpenMP allows fewer than it asks for
// (dyn-var).
//
// Why    Where other processes want the CPUs, the threads of a team are switched in and out and wait for
//        each other's turns: several copies of a program with a team each took up to twice the time of
//        copies with one thread each (bench/crowded/clients.md). A team that leaves the CPUs of others to them
//        waits for nobody, and copies that do so share the machine without a word.
// How    While the machine is not crowded (plat/native/crowd.hpp) a region gets what it wants. In a crowd
//        the room is the number of CPUs that threads of other processes do not use or wait for, and at
//        least one. It becomes smaller at once. It becomes larger when for a while each look has seen more
//        room. If that was in vain, because the crowd is back soon, the next while is twice as long.
//        A process that may not use all CPUs cannot count the others' threads: there the room is halved at
//        each look that finds a crowd, and all of it is back after a while without one.
// Part   A large team loses or gets an eighth of its threads at a time: a loop's tuner and its data know
//        teams of one size.
// Cost   a reading of the clock in each region with dyn-var; every kLookNs about 5 us.
// Not    for regions inside others. Threads of low priority count like all others, once there is a crowd.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>

#include "plat/plat.hpp"

namespace vicino::region {

// Of the thread that begins the regions; no other thread touches it.
class Room {
 public:
  static constexpr uint64_t kLookNs = 5'000'000;
  static constexpr uint64_t kFirstWhileNs = 10'000'000;
  static constexpr uint64_t kLongestWhileNs = 640'000'000;
  static constexpr uint64_t kSoonNs = 100'000'000;  // a crowd that is back so soon was never over

  // How many of `wanted` > 1 threads the region gets that begins now. `machine` tells is_crowded(), and the
  // load() of all its CPUs, if that is known.
  int threads_of(int wanted, uint64_t now, const auto& machine) noexcept {
    if (now >= due_) look(now, machine);
    return threads_ = part_of(wanted);
  }

 private:
  static constexpr int kAll = INT_MAX;

  int part_of(int wanted) const noexcept {
    if (wanted <= room_) return wanted;
    const int step = std::max(1, wanted / 8);
    return std::max(1, room_ - room_ % step);
  }

  void look(uint64_t now, const auto& machine) noexcept {
    due_ = now + kLookNs;
    const bool crowded = machine.is_crowded();
    if (room_ == kAll && !crowded) return;
    const int seen = room_seen(crowded, machine.load());
    if (seen < room_) return shrink(now, seen);
    if (seen == room_) return begin_while(now);
    least_seen_ = std::min(least_seen_, seen);
    if (now >= while_began_ + while_ns_) grow(now);
  }

  // The process's own threads are not in its way: in a crowd one of them is awake between two regions, else
  // its last team may be.
  int room_seen(bool crowded, std::optional<plat::Load> load) const noexcept {
    if (!load) return crowded ? std::max(1, threads_ / 2) : kAll;
    const int others = load->ready - (crowded ? 1 : threads_);
    return others <= 0 ? kAll : std::max(1, load->cpus - others);
  }

  void shrink(uint64_t now, int room) noexcept {
    if (grown_at_ != 0) {
      const bool in_vain = now < grown_at_ + kSoonNs;
      while_ns_ = in_vain ? std::min(2 * while_ns_, kLongestWhileNs) : kFirstWhileNs;
      grown_at_ = 0;
    }
    room_ = room;
    begin_while(now);
  }

  void grow(uint64_t now) noexcept {
    room_ = least_seen_;
    grown_at_ = now;
    begin_while(now);
  }

  void begin_while(uint64_t now) noexcept {
    while_began_ = now;
    least_seen_ = kAll;
  }

  int room_ = kAll;
  int threads_ = 1;  // of the last region
  uint64_t due_ = 0;
  int least_seen_ = kAll;  // since the while began, in which each look has seen more than room_
  uint64_t while_began_ = 0;
  uint64_t while_ns_ = kFirstWhileNs;
  uint64_t grown_at_ = 0;  // 0: a crowd has been seen since
};

}  // namespace vicino::region
