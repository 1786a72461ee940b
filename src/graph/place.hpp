// place.hpp: which node each aggregate runs on, and where the data go that its tasks write.
//
// Source Nas with Taggre (papers/taggre-nas, section VI.B): F with the number of nodes divides the
//        aggregates; a dry run finds what each task writes, and the pages are moved there, because
//        a write to another node costs more than a read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.hpp"
#include "graph/plan.hpp"

namespace vicino::graph {

// The aggregates of each depth in `nodes` equal shares, as F(nodes) divides them.
Placement place_by_fronts(const Graph& aggregates, int nodes, bool strict);

// What tasks write, collected by a dry run.
class Written {
 public:
  explicit Written(size_t page_bytes) : page_bytes_(page_bytes) {}

  void add(const void* start, size_t bytes, int node);

  // Whole pages that follow each other and belong to one node: the one that writes most of each; of
  // equals the lowest. By rising address.
  struct Stretch {
    uintptr_t start;
    size_t pages;
    int node;
    friend bool operator==(const Stretch&, const Stretch&) = default;
  };
  std::vector<Stretch> stretches();

 private:
  struct Part {
    uintptr_t page;
    int node;
    uint32_t bytes;
  };

  const size_t page_bytes_;
  std::vector<Part> parts_;
};

}  // namespace vicino::graph
