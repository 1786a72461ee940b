// order.hpp: checks that tasks that depend on the same objects keep the order of their dependences.
//
// Why    A chain whose answer is right may still have run in the wrong order. Here each task checks
//        the order when it begins and when it ends.
// How    The tasks on one object are divided into turns, in the order of their generation:
//        neighbours that may overlap, or run in any order, share a turn; an `inout` has one alone.
//        While a task runs, all turns before its own are over, and no later turn has begun.
#pragma once

#include <omp.h>

#include <vector>

#include "../omp/check.h"

enum class Access { kIn, kOut, kInout, kExclusive, kSet };
#ifdef __clang__
inline constexpr int kAccesses = 5;
#else
inline constexpr int kAccesses = 4;  // gcc 12 does not know inoutset
#endif

inline void name_access(omp_depend_t& depend, Access access, int& object) {
  switch (access) {
    case Access::kIn: {
#pragma omp depobj(depend) depend(in : object)
      return;
    }
    case Access::kOut: {
#pragma omp depobj(depend) depend(out : object)
      return;
    }
    case Access::kExclusive: {
#pragma omp depobj(depend) depend(mutexinoutset : object)
      return;
    }
#ifdef __clang__
    case Access::kSet: {
#pragma omp depobj(depend) depend(inoutset : object)
      return;
    }
#endif
    default: {
#pragma omp depobj(depend) depend(inout : object)
    }
  }
}

// A task's turn: tasks on one object are numbered in the order of their generation.
struct Turn {
  Access access;
  int first, end;  // the numbers of the tasks of this turn
  int written;     // how many writers the earlier turns have
};

class Object {
 public:
  // Adds one task with such an access. All tasks are planned before the first is generated.
  void plan(Access access) {
    const bool shares = !turns_.empty() && turns_.back().access == access &&
                        access != Access::kInout && access != Access::kOut;
    const int number = int(turns_.size());
    if (!shares) first_ = number, written_ += in_turn_, in_turn_ = 0;
    turns_.push_back({access, first_, number + 1, written_});
    if (writes(access)) ++in_turn_;
    for (int i = first_; i < number; ++i) turns_[size_t(i)].end = number + 1;
  }
  const Turn& turn(int number) const { return turns_[size_t(number)]; }
  int planned() const { return int(turns_.size()); }
  int& word() { return value_; }  // the variable that the clauses name

  void begin(const Turn& turn) {
    CHECK(__atomic_load_n(&ended_, __ATOMIC_RELAXED) >= turn.first);
    CHECK(__atomic_fetch_add(&begun_, 1, __ATOMIC_RELAXED) < turn.end);
    if (turn.access == Access::kExclusive)
      CHECK_EQ(__atomic_fetch_add(&inside_, 1, __ATOMIC_RELAXED), 0);
    else if (turn.access != Access::kSet)
      CHECK_EQ(value_, turn.written);
  }
  void end(const Turn& turn) {
    // Not atomic: only the dependences order this write, which ThreadSanitizer checks.
    if (writes(turn.access)) ++value_;
    if (turn.access == Access::kExclusive) __atomic_fetch_sub(&inside_, 1, __ATOMIC_RELAXED);
    CHECK(__atomic_fetch_add(&ended_, 1, __ATOMIC_RELAXED) < turn.end);
  }
  void check_all_ended() { CHECK_EQ(__atomic_load_n(&ended_, __ATOMIC_RELAXED), planned()); }

 private:
  static bool writes(Access access) { return access != Access::kIn && access != Access::kSet; }

  std::vector<Turn> turns_;
  int first_ = 0, written_ = 0, in_turn_ = 0;
  int value_ = 0, begun_ = 0, ended_ = 0, inside_ = 0;
};
