// graph.cpp: aggregates are placed on nodes, and the pages that their tasks write are moved there.
// Where are the pages then, and where do the tasks run?
//
// The tasks are the cells of a cube, each with a page that it writes; it reads the pages of the
// cells before it. One thread has touched all pages first. The program prints a line for each way
// to run:
//   WAY MOVED/PAGES HOME FAR RAN/ALL
// how many pages lie on the node of their task; the share of tasks that ran on their own node; how
// many of the pages that a task read or wrote lay on another node than the task ran on, on average;
// and how many of ALL tasks ran exactly once.
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vicino/graph.hpp>

#include "kernel.hpp"

namespace {

constexpr uint32_t kSide = 8, kTasks = kSide * kSide * kSide;
constexpr int kWork = 4000;
const std::vector<int> kNear = memory_of_cpus();
const auto kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

vicino::graph_builder cube() {
  vicino::graph_builder cells;
  for (uint32_t x = 0; x < kSide; ++x)
    for (uint32_t y = 0; y < kSide; ++y)
      for (uint32_t z = 0; z < kSide; ++z) {
        const uint32_t cell = (x * kSide + y) * kSide + z;
        std::vector<uint32_t> before;
        if (x > 0) before.push_back(cell - kSide * kSide);
        if (y > 0) before.push_back(cell - kSide);
        if (z > 0) before.push_back(cell - 1);
        cells.add(before);
      }
  return cells;
}

const vicino::graph_builder kCells = cube();

char* touched_by_one() {
  void* const memory =
      mmap(nullptr, kTasks * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || madvise(memory, kTasks * kPage, MADV_NOHUGEPAGE) != 0) abort();
  memset(memory, 1, kTasks * kPage);
  return static_cast<char*>(memory);
}

struct Ran {
  std::vector<int> times = std::vector<int>(kTasks), cpu = std::vector<int>(kTasks);
};

Ran run(vicino::graph& graph, char* data) {
  Ran ran;
  graph.run([&](uint32_t task) {
    ++ran.times[task];
    ran.cpu[task] = sched_getcpu();
    for (uint32_t e = kCells.first()[task]; e < kCells.first()[task + 1]; ++e)
      data[task * kPage] = static_cast<char>(data[task * kPage] + data[kCells.before()[e] * kPage]);
    for (volatile int i = 0; i < kWork;) i = i + 1;
  });
  return ran;
}

// The kernel's number of the node of each task; of the page, if the task has none.
std::vector<int> homes(const vicino::graph& graph, const std::vector<int>& page_node) {
  const std::vector<int> nodes = numbers(read_node("has_cpu"));
  std::vector<int> home = page_node;
  for (size_t i = 0; i < graph.aggregates(); ++i)
    for (const uint32_t task : graph.aggregate(i))
      if (graph.node(i) >= 0) home[task] = memory_for(nodes[static_cast<size_t>(graph.node(i))]);
  return home;
}

void tell(const char* way, vicino::graph& graph, bool moves) {
  char* const data = touched_by_one();
  if (moves)
    graph.move_data([data](uint32_t task, auto written) { written(data + task * kPage, kPage); });
  const Ran ran = run(graph, data);
  std::vector<int> page_node(kTasks);
  for (uint32_t task = 0; task < kTasks; ++task) page_node[task] = node_of(data + task * kPage);
  const std::vector<int> home = homes(graph, page_node);
  int on_home = 0, ran_home = 0, far = 0;
  for (uint32_t task = 0; task < kTasks; ++task) {
    const int at = kNear[static_cast<size_t>(ran.cpu[task])];
    on_home += page_node[task] == home[task];
    ran_home += at == home[task];
    far += at != page_node[task];
    for (uint32_t e = kCells.first()[task]; e < kCells.first()[task + 1]; ++e)
      far += at != page_node[kCells.before()[e]];
  }
  printf("%s %d/%u %.4f %.4f %zu/%u\n", way, on_home, kTasks,
         static_cast<double>(ran_home) / kTasks, static_cast<double>(far) / kTasks,
         static_cast<size_t>(std::ranges::count(ran.times, 1)), kTasks);
  munmap(data, kTasks * kPage);
}

}  // namespace

int main() {
  const vicino::graph fine(kCells);
  for (const char* coarse_string : {"", "D(4)"}) {
    vicino::graph graph = fine.coarsen(coarse_string);
    const std::string name = coarse_string[0] == '\0' ? "fine" : coarse_string;
    tell((name + "-unplaced").c_str(), graph, false);
    graph.place(true);
    tell((name + "-strict").c_str(), graph, true);
    graph.place(false);
    tell((name + "-flexible").c_str(), graph, true);
    for (size_t i = 0; i < graph.aggregates(); i += 2) graph.set_node(i, -1);
    tell((name + "-half").c_str(), graph, true);
  }
  return 0;
}
