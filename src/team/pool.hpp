// pool.hpp: Vicino's own threads while no team has them, and the numbers of all threads.
//
// Memory order: G1 and G2 are those of sync/event_count.hpp. A worker finds its assignment complete
// because attach() advances Worker::assigned after writing it (G1) and serve() of region/serve.cpp
// waits there (G2).
#pragma once

#include <vector>

#include "plat/plat.hpp"

namespace vicino::team {

class PagesAhead;
class Team;
class Worker;

// The stack of a thread that is started from now on; 0: the system's default.
void set_stack_size(size_t bytes) noexcept;
size_t stack_size() noexcept;

class Pool {
 public:
  static Pool& get() noexcept;

  // Attaches up to `count` threads to the team as members from `first` on, and starts new threads
  // when none is idle. A new thread begins on the spot of its member, if the team is arranged.
  // Returns how many it has attached: fewer if the system refuses a thread, and the first refusal
  // gives a message.
  int attach(Team& team, int first, int count, uint64_t seen);
  // Whether a thread was refused at any time. Relaxed: it decides only when a team is arranged.
  bool was_refused() const noexcept { return refused_.load(std::memory_order_relaxed); }
  // Calls a thread up that is idle, or starts one, to be a free agent (tasking/free_agents.hpp).
  // False if there is none.
  bool call_agent();
  void put_back(Worker& worker);
  // For a tool's end: ends the threads that are idle, and waits for them. Each gives back the
  // threads of the teams that it has led, then calls end(). False if no thread was idle.
  bool end_idle();
  void end(Worker& worker);

  // Makes the Worker of a new root, which gets a free number; frees the number of one that has
  // ended. Vicino's own threads, which roots start, run main(their Worker).
  using Main = void* (*)(void* worker);
  Worker* add_root(Main main);
  void remove_root(Worker* worker);

  // How many threads are in regions or poll for the next one. If they are more than the CPUs,
  // polling takes time from threads that have work. A thread of the program counts from the first
  // region that it leads: before that, it may have asked for a number of threads and sleep ever
  // since. Relaxed: the number is an estimate from which only limits of waiting follow.
  void count_awake(int change) noexcept { awake_.fetch_add(change, std::memory_order_relaxed); }
  int awake() const noexcept { return awake_.load(std::memory_order_relaxed); }

  // How many threads of the program use OpenMP. Relaxed: another thread may become one at any time.
  int roots() const noexcept { return roots_.load(std::memory_order_relaxed); }

  // How many threads Vicino knows now: its own, and the program's that use OpenMP.
  int known_threads() const;

  // Called in a child of fork(), where only the thread of `survivor` is left; null if Vicino does
  // not know that thread.
  void empty(Worker* survivor);

 private:
  int take_number();
  void mark(int number, bool in_use);
  bool start_thread(Worker& worker);
  Worker* start_member(Team& team, int id, PagesAhead& pages);

  // The Cold lock protects all of these except the atomics.
  Main main_ = nullptr;
  std::vector<Worker*> idle_;
  std::vector<bool> numbers_;  // in use
  int known_threads_ = 0;      // so many of them
  uint64_t last_root_ = 0;     // Worker::root
  plat::atomic<bool> refused_{false};
  plat::atomic<int> awake_{0}, roots_{0};
  // The threads that end_idle() waits for. P1: what a thread did before it ended comes before the return of
  // end_idle().
  plat::atomic<uint32_t> ending_{0};
};

}  // namespace vicino::team
