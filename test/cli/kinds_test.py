"""Where cores differ, clang's static loops are cut by the speeds of the kinds of cores, and within one region all
alike: what OpenMP promises of static loops holds."""

import json
import re
import unittest
from pathlib import Path

from programs import CLANG, GCC, ProgramsCase

MACHINES = Path(__file__).resolve().parents[1] / "machines"

# Threads from `weak` on take twice as long for an iteration. They sleep, and for long beside what a busy machine
# adds to each sleep (some 0.2 ms): with sleeps of 0.3 and 0.6 ms two kinds looked nearly alike there.
# Each thread reads in the later loops of a region what it wrote in the first one, without a barrier.
SOURCE = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
enum { kTrip = 2000, kRegions = 12, kSteps = 5 };
static int owner[kTrip], wrong, most, weak;
static void sleep_for(long us) {
  prctl(PR_SET_TIMERSLACK, 1);
  const struct timespec t = {0, us * 1000};
  nanosleep(&t, NULL);
}
static void compare(int i) {
  if (owner[i] != omp_get_thread_num()) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}
/* An orphaned loop. */
static void check_again(void) {
#pragma omp for schedule(static) nowait
  for (long i = kTrip; i > 0; --i) compare(kTrip - i);
}
static void region(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    if (me == 1) sleep_for(2000);
#pragma omp for nowait
    for (int i = 0; i < kTrip; ++i) {
      owner[i] = me;
      if (i % 20 == 0) sleep_for(me < weak ? 1500 : 3000);
    }
    for (int step = 0; step < kSteps; ++step) {
#pragma omp for nowait
      for (unsigned i = 0; i < kTrip; ++i) compare(i);
      check_again();
      /* A loop of another length, and one that takes the longer the stronger the core is. */
#pragma omp for nowait
      for (int i = 0; i < kTrip / 2 + step; ++i)
        if (i % 100 == 0) sleep_for(me < weak ? 100 : 10);
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kTrip; ++i) compare(i);
    }
#pragma omp for ordered schedule(static) nowait
    for (int i = 0; i < kTrip; ++i) {
      compare(i);
#pragma omp ordered
      if (i % 100 == 0) most = most < i ? i : most;
    }
  }
}
int main(void) {
  weak = atoi(getenv("WEAK"));
  int mine;
  for (int r = 0; r < kRegions; ++r) {
    region();
    mine = 0;
    for (int i = 0; i < kTrip; ++i) mine += owner[i] < weak;
  }
  printf("%d %d\n", mine, wrong);
}
"""
ON_HYBRID = {"VICINO_MACHINE": str(MACHINES / "hybrid-4p8e.xml"), "OMP_PLACES": "threads",
             "OMP_PROC_BIND": "close", "OMP_SCHEDULE": "static"}


class Kinds(ProgramsCase):
    def done(self, compiler=CLANG, threads=16, weak=8, **settings):
        settings = {**ON_HYBRID, "OMP_NUM_THREADS": str(threads), "WEAK": str(weak), **settings}
        return self.programs.run(self.programs.build(SOURCE, compiler), **settings)

    def ran(self, *args, **settings):
        """How many iterations threads below `weak` had in the last region, and how many were elsewhere in a
        later loop of a region than in the first one."""
        done = self.done(*args, VICINO_STATS="false", **settings)
        self.assertEqual(done.stderr, "")
        return tuple(int(word) for word in done.stdout.split())

    # CPUs 8 to 15 of the machine are those of the weak cores, and as many threads have these places.
    def test_weak_cores_get_less_and_the_same_threads_the_same(self):
        for threads in (10, 12, 16):
            with self.subTest(threads=threads):
                mine, wrong = self.ran(threads=threads)
                self.assertGreater(mine, 1.05 * 2000 * 8 / threads)
                self.assertEqual(wrong, 0)

    # So the program would notice.
    def test_cuts_by_site_break_the_promise(self):
        self.assertGreater(self.ran(VICINO_STATIC="measured")[1], 0)

    def test_the_promise_holds_for_unbound_threads(self):
        for threads in (4, 7, 16):
            with self.subTest(threads=threads):
                self.assertEqual(self.ran(threads=threads, OMP_PROC_BIND="false")[1], 0)

    def test_equal_blocks_where_that_is_asked_for_or_cores_are_alike(self):
        equal = (1000, 0)
        self.assertEqual(self.ran(VICINO_STATIC="equal"), equal)
        self.assertEqual(self.ran(KMP_DETERMINISTIC_REDUCTION="true"), equal)
        self.assertEqual(self.ran(VICINO_MACHINE=str(MACHINES / "plain-2x4.xml")), equal)
        self.assertEqual(self.ran(threads=8, weak=4), equal)  # all on the strong cores
        self.assertEqual(self.ran(compiler=GCC), equal)

    def test_loops_are_named_and_speeds_are_told(self):
        done = self.done()
        kinds = {loop["schedule"] for loop in done.loops if loop["loop"].startswith("region")}
        self.assertIn("kinds", kinds)
        told = self.done(VICINO_EXPLAIN="true").stderr
        found = re.search(r"cores of kind 0 were seen to have (0\.\d+)", told)
        self.assertIsNotNone(found, told)
        self.assertLess(float(found[1]), 0.95)
        self.assertIn("VICINO_STATIC=equal cuts them equally", told)
        self.assertNotIn("of kind", self.done(VICINO_EXPLAIN="true", VICINO_STATIC="equal").stderr)
        report = self.programs.path / "report.json"
        self.done(VICINO_REPORT=str(report))
        remarks = json.loads(report.read_text(encoding="utf-8"))["remarks"]
        self.assertTrue(any("cores of kind 0" in one for one in remarks), remarks)

    def test_topo_tells_how_loops_are_cut(self):
        def topo(machine, **settings):
            return self.run_vicino("topo", "--machine", MACHINES / f"{machine}.xml",
                                   env={**self.env, **settings}).stdout
        self.assertIn("cut by the speeds that these kinds are seen to have", topo("hybrid-4p8e"))
        self.assertIn("as VICINO_STATIC says otherwise", topo("hybrid-4p8e", VICINO_STATIC="equal"))
        self.assertNotIn("static loops", topo("plain-2x4"))


if __name__ == "__main__":
    unittest.main()
