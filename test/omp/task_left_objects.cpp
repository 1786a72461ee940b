// Tasks outside of any region that nobody waits for have run before what they use is destroyed: static objects, and those
// of their thread; also where they nest deeply, and those that are generated in a critical region.
#include <omp.h>
#include <unistd.h>

#include <map>
#include <string>
#include <thread>

#include "check.h"

namespace {

constexpr int kDeep = 3000;

using Results = std::map<int, std::string>;

struct Whole {
  ~Whole() {
    if (results.size() == 2 * (kDeep + 1)) return;
    fprintf(stderr, "%zu results\n", results.size());
    _exit(1);
  }
  Results results;
};

Whole of_program;
thread_local Whole of_thread;

void note(Results* results, int number) {
  (*results)[number] = "a text that is too long for the object itself " + std::to_string(number);
  if (number == 0) return;
#pragma omp task firstprivate(results, number)
  note(results, number - 1);
}

void generate(Results* results) {
  note(results, kDeep);
#pragma omp critical
  {
#pragma omp task firstprivate(results)
    for (int i = 0; i <= kDeep; ++i) (*results)[-1 - i] = "a text that is too long for the object itself";
  }
}

}  // namespace

int main() {
  std::thread([] { generate(&of_thread.results); }).join();
  Results& own = of_thread.results;  // made before the thread's first task
  generate(&of_program.results);
  generate(&own);
  return check_result();
}
