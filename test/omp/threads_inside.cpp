// Threads that the program makes within a region or a task: each is an initial thread with settings and teams of
// its own, and neither it nor its end disturbs the team of the thread that made it.
// test: uses threads=2,4
// test: variant passive OMP_WAIT_POLICY=passive
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=close
// test: variant nested OMP_MAX_ACTIVE_LEVELS=2
#include <omp.h>

#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.h"

static int threads_at_start = 0;

static int members_of(int threads) {
  int members = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
  {
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_num_threads(), threads);
    ++members;
  }
  return members;
}

static void throw_after_region() {
#pragma omp parallel num_threads(2)
  {
    try {
      if (omp_get_thread_num() == 1) throw std::runtime_error("in the region");
    } catch (const std::runtime_error& error) {
      CHECK(error.what() != nullptr);
    }
  }
  throw 5;
}

static void begin_anew() {
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_level(), 0);
  CHECK(!omp_in_parallel());
  CHECK_EQ(omp_get_max_threads(), threads_at_start);
  omp_set_num_threads(3);
  omp_set_schedule(omp_sched_guided, 5);
  CHECK_EQ(members_of(omp_get_max_threads()), 3);
  CHECK_EQ(members_of(2), 2);
  int caught = 0;
  try {
    throw_after_region();
  } catch (int value) {
    caught = value;
  }
  CHECK_EQ(caught, 5);
}

static void by_each_member(int threads) {
  int tasks = 0;
#pragma omp parallel shared(tasks)
  {
    const int me = omp_get_thread_num();
    std::thread one(begin_anew), other(begin_anew);
#pragma omp barrier
    one.join();
    other.join();
    auto team = std::async(std::launch::async, [] { return members_of(3); });
#pragma omp task shared(tasks)
    {
      std::thread(begin_anew).join();
#pragma omp atomic
      ++tasks;
    }
#pragma omp taskwait
    CHECK_EQ(team.get(), 3);
    CHECK_EQ(omp_get_thread_num(), me);
    CHECK_EQ(omp_get_num_threads(), threads);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_max_threads(), threads);
  }
  CHECK_EQ(tasks, threads);
}

// They are made in a region, and go on after it.
static std::vector<std::thread> outlive_region() {
  std::vector<std::thread> made;
#pragma omp parallel
#pragma omp critical
  for (int i = 1; i < 4; ++i) {
    made.emplace_back([i] {
      for (int round = 0; round < 20; ++round) CHECK_EQ(members_of(1 + round % i), 1 + round % i);
    });
  }
  return made;
}

int main() {
  const int threads = threads_at_start = omp_get_max_threads();
  for (int round = 0; round < 10; ++round) {
    by_each_member(threads);
    auto made = outlive_region();
    CHECK_EQ(members_of(threads), threads);
    for (auto& thread : made) thread.join();
    omp_sched_t kind;
    int chunk = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK(kind != omp_sched_guided || chunk != 5);
    CHECK_EQ(omp_get_max_threads(), threads);
  }
  return check_result();
}
