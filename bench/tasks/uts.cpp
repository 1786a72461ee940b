// uts: counts the vertices of two unbalanced trees that exist only as a hash function.
//
// Why    No subtree says how large it is, so no way to divide work in advance helps: stealing
//        decides.
// Trees  The trees are those of the Unbalanced Tree Search benchmark. In the geometric one, a
//        vertex's number of children is geometrically distributed around a mean that falls linearly
//        with depth. In the binomial one the root has many children; each other vertex has m of
//        them with probability q, else none, and m q is just below 1.
// Not    the published instances: a vertex's state is 64 bits through a multiplicative hash, not
//        SHA-1, so that the time is spent in tasks. Therefore sizes differ from the published ones.
// Check  A count by a stack of vertices instead of recursion and tasks.
//
// test: variant untied -DUNTIED
#include <cmath>

#include "kernel.hpp"

namespace {

constexpr int kMostChildren = 100;

struct Node {
  uint64_t state;
  int depth;

  Node child(int i) const {
    return {bench::scrambled(state + static_cast<uint64_t>(i)), depth + 1};
  }
};

struct Geometric {
  int depth;
  static constexpr double kRootMean = 4;

  int children(const Node& node) const {
    const double mean = kRootMean * (1 - static_cast<double>(node.depth) / depth);
    if (mean <= 0) return 0;
    const double p = 1 / (1 + mean);
    const double drawn = std::log(1 - bench::uniform(node.state)) / std::log(1 - p);
    return std::min(static_cast<int>(drawn), kMostChildren);
  }
};

struct Binomial {
  int root_children;
  static constexpr int kChildren = 4;
  static constexpr double kProbability = 0.2475;

  int children(const Node& node) const {
    if (node.depth == 0) return root_children;
    return bench::uniform(node.state) < kProbability ? kChildren : 0;
  }
};

template <class Tree>
long count(const Tree& tree, Node node) {
  const int children = tree.children(node);
  long counts[kMostChildren];
  for (int i = 0; i < children; ++i) {
#pragma omp task TIEDNESS shared(tree, counts) firstprivate(node)
    counts[i] = count(tree, node.child(i));
  }
#pragma omp taskwait
  long sum = 1;
  for (int i = 0; i < children; ++i) sum += counts[i];
  return sum;
}

template <class Tree>
long count_by_stack(const Tree& tree, Node root) {
  std::vector<Node> stack{root};
  long nodes = 0;
  while (!stack.empty()) {
    const Node node = stack.back();
    stack.pop_back();
    ++nodes;
    for (int i = 0; i < tree.children(node); ++i) stack.push_back(node.child(i));
  }
  return nodes;
}

class Kernel {
 public:
  static constexpr const char* kName = "uts";
  static constexpr long kSmall = 5, kLarge = 19, kMost = 24;

  explicit Kernel(long size)
      : geometric_{static_cast<int>(size)},
        binomial_{static_cast<int>(std::min<long>(size * size, kMostChildren))},
        expected_{count_by_stack(geometric_, kRoot), count_by_stack(binomial_, kRoot)} {}
  void prepare() { found_[0] = found_[1] = -1; }
  void run() {
#pragma omp parallel
#pragma omp single
    {
      found_[0] = count(geometric_, kRoot);
      found_[1] = count(binomial_, kRoot);
    }
  }
  bool right() const { return found_[0] == expected_[0] && found_[1] == expected_[1]; }
  long tasks() const { return expected_[0] + expected_[1] - 2; }

 private:
  static constexpr Node kRoot{42, 0};
  Geometric geometric_;
  Binomial binomial_;
  long expected_[2];
  long found_[2] = {-1, -1};
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
