// pool.hpp: Vicino's own threads while no team has them, and the numbers of all threads.
#pragma once

#include <vector>

#include "plat/plat.hpp"

namespace vicino::team {

class Team;
class Worker;

class Pool {
 public:
  static Pool& get() noexcept;

  // Attaches up to `count` threads to the team as members from `first` on; starts new ones when
  // none is idle. Gives how many: fewer when the system refuses, which is said once.
  int attach(Team& team, int first, int count, uint64_t seen);
  void put_back(Worker& worker);

  // A new root's number; the number of one that has ended.
  Worker* add_root();
  void remove_root(Worker* worker);

  // Threads that are in regions or poll for the next: more of them than CPUs means that polling
  // takes time from those who have work. A thread of the program counts from the first region that
  // it leads: before, it may have asked for a number of threads and sleep ever since.
  void count_awake(int change) noexcept { awake_.fetch_add(change, std::memory_order_relaxed); }
  int awake() const noexcept { return awake_.load(std::memory_order_relaxed); }

  // In the child of a fork(), where only `survivor` is left; null if it is not one of ours.
  void empty(Worker* survivor);

 private:
  int take_number();
  Worker* start_thread();

  // All but awake_ under the Cold lock.
  std::vector<Worker*> idle_;
  std::vector<bool> numbers_;  // in use
  bool refused_ = false;
  plat::atomic<int> awake_{0};
};

}  // namespace vicino::team
