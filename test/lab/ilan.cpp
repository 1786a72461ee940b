// ilan.cpp: prints where a tuned taskloop's iterations run in its first executions: one that warms
// up and one with all threads, one with half of them, and then those that the search chooses.
//
// Each execution has a line "THREADS GROUPS CHANGES SHARE RAN/ALL": how many threads and groups of CPUs
// that share a cache ran iterations, how often the group changes from one iteration to the next, the share of iterations
// that ran near the page that a static loop touched for them, and how many of ALL iterations ran
// exactly once.
#include <omp.h>
#include <sys/mman.h>

#include <cstdint>
#include <set>

#include "kernel.hpp"

namespace {

constexpr int kExecutions = 7, kPagesPerThread = 20, kPerPage = 4, kWork = 2000;
const std::vector<int> kNear = memory_of_cpus();
const auto kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

void work(unsigned amount) {
  for (volatile unsigned i = 0; i < amount;) i = i + 1;
}

// For each CPU, by number, the first of those that share its last cache.
std::vector<int> groups_of_cpus() {
  std::vector<int> groups;
  for (size_t cpu = 0; cpu < kNear.size(); ++cpu) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                       "/cache/index3/shared_cpu_list");
    std::string line;
    std::getline(file, line);
    groups.push_back(numbers(line).at(0));
  }
  return groups;
}

const std::vector<int> kGroups = groups_of_cpus();

struct Ran {
  int thread = -1, cpu = -1, times = 0;
};

void execute(char* pages, const std::vector<int>& nodes) {
  const size_t all = nodes.size() * kPerPage;
  std::vector<Ran> ran(all);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (size_t i = 0; i < all; ++i) {
    pages[i / kPerPage * kPage] = 2;
    ran[i] = {omp_get_thread_num(), sched_getcpu(), ran[i].times + 1};
    work(kWork);
  }
  std::set<int> threads, used;
  size_t changes = 0, near = 0, once = 0;
  int last = -1;
  for (size_t i = 0; i < all; ++i) {
    const auto cpu = static_cast<size_t>(ran[i].cpu);
    threads.insert(ran[i].thread);
    used.insert(kGroups[cpu]);
    changes += i > 0 && kGroups[cpu] != last;
    last = kGroups[cpu];
    near += kNear[cpu] == nodes[i / kPerPage];
    once += ran[i].times == 1;
  }
  printf("%zu %zu %zu %.4f %zu/%zu\n", threads.size(), used.size(), changes,
         static_cast<double>(near) / static_cast<double>(all), once, all);
}

}  // namespace

int main() {
  const auto count = static_cast<size_t>(omp_get_max_threads() * kPagesPerThread);
  void* const mapped =
      mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED || madvise(mapped, count * kPage, MADV_NOHUGEPAGE) != 0) abort();
  auto* const pages = static_cast<char*>(mapped);
#pragma omp parallel for schedule(static)
  for (size_t page = 0; page < count; ++page) pages[page * kPage] = 1;
  std::vector<int> nodes(count);
  for (size_t page = 0; page < count; ++page) nodes[page] = node_of(pages + page * kPage);
  for (int i = 0; i < kExecutions; ++i) execute(pages, nodes);
  return 0;
}
