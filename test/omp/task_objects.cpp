// C++ objects captured by tasks: copied once for each task, destroyed once, alive while it runs.
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>

#include <string>
#include <vector>

#include "check.h"

static int alive, ran;

struct Tracked {
  explicit Tracked(std::string text) : text(std::move(text)) { count(1); }
  Tracked(const Tracked& other) : text(other.text) { count(1); }
  ~Tracked() {
    text = "destroyed";
    count(-1);
  }
  static void count(int by) { __atomic_fetch_add(&alive, by, __ATOMIC_RELAXED); }
  std::string text;
};

static void one_scope() {
  Tracked tracked("a text that lives on the heap, longer than a short string");
  std::vector<int> numbers(100, 3);
  for (int i = 0; i < 50; ++i) {
#pragma omp task firstprivate(tracked, numbers, i)
    {
      CHECK_EQ(tracked.text.size(), 57);
      CHECK_EQ(numbers.at(99), 3);
      tracked.text += std::to_string(i);
      numbers.clear();
      __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
    }
  }
#pragma omp taskloop firstprivate(tracked) num_tasks(4)
  for (int i = 0; i < 20; ++i) CHECK(tracked.text.size() >= 57);
#pragma omp taskwait
  CHECK_EQ(tracked.text.size(), 57);
}

int main() {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; ++round) one_scope();
  CHECK_EQ(alive, 0);
  CHECK_EQ(ran, 10 * 50);
  return check_result();
}
