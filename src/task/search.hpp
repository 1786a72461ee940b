// search.hpp: what a member remembers of its looks for tasks: how patient it is with tasks whose
// data are far away, which members it asks first, and whether the team takes it for a holder of
// tasks (holders.hpp).
//
// Only the member itself uses it, but for `parent_at_`, which thieves set. That is relaxed: a
// member that reads an old one asks another member first, and the deques order the tasks.
#pragma once

#include <algorithm>

#include "plat/plat.hpp"

namespace vicino::task {

class Search {
 public:
  void begin_region() noexcept { last_victim_ = -1; }
  void begin_epoch() noexcept {
    vain_ = declined_ = 0;
    parent_at_.store(-1, std::memory_order_relaxed);
  }

  void found() noexcept { vain_ = declined_ = 0; }
  void found_nothing() noexcept { vain_ = std::min(vain_ + 1, kPatient); }
  // It has looked at the queues of other domains. `declines`: it left tasks to threads nearer to
  // their data.
  void looked_far(bool declines) noexcept {
    declined_ = declines ? std::min(declined_ + 1, kPatient) : 0;
  }
  // Whether it has found nothing for a while, and takes tasks whose data are far away.
  bool takes_far() const noexcept { return vain_ == kPatient; }
  // Whether it has left tasks to others for a while, and takes them now.
  bool declines_no_more() const noexcept { return declined_ == kPatient; }

  // It is number `me`, and has stolen from the member with number `number`. `suspended`: the task
  // is an untied one that set itself aside when it generated a child. Thieves take the oldest task
  // first. So such a task's own parent, if that had been put into the same deque, was taken before,
  // by the member that the victim knows of.
  void stole(int me, int number, Search& victim, bool suspended) noexcept {
    last_victim_ = number;
    int parent_at = -1;
    if (suspended) {
      parent_at = victim.parent_at_.exchange(me, std::memory_order_relaxed);
      if (parent_at == me) parent_at = -1;
    }
    parent_at_.store(parent_at, std::memory_order_relaxed);
  }
  // The member that it stole from last in the region; -1: none.
  int last_victim() const noexcept { return last_victim_; }
  // The member that has the suspended parent of what this one runs, as far as thieves have told;
  // -1: none.
  int parent_at() const noexcept { return parent_at_.load(std::memory_order_relaxed); }

  // Whether its deque may hold tasks, as the team knows.
  bool is_holder() const noexcept { return is_holder_; }

 private:
  friend class Holders;
  // Looks in vain, about 15 us by attend.hpp: at the beginning of a taskloop a domain's tasks do not
  // all become visible at once.
  static constexpr int kPatient = 4;

  int vain_ = 0;      // looks in a row that found nothing, up to kPatient
  int declined_ = 0;  // those that left tasks to threads nearer to their data
  int last_victim_ = -1;
  bool is_holder_ = false;
  plat::atomic<int> parent_at_{-1};
};

}  // namespace vicino::task
