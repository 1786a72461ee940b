"""A program has ten thousand parallel loops, and the tuner chooses for all of them: the answers are
right and the memory is bounded."""

import json
import unittest

from programs import CLANG, GCC, ProgramsCase

LOOPS = 10_000
# TunedSite::kMost and kMostBytes of src/site/tuned_site.hpp, and what else is kept of a loop or its region.
MOST, MOST_BYTES = 1 << 14, 4096 + 1024

# Each loop adds up its iterations' numbers. main() runs the first LAST loops ROUNDS times with TRIP
# iterations and prints how much memory the process has taken meanwhile.
PROGRAM = r"""
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static long sum;
static volatile long sink;
__attribute__((noinline)) static void iteration(long i, long work) {
  for (long k = 0; k < work; ++k) sink = k;
  __atomic_fetch_add(&sum, i + 1, __ATOMIC_RELAXED);
}
#define LOOP(n)                                        \
  static void loop##n(long trip, long work) {          \
    _Pragma("omp parallel for schedule(runtime)")      \
    for (long i = 0; i < trip; ++i) iteration(i, work); \
  }
@LOOPS@
static void (*const loops[])(long trip, long work) = {@NAMES@};

static long of(const char* name) { return atol(getenv(name)); }
static long held(void) {
  const struct mallinfo2 now = mallinfo2();
  return (long)(now.uordblks + now.hblkhd);
}

int main(void) {
  const long rounds = of("ROUNDS"), last = of("LAST"), trip = of("TRIP"), work = of("WORK");
  const long trips = of("TRIPS");  // with twice as many iterations each time
  long wrong = 0;
#pragma omp parallel
  wrong += 0 * sink;
  const long before = held();
  for (long r = 0; r < rounds; ++r)
    for (long l = 0; l < last; ++l)
      for (long t = trip, n = 0; n < trips; t *= 2, ++n) {
        sum = 0;
        loops[l](t, work);
        wrong += sum != t * (t + 1) / 2;
      }
  printf("{\"wrong\": %ld, \"bytes\": %ld}\n", wrong, held() - before);
  return wrong != 0;
}
"""


def source():
    numbers = range(LOOPS)
    return (PROGRAM.replace("@LOOPS@", "\n".join(f"LOOP({n})" for n in numbers))
            .replace("@NAMES@", ", ".join(f"loop{n}" for n in numbers)))


class ManySites(ProgramsCase):
    def ran(self, compiler, **settings):
        program = self.programs.build(source(), compiler)
        settings = {"ROUNDS": "3", "LAST": str(LOOPS), "TRIP": "8", "TRIPS": "1", "WORK": "0",
                    "OMP_NUM_THREADS": "2", "VICINO_STATS": "false", **settings}
        done = self.programs.run(program, **settings)
        return json.loads(done.stdout), done.stderr

    def told_of(self, text):
        """The lines of VICINO_EXPLAIN's text that name a site."""
        return [line for line in text.splitlines() if ", team of 2, timed " in line]

    def test_all_are_tuned_and_right(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                found, text = self.ran(compiler, VICINO_EXPLAIN="true")
                self.assertEqual(found["wrong"], 0)
                self.assertEqual(len(self.told_of(text)), LOOPS)
                self.assertNotIn("without the tuner", text)
                without, _ = self.ran(compiler, VICINO_EXPLORE="false")
                self.assertEqual(without["wrong"], 0)
                self.assertGreater(found["bytes"] - without["bytes"], LOOPS * 500)
                self.assertLess(found["bytes"] - without["bytes"], LOOPS * MOST_BYTES)

    def test_a_site_takes_no_more_when_all_was_tried(self):
        few = {"LAST": "50", "ROUNDS": "150", "TRIP": "200", "WORK": "1500"}
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                found, text = self.ran(compiler, VICINO_EXPLAIN="true", **few)
                self.assertEqual(len(self.told_of(text)), 50)
                self.assertRegex(text, r"\n  [a-z]+ +1 +\d+ ", "one thread was not tried")
                without, _ = self.ran(compiler, VICINO_EXPLORE="false", **few)
                self.assertLess(found["bytes"] - without["bytes"], 50 * MOST_BYTES)

    def test_those_beyond_the_most_run_without(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                found, text = self.ran(compiler, VICINO_EXPLAIN="true", TRIPS="2", ROUNDS="4")
                self.assertEqual(found["wrong"], 0)
                self.assertEqual(len(self.told_of(text)), MOST)
                self.assertEqual(text.count("without the tuner"), 1)
                self.assertIn(f"more than {MOST} call sites: those after them ran without the tuner\n", text)
                self.assertLess(found["bytes"], MOST * MOST_BYTES)


if __name__ == "__main__":
    unittest.main()
