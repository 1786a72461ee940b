#include "tasking/crew.hpp"

#include <algorithm>

#include "task/member_row.hpp"
#include "task/split.hpp"

namespace vicino::tasking {

std::vector<CrewPart> crew_of(std::span<const int> node_of, std::span<const int> nodes, int threads,
                              int first) {
  std::vector<CrewPart> crew;
  auto left = static_cast<size_t>(threads);
  for (const int node : nodes) {
    if (left == 0) break;
    CrewPart part{node, {}};
    if (node_of[static_cast<size_t>(first)] == node) part.members.push_back(first);
    for (int i = 0; i < static_cast<int>(node_of.size()) && part.members.size() < left; ++i)
      if (i != first && node_of[static_cast<size_t>(i)] == node) part.members.push_back(i);
    if (part.members.empty()) continue;
    left -= part.members.size();
    std::ranges::sort(part.members);
    crew.push_back(std::move(part));
  }
  std::ranges::sort(crew, {}, [](const CrewPart& part) { return part.members.front(); });
  return crew;
}

std::vector<CrewRow> crew_rows(std::span<const CrewPart> parts, uint64_t trip, uint64_t units) {
  size_t members = 0;
  for (const CrewPart& part : parts) members += part.members.size();
  const task::Split blocks(trip, {task::Grain::kNone, members, false});
  std::vector<CrewRow> rows;
  rows.reserve(members);
  for (const CrewPart& part : parts) {
    uint64_t of_node = 0;  // units of this node so far
    for (const int member : part.members) {
      const size_t nth = rows.size();
      const loop::Range block = nth < blocks.tasks() ? blocks.range(nth) : loop::Range();
      const uint64_t count = std::min(units, block.size());
      const uint64_t strict = task::strict_part(of_node + count) - task::strict_part(of_node);
      const uint64_t at_once = std::max(count / kTasksPerThread, uint64_t{1});
      rows.push_back({part.node, member, block, static_cast<uint32_t>(count),
                      static_cast<uint32_t>(strict), static_cast<uint32_t>(at_once)});
      of_node += count;
    }
  }
  return rows;
}

}  // namespace vicino::tasking
