// workload.hpp: the programs of the paper's figure 6, as the model sees them: a loop in each step,
// and what follows it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parameters.hpp"

namespace cluster {

inline constexpr uint32_t kCores = 16;  // of a node; one rank for each node, as in the paper

using Iterations = std::shared_ptr<const std::vector<vicino::sim::Time>>;

// Random bits that depend on the numbers alone.
uint64_t mix(uint64_t a, uint64_t b, uint64_t c = 0, uint64_t d = 0);

class Workload {
 public:
  // n-body: bodies of a galaxy in clusters, whose places differ from node to node and stay from
  // step to step. Each step ends with an exchange with six neighbours and an allreduce.
  static Workload nbody(const Parameters& parameters, uint64_t seed);
  // SNAP: even iterations; each step ends with an exchange with four neighbours, and every eighth,
  // when all octants are done, with an allreduce.
  static Workload snap(const Parameters& parameters, uint64_t seed);
  // Recorded iterations, the same on each node, with n-body's data and messages. The text has one
  // duration in nanoseconds on each line; text behind a # is a comment.
  static vicino::Result<Workload> trace(const Parameters& parameters, std::string_view text);

  // What the iterations take on a core of average speed, their data in its own caches.
  Iterations iterations(uint32_t node) const;

  std::string name;
  double cache, memory;    // parts of an iteration's time
  uint32_t dimensions;     // of the grid of nodes
  uint64_t halo;           // bytes to each neighbour
  uint32_t reduces_every;  // steps

 private:
  enum class Kind { kClustered, kEven, kSame };
  Workload(std::string its_name, double its_cache, double its_memory, uint32_t its_dimensions,
           double its_halo, uint32_t reduces)
      : name(std::move(its_name)),
        cache(its_cache),
        memory(its_memory),
        dimensions(its_dimensions),
        halo(static_cast<uint64_t>(its_halo)),
        reduces_every(reduces) {}

  Kind kind_ = Kind::kSame;
  Iterations same_;
  double iteration_ = 0, clustering_ = 0, ranks_ = 0;
  uint64_t seed_ = 0;
};

}  // namespace cluster
