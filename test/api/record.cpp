// vicino::graph::record: the tasks of a region run again: each once, in their order, with their own
// private data, coarsened or not, on any number of threads, inside regions and tasks; and what
// cannot be recorded is refused, with its reason. (In a lambda, a task's variables are firstprivate
// by default.)
// test: uses -std=c++20 -pedantic-errors -Werror
// test: variant cancelling OMP_CANCELLATION=true
// test: variant nested OMP_MAX_ACTIVE_LEVELS=2
// test: variant plain-2x4 machine=plain-2x4
#include <omp.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>
#include <vicino/graph.hpp>

#include "../omp/check.h"

namespace {

using vicino::graph;

constexpr int kRows = 24, kColumns = 20;

// A wavefront: cell (i, j) after its left and upper neighbours.
struct Wavefront {
  long cells[kRows + 1][kColumns + 1] = {};
  int runs = 0;

  void generate() {
    for (int i = 1; i <= kRows; ++i)
      for (int j = 1; j <= kColumns; ++j) {
#pragma omp task depend(in : cells[i - 1][j], cells[i][j - 1]) depend(inout : cells[i][j]) \
    firstprivate(i, j)
        {
          cells[i][j] += 1 + (cells[i - 1][j] + cells[i][j - 1]) % 1000;
          i = j = -1;  // its own copies
        }
      }
  }
  void check(int times) {
    long wanted[kRows + 1][kColumns + 1] = {};
    for (int t = 0; t < times; ++t)
      for (int i = 1; i <= kRows; ++i)
        for (int j = 1; j <= kColumns; ++j)
          wanted[i][j] += 1 + (wanted[i - 1][j] + wanted[i][j - 1]) % 1000;
    CHECK_EQ(std::memcmp(wanted, cells, sizeof wanted), 0);
  }
};

void wavefront() {
  for (const char* coarse : {"", "D(8)", "SF(4)", "CD(2)", "automatic"}) {
    Wavefront w;
    graph once = graph::record([&] { w.generate(); });
    w.check(1);
    CHECK_EQ(once.tasks(), std::size_t{kRows * kColumns});
    CHECK_EQ(once.edges(), std::size_t{(kRows - 1) * kColumns + kRows * (kColumns - 1)});
    graph again = once.coarsen(coarse);
    for (int t = 2; t <= 12; ++t) {
      t % 3 == 0 ? once.run() : again.run();
      w.check(t);
    }
    once.run(1);
    w.check(13);
  }
}

// taskwait, taskgroup, if(0), depend on a taskwait: each orders what comes after it.
void waits() {
  std::atomic<int> before{0}, in_group{0};
  int undeferred = 0, x = 0, y = 0;
  std::atomic<bool> wrong{false};
  int run = 0;
  graph all = graph::record([&] {
    for (int i = 0; i < 10; ++i) {
#pragma omp task default(shared)
      ++before;
    }
#pragma omp taskwait
#pragma omp taskgroup
    for (int i = 0; i < 5; ++i) {
#pragma omp task default(shared)
      {
        if (before != 10 * (run + 1)) wrong = true;
        ++in_group;
      }
    }
#pragma omp task default(shared) if (0)
    {
      if (in_group != 5 * (run + 1)) wrong = true;
      ++undeferred;
    }
#pragma omp task default(shared) depend(out : x)
    {
      if (undeferred != run + 1) wrong = true;
      ++x;
    }
#pragma omp taskwait depend(in : x)
    for (int i = 0; i < 3; ++i) {
#pragma omp task default(shared) depend(in : x) depend(inout : y)
      {
        if (x != run + 1) wrong = true;
        ++y;
      }
    }
#pragma omp task default(shared) depend(in : x, y) if (0)
    if (y != 3 * (run + 1)) wrong = true;
  });
  for (run = 1; run < 20; ++run) all.run();
  CHECK_EQ(before.load(), 200);
  CHECK_EQ(in_group.load(), 100);
  CHECK_EQ(undeferred, 20);
  CHECK_EQ(x, 20);
  CHECK_EQ(y, 60);
  CHECK(!wrong);
}

// What a recorded task generates belongs to it; a run ends after all of that.
void children() {
  std::atomic<int> sum{0};
  graph all = graph::record([&] {
    for (int i = 0; i < 30; ++i) {
#pragma omp task default(shared)
      {
        for (int k = 0; k < 4; ++k) {
#pragma omp task default(shared)
          ++sum;
        }
#pragma omp taskwait
        ++sum;
#pragma omp task default(shared)
        ++sum;
      }
    }
  });
  CHECK_EQ(all.tasks(), 30u);
  CHECK_EQ(sum.load(), 180);
  for (int run = 2; run < 10; ++run) {
    all.run();
    CHECK_EQ(sum.load(), 180 * run);
  }
}

// Large private data, final and untied tasks. The variables are the lambda's own numbers: gcc copies
// arrays, and what a lambda captures by reference, as if they had constructors.
void private_data() {
  std::atomic<long> sum{0};
  graph all = graph::record([&] {
    int five = 5;
#ifdef __clang__
    int large[300];
    for (int i = 0; i < 300; ++i) large[i] = i;
#pragma omp task shared(sum) firstprivate(large)
    for (int& value : large) sum += value, value = 1000;
#else
    sum += 299 * 300 / 2;
#endif
#pragma omp task shared(sum) final(1) firstprivate(five)
    {
      sum += omp_in_final() ? five : 1000;
      five = 1000;
    }
#pragma omp task shared(sum) untied firstprivate(five)
    {
      sum += five;
#pragma omp taskyield
      five = 1000;
    }
  });
  const long once = 299 * 300 / 2 + 10;
  CHECK_EQ(sum.load(), once);
  for (int run = 2; run < 6; ++run) {
    sum = all.tasks() == 3 ? 0 : 299 * 300 / 2;
    all.run();
    CHECK_EQ(sum.load(), once);
  }
}

// A recorded task may have a parallel region, whoever runs it while its siblings are recorded.
void regions_in_tasks() {
  std::atomic<int> sum{0};
  graph all = graph::record([&] {
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(sum)
      {
#pragma omp parallel num_threads(2) shared(sum)
#pragma omp single
        ++sum;
      }
#pragma omp taskwait
    }
  });
  all.run();
  CHECK_EQ(sum.load(), 20);
}

// In a single, by the team's other threads; in a task; by each thread of a team at a time.
void inside() {
  Wavefront w;
#pragma omp parallel
#pragma omp single
  {
    graph all = graph::record([&] { w.generate(); });
    w.check(1);
    for (int t = 2; t < 8; ++t) {
      all.run();
      w.check(t);
    }
    all.run(2);
    w.check(8);
  }
#pragma omp parallel
#pragma omp single
#pragma omp task shared(w)
  {
    graph all = graph::record([&] { w.generate(); });
    all.run();
    w.check(10);
  }
#pragma omp parallel
  {
    Wavefront own;
    graph all = graph::record([&] { own.generate(); });
    for (int t = 2; t < 5; ++t) {
      all.run();
      own.check(t);
    }
  }
}

// The threads that wait at the single's end take part.
void by_the_team() {
  const int threads = omp_get_max_threads();
  if (threads < 2) return;
  std::atomic<int> at_once{0}, most{0};
  graph meeting = graph::record([&] {
    for (int i = 0; i < 2; ++i) {
#pragma omp task default(shared)
      {
        const int now = ++at_once;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        while (most < 2) {
        }
        --at_once;
      }
    }
  });
  most = 0;
#pragma omp parallel
#pragma omp single
  meeting.run();
  CHECK_EQ(most.load(), 2);
}

struct Copied {
  Copied() = default;
  Copied(const Copied& other) : value(other.value + 1) {}
  ~Copied() { value = -1; }
  int value = 0;
};

template <class Generate>
void refused(const char* reason, Generate generate) {
  std::string why;
  try {
    graph::record(generate);
  } catch (const std::invalid_argument& error) {
    why = error.what();
  }
  const bool as_wanted = why.find(reason) != std::string::npos;
  if (!as_wanted) std::fprintf(stderr, "\"%s\" instead of \"%s\"\n", why.c_str(), reason);
  CHECK(as_wanted);
}

void refusals() {
  std::atomic<int> ran{0};
  Copied copied;
  refused("private data have", [&] {
#pragma omp task default(shared) firstprivate(copied)
    ran += copied.value >= 0;
  });
  CHECK_EQ(ran.load(), 1);
  refused("taskloop", [&] {
#pragma omp taskloop default(shared)
    for (int i = 0; i < 10; ++i) ++ran;
  });
  CHECK_EQ(ran.load(), 11);
  refused("detach", [&] {
    omp_event_handle_t event = {};
#pragma omp task default(shared) detach(event)
    {
      ++ran;
      omp_fulfill_event(event);
    }
  });
  CHECK_EQ(ran.load(), 12);
  refused("reduce", [&] {
    int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task default(shared) in_reduction(+ : sum)
      sum += 1;
    }
    ran += sum;
  });
  CHECK_EQ(ran.load(), 13);
  refused("parallel region", [&] {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task default(shared)
    ++ran;
  });
  CHECK_EQ(ran.load(), 14);
  refused("another recording", [&] {
    graph::record([&] {
#pragma omp task default(shared)
      ++ran;
    });
  });
  if (omp_get_max_threads() == 1) return;  // then the recording has a region of its own
#pragma omp parallel
#pragma omp single
#pragma omp task final(1) default(shared)
  refused("final task", [&] {
#pragma omp task default(shared)
    ++ran;
  });
}

void errors() {
  bool caught = false;
  try {
    graph::record([] { throw std::runtime_error("mine"); });
  } catch (const std::runtime_error& error) {
    caught = std::strcmp(error.what(), "mine") == 0;
  }
  CHECK(caught);
  caught = false;
  try {
    graph(vicino::graph_builder()).run();
  } catch (const std::logic_error& error) {
    caught = std::strstr(error.what(), "body") != nullptr;
  }
  CHECK(caught);
  graph none = graph::record([] {});
  CHECK_EQ(none.tasks(), 0u);
  none.run();
}

}  // namespace

int main() {
  wavefront();
  waits();
  children();
  private_data();
  regions_in_tasks();
  inside();
  by_the_team();
  refusals();
  errors();
  return check_result();
}
