"""VICINO_STATIC=measured: clang's static loops get blocks that take equally long."""

import unittest

from programs import CLANG, ProgramsCase

# Thread 0 is twenty times as slow as the others, measured in its own CPU time, so that other load does not
# matter.
SOURCE = r"""
#include <omp.h>
#include <stdio.h>
#include <time.h>
enum { kTrip = 3000, kMostThreads = 16 };
static int seen[kTrip], owner[kTrip], other[kTrip];
static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}
static void spin(long ns) {
  for (const long end = now() + ns; now() < end;)
    ;
}
static int once(int times, const char* what) {
  for (int i = 0; i < kTrip; ++i) {
    if (seen[i] != times || (i > 0 && owner[i] < owner[i - 1])) {
      printf("%s: iteration %d\n", what, i);
      return 0;
    }
  }
  return 1;
}
static int slow(void) {
  int last = -1;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < kTrip; ++i) {
    ++seen[i];
    owner[i] = omp_get_thread_num();
    last = i;
    spin(omp_get_thread_num() == 0 ? 20000 : 1000);
  }
  return last;
}
static void several(int trip, int step) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < trip; i += step) __atomic_fetch_add(&other[i], 1, __ATOMIC_RELAXED);
#pragma omp for nowait
    for (unsigned char i = 0; i < 200; ++i) __atomic_fetch_add(&other[i], 1, __ATOMIC_RELAXED);
#pragma omp for
    for (long i = kTrip - 1; i >= 0; --i) {
      __atomic_fetch_add(&other[i], 1, __ATOMIC_RELAXED);
#pragma omp cancel for if (omp_get_cancellation() && i == kTrip / 2)
    }
#pragma omp sections
    {
#pragma omp section
      __atomic_fetch_add(&other[0], 1, __ATOMIC_RELAXED);
#pragma omp section
#pragma omp parallel for num_threads(2)
      for (int i = 0; i < kTrip; ++i) __atomic_fetch_add(&other[i], 1, __ATOMIC_RELAXED);
    }
  }
}
int main(void) {
  int least = kTrip;
  for (int r = 0; r < 20; ++r) {
    int last = slow(), mine = 0;
    if (last != kTrip - 1 || !once(r + 1, "slow")) return 1;
    for (int i = 0; i < kTrip; ++i) mine += owner[i] == 0;
    if (mine < least) least = mine;
  }
  long sum = 0, wanted = 0;
  omp_set_max_active_levels(2);
  for (int trip = 0; trip < 60; ++trip) {
    const int step = trip % 3 + 1;
    several(trip, step);
    wanted += (trip + step - 1) / step + 200 + kTrip + 1 + kTrip;
  }
  for (int i = 0; i < kTrip; ++i) sum += other[i];
  printf("%d %s\n", least, sum == wanted ? "whole" : sum < wanted ? "less" : "more");
}
"""


class StaticLoops(ProgramsCase):
    def ran(self, **settings):
        done = self.programs.run(self.programs.build(SOURCE, CLANG), **settings)
        self.assertEqual(done.stderr, "")
        least, sum_ = done.stdout.split()
        return int(least), sum_

    def test_equal_blocks_unless_asked(self):
        self.assertEqual(self.ran(), (750, "whole"))

    def test_a_slow_thread_gets_less(self):
        for threads in (2, 4, 7):
            with self.subTest(threads=threads):
                least, sum_ = self.ran(VICINO_STATIC="measured", OMP_NUM_THREADS=str(threads))
                self.assertLess(least, 3000 / threads / 2)
                self.assertEqual(sum_, "whole")

    # One thread is slow: measured blocks win, or a team without the slow thread.
    def test_tuned_blocks_are_better_than_equal_ones(self):
        for threads in (2, 4):
            with self.subTest(threads=threads):
                least, sum_ = self.ran(VICINO_STATIC="tuned", OMP_NUM_THREADS=str(threads))
                self.assertLess(least, 3000 / threads)
                self.assertEqual(sum_, "whole")
        self.assertEqual(self.ran(VICINO_STATIC="tuned", VICINO_EXPLORE="false"), (750, "whole"))

    def test_one_thread_and_more_threads_than_iterations(self):
        self.assertEqual(self.ran(VICINO_STATIC="measured", OMP_NUM_THREADS="1"), (3000, "whole"))
        self.assertEqual(self.ran(VICINO_STATIC="measured", OMP_NUM_THREADS="64")[1], "whole")

    def test_with_loops_that_are_cancelled(self):
        least, sum_ = self.ran(VICINO_STATIC="measured", OMP_CANCELLATION="true")
        self.assertLess(least, 375)
        self.assertIn(sum_, ("less", "whole"))

    def test_counts_name_the_schedule(self):
        done = self.programs.run(self.programs.build(SOURCE, CLANG), VICINO_STATIC="measured")
        # The loops of several(), the loop in its sections, and the loop of slow(); not the sections.
        self.assertEqual([loop["schedule"] for loop in done.loops], 5 * ["weighted"])
        mine = [loop for loop in done.loops if loop["loop"].startswith("slow")]
        self.assertEqual([(one["schedule"], one["loops"], one["iterations"]) for one in mine],
                         [("weighted", 20, 60000)])


if __name__ == "__main__":
    unittest.main()
