"""VICINO_EXPLAIN: what the tuner tried for each loop, what it chose and why."""

import os
import re
import signal
import time
import unittest
from pathlib import Path

from command import VICINO
from programs import CLANG, GCC, ProgramsCase

MACHINES = Path(__file__).resolve().parents[1] / "machines"

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
/* Is fastest on one thread: each step waits for the step before. */
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
# The loop gets faster with every thread for its iterations, on any number of processors.
SLEEPS = r"""
#include <unistd.h>
int main(void) {
  for (int t = 0; t < 12; ++t) {
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 8; ++i) usleep(3000);
  }
}
"""
TASKLOOP_SLEEPS = r"""
#include <unistd.h>
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 100; ++t) {
#pragma omp taskloop
    for (int i = 0; i < 4; ++i) usleep(1000);
  }
}
"""
# The taskloops for which the tuner may not choose, each with what is said of it.
TASKLOOP_UNTUNED = r"""
static int seen[1000];
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop CLAUSE
    for (int i = 0; i < 1000; ++i) ++seen[i];
  }
  return seen[0] != 1;
}
"""
# A taskloop, executed SHORT times without work and then LONG times: then an execution takes longer than
# what a taskloop has to take, in all, before anything is tried.
TASKLOOP_GROWS = r"""
#include <unistd.h>
static int seen[8];
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < SHORT + LONG; ++t) {
#pragma omp taskloop CLAUSE
    for (int i = 0; i < 8; ++i) {
      ++seen[i];
      if (t >= SHORT) usleep(500);
    }
  }
}
"""
UNTUNED_TASKLOOPS = (
    ("num_tasks(3)", {}, "a taskloop has fewer tasks, by its clause, than its team has threads"),
    ("grainsize(300)", {}, "a taskloop has fewer tasks, by its clause, than its team has threads"),
    ("priority(1)", {"OMP_MAX_TASK_PRIORITY": "1"}, "a taskloop has a priority"),
    ("if(0)", {}, "the thread that met a taskloop had to run its tasks at once"),
    ("", {"VICINO_TASKLOOP": "flat"}, "VICINO_TASKLOOP=flat gives taskloops to all threads"),
    ("num_tasks(8)", {"VICINO_TASKLOOP": "hierarchical"},
     "VICINO_TASKLOOP=hierarchical gives taskloops to all threads"))
NONE = "vicino: no loop has left its choice to the tuner: "
STATIC = r"""
static int seen[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) seen[i] = i;
}
"""
FORKS = r"""
#include <sys/wait.h>
#include <unistd.h>
static int seen[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) seen[i] = i;
  if (fork() == 0) return 0;
  wait(0);
}
"""
# The second loop is the longer one, and its line number has more digits.
PLACES = r"""
static volatile int sink;
#define LOOP(n)                                    \
  _Pragma("omp parallel for schedule(runtime)")    \
  for (int i = 0; i < 100; ++i)                    \
    for (int j = 0; j < n; ++j) sink = j
void first(void) { LOOP(1000); }


void second(int n) { LOOP(n); }
int main(void) {
  for (int t = 0; t < 30; ++t) {
    first();
    second(4000);
  }
  return 0;
}
"""
SECTIONS = r"""
static int seen[2];
int main(void) {
  for (int t = 0; t < 200; ++t) {
#pragma omp parallel sections num_threads(4)
    {
      seen[0] = t;
#pragma omp section
      seen[1] = t;
    }
  }
}
"""
WIDE = r"""
static volatile int sink;
int main(void) {
  for (int t = 0; t < 200; ++t) {
#pragma omp parallel num_threads(64)
    sink = t;
  }
}
"""
OPEN = WIDE.replace(" num_threads(64)", "")
CANCELLED = r"""
int main(void) {
  for (int t = 0; t < 50; ++t)
#pragma omp parallel
#pragma omp for schedule(runtime)
    for (int i = 0; i < 512; ++i) {
#pragma omp cancel for
    }
}
"""
# Each construct is executed 100 times by one team, so few that each is timed, and then 100 times by each of two teams at once: their
# executions wait for each other, so that they overlap.
NESTED = r"""
#include <sched.h>
#include <unistd.h>
enum { kTimes = 100 };
static int arrived[2][2 * kTimes];
static void step(int i, int* count, int teams) {
  for (volatile int k = 0; k < 2000; ++k) {
  }
  if (i > 0) return;
  __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < teams) sched_yield();
}
void in_loop(int t, int teams) {
#pragma omp parallel num_threads(2)
#pragma omp for schedule(runtime)
  for (int i = 0; i < 64; ++i) step(i, &arrived[0][t], teams);
}
void in_taskloop(int t, int teams) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < 64; ++i) {
    if (t == 0) usleep(100); /* that is long enough for the next execution to be tuned */
    step(i, &arrived[1][t], teams);
  }
}
int main(void) {
  for (int t = 0; t < kTimes; ++t) in_loop(t, 1);
  for (int t = 0; t < kTimes; ++t) in_taskloop(t, 1);
#pragma omp parallel num_threads(2)
  {
    for (int t = kTimes; t < 2 * kTimes; ++t) in_loop(t, 2);
    for (int t = kTimes; t < 2 * kTimes; ++t) in_taskloop(t, 2);
  }
}
"""
# Every second region is cancelled by one thread before it comes to the loop.
CANCELLED_BEFORE = r"""
int omp_get_thread_num(void);
int main(void) {
  for (int t = 0; t < 200; ++t)
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == t % 4) {
#pragma omp cancel parallel
    }
#pragma omp for schedule(runtime)
    for (int i = 0; i < 64; ++i)
      for (volatile int k = 0; k < 2000; ++k) {
      }
  }
}
"""


class Explain(ProgramsCase):
    def told(self, times, compiler=GCC, **settings):
        """Without what is said where other processes use the machine."""
        program = self.programs.build(SOURCE, compiler)
        settings.setdefault("VICINO_EXPLAIN", "true")
        settings.setdefault("OMP_NUM_THREADS", "2")
        text = self.programs.run(program, TIMES=str(times), VICINO_STATS="false", **settings).stderr
        return re.sub(r"^vicino: other processes wanted .*\n", "", text, flags=re.MULTILINE)

    def about(self, text, function):
        [part] = re.findall(rf"^{function}.*\n(?:  .*\n)+", text, re.MULTILINE)
        return part

    def test_nothing_is_said_unless_asked(self):
        self.assertEqual(self.told(5, VICINO_EXPLAIN="false"), "")

    def test_numbers_of_threads_are_a_step_apart(self):
        program = self.programs.build(SLEEPS, CLANG)
        for step, tried in (("4", {"8", "4"}), ("2", {"8", "4", "6"}), ("100", {"8", "4"})):
            with self.subTest(step=step):
                told = self.programs.run(program, OMP_NUM_THREADS="8", VICINO_EXPLAIN="true",
                                         VICINO_THREAD_STEP=step).stderr
                self.assertEqual(set(re.findall(r"^  static +(\d+) ", told, re.MULTILINE)), tried, told)

    def test_steal_policies_are_compared_if_the_team_is_on_several_nodes(self):
        """The machine has two nodes with four cores each. On one node the policies do not differ."""
        for clause in ("", "grainsize(1)", "num_tasks(4)"):
            for compiler in (GCC, CLANG):
                program = self.programs.build(TASKLOOP_SLEEPS.replace("taskloop", f"taskloop {clause}"), compiler)
                for bind, policies in (("close", {"strict"}), ("spread", {"strict", "full"})):
                    with self.subTest(clause=clause, compiler=compiler, bind=bind):
                        told = self.programs.run(program, OMP_NUM_THREADS="4", OMP_PROC_BIND=bind,
                                                 OMP_PLACES="cores", VICINO_EXPLAIN="true",
                                                 VICINO_MACHINE=str(MACHINES / "plain-2x4.xml")).stderr
                        self.assertIn("taskloop, team of 4, ", told)
                        tried = re.findall(r"^  (strict|full)[ =\w]* (\d+) +\d+ ", told, re.MULTILINE)
                        self.assertEqual({policy for policy, _ in tried}, policies, told)
                        self.assertLessEqual({"4", "2"}, {threads for _, threads in tried}, told)

    def test_where_nothing_is_tried_there_is_a_reason(self):
        for setting, why in (("VICINO_EXPLORE=false", "VICINO_EXPLORE=false"),
                             ("OMP_SCHEDULE=dynamic,4", "OMP_SCHEDULE=DYNAMIC,4 is stronger"),
                             ("VICINO_SCHEDULE=ich", "VICINO_SCHEDULE=ich is stronger"),
                             ("OMP_NUM_THREADS=1", "it ran on one thread")):
            with self.subTest(setting=setting):
                self.assertEqual(self.told(50, **dict([setting.split("=", 1)])), NONE + why + "\n")

    def test_static_loops_have_ways_to_be_tuned(self):
        program = self.programs.build(STATIC, GCC)
        for settings, more in (({}, ", VICINO_STATIC=tuned is for those of clang and flang"),
                               ({"VICINO_STATIC": "tuned"}, "")):
            done = self.programs.run(program, VICINO_EXPLAIN="true", VICINO_STATS="false", **settings)
            self.assertEqual(done.stderr, NONE + "each has a schedule, or none, which is static; "
                             f"vicino convert rewrites these{more}\n")

    def test_a_taskloop_that_is_not_tuned_has_its_own_reason(self):
        """What is said of worksharing loops, and that vicino convert rewrites them, is not about taskloops."""
        for clause, settings, why in UNTUNED_TASKLOOPS:
            # gcc 12 does not tell the runtime that a taskloop has a priority.
            for compiler in (CLANG,) if clause.startswith("priority") else (GCC, CLANG):
                with self.subTest(clause=clause, compiler=compiler, **settings):
                    program = self.programs.build(TASKLOOP_UNTUNED.replace("CLAUSE", clause), compiler)
                    done = self.programs.run(program, OMP_NUM_THREADS="4", VICINO_EXPLAIN="true",
                                             VICINO_STATS="false", **settings)
                    self.assertRegex(done.stderr, rf"\A{NONE}each worksharing loop has a schedule, or none, which is "
                                     rf"static; vicino convert rewrites these[^;\n]*; {re.escape(why)}\n\Z")

    def grown(self, compiler, clause, short, long):
        program = self.programs.build(TASKLOOP_GROWS.replace("CLAUSE", clause), compiler, f"-DSHORT={short}",
                                      f"-DLONG={long}")
        return self.programs.run(program, OMP_NUM_THREADS="2", VICINO_EXPLAIN="true", VICINO_STATS="false").stderr

    def test_a_taskloop_is_tuned_once_it_has_taken_enough_time(self):
        for compiler in (GCC, CLANG):
            for clause in ("", "grainsize(2)", "num_tasks(4)"):
                with self.subTest(compiler=compiler, clause=clause):
                    # Something may hold up some of the runs, not all of them.
                    untuned = any("a taskloop took too little time" in self.grown(compiler, clause, 6, 0)
                                  for _ in range(50))
                    self.assertTrue(untuned)
                    # The first execution that is long pays, the others are timed.
                    for short in (0, 6):
                        told = self.grown(compiler, clause, short, 5)
                        self.assertRegex(told, r"taskloop, team of 2, timed \d+ times")
                        self.assertGreaterEqual(int(re.search(r"timed (\d+) times", told)[1]), 4, told)

    def test_the_process_that_was_asked_answers_even_without_openmp(self):
        program = self.programs.build("int main(void) { return 0; }", GCC)
        file = self.work / "of.profile"
        nothing = "no loop has left its choice to the tuner: program itself uses no OpenMP\n"
        added = f"vicino: VICINO_PROFILE: nothing is added to {file}: {nothing}"
        self.env["VICINO_LIBRARY"] = str(VICINO.parent.parent / "lib" / "libvicino.so")
        for command, told in ((("explain",), {f"vicino: {nothing}"}),
                              (("run", "--explain"), {f"vicino: {nothing}"}),
                              (("run", f"--profile={file}"), {added}),
                              (("run", "--explain", f"--profile={file}"), {f"vicino: {nothing}", added}),
                              (("run", "--env", "VICINO_EXPLAIN=true"), set()),
                              (("run", "--env", f"VICINO_PROFILE={file}"), set())):
            with self.subTest(command=command):
                done = self.run_vicino(*command, "--", program)
                self.assertEqual(set(done.stderr.splitlines(keepends=True)), told)
                child = self.run_vicino(*command, "--", "/bin/sh", "-c", f"{program}; exec true")
                self.assertNotIn("program itself", child.stderr)
        self.assertFalse(file.exists())

    def test_lines_of_source(self):
        """gcc tells the runtime no lines: the command asks the debug information."""
        line = SOURCE.split("\n").index("#pragma omp parallel for schedule(runtime)") + 1
        for flags, place in ((("-g",), rf"loops\.c:({line}|{line + 1})"), ((), "longer")):
            program = self.programs.build(SOURCE, GCC, *flags)
            with self.subTest(flags=flags):
                library = VICINO.parent.parent / "lib" / "libvicino.so"
                self.env |= {"TIMES": "20", "OMP_NUM_THREADS": "2", "VICINO_LIBRARY": str(library)}
                said = self.run_vicino("explain", "--", program).stderr
                self.assertRegex(said, rf"(?m)^{place}, team of 2, timed ")
                self.assertNotIn("place\t", said)
                file = self.work / "explained"
                self.programs.run(program, VICINO_EXPLAIN=f"{file}-%p", TIMES="20")
                [of_process] = self.work.glob("explained-*")
                told = of_process.read_text(encoding="utf-8")
                of_process.unlink()
                self.assertRegex(told, r"(?m)^longer\S*, team of 4, timed ")
                self.assertRegex(told, rf"(?m)^place\tlonger\S*\t{re.escape(str(program))}\t[0-9a-f]{{40}}\t0x[0-9a-f]+$")

    def test_a_file_that_cannot_be_written_is_named(self):
        said = self.programs.run(self.programs.build(SOURCE, GCC), VICINO_EXPLAIN="/nowhere/file", TIMES="5").stderr
        self.assertIn("vicino: VICINO_EXPLAIN: cannot write /nowhere/file: No such file or directory\n", said)

    def test_the_status_is_that_of_the_program(self):
        for command, status in (("exit 3", 3), ("kill -9 $$", 137)):
            for ignored in (signal.SIG_DFL, signal.SIG_IGN):
                done = self.run_vicino("explain", "--", "/bin/sh", "-c", command,
                                       preexec_fn=lambda how=ignored: signal.signal(signal.SIGCHLD, how))
                self.assertEqual(done.returncode, status)

    def test_a_signal_to_the_command_ends_the_program(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(signal=number):
                pid = self.work / "pid"
                started = self.start("explain", "--", "/bin/sh", "-c", f"echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 60")
                while not pid.exists():
                    time.sleep(0.02)
                program = int(pid.read_text())
                pid.unlink()
                started.send_signal(number)
                started.communicate(timeout=30)
                self.assertEqual(started.returncode, 128 + number)
                self.assertRaises(ProcessLookupError, os.kill, program, 0)
                self.assert_nothing_left()

    def test_of_regions_what_is_true_of_regions_is_said(self):
        short = "vicino: 64 threads were asked for"
        for source, settings, told in (
                (WIDE, {}, rf"{NONE}each has .*\n{short} on \d+ CPUs? in 200 regions of .*s: OMP_DYNAMIC=true lets "
                 r"Vicino choose fewer\n"),
                (WIDE, {"OMP_DYNAMIC": "true"}, r"vicino: no loop and no region has left its choice to the tuner: "
                 r"(it ran on one thread|each loop has .*; regions have their number of threads by a num_threads "
                 rf"clause)\n{short} in \d+ regions?, and \d+ (was|were) used, as there (is|are) \d+ CPUs?: "
                 rf"OMP_DYNAMIC allows that\n({short} in \d+ regions?, and fewer were used, .*)?"),
                (OPEN, {"OMP_DYNAMIC": "true"}, r"vicino: regions that the tuner chose for \(version \S+\)\nmain\S*, region, team .*"),
                (OPEN, {}, rf"{NONE}each has .*\n")):
            with self.subTest(source=source, **settings):
                done = self.programs.run(self.programs.build(source, GCC), VICINO_EXPLAIN="true",
                                         OMP_NUM_THREADS="2", VICINO_STATS="false", **settings)
                self.assertRegex(done.stderr, re.compile(rf"\A{told}\Z", re.DOTALL))

    def test_a_child_of_fork_has_not_been_asked(self):
        program = self.programs.build(FORKS, GCC)
        done = self.programs.run(program, VICINO_EXPLAIN="true", VICINO_STATS="false")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    # Which configuration is faster depends on the machine, and other work on it makes two threads
    # slow, but not in every run.
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
                self.assertRegex(text, r"\Avicino: loops that the tuner chose for \(version \S+\)\n")
                longer = self.about(text, "longer")
                self.assertIn("team of 2, timed ", longer)
                self.assertIn(" times, 400 iterations", longer)
                self.assertRegex(longer, r"\n  (so far )?(static|ich|mixed|guided) on \d threads?")
                self.assertRegex(longer, r"(static|ich) +2 +\d+ +[\d.]+ [um]s ")
                self.assertRegex(text, r"\nall that was timed: .* of which trying cost .* %\); about .* saved\n$")

    def test_the_most_costly_comes_first(self):
        program = self.programs.build(PLACES, CLANG, "-g")
        done = self.programs.run(program, VICINO_EXPLAIN="true", OMP_NUM_THREADS="2")
        self.assertEqual(re.findall(r"^\S*(loops\.c:\d+), team of 2", done.stderr, re.MULTILINE),
                         ["loops.c:10", "loops.c:7"])
        self.assertEqual(list(dict.fromkeys(loop["loop"].rpartition("/")[2] for loop in done.loops)),
                         ["loops.c:7", "loops.c:10"])

    def test_of_one_that_is_cancelled_nothing_is_made_up(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                program = self.programs.build(CANCELLED, compiler)
                done = self.programs.run(program, VICINO_EXPLAIN="true", OMP_CANCELLATION="true",
                                         OMP_NUM_THREADS="2")
                self.assertRegex(done.stderr, r"\nmain(\+0x[0-9a-f]+)?, team of 2, timed 0 times, 512 to 1023 "
                                 r"iterations\n  left as it is, static on 2 threads: none of its executions "
                                 r"came to its end\n")

    def test_nested_and_concurrent_executions_are_not_mixed(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                program = self.programs.build(NESTED, compiler)
                done = self.programs.run(program, VICINO_EXPLAIN="true", VICINO_STATS="false",
                                         OMP_MAX_ACTIVE_LEVELS="2")
                for construct, timed in (("", "100"), ("taskloop, ", "99")):
                    told = re.findall(rf"^\S+, {construct}(in an inner region, )?team of 2, timed (\d+) times",
                                      done.stderr, re.MULTILINE)
                    self.assertEqual(sorted(inner for inner, _ in told), ["", "in an inner region, "],
                                     done.stderr)
                    self.assertEqual(dict(told)[""], timed, done.stderr)
                    # One of each two executions that overlap.
                    self.assertIn(int(dict(told)["in an inner region, "]), range(1, 101), done.stderr)

    def test_executions_that_do_not_end_do_not_stop_the_tuner(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                program = self.programs.build(CANCELLED_BEFORE, compiler)
                done = self.programs.run(program, VICINO_EXPLAIN="true", VICINO_STATS="false",
                                         OMP_CANCELLATION="true")
                [timed] = re.findall(r"^main.*, team of 2, timed (\d+) times", done.stderr, re.MULTILINE)
                self.assertGreaterEqual(int(timed), 50, done.stderr)

    def test_combined_regions_are_begun_by_all_or_by_one(self):
        program = self.programs.build(SECTIONS, GCC)
        done = self.programs.run(program, VICINO_EXPLAIN="true", VICINO_STATS="false")
        told = self.about(done.stderr, "main, combined region, which one thread may run alone, team of 4")
        self.assertEqual(set(re.findall(r"^ +(\d+) +\d+ +[\d.]+ .s ", told, re.MULTILINE)), {"1", "4"}, told)
        for setting in ("VICINO_EXPLORE=false", "VICINO_SCHEDULE=static", "OMP_WAIT_POLICY=active"):
            with self.subTest(setting=setting):
                done = self.programs.run(program, VICINO_EXPLAIN="true", VICINO_STATS="false",
                                         **dict([setting.split("=")]))
                self.assertIn(NONE, done.stderr)

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


if __name__ == "__main__":
    unittest.main()
