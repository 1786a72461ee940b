// test: uses -gdwarf-4
// scale.cpp: very many tasks of one sort, with a checked answer.
//
// Why    The few tasks of a feature program do not show lists that are walked, counts that
//        overflow and stacks that are used up.
// Usage  scale SORT N
//        live       N tasks at once, none of which can begin before all are generated
//        asleep     the same, and all threads wait at the barrier until the first task may begin
//        deep       N levels of a task that generates one task and waits for it
//        writers    N tasks with depend(inout) on one address ...
//        readers    ... with depend(in), between two writers
//        mixed      ... with depend(in), and every third one with depend(inout)
//        exclusive  ... with depend(mutexinoutset)
//        set        ... with depend(inoutset); only with clang
//        addresses  N addresses, with a writer and a reader each
//        From `writers` to `set`, no task may begin before the first half is generated; in
//        `addresses`, none before all are.
#include <omp.h>

#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include "../omp/check.h"

namespace {

long add(long& sum, long n) { return __atomic_fetch_add(&sum, n, __ATOMIC_RELAXED); }
long get(const long& sum) { return __atomic_load_n(&sum, __ATOMIC_RELAXED); }
long triangle(long n) { return n * (n - 1) / 2; }

// [[maybe_unused]] below: gcc 12 does not see that a clause uses the variable that it names.

// A task that ends only when the event is fulfilled. Other tasks depend on it.
omp_event_handle_t hold([[maybe_unused]] char& address) {
  omp_event_handle_t event = {};
#pragma omp task detach(event) depend(out : address)
  {
  }
  return event;
}

struct Crowd {
  char door = 0;
  long ran = 0, sum = 0;
  void generate(long n) {
    [[maybe_unused]] char& gate = door;  // gcc 12 takes no members in depend clauses
    for (long i = 0; i < n; ++i) {
#pragma omp task depend(in : gate) firstprivate(i)
      {
        add(sum, i);
        add(ran, 1);
      }
    }
    CHECK_EQ(get(ran), 0);
  }
  void check(long n) {
    CHECK_EQ(get(ran), n);
    CHECK_EQ(get(sum), triangle(n));
  }
};

void live(long n) {
  Crowd crowd;
  const omp_event_handle_t event = hold(crowd.door);
  crowd.generate(n);
  omp_fulfill_event(event);
#pragma omp taskwait
  crowd.check(n);
}

void asleep(long n) {
  Crowd crowd;
  std::thread outside;
#pragma omp parallel
#pragma omp single
  {
    const omp_event_handle_t event = hold(crowd.door);
    crowd.generate(n);
    outside = std::thread([event] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      omp_fulfill_event(event);
    });
  }
  outside.join();
  crowd.check(n);
}

long level(long n) {
  if (n == 0) return 0;
  long below = -1;
#pragma omp task shared(below) firstprivate(n)
  below = level(n - 1);
#pragma omp taskwait
  return below + 1;
}

void deep(long n) { CHECK_EQ(level(n), n); }

// Calls generate() for half of the tasks while they are held back, and for the other half when they
// may run. Returns when all have run.
template <class Generate>
void on_one_address(long n, Generate generate) {
  char address = 0;
  const omp_event_handle_t event = hold(address);
  for (long i = 0; i < n / 2; ++i) generate(address, i);
  omp_fulfill_event(event);
  for (long i = n / 2; i < n; ++i) generate(address, i);
#pragma omp taskwait
}

uint64_t step(uint64_t before, long i) { return before * 0x9E3779B97F4A7C15u + uint64_t(i) + 1; }

void writers(long n) {
  uint64_t link = 0, expected = 0;
  on_one_address(n, [&link]([[maybe_unused]] char& address, long i) {
#pragma omp task depend(inout : address) shared(link) firstprivate(i)
    link = step(link, i);
  });
  for (long i = 0; i < n; ++i) expected = step(expected, i);
  CHECK_EQ(link, expected);
}

void readers(long n) {
  long written = 0, seen = 0;
  on_one_address(n, [&]([[maybe_unused]] char& address, long i) {
    if (i == 0) {
#pragma omp task depend(out : address) shared(written)
      written = 7;
    }
#pragma omp task depend(in : address) shared(written, seen) firstprivate(i)
    add(seen, written + i);
    if (i == n - 1) {
#pragma omp task depend(out : address) shared(written, seen)
      written = get(seen);
    }
  });
  CHECK_EQ(written, 7 * n + triangle(n));
}

void mixed(long n) {
  long written = 0, wrong = 0, seen = 0;
  on_one_address(n, [&]([[maybe_unused]] char& address, long i) {
    if (i % 3 == 2) {
#pragma omp task depend(inout : address) shared(written, seen, wrong) firstprivate(i)
      {
        if (get(seen) != 2 * (i / 3) + 2) add(wrong, 1);
        ++written;
      }
    } else {
#pragma omp task depend(in : address) shared(written, seen, wrong) firstprivate(i)
      {
        if (written != i / 3) add(wrong, 1);
        add(seen, 1);
      }
    }
  });
  CHECK_EQ(wrong, 0);
  CHECK_EQ(written, n / 3);
  CHECK_EQ(seen, n - n / 3);
}

void exclusive(long n) {
  long sum = 0;  // not atomic: they exclude each other
  on_one_address(n, [&sum]([[maybe_unused]] char& address, long i) {
#pragma omp task depend(mutexinoutset : address) shared(sum) firstprivate(i)
    sum += i;
  });
  CHECK_EQ(sum, triangle(n));
}

#ifdef __clang__
void set(long n) {
  long sum = 0;
  on_one_address(n, [&sum]([[maybe_unused]] char& address, long i) {
#pragma omp task depend(inoutset : address) shared(sum) firstprivate(i)
    add(sum, i);
  });
  CHECK_EQ(sum, triangle(n));
}
#endif

void addresses(long n) {
  std::vector<long> cells(static_cast<size_t>(n));
  long sum = 0;
  char gate = 0;
  const omp_event_handle_t event = hold(gate);
  for (long i = 0; i < n; ++i) {
    long& cell = cells[static_cast<size_t>(i)];
#pragma omp task depend(in : gate) depend(out : cell) shared(cell) firstprivate(i)
    cell = i;
#pragma omp task depend(in : cell) shared(cell, sum)
    add(sum, cell);
  }
  CHECK_EQ(get(sum), 0);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(sum, triangle(n));
}

struct Sort {
  std::string_view name;
  void (*run)(long n);
};
constexpr Sort kSorts[] = {
    {"live", live},   {"deep", deep},           {"writers", writers},     {"readers", readers},
    {"mixed", mixed}, {"exclusive", exclusive}, {"addresses", addresses},
#ifdef __clang__
    {"set", set},
#endif
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 3 ? argv[1] : "";
  const long n = argc == 3 ? atol(argv[2]) : 0;
  if (n >= 1 && name == "asleep") {
    asleep(n);
    return check_result();
  }
  for (const Sort& sort : kSorts)
    if (n >= 1 && sort.name == name) {
#pragma omp parallel
#pragma omp single
      sort.run(n);
      return check_result();
    }
  fprintf(stderr, "usage: scale SORT N, with N from 1 and SORT one of asleep");
  for (const Sort& sort : kSorts) fprintf(stderr, ", %s", sort.name.data());
  fprintf(stderr, "\n");
  return 2;
}
