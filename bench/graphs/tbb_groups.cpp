// tbb_groups: oneTBB's task_group, with a count of unfinished predecessors for each unit.
//
// How    A thread that ends a unit goes on with the first one that became ready through it, and
//        gives the others to the group.
#include <tbb/task_group.h>

#include <atomic>

#include "tbb_backend.hpp"

namespace {

class Counted {
 public:
  static constexpr const char* kName = "oneTBB task_group";

  explicit Counted(const vicino::graph::Coarse& coarse)
      : coarse_(coarse), missing_(coarse.graph.size()) {
    for (uint32_t unit = 0; unit < coarse.graph.size(); ++unit)
      if (coarse.graph.before(unit).empty()) roots_.push_back(unit);
  }

  void run(const bench::Body& body) {
    for (uint32_t unit = 0; unit < coarse_.graph.size(); ++unit)
      missing_[unit].store(coarse_.graph.before().length(unit), std::memory_order_relaxed);
    tbb::task_group group;
    for (const uint32_t root : roots_) group.run([&, root] { go_on(root, group, body); });
    group.wait();
  }

 private:
  void go_on(uint32_t unit, tbb::task_group& group, const bench::Body& body) {
    for (uint32_t next = kNone;; unit = next, next = kNone) {
      const auto tasks = coarse_.tasks[unit];
      body(tasks.data(), tasks.size());
      for (const uint32_t other : coarse_.graph.after(unit)) {
        // (1) The last decrement sees what all units before `other` wrote: it acquires what the
        // earlier decrements, of the same kind, released.
        if (missing_[other].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        if (next == kNone)
          next = other;
        else
          group.run([&, other] { go_on(other, group, body); });
      }
      if (next == kNone) return;
    }
  }

  static constexpr uint32_t kNone = UINT32_MAX;

  const vicino::graph::Coarse& coarse_;
  std::vector<std::atomic<uint32_t>> missing_;
  std::vector<uint32_t> roots_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::graphs_main<bench::TbbBackend<Counted>>(argc, argv);
}
