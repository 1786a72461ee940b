// outside.hpp: a thread that belongs to no team. It fulfils the events of detached tasks, for
// example.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

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
  void soon(std::function<void()> job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    some_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      some_.wait(lock, [this] { return over_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable some_;
  std::deque<std::function<void()>> jobs_;
  bool over_ = false;
  std::thread thread_{&Outside::run, this};
};
