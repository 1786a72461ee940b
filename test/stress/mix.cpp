// mix.cpp: regions with a random sequence of constructs, drawn from a seed.
//
// Why    Feature programs use one construct at a time. Faults of rings, event counts and barriers
//        appear between constructs: a nowait loop behind a lagging one, a single after a reduction,
//        a team that shrinks and grows around a nested region.
// How    All threads of a team draw the same plan from the same seed, because the standard requires
//        that they meet the same constructs. Each construct leaves a trace that is checked when the
//        region has ended, and some values are checked at once.
// Usage  mix [SEED|random [SECONDS [ROOTS]]]
//        A failure prints its seed and region. A run that hangs has printed its seed at the start.
#include <omp.h>
#include <sched.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "../omp/check.h"
#include "plan.hpp"

namespace {

// The traces of a region's constructs: one slot for each step of the region's plan.
struct Trace {
  explicit Trace(const Plan& plan) : plan(plan), loops(plan.steps.size()) {
    for (size_t s = 0; s < plan.steps.size(); ++s)
      loops[s] = std::vector<unsigned char>(plan.steps[s].trip + 1);
  }
  unsigned char* seen(int s) { return loops[s].data(); }

  const Plan& plan;
  std::vector<std::vector<unsigned char>> loops;
  long singles = 0, criticals = 0, masked = 0, sections = 0, reduced = 0, inner = 0;
};

// Now and then a thread falls behind, so that slots are reused and event counts are passed late.
void lag(uint64_t seed, int step) {
  const uint64_t r = mix(seed, uint64_t(step) * 64 + omp_get_thread_num());
  if (r % 61 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(r / 64 % 200));
  else if (r % 7 == 0)
    sched_yield();
}

#define LOOP(clause)                                    \
  do {                                                  \
    if (step.nowait) {                                  \
      OMP(for nowait clause)                            \
      for (int i = 0; i < step.trip; ++i) hit(seen, i); \
    } else {                                            \
      OMP(for clause)                                   \
      for (int i = 0; i < step.trip; ++i) hit(seen, i); \
    }                                                   \
  } while (0)

void loop(const Step& step, unsigned char* seen) {
  switch (step.schedule) {
    case 0:
      LOOP(schedule(static));
      break;
    case 1:
      LOOP(schedule(static, step.chunk));
      break;
    case 2:
      LOOP(schedule(dynamic, step.chunk));
      break;
    case 3:
      LOOP(schedule(guided, step.chunk));
      break;
    case 4:
      LOOP(schedule(runtime));
      break;
    case 5:
      LOOP(schedule(monotonic : dynamic));
      break;
    default:
      LOOP(schedule(auto));
      break;
  }
}

void ordered(const Step& step, unsigned char* seen) {
#pragma omp for ordered schedule(dynamic, step.chunk) nowait
  for (int i = 0; i < step.trip; ++i) {
    if (i % 3 == 1) {
      hit(seen, i);
      continue;
    }
#pragma omp ordered
    {
      // The ordered regions of all earlier iterations have ended.
      if (i % 3 == 0 && i > 0) CHECK_EQ(seen[i - 1], 1);
      hit(seen, i);
    }
  }
}

void reduction(const Step& step, Trace& trace, unsigned char* seen) {
  long* sum = &trace.reduced;
#pragma omp barrier
  const long before = *sum;
#pragma omp barrier
#pragma omp for reduction(+ : sum[ : 1]) schedule(dynamic, step.chunk)
  for (int i = 0; i < step.trip; ++i) {
    hit(seen, i);
    sum[0] += i;
  }
  CHECK_EQ(*sum, before + long(step.trip) * (step.trip - 1) / 2);
}

void single(const Step& step, Trace& trace) {
  if (step.nowait) {
#pragma omp single nowait
    __atomic_fetch_add(&trace.singles, 1, __ATOMIC_RELAXED);
  } else {
#pragma omp single
    __atomic_fetch_add(&trace.singles, 1, __ATOMIC_RELAXED);
  }
}

void copyprivate(int s, Trace& trace) {
  long value = -1, other = omp_get_thread_num();
#pragma omp single copyprivate(value, other)
  {
    value = s * 1000L;
    other = -s;
    __atomic_fetch_add(&trace.singles, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQ(value, s * 1000L);
  CHECK_EQ(other, -s);
}

void sections(Trace& trace) {
#pragma omp sections nowait
  {
#pragma omp section
    __atomic_fetch_add(&trace.sections, 1, __ATOMIC_RELAXED);
#pragma omp section
    __atomic_fetch_add(&trace.sections, 1, __ATOMIC_RELAXED);
#pragma omp section
    __atomic_fetch_add(&trace.sections, 1, __ATOMIC_RELAXED);
  }
}

// Every thread of the region begins an inner region at the same time.
void inner_region(const Step& step, Trace& trace) {
  long sum = 0;
  const int level = omp_get_level();
#pragma omp parallel num_threads(step.chunk) reduction(+ : sum)
  {
    CHECK_EQ(omp_get_level(), level + 1);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; ++i) sum += i;
#pragma omp single
    sum += 1000;
  }
  CHECK_EQ(sum, 1190);
  __atomic_fetch_add(&trace.inner, 1, __ATOMIC_RELAXED);
}

void take(int s, Trace& trace) {
  const Step& step = trace.plan.steps[s];
  switch (step.kind) {
    case Kind::kLoop:
      return loop(step, trace.seen(s));
    case Kind::kOrdered:
      return ordered(step, trace.seen(s));
    case Kind::kReduction:
      return reduction(step, trace, trace.seen(s));
    case Kind::kSingle:
      return single(step, trace);
    case Kind::kCopyprivate:
      return copyprivate(s, trace);
    case Kind::kSections:
      return sections(trace);
    case Kind::kInner:
      return inner_region(step, trace);
    case Kind::kBarrier: {
#pragma omp barrier
      return;
    }
    case Kind::kCritical: {
#pragma omp critical(stress)
      *(volatile long*)&trace.criticals = trace.criticals + 1;
      return;
    }
    case Kind::kMasked: {
#pragma omp masked
      ++trace.masked;
      return;
    }
  }
}

void check(Trace& trace, int threads) {
  const Plan& plan = trace.plan;
  for (size_t s = 0; s < plan.steps.size(); ++s)
    if (has_iterations(plan.steps[s].kind)) CHECK_EACH_ONCE(trace.seen(int(s)), plan.steps[s].trip);
  // All roots share the lock of the critical construct. The counter is this trace's own.
  CHECK_EQ(trace.criticals, plan.count(Kind::kCritical) * threads);
  CHECK_EQ(trace.singles, plan.count(Kind::kSingle) + plan.count(Kind::kCopyprivate));
  CHECK_EQ(trace.masked, plan.count(Kind::kMasked));
  CHECK_EQ(trace.sections, 3 * plan.count(Kind::kSections));
  CHECK_EQ(trace.inner, plan.count(Kind::kInner) * threads);
}

void region(uint64_t seed, int most) {
  const Plan plan(seed, most);
  Trace trace(plan);
  int threads = 0;
  omp_set_schedule(plan.runtime_kind, plan.runtime_chunk);
#pragma omp parallel num_threads(plan.threads) reduction(+ : threads)
  {
    ++threads;
    for (int s = 0; s < int(plan.steps.size()); ++s) {
      lag(seed, s);
      take(s, trace);
    }
  }
  CHECK(omp_get_dynamic() ? threads <= plan.threads : threads == plan.threads);
  check(trace, threads);
}

// One thread of the program runs regions one after another until the time is up or one fails.
void root(uint64_t seed, double end, int most) {
  for (uint64_t r = 0; omp_get_wtime() < end; ++r) {
    region(mix(seed, r), most);
    if (check_result()) {
      fprintf(stderr, "seed %llu, region %llu\n", (unsigned long long)seed, (unsigned long long)r);
      exit(1);
    }
  }
}

uint64_t seed_of(const char* text) {
  const bool random = strcmp(text, "random") == 0;
  return random ? std::random_device()() : strtoull(text, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = seed_of(argc > 1 ? argv[1] : "1");
  fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
  const double seconds = argc > 2 ? atof(argv[2]) : 5;
  const int roots = argc > 3 ? atoi(argv[3]) : 3;
  const int most = omp_get_max_threads();
  const double end = omp_get_wtime() + seconds;
  std::vector<std::thread> others;
  for (int i = 1; i < roots; ++i)
    others.emplace_back([=] {  // a root that begins and ends with each slice of time
      for (uint64_t k = 0; omp_get_wtime() < end; ++k)
        std::thread([=] {
          omp_set_max_active_levels(2);
          root(mix(seed, 1000 * i + k), std::min(end, omp_get_wtime() + 0.2), std::min(most, 4));
        }).join();
    });
  omp_set_max_active_levels(2);
  root(seed, end, most);
  for (auto& thread : others) thread.join();
  return check_result();
}
