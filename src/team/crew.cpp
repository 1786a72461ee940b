#include "team/crew.hpp"

#include <algorithm>

namespace vicino::team {

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

}  // namespace vicino::team
