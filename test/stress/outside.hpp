// outside.hpp: a thread that is in no team, and fulfils the events of detached tasks.
#pragma once

#include <omp.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Outside {
 public:
  ~Outside() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    some_.notify_one();
    thread_.join();
  }
  // Soon; and counts it there before, for the counter may be gone after.
  void fulfil(omp_event_handle_t event, int* fulfilled) {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back({event, fulfilled});
    }
    some_.notify_one();
  }

 private:
  struct Event {
    omp_event_handle_t handle;
    int* fulfilled;
  };
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      some_.wait(lock, [this] { return over_ || !events_.empty(); });
      if (events_.empty()) return;
      const Event event = events_.front();
      events_.pop_front();
      lock.unlock();
      __atomic_fetch_add(event.fulfilled, 1, __ATOMIC_RELAXED);
      omp_fulfill_event(event.handle);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable some_;
  std::deque<Event> events_;
  bool over_ = false;
  std::thread thread_{&Outside::run, this};
};
