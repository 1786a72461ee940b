// One process, two shared libraries: one built by gcc, one by clang, each for its own OpenMP
// runtime.
//
//   mixed GCC_SIDE CLANG_SIDE
//
// On one runtime the two sides agree: a thread has one number in both, a barrier of one side holds
// the team of the other, and both use the same threads. On two runtimes they agree in none of these
// points, which is the control in mixed_test.py. This file uses no OpenMP itself.
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

#include "mixed_side.hpp"

namespace {

constexpr int kTeam = 4;
Side gcc_side, clang_side;

Side load(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  return reinterpret_cast<Side (*)()>(dlsym(library, "side"))();
}

struct Seen {
  std::mutex mutex;
  std::set<pthread_t> threads;
  std::set<int> numbers;
  std::atomic<int> arrived{0}, agree{0}, held{0}, sums{0};
};

// Runs on each thread of a team that `maker` made, and compares `other` with it.
void visit(void* argument, const Side& maker, const Side& other) {
  Seen& seen = *static_cast<Seen*>(argument);
  {
    const std::scoped_lock lock(seen.mutex);
    seen.threads.insert(pthread_self());
    seen.numbers.insert(other.thread_num());
  }
  seen.agree += maker.thread_num() == other.thread_num() && other.num_threads() == kTeam &&
                maker.level() == other.level();
  ++seen.arrived;
  other.await_team();
  seen.held += seen.arrived == kTeam;
  maker.await_team();
  seen.sums += other.sum_of_squares(1000) == 332833500;  // an inner team of the other side
}

void visit_from_gcc(void* seen) { visit(seen, gcc_side, clang_side); }
void visit_from_clang(void* seen) { visit(seen, clang_side, gcc_side); }

int threads_of_process() {
  int n = -2;  // . and ..
  DIR* tasks = opendir("/proc/self/task");
  while (readdir(tasks) != nullptr) ++n;
  closedir(tasks);
  return n;
}

void report(const char* maker, const Seen& seen) {
  std::printf("%s: numbers %zu agree %d held %d sums %d\n", maker, seen.numbers.size(),
              seen.agree.load(), seen.held.load(), seen.sums.load());
}

}  // namespace

int main(int, char** argv) {
  gcc_side = load(argv[1]);
  clang_side = load(argv[2]);
  gcc_side.set_max_active_levels(1);
  clang_side.set_max_active_levels(1);

  Seen by_gcc, by_clang;
  gcc_side.in_parallel(kTeam, visit_from_gcc, &by_gcc);
  clang_side.in_parallel(kTeam, visit_from_clang, &by_clang);
  report("gcc", by_gcc);
  report("clang", by_clang);
  std::printf("same threads %d, of the process %d\n", by_gcc.threads == by_clang.threads,
              threads_of_process());

  Seen nested;
  gcc_side.set_max_active_levels(2);
  clang_side.set_max_active_levels(2);
  gcc_side.in_parallel(kTeam, visit_from_gcc, &nested);
  report("nested", nested);
}
