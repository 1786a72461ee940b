// galaxy: bodies of a turning disk act on those near them; the disk is dense in the middle.
//
// Why    Work follows the square of a density that falls exponentially from the centre: a few cells
//        hold most of the pairs. Between two calls bodies move to other cells, but the distribution
//        stays. A schedule that knows the last call gains here.
// Work   Pairs of bodies in a cell and the eight around it; bodies when they move.
// Check  The same steps in serial loops must give what acted on each body over all steps, to the
//        last bit: a body's sum is always taken in the same order. A cell done twice adds twice.
#include "graph.hpp"
#include "kernel.hpp"

namespace {

constexpr int kCells = 48, kSteps = 6;  // cells in a row of the square that the disk lies in

struct Pair {
  double x = 0, y = 0;
  bool operator==(const Pair&) const = default;
};

struct State {
  std::vector<Pair> at, acted;
  bench::Rows cells;  // and the bodies in each
};

class Kernel {
 public:
  static constexpr const char* kName = "galaxy";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale) : bodies_(bench::scaled(11'000, scale, 2, 2)) {
    works_.emplace_back("force", "pairs");
    works_.emplace_back("turn", "bodies");
    State s = empty();
    for (int step = 0; step < kSteps; ++step) {
      for (long i = 0; i < bodies_; ++i) works_[1].add(turn(s, i, step));
      sort_into_cells(s);
      for (long c = 0; c < kCells * kCells; ++c) works_[0].add(add_forces(s, c));
    }
    expected_ = s.acted;
  }

  void prepare() { state_ = empty(); }

  void run(bench::Tickets& tickets) {
    constexpr long kTrip = kCells * kCells;
    for (int step = 0; step < kSteps; ++step) {
      uint64_t turned = 0, forced = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : turned)
      for (long i = 0; i < bodies_; ++i) {
        turned += bench::ticket(i);
        turn(state_, i, step);
      }
      tickets.loop(turned, bodies_);
      sort_into_cells(state_);
#pragma omp parallel for schedule(runtime) reduction(+ : forced)
      for (long c = 0; c < kTrip; ++c) {
        forced += bench::ticket(c);
        add_forces(state_, c);
      }
      tickets.loop(forced, kTrip);
    }
  }

  bool right() const { return state_.acted == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  State empty() const {
    State s;
    s.at.resize(bodies_);
    s.acted.resize(bodies_);
    return s;
  }

  // Minus the logarithm of a product of two uniform numbers is distributed as the radii of an
  // exponential disk; inner bodies turn faster.
  uint64_t turn(State& s, long i, int step) const {
    const auto place = static_cast<uint64_t>(i) << 4;
    const double product = (1 - bench::uniform(place)) * (1 - bench::uniform(place + 1));
    const double radius = std::min(-0.09 * std::log(product), 0.99);
    const double angle = 6.2831853 * bench::uniform(place + 2) + 0.1 * step / (0.1 + radius);
    s.at[i] = {radius * std::cos(angle), radius * std::sin(angle)};
    return 1;
  }

  static long cell_of(const Pair& at) {
    const auto slot = [](double x) { return static_cast<long>((x + 1) / 2 * kCells); };
    return slot(at.y) * kCells + slot(at.x);
  }

  // Bodies in a cell are in the order of their numbers.
  static void sort_into_cells(State& s) {
    std::vector<long> next(kCells * kCells + 1);
    for (const Pair& at : s.at) ++next[cell_of(at) + 1];
    for (size_t c = 1; c < next.size(); ++c) next[c] += next[c - 1];
    s.cells.first = next;
    s.cells.to.resize(s.at.size());
    for (size_t i = 0; i < s.at.size(); ++i)
      s.cells.to[next[cell_of(s.at[i])]++] = static_cast<int32_t>(i);
  }

  static uint64_t add_pairs(State& s, long c, long other) {
    const auto& [first, to] = s.cells;
    for (long a = first[c]; a < first[c + 1]; ++a) {
      Pair& acted = s.acted[to[a]];
      for (long b = first[other]; b < first[other + 1]; ++b) {
        const double x = s.at[to[b]].x - s.at[to[a]].x, y = s.at[to[b]].y - s.at[to[a]].y;
        const double near = 1 / (1e-4 + x * x + y * y);
        acted.x += near * x;
        acted.y += near * y;
      }
    }
    return s.cells.length(c) * s.cells.length(other);
  }

  static uint64_t add_forces(State& s, long c) {
    const long x = c % kCells, y = c / kCells;
    uint64_t pairs = 0;
    for (long j = std::max(y - 1, 0L); j <= std::min(y + 1, kCells - 1L); ++j)
      for (long i = std::max(x - 1, 0L); i <= std::min(x + 1, kCells - 1L); ++i)
        pairs += add_pairs(s, c, j * kCells + i);
    return pairs;
  }

  long bodies_;
  State state_;
  std::vector<Pair> expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
