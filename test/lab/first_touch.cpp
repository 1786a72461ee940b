// first_touch.cpp: pages go to the nodes where a static loop runs. Where do other loops run?
//
//   first_touch [one]    prints a line "SHARE RAN/ALL" for each of some samples: the share of
//                        iterations that ran near their page, and how many of ALL iterations ran
//                        exactly once. With `one`, one thread touches all pages first.
//   first_touch names    prints the names of Vicino's schedulers, a line each
//
// The loop is schedule(runtime), so OMP_SCHEDULE and VICINO_SCHEDULE choose its schedule. Its
// iterations are balanced except for a jitter that differs between the samples.
#include <omp.h>
#include <string.h>
#include <sys/mman.h>

#include <cstdint>
#include <tuple>

#include "kernel.hpp"
#include "loop/registry.hpp"
#include "loop/schedulers.hpp"

namespace {

constexpr int kSamples = 2, kPagesPerThread = 48, kPerPage = 4, kWork = 400;
const std::vector<int> kNear = memory_of_cpus();
const auto kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

class Pages {
 public:
  explicit Pages(size_t count) : count_(count) {
    data_ = static_cast<char*>(
        mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (data_ == MAP_FAILED || madvise(data_, count * kPage, MADV_NOHUGEPAGE) != 0) abort();
  }
  ~Pages() { munmap(data_, count_ * kPage); }
  Pages(const Pages&) = delete;

  size_t iterations() const { return count_ * kPerPage; }
  char& of(size_t iteration) const { return data_[iteration / kPerPage * kPage]; }

  void touch(int threads) const {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < iterations(); ++i) of(i) = 1;
  }
  std::vector<int> nodes() const {
    std::vector<int> nodes(count_);
    for (size_t page = 0; page < count_; ++page) nodes[page] = node_of(data_ + page * kPage);
    return nodes;
  }

 private:
  size_t count_;
  char* data_;
};

void work(unsigned amount) {
  for (volatile unsigned i = 0; i < amount;) i = i + 1;
}

// Returns `work`, up to a quarter more or less.
unsigned jittered(unsigned work, unsigned sample, size_t iteration) {
  uint64_t x = (iteration + 1) * 0x9E3779B97F4A7C15 ^ (sample + 1) * 0xBF58476D1CE4E5B9;
  x ^= x >> 29;
  return work * 3 / 4 + static_cast<unsigned>(x % (work / 2));
}

void run(unsigned sample, bool one) {
  const int threads = omp_get_max_threads();
  // The number of pages is no multiple of the team's size, so blocks end inside pages.
  const Pages pages(static_cast<size_t>(threads * kPagesPerThread) + 5 + sample);
  pages.touch(one ? 1 : threads);
  const std::vector<int> nodes = pages.nodes();
  const size_t all = pages.iterations();
  std::vector<char> runs(all), near(all);
#pragma omp parallel for schedule(runtime)
  for (size_t i = 0; i < all; ++i) {
    ++runs[i];
    pages.of(i) = 2;
    near[i] = kNear[static_cast<size_t>(sched_getcpu())] == nodes[i / kPerPage];
    work(jittered(kWork, sample, i));
  }
  printf("%.4f %zu/%zu\n",
         static_cast<double>(std::ranges::count(near, 1)) / static_cast<double>(all),
         static_cast<size_t>(std::ranges::count(runs, 1)), all);
}

template <class... Scheduler>
void print_names(const std::tuple<Scheduler...>*) {
  (printf("%s\n", std::string(Scheduler::kName).c_str()), ...);
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "names") == 0) {
    print_names(static_cast<const vicino::loop::Schedulers*>(nullptr));
    return 0;
  }
  for (unsigned sample = 0; sample < kSamples; ++sample)
    run(sample, count > 1 && strcmp(words[1], "one") == 0);
  return 0;
}
