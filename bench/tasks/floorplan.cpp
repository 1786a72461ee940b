// floorplan: places cells next to each other in the least area; each cell may be turned.
//
// Why    The search tree is cut where the area is too large. Tasks carry their state as a copy and
//        now and then enter a critical section.
// Bound  The bound is fixed in advance, a fifth above a greedy plan. Cutting at the best plan found
//        so far would make the amount of work depend on the order of tasks, and runtimes could not
//        be compared.
// Check  The same search without tasks: the least area, and how many plans are within the bound.
//
// test: variant untied -DUNTIED
#include "kernel.hpp"

namespace {

constexpr int kMostCells = 12;

struct Cell {
  uint8_t x, y, width, height;

  bool overlaps(const Cell& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
};

struct Plan {
  int count = 0;
  int width = 0, height = 0;
  Cell cells[kMostCells];

  int area() const { return width * height; }
  bool fits(const Cell& cell) const {
    return std::none_of(cells, cells + count, [&](const Cell& c) { return c.overlaps(cell); });
  }
  Plan with(const Cell& cell) const {
    Plan next = *this;
    next.cells[next.count++] = cell;
    next.width = std::max(width, cell.x + cell.width);
    next.height = std::max(height, cell.y + cell.height);
    return next;
  }
};

// Calls `use` with each plan that has one cell more: on the right of another cell or above it, in
// both orientations.
template <class Use>
void extend(const Plan& plan, const Use& use) {
  const uint64_t number = static_cast<uint64_t>(plan.count);
  const auto a = static_cast<uint8_t>(1 + bench::scrambled(2 * number) % 5);
  const auto b = static_cast<uint8_t>(a + 1 + bench::scrambled(2 * number + 1) % 4);
  const auto try_at = [&](int x, int y) {
    for (const bool turned : {false, true}) {
      const Cell cell{static_cast<uint8_t>(x), static_cast<uint8_t>(y), turned ? b : a,
                      turned ? a : b};
      if (plan.fits(cell)) use(plan.with(cell));
    }
  };
  if (plan.count == 0) try_at(0, 0);
  for (const Cell* c = plan.cells; c != plan.cells + plan.count; ++c) {
    try_at(c->x + c->width, c->y);
    try_at(c->x, c->y + c->height);
  }
}

int greedy_area(int cells) {
  Plan plan;
  while (plan.count < cells) {
    Plan best;
    extend(plan, [&](const Plan& next) {
      if (best.count == 0 || next.area() < best.area()) best = next;
    });
    plan = best;
  }
  return plan.area();
}

struct Found {
  long plans = 0;
  int area = 1 << 30;

  bool operator==(const Found&) const = default;
};

struct Search {
  int cells;
  int bound;
  Found found;

  void end(const Plan& plan) {
    ++found.plans;
    found.area = std::min(found.area, plan.area());
  }
  void by_recursion(const Plan& plan) {
    if (plan.count == cells) return end(plan);
    extend(plan, [this](const Plan& next) {
      if (next.area() <= bound) by_recursion(next);
    });
  }
  void by_tasks(const Plan& plan) {
    if (plan.count == cells) {
#pragma omp critical(floorplan)
      end(plan);
      return;
    }
    extend(plan, [this](const Plan& next) {
      if (next.area() > bound) return;
      Plan copy = next;
#pragma omp task TIEDNESS firstprivate(copy)
      by_tasks(copy);
    });
  }
};

class Kernel {
 public:
  static constexpr const char* kName = "floorplan";
  static constexpr long kSmall = 5, kLarge = 10, kMost = kMostCells;

  explicit Kernel(long size)
      : cells_(static_cast<int>(size)), bound_(greedy_area(cells_) * 6 / 5), search_(fresh()) {
    Search serial = fresh();
    serial.by_recursion({});
    expected_ = serial.found;
  }
  void prepare() { search_ = fresh(); }
  // The region's end waits for the tasks: they contain no taskwait.
  void run() {
#pragma omp parallel
#pragma omp single
    search_.by_tasks({});
  }
  bool right() const { return search_.found == expected_; }
  long tasks() const { return 0; }

 private:
  Search fresh() const { return {cells_, bound_, {}}; }

  int cells_;
  int bound_;
  Search search_;
  Found expected_;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
