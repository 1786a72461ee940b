"""VICINO_EXPLAIN: what the tuner tried for each loop, what it chose and why."""

import re
import unittest

from programs import CLANG, GCC, ProgramsCase

SOURCE = r"""
#include <stdlib.h>
static volatile int sink;
static int shared;
void longer(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < 500; ++j) sink = j;
}
void shorter(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 4; ++i) sink = i;
}
/* Has a minimum of time at one thread: each step waits for the one before. */
void one_at_a_time(void) {
  shared = 0;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 200; ++i)
    for (int j = 0; j < 50; ++j) __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
}
/* Is short at first. */
void growing(int t) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < (t < 20 ? 1 : 500); ++j) sink = j;
}
int main(void) {
  const int times = atoi(getenv("TIMES"));
  for (int t = 0; t < times; ++t) longer();
  for (int t = 0; t < times; ++t) shorter();
  for (int t = 0; t < times; ++t) one_at_a_time();
  for (int t = 0; t < times / 4; ++t) growing(t);
}
"""


class Explain(ProgramsCase):
    def told(self, times, compiler=GCC, **settings):
        program = self.programs.build(SOURCE, compiler)
        settings.setdefault("VICINO_EXPLAIN", "true")
        settings.setdefault("OMP_NUM_THREADS", "2")
        return self.programs.run(program, TIMES=str(times), VICINO_STATS="false", **settings).stderr

    def about(self, text, function):
        [part] = re.findall(rf"^{function}.*\n(?:  .*\n)+", text, re.MULTILINE)
        return part

    def test_nothing_is_said_unless_asked(self):
        self.assertEqual(self.told(5, VICINO_EXPLAIN="false"), "")

    def test_nothing_is_tried_where_that_is_forbidden(self):
        self.assertEqual(self.told(50, VICINO_EXPLORE="false"), "")
        self.assertEqual(self.told(50, OMP_SCHEDULE="dynamic"), "")
        self.assertEqual(self.told(50, VICINO_SCHEDULE="ich"), "")

    # What is faster is for the machine to say, and other work on it makes two threads slow; but
    # not each time.
    def sees(self, seen, compiler, times=20):
        for _ in range(times):
            text = self.told(600, compiler)
            if seen(text):
                return
        self.fail(f"not once in {times} runs, of which the last said:\n{text}")

    def test_each_loop_has_its_reason(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                text = self.told(600, compiler)
                self.assertTrue(text.startswith("vicino: loops that the tuner chose for\n"), text)
                longer = self.about(text, "longer")
                self.assertIn("team of 2, timed ", longer)
                self.assertIn(" times, 400 iterations", longer)
                self.assertRegex(longer, r"\n  (so far )?(static|ich|mixed|guided) on \d threads?")
                self.assertRegex(longer, r"(static|ich) +2 +\d+ +[\d.]+ [um]s ")
                self.assertRegex(text, r"\nall that was timed: .* of which trying cost .* %\); about .* saved\n$")

    def test_schedules_are_tried(self):
        def seen(text):
            return re.search(r"ich +2 +\d+ ", self.about(text, "longer"))

        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.sees(seen, compiler)

    def test_a_short_loop_is_left_alone(self):
        def seen(text):
            return "too short to gain anything" in self.about(text, "shorter")

        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.sees(seen, compiler)

    def test_one_that_was_short_is_explored_when_it_is_not(self):
        def seen(text):
            growing = self.about(text, "growing")
            return "explored again: " in growing and "too short" not in growing

        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.sees(seen, compiler)

    def test_the_first_execution_does_not_count(self):
        self.assertIn("nothing is known of it yet", self.about(self.told(1), "longer"))

    def test_a_team_of_one_has_nothing_to_choose(self):
        self.assertEqual(self.told(50, OMP_NUM_THREADS="1"), "")


if __name__ == "__main__":
    unittest.main()
