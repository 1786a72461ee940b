// alignment: how well each pair of protein-like sequences matches, a task for each pair.
//
// Why    The tasks are independent and take microseconds, and all threads generate them, inside a
//        worksharing loop.
// Score  The score of the best local alignment with affine gaps (Gotoh's recurrences) is computed
//        with two rows at a time.
// Check  The whole matrix with every length of a gap tried (Smith and Waterman's recurrence), for
//        all pairs of a small input and some of a large one; and every pair must have been scored.
//
// test: variant untied -DUNTIED
#include <string>
#include <utility>

#include "kernel.hpp"

namespace {

constexpr int kOpen = 6;    // cost of a gap's first place
constexpr int kExtend = 1;  // cost of each further place
constexpr int kKinds = 20;

// Some kinds match well, most do not.
int match(char a, char b) { return a == b ? 5 : (a % 7 == b % 7 ? 1 : -2); }

int score(const std::string& a, const std::string& b) {
  constexpr int kNone = -(1 << 20);
  std::vector<int> best(b.size() + 1), gap_in_a(b.size() + 1, kNone);
  int highest = 0;
  for (const char x : a) {
    int diagonal = 0, gap_in_b = kNone;
    for (size_t j = 1; j <= b.size(); ++j) {
      gap_in_b = std::max(gap_in_b - kExtend, best[j - 1] - kOpen);
      gap_in_a[j] = std::max(gap_in_a[j] - kExtend, best[j] - kOpen);
      const int here = std::max({0, diagonal + match(x, b[j - 1]), gap_in_a[j], gap_in_b});
      diagonal = std::exchange(best[j], here);
      highest = std::max(highest, here);
    }
  }
  return highest;
}

int score_by_definition(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> best(a.size() + 1, std::vector<int>(b.size() + 1));
  const auto gap = [](size_t length) { return kOpen + kExtend * (static_cast<int>(length) - 1); };
  int highest = 0;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      int& here = best[i][j] = std::max(0, best[i - 1][j - 1] + match(a[i - 1], b[j - 1]));
      for (size_t k = 1; k <= i; ++k) here = std::max(here, best[i - k][j] - gap(k));
      for (size_t k = 1; k <= j; ++k) here = std::max(here, best[i][j - k] - gap(k));
      highest = std::max(highest, here);
    }
  return highest;
}

// Half of a sequence is a piece of the one before; otherwise nothing would ever match.
std::vector<std::string> sequences(long count) {
  std::vector<std::string> all;
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    std::string s(32 + bench::scrambled(i) % 64, 0);
    for (size_t j = 0; j < s.size(); ++j)
      s[j] = static_cast<char>('A' + bench::scrambled(i << 32 | j) % kKinds);
    if (i > 0) s.replace(s.size() / 2, s.size(), all.back(), 5, s.size() / 2);
    all.push_back(s);
  }
  return all;
}

class Kernel {
 public:
  static constexpr const char* kName = "alignment";
  static constexpr long kSmall = 12, kLarge = 180, kMost = 5000;  // sequences

  explicit Kernel(long size) : sequences_(sequences(size)), scores_(sequences_.size() * size) {}
  void prepare() { scores_.assign(scores_.size(), -1); }
  void run() {
    const size_t n = sequences_.size();
#pragma omp parallel
#pragma omp for schedule(dynamic)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j) {
#pragma omp task TIEDNESS
        scores_[i * n + j] = score(sequences_[i], sequences_[j]);
      }
  }
  bool right() const {
    const size_t n = sequences_.size(), every = n > kSmall ? 97 : 1;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j) {
        const int found = scores_[i * n + j];
        if (found < 0) return false;
        if ((i * n + j) % every == 0 && found != score_by_definition(sequences_[i], sequences_[j]))
          return false;
      }
    return true;
  }
  long tasks() const {
    const auto n = static_cast<long>(sequences_.size());
    return n * (n - 1) / 2;
  }

 private:
  std::vector<std::string> sequences_;
  std::vector<int> scores_;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
