#include "pages/moves.hpp"

#include <algorithm>

namespace vicino::pages {
namespace {

using topo::PageRun;

// The size of large pages: a part that cut one would make the kernel split it.
constexpr uintptr_t kLarge = 2 << 20;

std::vector<int> distinct(std::span<const int> owners) {
  std::vector<int> nodes(owners.begin(), owners.end());
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

// In turns of large pages; an array of few of them in turns of pages.
void interleave(std::vector<PageRun>& runs, const Array& array, std::span<const int> nodes,
                size_t page) {
  const uintptr_t turn = (array.end - array.begin) / nodes.size() < 4 * kLarge ? page : kLarge;
  for (const PageRun& whole : topo::cut(array.begin, array.end, page, nodes.first(1)))
    for (uintptr_t at = whole.begin; at < whole.end;) {
      const uintptr_t next = std::min(whole.end, (at / turn + 1) * turn);
      runs.push_back({at, next, nodes[at / turn % nodes.size()]});
      at = next;
    }
}

}  // namespace

std::vector<PageRun> runs_of(Placement placement, std::span<const Array> arrays,
                             std::span<const int> owners, size_t page) {
  std::vector<PageRun> runs;
  for (const Array& array : arrays) {
    if (placement == Placement::kBlocks)
      std::ranges::copy(topo::cut(array.begin, array.end, page, owners), std::back_inserter(runs));
    else
      interleave(runs, array, distinct(owners), page);
  }
  return runs;
}

std::vector<PageRun> parts_of(std::span<const PageRun> runs, int first, int last, size_t page) {
  if (first == 0 && last == kParts) return {runs.begin(), runs.end()};
  std::vector<PageRun> parts;
  size_t page_number = 0;  // so that runs of one page have parts as well
  for (const PageRun& run : runs) {
    const bool by_large = run.end - run.begin >= kParts * kLarge;
    const uintptr_t turn = by_large ? kLarge : page;
    for (uintptr_t at = run.begin; at < run.end;) {
      const uintptr_t next = std::min(run.end, (at / turn + 1) * turn);
      const auto part = static_cast<int>(page_number++ % kParts);
      if (part >= first && part < last) {
        if (!parts.empty() && parts.back().end == at && parts.back().node == run.node)
          parts.back().end = next;
        else
          parts.push_back({at, next, run.node});
      }
      at = next;
    }
  }
  return parts;
}

}  // namespace vicino::pages
