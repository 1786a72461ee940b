// loop: one parallel loop after another, the first half static, the second half dynamic,1.
//
// Why    Static loops wait for each member that has lost its core; dynamic ones need not, if
//        whoever has a core does the work. Both wait at the end of each region.
// Work   Sixteen iterations in each region, all equally long.
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
  bench::perform(options, serial_loop(steps), [&](long i) {
    if (options.serial) return serial_loop(steps);
    return i < first_dynamic ? static_loop(steps) : dynamic_loop(steps);
  });
}
