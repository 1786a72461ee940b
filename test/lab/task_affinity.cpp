// task_affinity.cpp: there are pages on each node. Where do the tasks run whose affinity clauses
// name them? The program is built by clang, because only clang makes the call.
//
// It prints a line "WAY SHARE RAN/ALL" for each way to name the page: the share of tasks that ran
// near the page, and how many of ALL tasks ran exactly once. The last line is about untouched
// pages: its share is that of the pages that are still absent.
#include <omp.h>
#include <sys/mman.h>

#include <cstdint>

#include "kernel.hpp"

namespace {

constexpr int kPagesPerThread = 4, kTasksPerPage = 12, kWork = 12000;
const std::vector<int> kNear = memory_of_cpus();
const auto kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

char* map(size_t pages) {
  void* const memory =
      mmap(nullptr, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || madvise(memory, pages * kPage, MADV_NOHUGEPAGE) != 0) abort();
  return static_cast<char*>(memory);
}

void work() {
  for (volatile int i = 0; i < kWork;) i = i + 1;
}

struct Run {
  explicit Run(size_t count) : page(count), ran(count), cpu(count) {}
  std::vector<size_t> page;
  std::vector<int> ran, cpu;

  void record(size_t task) {
    ++ran[task];
    cpu[task] = sched_getcpu();
    work();
  }
  void tell(const char* way, double share) const {
    printf("%s %.4f %zu/%zu\n", way, share, static_cast<size_t>(std::ranges::count(ran, 1)),
           ran.size());
  }
};

// spawn(run, task, page) makes task number `task` of `run`.
template <class Spawn>
Run run(size_t pages, Spawn spawn) {
  Run run(pages * kTasksPerPage);
#pragma omp parallel
#pragma omp single
  for (size_t task = 0; task < run.ran.size(); ++task) {
    // First one page of each thread, then the next page of each.
    const size_t threads = pages / kPagesPerThread;
    run.page[task] = task % threads * kPagesPerThread + task / threads % kPagesPerThread;
    spawn(run, task, run.page[task]);
  }
  return run;
}

double share_near(const Run& run, const std::vector<int>& nodes) {
  size_t near = 0;
  for (size_t task = 0; task < run.ran.size(); ++task)
    near += kNear[static_cast<size_t>(run.cpu[task])] == nodes[run.page[task]];
  return static_cast<double>(near) / static_cast<double>(run.ran.size());
}

// Asks without making the page present.
bool is_there(char* address) {
  void* page = address;
  int status = 0;
  if (syscall(SYS_move_pages, 0, 1ul, &page, nullptr, &status, 0) != 0) abort();
  return status >= 0;
}

}  // namespace

int main() {
  const auto pages = static_cast<size_t>(omp_get_max_threads()) * kPagesPerThread;
  char* const data = map(pages);
#pragma omp parallel for schedule(static)
  for (size_t page = 0; page < pages; ++page) data[page * kPage] = 1;
  std::vector<int> nodes(pages);
  for (size_t page = 0; page < pages; ++page) nodes[page] = node_of(data + page * kPage);

  const auto tell = [&](const char* way, const Run& run) { run.tell(way, share_near(run, nodes)); };
  tell("page", run(pages, [data](Run& run, size_t task, size_t page) {
         char* const own = data + page * kPage;
#pragma omp task affinity(own[0 : kPage]) firstprivate(task) shared(run)
         run.record(task);
       }));
  // A few bytes of a page on another node come before and behind: the largest entry counts.
  tell("largest", run(pages, [=](Run& run, size_t task, size_t page) {
         char* const own = data + page * kPage;
         char* const other = data + (page + pages / 2) % pages * kPage;
#pragma omp task affinity(other[0 : 8], own[0 : kPage], other[8 : 16]) firstprivate(task) \
    shared(run)
         run.record(task);
       }));
  tell("dependent", run(pages, [data](Run& run, size_t task, size_t page) {
         char* const own = data + page * kPage;
#pragma omp task affinity(own[0 : kPage]) depend(inout : own[0]) firstprivate(task) shared(run)
         run.record(task);
       }));
  tell("none", run(pages, [](Run& run, size_t task, size_t) {
#pragma omp task firstprivate(task) shared(run)
         run.record(task);
       }));

  char* const untouched = map(pages);
  const Run run_untouched = run(pages, [untouched](Run& run, size_t task, size_t page) {
    char* const own = untouched + page * kPage;
#pragma omp task affinity(own[0 : kPage]) firstprivate(task) shared(run)
    run.record(task);
  });
  size_t absent = 0;
  for (size_t page = 0; page < pages; ++page) absent += !is_there(untouched + page * kPage);
  run_untouched.tell("untouched", static_cast<double>(absent) / static_cast<double>(pages));
  return 0;
}
