"""VICINO_STATS: what each loop of a program did, as a table and as JSON."""

import pathlib
import unittest

from programs import CLANG, GCC, ProgramsCase

MACHINES = pathlib.Path(__file__).resolve().parent.parent / "machines"
SOURCE = r"""
#include <omp.h>
enum { kTrip = 1000 };
static int seen[kTrip];
void dealt(void) {
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < kTrip; ++i) ++seen[i];
}
void ordinary(void) {
#pragma omp parallel for
  for (int i = 0; i < kTrip; ++i) ++seen[i];
}
void cut_short(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < kTrip; ++i) {
    ++seen[i];
    if (i == 3) {
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
}
int main(void) {
  for (int i = 0; i < 5; ++i) dealt();
  ordinary();
  omp_set_num_threads(2);
  dealt();
  if (omp_get_cancellation()) cut_short();
  return seen[0] < 7;
}
"""
# Iteration 0 ends when 600 others have run. One thread's range has only 500, so a thread steals,
# whichever runs iteration 0.
STEALS = r"""
int main(void) {
  int done = 0;
#pragma omp parallel for schedule(runtime) num_threads(2)
  for (int i = 0; i < 1000; ++i) {
    while (i == 0 && __atomic_load_n(&done, __ATOMIC_RELAXED) < 600)
      ;
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
  }
}
"""
ORDERED = r"""
int main(void) {
  int next = 0;
#pragma omp parallel for ordered schedule(runtime) num_threads(2)
  for (int i = 0; i < 100; ++i) {
#pragma omp ordered
    next += next == i;
  }
  return next != 100;
}
"""
# One loop is long in its body, and the loops after it are long in the runtime. One thread sleeps in the
# first loop. The other meets the loops of the second place until the runtime has no slot for another, and
# waits there for the first loop to end.
SLEEPS = r"""
#include <unistd.h>
enum { kAhead = 8, kSleep = 600 * 1000 };
int main(void) {
  int there = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 2; ++i) {
      __atomic_fetch_add(&there, 1, __ATOMIC_SEQ_CST);
      while (__atomic_load_n(&there, __ATOMIC_SEQ_CST) < 2)
        ;
      if (i == 1) usleep(kSleep);
    }
    for (int t = 0; t < kAhead; ++t)
#pragma omp for schedule(guided, 1) nowait
      for (int i = 0; i < 2; ++i)
        ;
  }
}
"""
# A loop that is too long to be left alone.
TUNED = r"""
static volatile int sink;
int main(void) {
  for (int t = 0; t < 100; ++t)
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 400; ++i)
      for (int j = 0; j < 300; ++j) sink = j;
}
"""
# The first taskloop is too long to be offered to all threads. The second one has ten tasks. Both take so
# long at first that they are tuned from the second execution on.
TASKLOOPS = r"""
#include <unistd.h>
static int seen[1000];
static volatile int sink;
int main(void) {
  for (int t = 0; t < 20; ++t)
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop
      for (int i = 0; i < 1000; ++i) {
        if (t == 0 && i == 0) usleep(1000);
        ++seen[i];
        for (int j = 0; j < 300; ++j) sink = j;
      }
#pragma omp taskloop grainsize(100)
      for (int i = 0; i < 1000; ++i) {
        if (t == 0 && i == 0) usleep(1000);
        ++seen[i];
      }
    }
  return seen[999] != 40;
}
"""
# Taskloops that are offered to all threads, each of a different length. With an array of variable length,
# which clang does not take there, gcc makes the tasks at once. The taskloop of 500 iterations is met in a
# task of another taskloop; the one of 800 has long bodies. The one of 40 is cancelled, and the program
# prints how many of its iterations ran all the same.
OFFERED = r"""
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
enum { kTimes = 30 };
static int done, before_end;
static void count(void) { __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED); }
static void taskloops(int n) {
#ifdef __clang__
  enum { kSize = 3 };
  int array[kSize];
#else
  int array[n];
#endif
  array[n - 1] = 1;
#pragma omp taskloop
  for (int i = 0; i < 1; ++i) {
#pragma omp taskloop num_tasks(5)
    for (int j = 0; j < 500; ++j) count();
  }
#pragma omp taskloop grainsize(100)
  for (int i = 0; i < 1000; ++i) count();
#pragma omp taskloop num_tasks(9) firstprivate(array) untied
  for (int i = 0; i < 900; ++i) array[n - 1] ? count() : (void)0;
#pragma omp taskloop if (0) num_tasks(8)
  for (int i = 0; i < 800; ++i) {
    count();
    if (i % 100 == 0) usleep(200);
  }
#pragma omp taskloop num_tasks(7) nogroup
  for (int i = 0; i < 700; ++i) count();
  if (!omp_get_cancellation()) return;
#pragma omp taskgroup
  {
#pragma omp taskloop num_tasks(20) nogroup
    for (int i = 0; i < 40; ++i) {
      __atomic_fetch_add(&before_end, 1, __ATOMIC_RELAXED);
      if (i % 2 == 1) {
#pragma omp cancel taskgroup
      }
    }
  }
}
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < kTimes; ++t) taskloops(3);
  printf("%d\n", before_end);
  return done < kTimes * (500 + 1000 + 900 + 800 + 700);
}
"""
FEW = r"""
#include <stdlib.h>
static volatile int sink;
int main(void) {
  const int trip = atoi(getenv("TRIP"));
  for (int t = 0; t < 6; ++t)
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < trip + t % 2; ++i) sink = i;
}
"""


# The schedule that a schedule(dynamic) gets: gcc's chunks come in order (docs/design/dynamic_shared.md).
DYNAMIC = {GCC: "dynamic_shared", CLANG: "dynamic"}


class LoopStats(ProgramsCase):
    def ran(self, compiler, *flags, **settings):
        program = self.programs.build(SOURCE, compiler, *flags)
        return self.programs.run(program, **settings)

    def test_nothing_is_said_unless_asked(self):
        self.assertEqual(self.ran(GCC, VICINO_STATS="false").stderr, "")

    def test_each_place_and_team_has_its_counts(self):
        for compiler, flags, where in ((GCC, (), "dealt"), (CLANG, ("-g",), "loops.c:"),
                                       (CLANG, (), "dealt+0x")):
            with self.subTest(compiler=compiler, flags=flags):
                loops = self.ran(compiler, *flags).loops
                mine = {loop["threads"]: loop for loop in loops
                        if loop["schedule"] == DYNAMIC[compiler]}
                self.assertEqual(set(mine), {4, 2})
                for threads, times in ((4, 5), (2, 1)):
                    loop = mine[threads]
                    self.assertIn(where, loop["loop"])
                    self.assertEqual(loop["loops"], times)
                    self.assertEqual(loop["iterations"], 1000 * times)
                    self.assertEqual((loop["chunk_min"], loop["chunk_max"] % 7), (6, 0))
                    self.assertGreaterEqual(loop["chunks"], times)
                    self.assertLessEqual(loop["chunks"], 143 * times)

    def test_static_loops_of_clang(self):
        [loop] = [one for one in self.ran(CLANG).loops if one["schedule"] == "static"]
        self.assertEqual((loop["loops"], loop["chunks"], loop["iterations"]), (1, 4, 1000))
        self.assertEqual((loop["chunk_min"], loop["chunk_max"]), (250, 250))

    def test_what_a_schedule_did(self):
        loops = self.ran(GCC, VICINO_SCHEDULE="fixed_size,50").loops
        [loop] = [one for one in loops if one["threads"] == 2]
        self.assertEqual((loop["schedule"], loop["chunks"]), ("fixed_size", 20))
        self.assertEqual((loop["chunk_min"], loop["chunk_max"]), (50, 50))

    def test_steals_and_adaptations(self):
        program = self.programs.build(STEALS, GCC)
        for schedule in ("steal", "ich,epsilon=0"):
            [loop] = self.programs.run(program, OMP_SCHEDULE=schedule).loops
            self.assertEqual(loop["iterations"], 1000)
            self.assertGreater(sum(loop["stolen"].values()), 0)
            self.assertEqual(loop["adapted"] > 0, schedule != "steal")

    def test_a_thief_knows_how_far_its_victim_is(self):
        """Also in a loop that says dynamic, for which no setting names a schedule."""
        program = self.programs.build(STEALS.replace("runtime", "dynamic"), CLANG)
        [loop] = self.programs.run(program, VICINO_MACHINE=str(MACHINES / "opteron-8x2-ladder.xml"),
                                   OMP_PROC_BIND="close").loops
        self.assertEqual(loop["schedule"], "dynamic")
        self.assertGreater(sum(loop["stolen"].values()), 0)
        self.assertEqual(loop["stolen"]["unbound"], 0)

    def test_omp_schedule_holds_where_vicino_schedule_does_not_fit(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler):
                program = self.programs.build(ORDERED, compiler)
                for everywhere, named, has in (("ich", "factoring", "factoring"), ("ich", "nich", "static"),
                                               ("trapezoid", "factoring", "trapezoid")):
                    [loop] = self.programs.run(program, VICINO_SCHEDULE=everywhere, OMP_SCHEDULE=named).loops
                    self.assertEqual(loop["schedule"], has)

    def test_a_chunk_of_auto_changes_nothing(self):
        for compiler in (GCC, CLANG):
            program = self.programs.build(FEW, compiler)
            for settings in ({}, {"VICINO_EXPLORE": "false"}):
                with self.subTest(compiler=compiler, settings=settings):
                    done = self.programs.run(program, OMP_SCHEDULE="auto,1", TRIP="100", **settings)
                    self.assertNotIn("static_chunked", [loop["schedule"] for loop in done.loops])
                    self.assertEqual(done.stderr, "vicino: OMP_SCHEDULE='auto,1': auto has no chunk, "
                                     "it is ignored\n")

    def test_threads_are_those_that_were_given_iterations(self):
        for compiler in (GCC, CLANG):
            program = self.programs.build(FEW, compiler)
            # Half of the executions have one more iteration.
            for schedule, trip, used in (("static,1", 2, 2.5), ("static,2", 4, 2.5), ("static,1", 9, 4),
                                         ("monotonic:static,500", 100, 1), ("fixed_size,1000", 999, 1)):
                with self.subTest(compiler=compiler, schedule=schedule, trip=trip):
                    [loop] = self.programs.run(program, OMP_SCHEDULE=schedule, TRIP=str(trip)).loops
                    self.assertEqual((loop["loops"], loop["threads"]), (6, 4))
                    self.assertEqual(loop["threads_mean"], used)

    def test_scheduling_time_is_that_in_the_runtime(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                loops = {loop["schedule"]: loop for loop in
                         self.programs.run(self.programs.build(SLEEPS, compiler)).loops}
                inside = loops[DYNAMIC[compiler]]["scheduling_ns"]
                ahead = loops["guided"]["scheduling_ns"]
                self.assertGreater(ahead, 450e6)
                self.assertLess(inside, 300e6)
                self.assertGreater(inside, 0)

    def test_a_loop_that_the_tuner_chooses_for(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                loops = self.programs.run(self.programs.build(TUNED, compiler)).loops
                self.assertGreater(len(loops), 1)
                self.assertEqual(len({loop["loop"] for loop in loops}), 1)
                self.assertEqual(sum(loop["loops"] for loop in loops), 100)
                self.assertEqual(sum(loop["iterations"] for loop in loops), 100 * 400)
                for loop in loops:
                    self.assertEqual(loop["threads"], 4)
                    self.assertLessEqual(1, loop["threads_mean"])
                    self.assertLessEqual(loop["threads_mean"], 4)
                    self.assertGreater(loop["scheduling_ns"], 0)
                # The tuner tries half of the threads in any case.
                self.assertLess(min(loop["threads_mean"] for loop in loops), 4)

    def test_taskloops_that_choose_for_themselves(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                loops = self.programs.run(self.programs.build(TASKLOOPS, compiler)).loops
                [loop] = [one for one in loops if one["schedule"] == "ilan" and one["chunk_max"] != 100]
                by_clause = [one for one in loops if one["chunk_max"] == 100]
                [first] = [one for one in loops if one["schedule"] != "ilan" and one["chunk_max"] != 100]
                self.assertEqual((first["loops"], first["iterations"]), (1, 1000))
                self.assertEqual(len(loops), 2 + len(by_clause))
                self.assertIn("ilan", [one["schedule"] for one in by_clause])
                self.assertEqual(sum(one["loops"] for one in by_clause), 20)
                for one in by_clause:
                    self.assertEqual((one["chunk_min"], one["chunks"]), (100, 10 * one["loops"]))
                self.assertEqual(loop["threads"], 4)
                self.assertEqual((loop["loops"], loop["iterations"]), (19, 19 * 1000))
                self.assertGreaterEqual(loop["chunks"], 19)
                self.assertTrue(1 <= loop["threads_mean"] <= 4, loop)
                self.assertGreater(loop["scheduling_ns"], 0)

    def test_taskloops_have_the_tasks_of_their_clauses(self):
        """Whether they were given to a crew, offered to all or run by one thread."""
        for compiler in (GCC, CLANG):
            for threads in ("4", "1"):
                with self.subTest(compiler=compiler, threads=threads):
                    ran = self.programs.run(self.programs.build(OFFERED, compiler), OMP_NUM_THREADS=threads).loops
                    for loop in ran:
                        if loop["chunk_max"] > 2:
                            self.assertEqual((loop["chunk_min"], loop["chunk_max"]), (100, 100), loop)
                    tasks = [sum(loop["chunks"] for loop in ran if loop["iterations"] // loop["loops"] == trip)
                             for trip in (500, 700, 800, 900, 1000)]
                    self.assertEqual(tasks, [30 * 5, 30 * 7, 30 * 8, 30 * 9, 30 * 10])

    def test_taskloops_that_are_offered_to_all(self):
        for compiler in (GCC, CLANG):
            program = self.programs.build(OFFERED, compiler)
            for kind in ("hierarchical", "flat"):
                for threads in ("4", "1"):
                    with self.subTest(compiler=compiler, kind=kind, threads=threads):
                        self.offered(self.programs.run(program, VICINO_TASKLOOP=kind,
                                                       OMP_NUM_THREADS=threads).loops)

    def offered(self, loops):
        of = {loop["iterations"] // loop["loops"]: loop for loop in loops
              if loop["schedule"] == "taskloop" and loop["chunk_max"] > 2}
        self.assertEqual(sorted(of), [500, 700, 800, 900, 1000])
        for trip, loop in of.items():
            self.assertEqual((loop["loops"], loop["iterations"]), (30, 30 * trip))
            self.assertTrue(1 <= loop["threads_mean"] <= loop["threads"], loop)
            self.assertGreater(loop["scheduling_ns"], 0)
            self.assertEqual((loop["chunk_min"], loop["chunk_max"]), (100, 100))
            self.assertEqual(loop["chunks"], 30 * trip // 100)
        self.assertEqual(of[800]["threads_mean"], 1)
        self.assertLess(of[800]["scheduling_ns"], 30 * 8 * 200e3 / 2)  # they sleep longer

    def test_a_cancelled_taskloop_is_counted_as_far_as_it_came(self):
        for compiler in (GCC, CLANG):
            program = self.programs.build(OFFERED, compiler)
            done = self.programs.run(program, OMP_CANCELLATION="true", VICINO_TASKLOOP="flat")
            [loop] = [one for one in done.loops if one["chunk_max"] == 2]
            self.assertEqual((loop["loops"], loop["iterations"]), (30, int(done.stdout)))
            self.assertLess(loop["iterations"], 30 * 40)

    def test_a_cancelled_loop_is_counted_as_far_as_it_came(self):
        loops = self.ran(GCC, OMP_CANCELLATION="true").loops
        [loop] = [one for one in loops if one["loop"].startswith("cut_short")]
        self.assertEqual(loop["loops"], 1)
        self.assertLess(loop["iterations"], 1000)

    def test_table(self):
        lines = self.ran(GCC, VICINO_STATS="true").stderr.splitlines()
        begin = lines.index("vicino: loops by place")
        rows = [dict(zip(lines[begin + 1].split(), row.split(), strict=True))
                for row in lines[begin + 2:]]
        for row in rows:
            self.assertLessEqual(1, float(row["threads_mean"]))
            self.assertGreater(int(row["scheduling_ns"]), 0)
        self.assertEqual([(row["loop"], row["threads"], row["iterations"]) for row in rows],
                         [("dealt", "2", "1000"), ("dealt", "4", "5000")])


if __name__ == "__main__":
    unittest.main()
