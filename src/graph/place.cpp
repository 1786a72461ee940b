#include "graph/place.hpp"

#include <algorithm>
#include <tuple>

#include "graph/front.hpp"

namespace vicino::graph {

Placement place_by_fronts(const Graph& aggregates, int nodes, bool strict) {
  Placement placement;
  placement.node.resize(aggregates.size());
  placement.strict.assign(aggregates.size(), strict);
  Front::for_each_part(aggregates, static_cast<uint32_t>(nodes),
                       [&](uint32_t aggregate, uint32_t part, uint32_t) {
                         placement.node[aggregate] = static_cast<int>(part);
                       });
  return placement;
}

void Written::add(const void* start, size_t bytes, int node) {
  auto at = reinterpret_cast<uintptr_t>(start);
  const uintptr_t end = bytes <= UINTPTR_MAX - at ? at + bytes : UINTPTR_MAX;
  while (at < end) {
    const uintptr_t page = at / page_bytes_;
    const uintptr_t next = std::min(end, (page + 1) * page_bytes_);
    const auto part = static_cast<uint32_t>(next - at);
    if (!parts_.empty() && parts_.back().page == page && parts_.back().node == node)
      parts_.back().bytes += part;  // may count a byte twice, if tasks write it twice
    else
      parts_.push_back({page, node, part});
    at = next;
  }
}

std::vector<Written::Stretch> Written::stretches() {
  std::ranges::sort(parts_, {}, [](const Part& part) { return std::tuple(part.page, part.node); });
  std::vector<Stretch> all;
  for (size_t i = 0; i < parts_.size();) {
    const uintptr_t page = parts_[i].page;
    uint64_t most = 0;
    int node = 0;
    while (i < parts_.size() && parts_[i].page == page) {
      const int of = parts_[i].node;
      uint64_t bytes = 0;
      for (; i < parts_.size() && parts_[i].page == page && parts_[i].node == of; ++i)
        bytes += parts_[i].bytes;
      if (bytes > most) most = bytes, node = of;
    }
    const uintptr_t start = page * page_bytes_;
    if (!all.empty() && all.back().node == node &&
        all.back().start + all.back().pages * page_bytes_ == start)
      ++all.back().pages;
    else
      all.push_back({start, 1, node});
  }
  return all;
}

}  // namespace vicino::graph
