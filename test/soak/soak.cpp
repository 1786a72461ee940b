// soak.cpp: a long run of all sorts of regions; then the process must be as small as it was after the warm-up.
//
// Why    What leaks a few bytes for each region, thread, task or child shows only after hours, and so does what goes
//        wrong once in a million.
// How    Each round draws one action from the seed and checks its answer. The memory in use (RSS, after
//        malloc_trim()) is noted when a quarter of the time is over, as the most of some looks; at the end the least
//        of some looks may be larger by kAllowance at most.
// Usage  soak [SEED|random [SECONDS]]
//        A failure prints the seed and the round.
// test: uses OMP_CANCELLATION=true
// test: unsanitized thread its shadow memory grows with the threads that have been
// test: unsanitized address memory that was freed is kept for a while
#include <malloc.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "../omp/check.h"
#include "../stress/plan.hpp"

namespace {

constexpr long kAllowance =
    2 << 20;  // bytes: what the C library's arenas and late first touches may add
constexpr int kLooks = 20;

long resident() {
  malloc_trim(0);
  long pages = 0;
  if (FILE* file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    fclose(file);
  }
  return pages * sysconf(_SC_PAGESIZE);
}

void draw_schedule(Draw& draw) {
  constexpr omp_sched_t kKinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                    omp_sched_auto};
  omp_set_schedule(kKinds[draw.below(4)], draw.below(9));
}

// Settings of the thread that calls.
void change_settings(Draw& draw) {
  omp_set_num_threads(1 + draw.below(8));
  omp_set_max_active_levels(1 + draw.below(4));
  draw_schedule(draw);
  omp_set_affinity_format(draw.below(2) != 0 ? "%n of %N" : "host %H pid %P");
  omp_set_default_allocator(draw.below(2) != 0 ? omp_default_mem_alloc : omp_low_lat_mem_alloc);
  omp_set_nested(draw.below(2));
}

void loops(Draw& draw) {
  const int trip = draw.below(300), chunk = 1 + draw.below(9);
  long sum = 0, again = 0;
  std::vector<unsigned char> seen(size_t(trip) + 1);
  draw_schedule(draw);
#pragma omp parallel num_threads(1 + draw.below(8)) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, chunk) nowait
    for (int i = 0; i < trip; ++i) sum += i;
#pragma omp for schedule(runtime)
    for (int i = 0; i < trip; ++i) hit(seen.data(), i);
#pragma omp for reduction(+ : again) schedule(guided, chunk)
    for (int i = 0; i < trip; ++i) again += i;
  }
  CHECK_EQ(sum, long(trip) * (trip - 1) / 2);
  CHECK_EQ(again, long(trip) * (trip - 1) / 2);
  CHECK_EACH_ONCE(seen.data(), trip);
}

long leaves(int depth) {
  if (depth == 0) return 1;
  long left = 0, right = 0;
#pragma omp task shared(left) untied if (depth % 3 != 0)
  left = leaves(depth - 1);
#pragma omp task shared(right) priority(depth)
  right = leaves(depth - 1);
#pragma omp taskwait
  return left + right;
}

void tasks(Draw& draw) {
  const int depth = draw.below(9), trip = draw.below(200);
  long found = 0, sum = 0, chain = 0;
#pragma omp parallel num_threads(1 + draw.below(8))
#pragma omp single
  {
    found = leaves(depth);
#pragma omp taskloop reduction(+ : sum) grainsize(7)
    for (int i = 0; i < trip; ++i) sum += i;
    for (int i = 0; i < depth; ++i) {
#pragma omp task depend(inout : chain) shared(chain)
      chain = 2 * chain + 1;
    }
  }
  CHECK_EQ(found, 1L << depth);
  CHECK_EQ(sum, long(trip) * (trip - 1) / 2);
  CHECK_EQ(chain, (1L << depth) - 1);
}

void nested(Draw& draw) {
  const int outer = 1 + draw.below(4), inner = 1 + draw.below(4);
  const int levels = omp_get_max_active_levels();
  long came = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer) reduction(+ : came)
#pragma omp parallel num_threads(inner) reduction(+ : came)
  came += 1;
  omp_set_max_active_levels(levels);
  CHECK_EQ(came, outer * inner);
}

void cancelled(Draw& draw) {
  const int trip = 1 + draw.below(200), at = draw.below(trip), threads = 1 + draw.below(8);
  long loop = 0, group = 0, region = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (int i = 0; i < trip; ++i) {
      __atomic_fetch_add(&loop, 1, __ATOMIC_RELAXED);
      if (i == at) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < trip; ++i) {
#pragma omp task shared(group)
      {
        __atomic_fetch_add(&group, 1, __ATOMIC_RELAXED);
        if (i == at) {
#pragma omp cancel taskgroup
        }
      }
    }
    __atomic_fetch_add(&region, 1, __ATOMIC_RELAXED);
    if (omp_get_thread_num() == at % threads) {
#pragma omp cancel parallel
    }
#pragma omp barrier
  }
  CHECK(loop >= 1 && loop <= trip);
  CHECK(group >= 1 && group <= trip);
  CHECK(region >= 1 && region <= threads);
}

void forked(Draw& draw) {
  const int threads = 1 + draw.below(4);
  const pid_t child = fork();
  if (child == 0) {
    int came = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads) reduction(+ : came)
    came += 1;
    _exit(came == threads ? 0 : 1);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
}

// A thread of the program that uses OpenMP and ends.
void root(Draw& draw) {
  const int threads = 1 + draw.below(4);
  std::thread([threads] {
    int came = 0;
#pragma omp parallel num_threads(threads) reduction(+ : came)
    came += 1;
    CHECK_EQ(came, threads);
  }).join();
}

// Several threads of the program that lead teams at once, and end. A team of any size gives the same sums.
void roots(Draw& draw) {
  const auto lead = [](uint64_t seed) {
    Draw own(seed);
    omp_set_dynamic(own.below(2));
    for (int left = 1 + own.below(20); left > 0; --left) {
      const int trip = own.below(200), depth = own.below(6), threads = 1 + own.below(6);
      long sum = 0, found = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
      {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < trip; ++i) sum += i;
#pragma omp single
        found = leaves(depth);
      }
      CHECK_EQ(sum, long(trip) * (trip - 1) / 2);
      CHECK_EQ(found, 1L << depth);
    }
  };
  std::vector<std::thread> leaders;
  for (int left = 2 + draw.below(3); left > 0; --left)
    leaders.emplace_back(lead, mix(uint64_t(draw.below(1 << 30)), 0));
  for (std::thread& leader : leaders) leader.join();
}

// The same while processes of other programs come and go.
void crowded(Draw& draw) {
  std::vector<pid_t> others;
  for (int left = 1 + draw.below(6); left > 0; --left) {
    const double end = omp_get_wtime() + 1e-3 * draw.below(60);
    others.push_back(fork());
    if (others.back() == 0) {
      while (omp_get_wtime() < end) continue;
      _exit(0);
    }
  }
  for (int left = 3; left > 0; --left) roots(draw);
  for (const pid_t other : others) {
    int status = -1;
    CHECK(other > 0 && waitpid(other, &status, 0) == other);
    CHECK_EQ(status, 0);
  }
}

void memory(Draw& draw) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}, {omp_atk_pool_size, 1 << 20}};
  const omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 2, traits);
  std::atomic<int> missing = 0;
#pragma omp parallel num_threads(1 + draw.below(8))
  for (size_t bytes = 1; bytes < 5000; bytes *= 3) {
    void* block = omp_alloc(bytes, allocator);
    if (block == nullptr) ++missing;
    omp_free(block, allocator);
  }
  omp_destroy_allocator(allocator);
  CHECK_EQ(missing, 0);
}

void locks(Draw& draw) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  long sum = 0;
  const int threads = 1 + draw.below(8);
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 20; ++i) {
    omp_set_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    ++sum;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  CHECK_EQ(sum, threads * 20);
}

void league(Draw& draw) {
  const int trip = draw.below(100);
  long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) num_teams(1 + draw.below(3)) \
    thread_limit(3) map(tofrom : sum)
  for (int i = 0; i < trip; ++i) sum += i;
  CHECK_EQ(sum, long(trip) * (trip - 1) / 2);
}

using Action = void (*)(Draw&);
// Often, and now and then: a child and a thread take longest.
constexpr Action kActions[] = {loops,  tasks, nested, cancelled, loops,          tasks,
                               nested, locks, memory, league,    change_settings};
constexpr Action kRare[] = {forked, root, roots, crowded};

void round(uint64_t seed, uint64_t number) {
  Draw draw(mix(seed, number));
  if (draw.below(50) == 0)
    kRare[draw.below(std::size(kRare))](draw);
  else
    kActions[draw.below(std::size(kActions))](draw);
}

struct Memory {
  long warm = 0, end = 0;
};

// The rounds of the time, and a look at the memory before, between and after the last of each part.
uint64_t soak(uint64_t seed, double seconds, Memory& memory) {
  const double begin = omp_get_wtime();
  uint64_t rounds = 0;
  const auto until = [&](double end) {
    do round(seed, rounds++);
    while (!check_result() && omp_get_wtime() - begin < end * seconds);
  };
  until(0.25);
  for (int look = 0; look < kLooks && !check_result(); ++look) {
    until(0.25 + 0.1 * look / kLooks);
    memory.warm = std::max(memory.warm, resident());
  }
  until(0.9);
  memory.end = resident();
  for (int look = 0; look < kLooks && !check_result(); ++look) {
    until(0.9 + 0.1 * look / kLooks);
    memory.end = std::min(memory.end, resident());
  }
  return rounds;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const given = argc > 1 ? argv[1] : "1";
  const uint64_t seed =
      strcmp(given, "random") == 0 ? std::random_device()() : strtoull(given, nullptr, 0);
  fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
  omp_set_dynamic(0);
  Memory memory;
  const uint64_t rounds = soak(seed, argc > 2 ? atof(argv[2]) : 5, memory);
  printf("%llu rounds; %ld kB after the warm-up, %ld kB at the end\n", (unsigned long long)rounds,
         memory.warm / 1024, memory.end / 1024);
  CHECK(memory.end <= memory.warm + kAllowance);
  return check_result();
}
