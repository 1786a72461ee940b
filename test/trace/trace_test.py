"""vicino run --trace: what is in a trace, and what becomes of it when a program or a file fails."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

from trace_file import Trace

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[2]
COMPILERS = ("gcc-12", "clang-19")

WORK = r"""
#include <omp.h>
#include <stdio.h>
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  int sum = 0, order = 0, result = 0;
  for (int k = 0; k < 5; ++k) {
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i % 3;
  }
#pragma omp parallel
#pragma omp single
  result = fib(10);
#pragma omp parallel
  {
#pragma omp critical
    ++sum;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task depend(out : order)
      order = 1;
#pragma omp task depend(in : order)
      sum += order;
    }
#pragma omp single
#pragma omp taskloop num_tasks(6)
    for (int i = 0; i < 60; ++i) {
#pragma omp atomic
      sum += 0;
    }
  }
  printf("%d %d\n", result, sum);
}
"""
REGIONS, LOOP_CHUNKS, ITERATIONS = 7, 5 * 143, 5 * 1000

TASKLOOPS, TRIP, LOOP_THREADS = 40, 400, 4
TASKLOOP = r"""
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int t = 0; t < 40; ++t) {
#pragma omp taskloop
    for (int i = 0; i < 400; ++i)
      for (volatile int k = 0; k < 2000; ++k) continue;
  }
}
"""

SIDE, RUNS = 6, 5
GRAPH = r"""
#include <vicino/graph.h>
static int body(const uint32_t* tasks, size_t count, void* data) {
  for (volatile int i = 0; i < 2000; ++i) continue;
  return 0;
}
int main(int count, char** words) {
  enum { kSide = 6, kTasks = kSide * kSide };
  uint32_t first[kTasks + 1], before[2 * kTasks], edges = 0;
  for (uint32_t i = 0; i < kTasks; ++i) {
    first[i] = edges;
    if (i % kSide > 0) before[edges++] = i - 1;
    if (i >= kSide) before[edges++] = i - kSide;
  }
  first[kTasks] = edges;
  vicino_graph* fine = vicino_graph_new(kTasks, first, before, NULL, NULL, 0);
  vicino_graph* graph = vicino_graph_coarsen(fine, words[1], NULL, 0);
  for (int i = 0; i < 5; ++i)
    if (vicino_graph_run(graph, body, NULL, NULL) != 0) return 1;
}
"""

MANY = r"""
#include <stdlib.h>
int main(int count, char** words) {
  const long times = atol(words[1]);
#pragma omp parallel num_threads(2)
  for (long i = 0; i < times; ++i) {
#pragma omp critical
    ;
  }
}
"""

# So long that the writer keeps up.
# Most of 1000 tasks are discarded.
CANCELLED = r"""
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 10; ++k)
#pragma omp taskgroup
    for (int i = 0; i < 100; ++i)
#pragma omp task
    {
      if (i == 50) {
#pragma omp cancel taskgroup
      }
      for (volatile int j = 0; j < 3000; ++j) {
      }
    }
}
"""

# One thread takes a lock 101 times, and has it already the last hundred times.
NESTED = r"""
#include <omp.h>
int main(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i <= 100; ++i) omp_set_nest_lock(&lock);
    for (int i = 0; i <= 100; ++i) omp_unset_nest_lock(&lock);
  }
}
"""

# Threads that are new to OpenMP fulfil events while another one forks. (By gcc-12 with -O1 the events are 0.)
FULFILS = r"""
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int stop;
static void* fork_on(void* unused) {
  while (!stop) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, 0, 0);
  }
  return unused;
}
static void* fulfil(void* event) {
  omp_fulfill_event((omp_event_handle_t)event);
  return 0;
}
int main(void) {
  pthread_t forks;
  pthread_create(&forks, 0, fork_on, 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 300; ++i) {
    pthread_t threads[4];
    omp_event_handle_t event, events[4];
    for (int k = 0; k < 4; ++k) {
#pragma omp task detach(event)
      {
      }
      events[k] = event;
    }
    for (int k = 0; k < 4; ++k) pthread_create(&threads[k], 0, fulfil, (void*)events[k]);
    for (int k = 0; k < 4; ++k) pthread_join(threads[k], 0);
#pragma omp taskwait
  }
  stop = 1;
  pthread_join(forks, 0);
  puts("done");
}
"""

CHUNKS = r"""
#include <stdlib.h>
static volatile int sink;
int main(int count, char** words) {
  const int times = atoi(words[1]);
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
  for (int i = 0; i < times; ++i)
    for (int k = 0; k < 600; ++k) sink = k;
}
"""

ENDS = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
static void region(void) {
#pragma omp parallel num_threads(3)
#pragma omp atomic write
  sink = 1;
}
int main(int count, char** words) {
  region();
  const char* way = words[1];
  if (strcmp(way, "again") == 0) return 0;
  if (strcmp(way, "fork") == 0) {
    if (fork() == 0) {
      region();
      region();
      return 0;
    }
    wait(NULL);
    region();
    return 0;
  }
  usleep(300000);  // much longer than the writer rests
  if (strcmp(way, "exec") == 0) execl(words[0], words[0], "again", NULL);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "thread") == 0) pthread_exit(NULL);
  if (strcmp(way, "crash") == 0) *(volatile int*)NULL = 1;
  kill(getpid(), SIGKILL);
}
"""

CLOSES = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static volatile int sink;
static void regions(void) {
  for (int i = 0; i < 50; ++i) {
#pragma omp parallel num_threads(2)
#pragma omp atomic write
    sink = 1;
  }
  usleep(50000);  // longer than the writer rests
}
int main(void) {
  regions();
  closefrom(3);
  const int file = open("data", O_CREAT | O_RDWR, 0644);
  for (int i = file + 1; i < 1100; ++i) dup2(file, i);
  regions();
  return write(file, "data\n", 5) != 5;
}
"""

JUMPS = r"""
static volatile int sink;
int main(void) {
  for (int i = 0; i < 2; ++i) {
#pragma omp parallel num_threads(2)
    {
      sink = 1;
#pragma omp barrier
    }
  }
}
"""

WAITS = r"""
#include <stdio.h>
#include <unistd.h>
static volatile int sink;
static void region(void) {
#pragma omp parallel num_threads(2)
#pragma omp atomic write
  sink = 1;
}
int main(void) {
  region();
  usleep(50000);  // longer than the writer rests
  puts("ready");
  fflush(stdout);
  getchar();
  region();
  return 0;
}
"""

THREADS = r"""
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static volatile int sink;
static void* run(void* none) {
#pragma omp parallel num_threads(1)
  sink = 1;
  return none;
}
int main(void) {
  for (int i = 0; i < 3000; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status) != NULL)
    if (strncmp(line, "VmRSS", 5) == 0) fputs(line, stdout);
}
"""

NAMED = r"""
#include <omp.h>
#include <vicino/vicino.h>
static volatile int sink;
int main(void) {
  vicino_region_end("nothing");
  vicino_region_begin("outer");
#pragma omp parallel num_threads(2)
  {
    vicino_region_begin("inner");
    vicino_region_end("inner");
  }
  omp_control_tool(omp_control_tool_pause, 0, NULL);
#pragma omp parallel num_threads(2)
  vicino_region_begin("paused"), vicino_region_end("paused");
  omp_control_tool(omp_control_tool_start, 0, NULL);
#pragma omp parallel num_threads(2)
  sink = 1;
  vicino_region_end("outer");
}
"""


NAMED_IN_FORTRAN = """
include 'vicino/region.f90'
program named
  use vicino_region
  implicit none
  character(len=20) :: name = 'outer part'
  call vicino_region_begin(name)
  !$omp parallel num_threads(2)
  call vicino_region_begin('inner')
  call vicino_region_end('inner')
  !$omp end parallel
  call vicino_region_end(name)
end program
"""


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.programs = Path(folder.name), {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.file = self.work / "a.pftrace"

    def program(self, source, compiler="gcc-12", *flags):
        key = source, compiler
        if key not in self.programs:
            program = self.folder / f"program{len(self.programs)}"
            subprocess.run([compiler, "-fopenmp", "-O1", "-x", "c", "-", "-o", program, *flags], input=source, text=True,
                           check=True)
            self.programs[key] = program
        return self.programs[key]

    def run_traced(self, *command, file=None, status=0, **settings):
        done = subprocess.run(list(map(str, [VICINO, "run", f"--trace={file or self.file}", "--", *command])), text=True,
                              check=False, timeout=120, capture_output=True, cwd=self.work, env=self.environment(settings))
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    @staticmethod
    def environment(settings):
        return clean_environment("LD_") | settings

    def good(self, file=None):
        trace = Trace.of(file or self.file)
        self.assertEqual(trace.faults(), [])
        return trace


class What(Case):
    """The events of a program that has some of everything."""

    def traced(self, compiler, threads):
        stats = self.work / "stats.json"
        done = self.run_traced(self.program(WORK, compiler), OMP_NUM_THREADS=str(threads), VICINO_STATS=str(stats))
        self.assertIn(f"{self.file} has ", done.stderr)
        self.assertNotIn("dropped", done.stderr)
        return self.good(), json.loads(stats.read_text(encoding="utf-8")), done.stderr

    def check_everywhere(self, check):
        for compiler in COMPILERS:
            for threads in (1, 2, 4, 16):
                with self.subTest(compiler=compiler, threads=threads):
                    check(threads, *self.traced(compiler, threads))

    def test_counts_are_those_of_the_statistics(self):
        def check(threads, trace, stats, said):
            executed = sum(one["executed"] + one["at_once"] for one in stats["tasks"])
            stolen = sum(sum(one["stolen"].values()) for one in stats["tasks"])
            self.assertEqual(len(trace.spans("region")), sum(one["regions"] for one in stats["regions"]))
            self.assertEqual(len(trace.spans("region")), REGIONS)
            self.assertEqual(len(trace.spans("part")), threads * REGIONS)
            self.assertEqual(len(trace.spans("task")), executed)
            self.assertEqual(len(trace.instants("steal")), stolen)
            chunks = trace.spans("chunk")
            self.assertEqual(sum(one.arguments["iterations"] for one in chunks), ITERATIONS)
            if threads > 1:
                self.assertEqual(len(chunks), LOOP_CHUNKS)
                self.assertEqual(len(trace.spans("critical")), threads)
            # The writer itself adds what a task releases, and how long threads waited for a core.
            added = len(trace.instants("release")) + len(trace.instants("core"))
            events = sum(thread.events for thread in trace.threads.values()) - added
            self.assertIn(f" has {events} events", said)

        self.check_everywhere(check)

    def test_spans_of_a_thread_lie_within_each_other(self):
        def check(_threads, trace, _stats, _said):
            for thread in trace.threads.values():
                around = []
                for span in thread.spans:
                    del around[span.depth:]
                    self.assertEqual(len(around), span.depth)
                    self.assertLessEqual(span.begin, span.end)
                    if around:
                        self.assertLessEqual(around[-1].begin, span.begin)
                        self.assertLessEqual(span.end, around[-1].end)
                    around.append(span)
            regions = [(one.begin, one.end) for one in trace.spans("region")]
            for part in trace.spans("part"):
                self.assertTrue(any(begin <= part.begin and part.end <= end for begin, end in regions))

        self.check_everywhere(check)

    def test_arrows(self):
        def check(_threads, trace, _stats, _said):
            spawns, tasks = trace.instants("spawn"), trace.spans("task")
            out = Counter(arrow for one in spawns for arrow in one.arrows_out)
            into = Counter(arrow for one in tasks for arrow in one.arrows_in)
            self.assertEqual(set(out.values()), {1})
            self.assertEqual(len(out), len(spawns))
            releases = [arrow for one in trace.instants("release") for arrow in one.arrows_out]
            self.assertEqual(set(into), set(out) | set(releases))
            begun = {one.arguments["task"]: one.begin for one in tasks}
            for one in spawns:
                self.assertLessEqual(one.begin, begun[one.arguments["task"]])
            if trace.instants("dependence"):
                self.assertEqual(len(releases), 1)

        self.check_everywhere(check)

    def test_tracks_lie_in_nodes_and_packages(self):
        trace, _, _ = self.traced("gcc-12", 4)
        for track in trace.threads:
            name, node = trace.tracks[track]
            self.assertRegex(name, r"^(thread|worker) \d+ \(\d+\), CPU \d+$")
            name, package = trace.tracks[node]
            self.assertRegex(name, r"^node \d+$")
            name, process = trace.tracks[package]
            self.assertRegex(name, r"^package \d+$")
            self.assertEqual(trace.tracks[process][1], 0)
        self.assertEqual(len(trace.threads), 4)

    def test_counters_return(self):
        trace, _, _ = self.traced("clang-19", 4)
        self.assertEqual(trace.counters["tasks waiting"][-1][1], 0)
        self.assertTrue(all(value >= 0 for _, value in trace.counters["tasks waiting"]))
        self.assertTrue(all(0 <= value <= 4 for _, value in trace.counters["threads at work"]))
        self.assertGreater(max(value for _, value in trace.counters["tasks waiting"]), 0)

    def test_tasks_of_a_cancelled_group_wait_no_more(self):
        self.run_traced(self.program(CANCELLED), OMP_NUM_THREADS="2", OMP_CANCELLATION="true")
        self.assertEqual(self.good().counters["tasks waiting"][-1][1], 0)

    def test_who_has_a_nest_lock_does_not_wait_for_it(self):
        self.run_traced(self.program(NESTED), OMP_NUM_THREADS="2")
        waits = self.good().spans("waits for a lock")
        self.assertEqual(len(waits), 101)
        for before, after in zip(waits, waits[1:]):
            self.assertLessEqual(before.end, after.begin)

    def test_events_that_new_threads_fulfil_while_the_process_forks(self):
        done = self.run_traced(self.program(FULFILS, "gcc-12", "-pthread", "-O0"), OMP_NUM_THREADS="2")
        self.assertEqual(done.stdout, "done\n")

    def test_taskloops_run_by_crews_as_without_a_trace(self):
        stats = self.work / "stats.json"
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.run_traced(self.program(TASKLOOP, compiler), VICINO_STATS=str(stats))
                trace, counted = self.good(), json.loads(stats.read_text(encoding="utf-8"))
                [by_crews] = [one for one in counted["loops"] if one["schedule"] == "ilan"]
                self.assertGreater(by_crews["loops"], TASKLOOPS // 2)
                self.assertEqual(len(trace.spans("taskloop")), TASKLOOPS)
                spread = trace.instants("iterations")
                self.assertEqual(sum(one.arguments["iterations"] for one in spread), TASKLOOPS * TRIP)
                others = (TASKLOOPS - by_crews["loops"]) * LOOP_THREADS * 10  # tasks without a clause: 10 a thread
                self.assertEqual(len(trace.spans("task")), by_crews["chunks"] + others)
                stolen = sum(sum(one["stolen"].values()) for one in [by_crews, *counted["tasks"]])
                self.assertEqual(len(trace.instants("steal")), stolen)
                self.assertGreater(len(trace.spans("crew")), 0)
                [place] = {one.arguments["at"] for one in trace.spans("taskloop")}
                for kind in ("crew", "decision"):
                    self.assertEqual({one.arguments["at"] for one in trace.spans(kind) + trace.instants(kind)}, {place})
                self.assertEqual({one.name for one in trace.spans("task")}, {f"task {place}"})

    def test_graphs(self):
        library = VICINO.parents[1] / "lib"
        program = self.program(GRAPH, "gcc-12", f"-I{REPOSITORY}/include", f"-L{library}", "-lvicino",
                               f"-Wl,-rpath,{library}")
        for passes, aggregates, edges in (("", SIDE * SIDE, 2 * SIDE * (SIDE - 1)), ("D(4)", 9, 12)):
            for threads in (2, 4):
                with self.subTest(passes=passes, threads=threads):
                    self.run_traced(program, passes, OMP_NUM_THREADS=str(threads))
                    trace = self.good()
                    graphs, its = trace.spans("graph"), trace.spans("aggregate")
                    self.assertEqual([one.arguments["aggregates"] for one in graphs], [aggregates] * RUNS)
                    self.assertEqual(len(its), aggregates * RUNS)
                    self.assertEqual({one.name for one in its}, {"aggregate body"})
                    self.assertEqual(sum(one.arguments["tasks"] for one in its), SIDE * SIDE * RUNS)
                    # An arrow for each edge, from a release to a start that is not before it.
                    released = {arrow: one for one in trace.instants("release") for arrow in one.arrows_out}
                    started = {arrow: one for one in its for arrow in one.arrows_in}
                    self.assertEqual(len(released), edges * RUNS)
                    self.assertEqual(set(released), set(started))
                    for arrow, one in released.items():
                        self.assertLessEqual(one.begin, started[arrow].begin)
        # One thread runs all of it as one list.
        self.run_traced(program, "", OMP_NUM_THREADS="1")
        trace = self.good()
        self.assertEqual(sum(one.arguments["tasks"] for one in trace.spans("aggregate")), SIDE * SIDE * RUNS)

    def test_parts_of_the_program(self):
        library = VICINO.parents[1] / "lib"
        program = self.program(NAMED, "clang-19", f"-I{REPOSITORY}/include", f"-L{library}", "-lvicino",
                               f"-Wl,-rpath,{library}")
        self.run_traced(program)
        trace = self.good()
        [outer] = trace.spans("outer")
        self.assertEqual(outer.category, "program")
        self.assertEqual(len(trace.spans("inner")), 2)
        self.assertEqual(trace.spans("paused"), [])
        self.assertEqual(len(trace.spans("region")), 2)
        self.assertTrue(any(one.begin >= outer.begin and one.end <= outer.end for one in trace.spans("region")))


    def test_parts_of_the_program_in_fortran(self):
        library = VICINO.parents[1] / "lib"
        source = self.work / "named.f90"
        source.write_text(NAMED_IN_FORTRAN, encoding="utf-8")
        for compiler in ("gfortran-12", "flang-new-19"):
            with self.subTest(compiler=compiler):
                program = self.work / compiler
                subprocess.run([compiler, "-fopenmp", f"-I{REPOSITORY}/include", source, "-o", program, f"-L{library}", "-lvicino",
                                f"-Wl,-rpath,{library}"], check=True, cwd=self.work)
                self.run_traced(program)
                trace = self.good()
                self.assertEqual([one.name for one in trace.spans("outer part")], ["outer part"])
                self.assertEqual(len(trace.spans("inner")), 2)


    def test_a_call_that_is_a_jump_has_no_place_in_the_runtime(self):
        """The compiled part of the region ends by jumping to the barrier, which returns to the runtime."""
        for compiler in COMPILERS:
            self.run_traced(self.program(JUMPS, compiler, "-O2"))
            trace = self.good()
            places = {file for file, _, _ in trace.places.values()}
            self.assertEqual(len(trace.spans("barrier")), 4)
            self.assertEqual([file for file in places if "program" not in file], [])


class Fate(Case):
    """Files that fail, programs that end oddly, more events than there is room for."""

    def others(self):
        return sorted(set(self.work.iterdir()) - {self.file})

    def test_fork(self):
        self.run_traced(self.program(ENDS), "fork")
        self.assertEqual(len(self.good().spans("region")), 2)
        [other] = self.others()
        self.assertRegex(other.name, r"^a\.\d+\.pftrace$")
        self.assertEqual(len(self.good(other).spans("region")), 2)

    def test_a_program_that_becomes_another(self):
        self.run_traced(self.program(ENDS), "exec")
        self.assertEqual(len(Trace.of(self.file).spans("region")), 1)
        [other] = self.others()
        self.assertEqual(len(self.good(other).spans("region")), 1)

    def test_a_process_that_dies_leaves_what_it_did(self):
        for way, status in (("_exit", 0), ("crash", -signal.SIGSEGV), ("kill", -signal.SIGKILL)):
            with self.subTest(way=way):
                self.run_traced(self.program(ENDS), way, status=status)
                self.assertEqual(len(Trace.of(self.file).spans("part")), 3)

    def test_a_process_whose_last_thread_ends(self):
        """main() leaves by pthread_exit(): the process ends with its threads, of which the writer must not be one for ever."""
        self.run_traced(self.program(ENDS), "thread")
        self.assertEqual(len(self.good().spans("region")), 1)

    def test_a_second_run_replaces_the_first(self):
        for _ in range(2):
            self.run_traced(self.program(ENDS), "again")
            time.sleep(0.1)
        self.assertEqual(self.others(), [])
        self.assertEqual(len(self.good().spans("region")), 1)

    def test_a_link_stays_a_link(self):
        target = self.work / "target.pftrace"
        self.file.symlink_to(target)
        for _ in range(2):
            self.run_traced(self.program(ENDS), "again")
            time.sleep(0.1)
        self.assertTrue(self.file.is_symlink())
        self.assertEqual(self.others(), [target])
        self.assertEqual(len(self.good(target).spans("region")), 1)

    def test_standard_output_is_no_file(self):
        done = self.run_traced(self.program(WORK), file="-", status=125)
        self.assertIn("a trace needs a file", done.stderr)

    def test_name_with_the_process(self):
        self.run_traced(self.program(ENDS), "again", file="b.%p.pftrace")
        [file] = self.others()
        self.assertRegex(file.name, r"^b\.\d+\.pftrace$")

    def test_files_that_cannot_be_written(self):
        for file, why in (("/nowhere/a.pftrace", "No such file or directory"), (self.work, "Is a directory"),
                          ("/dev/full", "No space left on device")):
            with self.subTest(file=file):
                done = self.run_traced(self.program(WORK), file=file)
                self.assertIn(f"{file}: {why}\n", done.stderr)
                self.assertRegex(done.stdout, r"^55 \d+\n$")

    def test_a_pipe(self):
        pipe = self.work / "pipe"
        os.mkfifo(pipe)
        done = self.run_traced(self.program(WORK), file=pipe)
        self.assertIn(f"there is no trace: {pipe}: nobody reads this pipe\n", done.stderr)
        with self.file.open("wb") as copy, subprocess.Popen(["cat", pipe], stdout=copy) as reader:
            self.run_traced(self.program(WORK), file=pipe)
            reader.wait(timeout=60)
        self.assertEqual(len(self.good().spans("region")), REGIONS)

    def test_a_reader_that_goes_away(self):
        """The program, not the writer's thread, writes what comes last."""
        pipe = self.work / "pipe"
        os.mkfifo(pipe)
        for _ in range(5):
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            with subprocess.Popen([VICINO, "run", f"--trace={pipe}", "--", self.program(WAITS)], text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.work,
                                  env=self.environment({})) as program:
                self.assertEqual(program.stdout.readline(), "ready\n")
                os.close(reader)
                said = program.communicate("\n", timeout=60)[1]
            self.assertEqual(program.returncode, 0, said)
            self.assertIn(f"the trace is not whole: {pipe}: Broken pipe\n", said)

    def test_a_program_that_closes_what_it_has_not_opened(self):
        self.run_traced(self.program(CLOSES))
        self.assertEqual((self.work / "data").read_bytes(), b"data\n")
        self.assertEqual(len(self.good().spans("region")), 100)

    def test_a_pipe_that_the_program_closes(self):
        pipe = self.work / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        done = self.run_traced(self.program(CLOSES), file=pipe)
        self.assertEqual((self.work / "data").read_bytes(), b"data\n")
        self.assertIn(f"the trace is not whole: {pipe}: the program has closed it\n", done.stderr)

    def test_a_program_without_standard_files(self):
        for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                self.file.unlink(missing_ok=True)
                self.run_traced("sh", "-c", f'exec "$0" {closed}', self.program(WORK), file=self.file)
                self.assertEqual(len(self.good().spans("region")), REGIONS)

    def test_a_reader_that_does_not_read(self):
        pipe = self.work / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        done = self.run_traced(self.program(MANY), 1_000_000, file=pipe)
        self.assertIn(f"the trace is not whole: {pipe}: its reader does not read\n", done.stderr)
        self.assertRegex(done.stderr, r"; \d+ more were dropped")

    def test_more_events_than_there_is_room_for(self):
        times = 3_000_000
        done = self.run_traced(self.program(MANY), times)
        trace = self.good()
        spans = sum(len(thread.spans) for thread in trace.threads.values())
        dropped = sum(one.arguments["events"] for one in trace.instants("events were dropped"))
        self.assertIn(f"; {dropped} more were dropped\n", done.stderr)
        # A wait and a section for each round, 2 parts, a region and a join; and what was dropped of sleep.
        expected = 2 * 2 * times + 4
        self.assertIn(spans + dropped - len(trace.spans("asleep")), range(expected, expected + times // 1000))

    def test_an_event_is_in_the_file_or_dropped(self):
        times = 100_000
        said = self.run_traced(self.program(CHUNKS), times, file="/dev/full").stderr
        [(written, dropped)] = re.findall(r" has (\d+) events; (\d+) more were dropped\n", said)
        # A chunk has a beginning and an end; what a ring has no room for counts once.
        self.assertIn(int(written) + int(dropped), range(times, 2 * times + 1000))
        self.assertGreater(int(dropped), times)

    def test_threads_that_end_leave_nothing_behind(self):
        done = self.run_traced(self.program(THREADS))
        self.assertEqual(len(self.good().spans("region")), 3000)
        self.assertLess(int(done.stdout.split()[1]), 200_000)  # KiB; 3000 rings would be a million

    def test_a_program_without_openmp(self):
        done = self.run_traced("/bin/true")
        self.assertEqual(done.stderr, "vicino: there is no trace: the program has not used OpenMP\n")
        self.assertEqual(list(self.work.iterdir()), [])

    def test_value_of_the_setting(self):
        done = subprocess.run([VICINO, "run", "--", self.program(ENDS), "again"], check=True, cwd=self.work, text=True,
                              capture_output=True, env=self.environment({"VICINO_TRACE": "true"}))
        self.assertRegex(done.stderr, r"^vicino: vicino\.pftrace has \d+ events\n$")
        self.assertEqual(len(self.good(self.work / "vicino.pftrace").spans("region")), 1)


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    unittest.main()
