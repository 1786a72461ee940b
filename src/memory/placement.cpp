#include "memory/placement.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "plat/plat.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::memory {
namespace {

// hwloc's names for sorts of memory (topo::Memory::sort).
constexpr std::array<std::string_view, 2> kFast{"HBM", "MCDRAM"};
constexpr std::array<std::string_view, 2> kLarge{"NVM", "CXL-DRAM"};

std::span<const std::string_view> sorts_of(Space space) {
  if (space == Space::kHighBandwidth) return kFast;
  if (space == Space::kLargeCap) return kLarge;
  return {};
}

struct Nodes {
  std::vector<int> numbers;  // the kernel's
  bool special = false;      // the memory is of the sort that the space asks for
};

template <class Wanted>
std::vector<int> nodes_where(const topo::Machine& machine, Wanted wanted) {
  std::vector<int> numbers = topo::memory_nodes(machine);
  std::erase_if(numbers, [&](int number) {
    return std::ranges::none_of(machine.memories(), [&](const topo::Memory& memory) {
      return memory.os_index == number && wanted(memory);
    });
  });
  return numbers;
}

Nodes nodes_of(const topo::Machine& machine, Space space) {
  const auto sorts = sorts_of(space);
  auto special = nodes_where(machine, [&](const topo::Memory& memory) {
    return std::ranges::find(sorts, memory.sort) != sorts.end();
  });
  if (!special.empty()) return {std::move(special), true};
  return {nodes_where(machine, [](const topo::Memory& memory) { return memory.sort.empty(); })};
}

// Of `nodes`, the one that is nearest to the CPU on which the calling thread runs; -1 if unknown.
int nearest_of(const topo::Machine& machine, std::span<const int> nodes) {
  const topo::Pu* const here = machine.pu_of(sched_getcpu());
  if (here == nullptr) return -1;
  for (const int near : machine.nodes_nearest_first(here->node))
    for (const topo::Memory& memory : machine.memories())
      if (memory.node == near && std::ranges::find(nodes, memory.os_index) != nodes.end())
        return memory.os_index;
  return -1;
}

void place_nearest(const topo::Machine& machine, const Nodes& nodes, void* start, size_t bytes) {
  const int node = nearest_of(machine, nodes.numbers);
  if (node >= 0) topo::bind_pages(machine, start, bytes, node);
}

void place_blocks(const topo::Machine& machine, const Nodes& nodes, void* start, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(start);
  for (const topo::PageRun& run : topo::cut(begin, begin + bytes, topo::page_size(), nodes.numbers))
    topo::bind_pages(machine, reinterpret_cast<void*>(run.begin), run.end - run.begin, run.node);
}

}  // namespace

bool may_place() noexcept {
  enum : int { kUnknown, kNo, kYes };
  static constinit plat::atomic<int> known{kUnknown};
  int answer = known.load(std::memory_order_relaxed);
  if (answer == kUnknown) {
    answer = topo::may_have_memory_nodes() ? kYes : kNo;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer == kYes;
}

void place(const topo::Machine& machine, const Description& description, void* start,
           size_t bytes) try {
  const Nodes nodes = nodes_of(machine, description.space);
  if (nodes.numbers.empty()) return;
  switch (description.traits.partition) {
    case Partition::kEnvironment:
      if (nodes.special) place_nearest(machine, nodes, start, bytes);
      return;
    case Partition::kNearest:
      return place_nearest(machine, nodes, start, bytes);
    case Partition::kBlocked:
      return place_blocks(machine, nodes, start, bytes);
    case Partition::kInterleaved:
      topo::interleave(machine, nodes.numbers, start, bytes);
      return;
  }
} catch (const std::bad_alloc&) {
  // The pages stay where the kernel puts them.
}

}  // namespace vicino::memory
