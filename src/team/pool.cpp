#include "team/pool.hpp"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include <algorithm>
#include <optional>

#include "base/first_made.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "lend/guest.hpp"
#include "lend/lending.hpp"
#include "plat/lost_time.hpp"
#include "sync/cold.hpp"
#include "team/inherited.hpp"
#include "team/places.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

// What the program has set; kUnset: nothing, and the environment's size holds. Relaxed: it carries no
// data.
constexpr size_t kUnset = SIZE_MAX;
constinit plat::atomic<size_t> stack_size_set{kUnset};

// Sets the user's stack size, but never less than the system's minimum. Without one the system's
// default stays.
void set_stack_size(pthread_attr_t& attributes) {
  const size_t asked = stack_size();
  if (asked == 0) return;
  const size_t size = std::max(asked, static_cast<size_t>(PTHREAD_STACK_MIN));
  if (pthread_attr_setstacksize(&attributes, size) != 0)
    say("a stack of %zu bytes per thread cannot be had; using the system's default", size);
}

// The thread is to begin on the spot, if there is one. Where the kernel chooses, the last threads of
// a team may have to wait behind others, which poll.
bool set_spot(pthread_attr_t& attributes, int spot) {
  if (spot < 0 || topo::Machine::here().recorded()) return false;
  const auto mask = spots()[spot].to_kernel();
  return pthread_attr_setaffinity_np(&attributes, mask.size_bytes(),
                                     reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

// Starts a thread that begins on a spot; -1: on any. Returns an errno value.
int create(pthread_t& thread, int spot, Worker& worker, Pool::Main main) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  set_stack_size(attributes);
  const bool on_spot = set_spot(attributes, spot);
  const int error = pthread_create(&thread, &attributes, main, &worker);
  pthread_attr_destroy(&attributes);
  if (error == 0 || error == EAGAIN || !on_spot) return error;
  // Its CPUs have been taken away from the process, or a filter of system calls forbids to bind threads.
  worker.start.spot = -1;
  return create(thread, -1, worker, main);
}

}  // namespace

void set_stack_size(size_t bytes) noexcept {
  stack_size_set.store(bytes, std::memory_order_relaxed);
}
size_t stack_size() noexcept {
  const size_t set = stack_size_set.load(std::memory_order_relaxed);
  return set != kUnset ? set : config::settings().stack_size;
}

Pool& Pool::get() noexcept {
  static constinit FirstMade<Pool> pool;
  return pool.get([] { return Pool(); });
}

int Pool::take_number() {
  const auto free = std::find(numbers_.begin(), numbers_.end(), false);
  const auto number = free - numbers_.begin();
  if (free == numbers_.end()) numbers_.push_back(false);
  mark(static_cast<int>(number), true);
  return static_cast<int>(number);
}

void Pool::mark(int number, bool in_use) {
  numbers_[static_cast<size_t>(number)] = in_use;
  known_threads_ += in_use ? 1 : -1;
  plat::set_known_threads(known_threads_);
}

// False if the system refuses a thread.
bool Pool::start_thread(Worker& worker) {
  pthread_t thread;
  const int error = create(thread, worker.start.spot, worker, main_);
  if (error == 0) {
    worker.guest->set_thread(thread);
    return true;
  }

  mark(worker.gtid(), false);
  if (!was_refused())
    say("no more threads can be started (%s); going on with fewer than asked for", strerror(error));
  refused_.store(true, std::memory_order_relaxed);
  return false;
}

// Starts a thread as a member of a team that is arranged.
Worker* Pool::start_member(Team& team, int id, PagesAhead& pages) {
  const int spot = lend::is_on() ? -1 : team.member(id).bound.spot;
  pages.send_to(spot);
  auto worker = std::make_unique<Worker>(take_number());
  pages.is_made(*worker);
  team.receive(id, *worker);
  worker->start = {spot, worker->range};
  worker->root = team.member(0).worker->root;
  if (start_thread(*worker)) return worker.release();
  team.member(id).worker = nullptr;
  return nullptr;
}

int Pool::attach(Team& team, int first, int count, uint64_t seen) {
  const sync::Cold cold;
  const auto idle = static_cast<int>(idle_.size());
  std::optional<Inherited> leaders;
  PagesAhead pages(static_cast<size_t>(std::max(count - idle, 0)), sizeof(Worker));
  for (int i = 0; i < count; ++i) {
    Worker* worker = nullptr;
    if (idle_.empty()) {
      worker = start_member(team, first + i, pages);
      if (worker == nullptr) return i;
    } else {
      worker = idle_.back();
      idle_.pop_back();
      team.receive(first + i, *worker);
      if (const uint64_t root = team.member(0).worker->root; worker->root != root) {
        worker->root = root;
        if (!leaders) leaders = Inherited::now(narrowed_mask().otherwise == nullptr);
        worker->inherited = std::make_unique<const Inherited>(*leaders);
      }
    }
    worker->assignment = {&team, first + i, seen, team.patience, false};
    worker->assigned.advance(++worker->assignments);  // G1: publishes the assignment to serve()
  }
  return count;
}

bool Pool::call_agent() {
  const sync::Cold cold;
  Worker* worker = nullptr;
  if (!idle_.empty()) {
    worker = idle_.back();
    idle_.pop_back();
  } else {
    if (was_refused()) return false;
    auto made = std::make_unique<Worker>(take_number());
    if (!start_thread(*made)) return false;
    worker = made.release();
  }
  worker->assignment.is_agent = true;
  worker->assigned.advance(++worker->assignments);  // G1, as in attach()
  return true;
}

void Pool::put_back(Worker& worker) {
  const sync::Cold cold;
  idle_.push_back(&worker);
}

bool Pool::end_idle() {
  {
    const sync::Cold cold;
    if (idle_.empty()) return false;
    ending_.store(static_cast<uint32_t>(idle_.size()), std::memory_order_relaxed);
    for (Worker* worker : idle_) {
      worker->assignment.team = nullptr;
      worker->assignment.is_agent = false;
      worker->assigned.advance(++worker->assignments);  // G1, as in attach()
    }
    idle_.clear();
  }
  // A thread may have been stopped for good; the program's end does not wait for it.
  constexpr uint64_t kPatience = 1'000'000'000;
  const uint64_t start = plat::now();
  while (const uint32_t left = ending_.load(std::memory_order_acquire)) {  // P1
    if (plat::now() - start > kPatience) return false;
    plat::sleep_on(ending_, left, kPatience);
  }
  return true;
}

void Pool::end(Worker& worker) {
  {
    const sync::Cold cold;
    mark(worker.gtid(), false);
    delete &worker;
  }
  ending_.fetch_sub(1, std::memory_order_release);  // P1
  plat::wake(ending_);
}

Worker* Pool::add_root(Main main) {
  const sync::Cold cold;
  main_ = main;
  roots_.fetch_add(1, std::memory_order_relaxed);
  auto* const worker = new Worker(take_number());
  worker->root = ++last_root_;
  return worker;
}

void Pool::remove_root(Worker* worker) {
  const sync::Cold cold;
  roots_.fetch_sub(1, std::memory_order_relaxed);
  mark(worker->gtid(), false);
  delete worker;
}

int Pool::known_threads() const {
  const sync::Cold cold;
  return known_threads_;
}

void Pool::empty(Worker* survivor) {
  idle_.clear();
  std::fill(numbers_.begin(), numbers_.end(), false);
  known_threads_ = 0;
  if (survivor != nullptr) mark(survivor->gtid(), true);
  awake_.store(0, std::memory_order_relaxed);
  roots_.store(survivor != nullptr ? 1 : 0, std::memory_order_relaxed);
}

}  // namespace vicino::team
