// loop: one parallel loop after another, the first half static, the second half dynamic,1.
//
// Why    Static loops wait for each member that has lost its core; dynamic ones need not, if
//        whoever has a core does the work. Both wait at the end of each region.
// Work   Sixteen iterations in each region, all equally long.
#include "by_hand.hpp"
#include "copy.hpp"

namespace {

constexpr int kIterations = 16;

uint64_t serial_loop(long steps) {
  uint64_t sum = 0;
  for (int i = 0; i < kIterations; ++i) sum += bench::walk(steps, i);
  return sum;
}

uint64_t static_loop(long steps) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < kIterations; ++i) sum += bench::walk(steps, i);
  return sum;
}

uint64_t dynamic_loop(long steps) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
  for (int i = 0; i < kIterations; ++i) sum += bench::walk(steps, i);
  return sum;
}

bool yields(std::string_view how) {
  if (how != "yield" && how != "futex")
    bench::reject("not a value for --by-hand:", how, "yield, futex");
  return how == "yield";
}

// The same loops on threads without OpenMP, divided as a static loop's iterations are.
void perform_by_hand(const bench::CopyOptions& options, long steps) {
  struct alignas(128) Part {
    uint64_t sum;
  };
  const int threads = omp_get_max_threads();
  std::vector<Part> parts(static_cast<size_t>(threads));
  bench::ByHand team(threads, yields(options.by_hand), [&](int thread) {
    uint64_t sum = 0;
    for (int i = kIterations * thread / threads; i < kIterations * (thread + 1) / threads; ++i)
      sum += bench::walk(steps, static_cast<uint64_t>(i));
    parts[static_cast<size_t>(thread)].sum = sum;
  });
  bench::perform(options, serial_loop(steps), [&](long) {
    team.region();
    uint64_t sum = 0;
    for (const Part& part : parts) sum += part.sum;
    return sum;
  });
}

// How many of all regions have a static loop; the others are dynamic.
long static_regions(std::string_view schedule, long regions) {
  if (schedule == "static") return regions;
  if (schedule == "dynamic") return 0;
  if (schedule == "both") return regions / 2;
  bench::reject("not a value for --schedule:", schedule, "static, dynamic, both");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::CopyOptions options = bench::copy_options(argc, argv);
  const long first_dynamic = static_regions(options.schedule, options.regions());
  if (!bench::set_up(options)) return 0;
  const long steps = std::lround(options.steps_per_us * options.work_us / kIterations);
  if (options.by_hand != nullptr) {
    perform_by_hand(options, steps);
    return 0;
  }
  bench::perform(options, serial_loop(steps), [&](long i) {
    if (options.serial) return serial_loop(steps);
    return i < first_dynamic ? static_loop(steps) : dynamic_loop(steps);
  });
}
