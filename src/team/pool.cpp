#include "team/pool.hpp"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include <algorithm>

#include "base/say.hpp"
#include "config/settings.hpp"
#include "lend/guest.hpp"
#include "sync/cold.hpp"
#include "team/worker.hpp"

namespace vicino::team {
namespace {

// Sets the user's stack size, but never less than the system's minimum. Without one the system's
// default stays.
void set_stack_size(pthread_attr_t& attributes) {
  const size_t asked = config::settings().stack_size;
  if (asked == 0) return;
  const size_t size = std::max(asked, static_cast<size_t>(PTHREAD_STACK_MIN));
  if (pthread_attr_setstacksize(&attributes, size) != 0)
    say("a stack of %zu bytes per thread cannot be had; using the system's default", size);
}

}  // namespace

Pool& Pool::get() noexcept {
  static Pool* const pool = new Pool;  // threads outlive main()
  return *pool;
}

int Pool::threads() {
  const sync::Cold cold;
  return static_cast<int>(std::count(numbers_.begin(), numbers_.end(), true));
}

int Pool::take_number() {
  const auto free = std::find(numbers_.begin(), numbers_.end(), false);
  const auto number = free - numbers_.begin();
  if (free == numbers_.end()) numbers_.push_back(true);
  numbers_[static_cast<size_t>(number)] = true;
  return static_cast<int>(number);
}

Worker* Pool::start_thread(Main main) {
  auto worker = std::make_unique<Worker>(take_number());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  set_stack_size(attributes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, main, worker.get());
  pthread_attr_destroy(&attributes);
  if (error == 0) {
    worker->guest->set_thread(thread);
    return worker.release();
  }

  numbers_[static_cast<size_t>(worker->gtid())] = false;
  if (!refused_)
    say("no more threads can be started (%s); going on with fewer than asked for", strerror(error));
  refused_ = true;
  return nullptr;
}

int Pool::attach(Team& team, int first, int count, uint64_t seen, Main main) {
  const sync::Cold cold;
  for (int i = 0; i < count; ++i) {
    Worker* worker = nullptr;
    if (idle_.empty()) {
      worker = start_thread(main);
      if (worker == nullptr) return i;
    } else {
      worker = idle_.back();
      idle_.pop_back();
    }
    team.member(first + i).worker = worker;
    worker->assignment = {&team, first + i, seen, team.patience};
    worker->assigned.advance(++worker->assignments);  // G1: publishes the assignment to serve()
  }
  return count;
}

void Pool::put_back(Worker& worker) {
  const sync::Cold cold;
  idle_.push_back(&worker);
}

Worker* Pool::add_root() {
  const sync::Cold cold;
  roots_.fetch_add(1, std::memory_order_relaxed);
  return new Worker(take_number());
}

void Pool::remove_root(Worker* worker) {
  const sync::Cold cold;
  roots_.fetch_sub(1, std::memory_order_relaxed);
  numbers_[static_cast<size_t>(worker->gtid())] = false;
  delete worker;
}

void Pool::empty(Worker* survivor) {
  idle_.clear();
  std::fill(numbers_.begin(), numbers_.end(), false);
  if (survivor != nullptr) numbers_[static_cast<size_t>(survivor->gtid())] = true;
  awake_.store(0, std::memory_order_relaxed);
  roots_.store(survivor != nullptr ? 1 : 0, std::memory_order_relaxed);
}

}  // namespace vicino::team
