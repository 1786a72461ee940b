// locks.cpp: omp_lock_t and omp_nest_lock_t, uncontended and contended.
//
// Uncontended: every thread of the team has a lock of its own, on its own cache lines.
// Contended: one lock for all threads; entries are counted over the team. A lock that lets one
// thread enter again and again scores well here: that is a property of the lock, and is shown.
#include <omp.h>

#include <memory>

#include "construct.hpp"

namespace bench {
namespace {

struct alignas(128) Lock {
  omp_lock_t lock;
  Lock() { omp_init_lock(&lock); }
  ~Lock() { omp_destroy_lock(&lock); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  void set() { omp_set_lock(&lock); }
  void unset() { omp_unset_lock(&lock); }
};

struct alignas(128) NestLock {
  omp_nest_lock_t lock;
  NestLock() { omp_init_nest_lock(&lock); }
  ~NestLock() { omp_destroy_nest_lock(&lock); }
  NestLock(const NestLock&) = delete;
  NestLock& operator=(const NestLock&) = delete;
  void set() { omp_set_nest_lock(&lock); }
  void unset() { omp_unset_nest_lock(&lock); }
};

template <class L>
bool uncontended(long ops, int threads) {
  Tally tally;
  const auto locks = std::make_unique<L[]>(threads);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    L& own = locks[me];
    for (long i = 0; i < ops; ++i) {
      own.set();
      tally.add(me);
      own.unset();
    }
  }
  return tally.each_is(ops, threads);
}

template <class L>
bool contended(long ops, int threads) {
  long entries = 0;
  L lock;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
      lock.set();
      ++entries;
      lock.unset();
    }
  }
  return entries == ops;
}

bool nest_lock_again(long ops, int threads) {
  Tally tally;
  const auto locks = std::make_unique<NestLock[]>(threads);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    NestLock& own = locks[me];
    own.set();
    for (long i = 0; i < ops; ++i) {
      own.set();
      tally.add(me);
      own.unset();
    }
    own.unset();
  }
  return tally.each_is(ops, threads);
}

constexpr Construct kFamily[] = {
    {"lock", "set and unset, own lock", uncontended<Lock>},
    {"lock_contended", "set and unset, one lock for all", contended<Lock>},
    {"nest_lock", "set and unset, own nest lock", uncontended<NestLock>},
    {"nest_lock_again", "set and unset of a nest lock already held", nest_lock_again},
    {"nest_lock_contended", "set and unset, one nest lock for all", contended<NestLock>},
};

}  // namespace

std::span<const Construct> lock_family() { return kFamily; }

}  // namespace bench
