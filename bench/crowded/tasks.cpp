// tasks: a region after another in which a binary tree of tasks divides the work.
//
// Why    Whoever has a core can do a task, so a member without a core need not be waited for; but
//        each inner task waits for its two children, and a thread that sleeps must be woken.
// Work   Only the leaves do work: --task-us each, as many as --work-us of a region needs.
#include "copy.hpp"

namespace {

uint64_t serial_tree(long first, long leaves, long steps) {
  if (leaves == 1) return bench::walk(steps, static_cast<uint64_t>(first));
  const long half = leaves / 2;
  return serial_tree(first, half, steps) + serial_tree(first + half, leaves - half, steps);
}

uint64_t region(long leaves, long steps) {
  uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
  sum += bench::task_tree(0, leaves, 1, [steps](long first, long) {
    return bench::walk(steps, static_cast<uint64_t>(first));
  });
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::CopyOptions options = bench::copy_options(argc, argv);
  if (!bench::set_up(options)) return 0;
  const long leaves = std::max(1L, std::lround(options.work_us / options.task_us));
  const long steps = std::lround(options.steps_per_us * options.task_us);
  bench::perform(options, serial_tree(0, leaves, steps), [&](long) {
    return options.serial ? serial_tree(0, leaves, steps) : region(leaves, steps);
  });
}
