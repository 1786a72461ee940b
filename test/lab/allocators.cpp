// allocators.cpp: on which nodes the pages of OpenMP's allocators lie, on a machine that has
// several nodes with memory, as the kernel says of every page. Prints a line for each check; exits
// with 1 if one fails.
#include <malloc.h>
#include <omp.h>
#include <string.h>

#include "kernel.hpp"

namespace {

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
constexpr size_t kPages = 61;  // no multiple of a number of nodes

void run_on(int node) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : numbers(read_node("node" + std::to_string(node) + "/cpulist"))) CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}

omp_allocator_handle_t allocator(omp_alloctrait_value_t partition, omp_memspace_handle_t space) {
  const omp_alloctrait_t traits[] = {{omp_atk_partition, static_cast<omp_uintptr_t>(partition)}};
  return omp_init_allocator(space, 1, traits);
}

// The nodes of the whole pages of a block that is touched by threads of another node than asks for
// it.
std::vector<int> nodes_of(omp_alloctrait_value_t partition, omp_memspace_handle_t space, int asks,
                          int touches) {
  const omp_allocator_handle_t its = allocator(partition, space);
  run_on(asks);
  char* const block = static_cast<char*>(omp_alloc(kPages * kPage + 100, its));
  run_on(touches);
  memset(block, 1, kPages * kPage + 100);
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPage - 1) / kPage * kPage;
  std::vector<int> nodes;
  for (size_t i = 0; i < kPages - 1; ++i)
    nodes.push_back(node_of(reinterpret_cast<const void*>(begin + i * kPage)));
  omp_free(block, its);
  omp_destroy_allocator(its);
  return nodes;
}

bool all_on(const std::vector<int>& nodes, int node) {
  return std::ranges::count(nodes, node) == static_cast<long>(nodes.size());
}

// As many pages on each node, but for the last ones.
bool is_even(const std::vector<int>& nodes) {
  const std::vector<int> with = memory_nodes();
  return std::ranges::all_of(with, [&](int node) {
    const long its = std::ranges::count(nodes, node);
    const long share = static_cast<long>(nodes.size() / with.size());
    return its >= share - 1 && its <= share + 2;
  });
}

int changes(const std::vector<int>& nodes) {
  int changes = 0;
  for (size_t i = 1; i < nodes.size(); ++i) changes += nodes[i] != nodes[i - 1];
  return changes;
}

void check_space(omp_memspace_handle_t space, const std::string& name, int asks, int touches) {
  const auto nodes = [&](omp_alloctrait_value_t partition) {
    return nodes_of(partition, space, asks, touches);
  };
  const std::vector<int> near = nodes(omp_atv_nearest), blocks = nodes(omp_atv_blocked),
                         turns = nodes(omp_atv_interleaved), first = nodes(omp_atv_environment);
  check(all_on(near, memory_for(asks)),
        name + ", nearest to node " + std::to_string(asks) + ":" + runs(near));
  const int others = static_cast<int>(memory_nodes().size()) - 1;
  check(is_even(blocks) && changes(blocks) == others, name + ", blocked:" + runs(blocks));
  check(is_even(turns) && changes(turns) == static_cast<int>(turns.size()) - 1,
        name + ", interleaved:" + runs(turns));
  check(all_on(first, memory_for(touches)), name + ", first touch:" + runs(first));
}

// Each thread of a region asks for blocks of its own node at the same time as the others, and again
// for larger ones.
void many_threads() {
  const omp_allocator_handle_t its = allocator(omp_atv_nearest, omp_default_mem_space);
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  for (size_t pages = 1; pages < 40; pages += 3) {
    char* block = static_cast<char*>(omp_alloc(pages * kPage, its));
    memset(block, 1, pages * kPage);
    block = static_cast<char*>(omp_realloc(block, 2 * pages * kPage, its, its));
    memset(block + pages * kPage, 1, pages * kPage);
    const int mine = memory_of_cpus()[static_cast<size_t>(sched_getcpu())];
    wrong += node_of(block + 2 * pages * kPage - kPage) != mine;
    omp_free(block, its);
  }
  check(wrong == 0, std::to_string(omp_get_max_threads()) + " threads, each on its node: " +
                        std::to_string(wrong) + " blocks elsewhere");
  omp_destroy_allocator(its);
}

}  // namespace

int main(int, char** argv) {
  if (!getenv("OMP_PROC_BIND")) {
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_PLACES", "threads", 1);
    execv("/proc/self/exe", argv);
  }
  const std::vector<int> with_cpus = numbers(read_node("has_cpu"));
  if (memory_nodes().size() < 2 || with_cpus.size() < 2) {
    check(false, "two nodes with memory and CPUs");
    return result();
  }
  // The heap gives pages again that were touched before; a mapping of its own has new ones.
  mallopt(M_MMAP_THRESHOLD, 1 << 16);
  many_threads();
  for (const auto& [asks, touches] : {std::pair(with_cpus.front(), with_cpus.back()),
                                      std::pair(with_cpus.back(), with_cpus.front())}) {
    check_space(omp_default_mem_space, "default", asks, touches);
    check_space(omp_large_cap_mem_space, "large capacity", asks, touches);
  }
  return result();
}
