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

std::vector<std::vector<PageRun>> pieces_of(std::span<const PageRun> runs, size_t page) {
  // In the lab's guests two threads for each node need 0.75 of the time of one (768 pages on 4x4: 0.53 and 0.69 ms;
  // 3072 on 8x8: 0.77 and 1.04); four need more than two.
  constexpr uint64_t kMovers = 2, kMost = 2 << 20;
  const uint64_t pages = bytes_of(runs) / page;
  const uint64_t most = std::min(kMost, (pages + kMovers - 1) / kMovers * page);
  std::vector<std::vector<PageRun>> pieces;
  uint64_t room = 0;  // in the last piece
  for (const PageRun& run : runs)
    for (uintptr_t at = run.begin; at < run.end;) {
      if (room == 0) {
        pieces.emplace_back();
        room = most;
      }
      const uint64_t bytes = std::min<uint64_t>(run.end - at, room);
      pieces.back().push_back({at, at + bytes, run.node});
      at += bytes;
      room -= bytes;
    }
  return pieces;
}

}  // namespace vicino::pages
