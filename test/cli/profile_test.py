"""VICINO_PROFILE: what a run keeps of its loops, what the next run does with that, and what is said of
files that are no profiles."""

import concurrent.futures
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from command import VICINO, Case, clean_environment
from programs import CLANG, GCC, ProgramsCase

MACHINES = Path(__file__).resolve().parents[1] / "machines"

SOURCE = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int omp_get_thread_num(void);
static void dawdle(void) {
  const struct timespec two_ms = {0, 2000000};
  nanosleep(&two_ms, 0);
}
static void work(int amount) {
  for (volatile int i = 0; i < amount; ++i) {
  }
}
static int trip = 64;
/* Returns the threads that had iterations, as bits. One thread is best: all others sleep; none is late. */
unsigned one_is_best(void) {
  unsigned used = 0;
#pragma omp parallel reduction(| : used)
  {
#pragma omp barrier
#pragma omp for schedule(runtime)
    for (int i = 0; i < trip; ++i) {
      if (omp_get_thread_num() == 0)
        work(20000);
      else
        dawdle();
      used |= 1u << omp_get_thread_num();
    }
  }
  return used;
}
unsigned tiny(void) {
  unsigned used = 0;
#pragma omp parallel for schedule(runtime) reduction(| : used)
  for (int i = 0; i < 4; ++i) used |= 1u << omp_get_thread_num();
  return used;
}
#define LOOP(name) \
  unsigned name(void) { \
    unsigned used = 0; \
    int ran = 0; \
    _Pragma("omp parallel for schedule(runtime) reduction(| : used) reduction(+ : ran)") \
    for (int i = 0; i < 64; ++i) { \
      work(2000); \
      used |= 1u << omp_get_thread_num(); \
      ++ran; \
    } \
    return ran == 64 ? used : 0; \
  }
LOOP(a) LOOP(b) LOOP(c) LOOP(d)
unsigned in_taskloop(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop shared(ran)
  for (int i = 0; i < 64; ++i) {
    work(2000);
#pragma omp atomic
    ++ran;
  }
  return ran == 64;
}
unsigned who_runs_tasks(void) {
  unsigned used = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop shared(used)
  for (int i = 0; i < 64; ++i) {
    work(2000);
#pragma omp atomic
    used |= 1u << omp_get_thread_num();
  }
  return used;
}
unsigned region(void) {
  unsigned used = 0;
#pragma omp parallel reduction(| : used)
  {
    work(20000);
    used |= 1u << omp_get_thread_num();
  }
  return used;
}
static unsigned (*const all[])(void) = {one_is_best, tiny, a, b, c, d, in_taskloop, region, who_runs_tasks};

static int number(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

int main(void) {
  unsigned (*const loop)(void) = all[number("WHICH", 0)];
  const int times = number("TIMES", 1);
  if (getenv("FOLDER")) chdir(getenv("FOLDER"));
  for (int t = 0; t < times; ++t) {
    const unsigned used = loop();
    if (t == (getenv("LAST") ? times - 1 : 0)) printf("%u\n", used);
  }
  trip = number("THEN", 0);
  if (trip > 0) printf("%u\n", loop());
  for (int t = 1; trip > 0 && t < 20; ++t) loop();
  if (getenv("CHILD") && fork() == 0) {
    for (int t = 0; t < times; ++t) loop();
    for (int t = 0; t < times; ++t) all[number("CHILD", 0)]();
    return 0;
  }
  wait(0);
  return 0;
}
"""

LIBRARY = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char** argv) {
  void* library = dlopen(LIBRARY, RTLD_NOW);
  int (*loop)(void) = (int (*)(void))dlsym(library, "in_library");
  for (int t = 0; t < 4; ++t) loop();
  return dlclose(library);
}
"""

# An automatic graph, which is a grid. The functions are those of include/vicino/graph.h.
GRAPH = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
typedef struct vicino_graph graph;
typedef int body(const uint32_t*, size_t, void*);
static graph* (*make)(size_t, const uint32_t*, const uint32_t*, const float*, char*, size_t);
static graph* (*record)(void (*)(void*), void*, char*, size_t);
static graph* (*coarsen)(const graph*, const char*, char*, size_t);
static int (*run)(graph*, body*, void*, const void*);
static size_t (*explain)(const graph*, char*, size_t);
static void (*destroy)(graph*);

static int number(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}
static size_t most;  /* tasks in a call; 0 if the tasks were recorded */
static void work(size_t amount) {
  for (volatile size_t i = 0; i < 3000 * amount; ++i) {
  }
}
static int a(const uint32_t* tasks, size_t count, void* data) {
  size_t known = __atomic_load_n(&most, __ATOMIC_RELAXED);
  while (known < count &&
         !__atomic_compare_exchange_n(&most, &known, count, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  work(count);
  return 0;
}
static int b(const uint32_t* tasks, size_t count, void* data) {
  work(2 * count);
  return 0;
}
static void generate(void* data) {
  const int n = *(int*)data;
  static char cell[100][100];
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
      work(1);
    }
}
static graph* grid(int n) {
  uint32_t *const first = malloc((n * n + 1) * sizeof *first), *const before = malloc(2 * n * n * sizeof *before);
  uint32_t edges = 0;
  for (int i = 0; i < n * n; ++i) {
    first[i] = edges;
    if (i >= n) before[edges++] = i - n;
    if (i % n) before[edges++] = i - 1;
  }
  first[n * n] = edges;
  graph* const made = make(n * n, first, before, 0, 0, 0);
  free(first), free(before);
  return made;
}

int main(void) {
#define FIND(function, name) *(void**)&function = dlsym(RTLD_DEFAULT, "vicino_graph_" name)
  FIND(make, "new"), FIND(record, "record"), FIND(coarsen, "coarsen"), FIND(run, "run");
  FIND(explain, "explain"), FIND(destroy, "free");
  int n = number("SIDE", 16);
  body* const which = getenv("RECORD") ? 0 : number("WHICH", 0) ? b : a;
  graph* const fine = getenv("RECORD") ? record(generate, &n, 0, 0) : grid(n);
  for (int again = number("GRAPHS", 1); again > 0; --again) {
    graph* const coarse = coarsen(fine, "automatic", 0, 0);
    const int times = number("TIMES", 1);
    for (int t = 0; t < times; ++t) {
      run(coarse, which, 0, 0);
      if (t == 0) printf("%zu\n", most);
    }
    static char text[4096];
    explain(coarse, text, sizeof text);
    printf("%s", text);
    fflush(stdout);
    if (getenv("CHILD") && fork() == 0) {
      for (int t = 0; t < times; ++t) run(coarse, a, 0, 0);
      for (int t = 0; t < times; ++t) run(coarse, b, 0, 0);
      if (getenv("FREE")) destroy(coarse);
      return 0;
    }
    wait(0);
    if (getenv("FREE")) destroy(coarse);
  }
  return 0;
}
"""

IN_LIBRARY = r"""
int in_library(void) {
  int sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 64; ++i) sum += i;
  return sum;
}
"""


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def seal(text):
    """Returns the profile with the right checksum."""
    body = re.sub(r"checksum .*\n", "", text)
    return f"{body}checksum {fnv1a(body.encode()):016x}\n"


class ProfileCase(ProgramsCase):
    def setUp(self):
        super().setUp()
        self.profile = self.work / "some.profile"

    def learn(self, *, source=SOURCE, compiler=GCC, flags=(), **settings):
        """Runs the program with the profile and returns the finished process."""
        program = self.programs.build(source, compiler, *flags)
        settings = {"OMP_NUM_THREADS": "2", "VICINO_STATS": "false",
                    "VICINO_PROFILE": str(self.profile)} | settings
        return self.programs.run(program, cwd=self.work, **{k: str(v) for k, v in settings.items()})

    def told(self, *command, status=0):
        done = self.run_vicino(*command)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else done.stdout

    def sites(self, profile=None):
        return json.loads(self.told("profile", "show", "--json", profile or self.profile))["sites"]

    def site(self):
        [site] = self.sites()
        return site

    def edit(self, pattern, now):
        text = self.profile.read_text(encoding="utf-8")
        changed, times = re.subn(pattern, now, text)
        self.assertGreater(times, 0, (pattern, text))
        self.profile.write_text(seal(changed), encoding="utf-8")

    def settle_on(self, candidate, threads):
        """Edits the profile as if an earlier run of `learn()` had settled on this configuration."""
        self.edit(r"  state .*", "  state settled round=0")
        self.edit(r"  best \S+ threads=\d+( \S+)*? cost=\S+", f"  best {candidate} threads={threads} cost=1e6")


class Learning(ProfileCase):
    def learn_until(self, wanted, **run):
        """Returns the first of a few runs, each without a profile, whose site is as wanted. Other work
        on the machine may hide for a while which configuration is best, or that a loop is short."""
        for _ in range(10):
            self.profile.unlink(missing_ok=True)
            done, site = self.learn(**run), self.site()
            if wanted(site):
                return done, site
        return self.fail(site)

    def test_the_first_execution_uses_what_an_earlier_run_found(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                first, site = self.learn_until(
                    lambda site: (site["state"], site["best"]["threads"]) == ("settled", 1),
                    compiler=compiler, TIMES=200)
                self.assertEqual((first.stdout, first.stderr, site["team"]), ("3\n", "", 2))
                self.assertGreater(site["default"]["cost"], 2 * site["best"]["cost"])
                self.assertIn("one_is_best", site["where"])
                second = self.learn(compiler=compiler, TIMES=1, VICINO_EXPLAIN="true")
                self.assertEqual(second.stdout, "1\n")
                self.assertIn(" on 1 thread, as the profile has it: ", second.stderr)
                self.assertEqual(self.site()["executions"], site["executions"] + 1)
                self.assertEqual(self.site()["tried"], site["tried"])

    def test_any_configuration_of_the_profile_is_used(self):
        self.learn(TIMES=3, WHICH=2)
        for candidate, threads, used in (("guided", 1, "1\n"), ("static", 2, "3\n")):
            self.settle_on(candidate, threads)
            self.assertEqual(self.learn(TIMES=1, WHICH=2).stdout, used)

    def test_what_this_vicino_does_not_know_is_kept_but_not_used(self):
        self.learn(TIMES=3, WHICH=2)
        for candidate, threads in (("wonderful", 1), ("static", 3), ("static", "1 nodes=0")):
            with self.subTest(candidate=candidate, threads=threads):
                self.settle_on(candidate, threads)
                self.assertEqual(self.learn(TIMES=1, WHICH=2).stdout, "3\n")
                best = self.site()["best"]
                self.assertEqual((best["candidate"], best["threads"], best["more"]),
                                 (candidate, int(str(threads)[0]), str(threads).split()[1:]))

    def samples(self):
        return sum(tried["samples"] for tried in self.site()["tried"])

    def test_what_is_still_explored_goes_on_until_it_is_settled(self):
        """Each run has six executions, the first of which warms up."""
        for which, kind in ((2, "loop"), (6, "taskloop")):
            with self.subTest(kind=kind):
                self.profile.unlink(missing_ok=True)
                before, runs = 0, 0
                while runs == 0 or self.site()["state"] in ("widths", "schedules"):
                    self.assertEqual(self.learn(TIMES=6, WHICH=which).stderr, "")
                    runs += 1
                    self.assertEqual((self.site()["kind"], self.site()["executions"]), (kind, 6 * runs))
                    self.assertGreater(self.samples(), before)
                    self.assertLess(runs, 60)
                    before = self.samples()
                self.assertEqual(self.site()["state"], "settled")
                self.assertEqual(self.site()["round"], 0)
                self.assertGreaterEqual(runs, 2 if kind == "loop" else 1)

    def test_a_run_that_only_warms_up_changes_nothing_that_is_known(self):
        self.learn(TIMES=6, WHICH=2)
        before = self.site()
        self.assertIn("so far ", self.learn(TIMES=1, WHICH=2, VICINO_EXPLAIN="true").stderr)
        for fact in ("state", "round", "default", "best", "tried"):
            self.assertEqual(self.site()[fact], before[fact])
        self.assertEqual(self.site()["executions"], 7)

    def test_what_nobody_can_have_tried_is_explored_anew(self):
        for pattern, now in ((r"  tried static threads=2", "  tried wonderful threads=2"),
                             (r"  tried static threads=2", "  tried static threads=3"),
                             (r"(  tried .*) samples=\d+", r"\1 samples=0"),
                             (r"(  tried .*) low=\S+", r"\1 low=0"),
                             (r"(  tried .*) high=\S+", r"\1 high=1e-9")):
            with self.subTest(now=now):
                self.profile.unlink(missing_ok=True)
                self.learn(TIMES=6, WHICH=2)
                self.edit(pattern, now)
                told = self.learn(TIMES=1, WHICH=2, VICINO_EXPLAIN="true")
                self.assertEqual(told.stdout, "3\n")
                self.assertIn("nothing is known of it yet", told.stderr)

    def test_a_shorter_loop_begins_like_a_longer_one(self):
        def is_settled_on_one(then, threads, like=()):
            """A disturbed execution may leave the longer loop in doubt at that moment, or make the
            shorter loop seem better with its default."""
            found = None
            for _ in range(10):
                self.profile.unlink(missing_ok=True)
                done = self.learn(TIMES=200, THEN=then, VICINO_EXPLAIN="true")
                sites = {site["trip_bits"]: site for site in self.sites()}
                best = sites[7]["best"]["threads"]
                if (sites[7]["state"], best, done.stdout) == ("settled", 1, threads):
                    found = done, sites
                    if all(sites[6]["best"]["more"] == more for more in like):
                        break
            return found or self.skipTest(f"disturbed ten times: {done.stdout} {sites[7]['best']}")

        done, sites = is_settled_on_one(40, "3\n1\n", like=[["like=twice"]])
        self.assertEqual(sites[6]["best"]["more"], ["like=twice"])
        self.assertEqual({tried["threads"] for tried in sites[6]["tried"]}, {1, 2})
        self.assertLessEqual(len(sites[6]["tried"]), 2)
        self.assertIn(" on 1 thread, as for loops of twice the length: ", done.stderr)
        self.assertIn("as for loops of twice the length: ", self.told("explain", self.profile))
        # A longer loop does not take over fewer threads, nor does a loop of a quite different length.
        for then in (128, 20):
            done, sites = is_settled_on_one(then, "3\n3\n")
            self.assertNotIn("as for loops of", done.stderr)

    def test_taskloops_begin_as_they_ended(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.profile.unlink(missing_ok=True)
                self.learn(compiler=compiler, TIMES=5, WHICH=6)
                self.assertEqual(self.site()["kind"], "taskloop")
                self.settle_on(self.site()["default"]["candidate"], "1 first_node=0")
                told = self.learn(compiler=compiler, TIMES=3, WHICH=6, VICINO_EXPLAIN="true")
                self.assertEqual(told.stdout, "1\n")
                self.assertRegex(told.stderr, r"taskloop, team of 2, .*\n  (strict|full) on 1 thread, "
                                              r"first of node 0, as the profile has it: ")
                self.settle_on(self.site()["default"]["candidate"], "1 first_node=99")
                told = self.learn(compiler=compiler, TIMES=3, WHICH=6, VICINO_EXPLAIN="true")
                self.assertNotIn("as the profile has it", told.stderr)

    def test_a_taskloop_for_one_thread_is_run_by_one(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.profile.unlink(missing_ok=True)
                self.learn(compiler=compiler, TIMES=3, WHICH=8)
                self.settle_on(self.site()["default"]["candidate"], "1 first_node=0")
                stats = self.work / "stats.json"
                done = self.learn(compiler=compiler, TIMES=1, WHICH=8, VICINO_STATS=str(stats))
                self.assertIn(int(done.stdout), (1, 2))
                # The thread that meets the taskloop runs it, without a task for another thread.
                tasks = json.loads(stats.read_text(encoding="utf-8"))["tasks"]
                self.assertEqual(sum(thread["executed"] for thread in tasks), 0)
                stats.unlink()

    def test_a_node_mask_stays(self):
        """Threads 4 to 7 are on node 1. The thread that waits for them may run one of their tasks."""
        on_nodes = {"WHICH": 8, "OMP_NUM_THREADS": 8, "OMP_PROC_BIND": "close", "OMP_PLACES": "cores",
                    "VICINO_MACHINE": MACHINES / "plain-2x4.xml"}
        self.learn(TIMES=3, **on_nodes)
        self.assertEqual(self.site()["kind"], "taskloop_by_node")
        self.settle_on("strict", "4 first_node=1")
        done = [self.learn(TIMES=3, LAST=1, **on_nodes).stdout for _ in range(10)]
        self.assertTrue(any(int(used) & 0xf0 and not int(used) & 0x0f for used in done), done)

    def test_regions_begin_as_they_ended(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.profile.unlink(missing_ok=True)
                run = {"compiler": compiler, "WHICH": 7, "OMP_DYNAMIC": "true"}
                self.assertEqual(self.learn(TIMES=5, **run).stdout, "3\n")
                self.assertEqual(self.site()["kind"], "region")
                self.settle_on("-", 1)
                told = self.learn(TIMES=1, VICINO_EXPLAIN="true", **run)
                self.assertEqual(told.stdout, "1\n")
                self.assertIn("\n  1 thread, as the profile has it: ", told.stderr)

    def test_a_site_left_alone_stays_so(self):
        self.learn_until(lambda site: site["state"] == "left_alone", TIMES=100, WHICH=1)
        told = self.learn(TIMES=1, WHICH=1, VICINO_EXPLAIN="true").stderr
        self.assertRegex(told, r"left as it is, static on \d threads?, as the profile has it: ")

    def test_a_remembered_site_is_watched(self):
        self.learn(TIMES=3, WHICH=2)
        self.settle_on("guided", 1)  # at a millisecond an iteration, which is wrong
        told = self.learn(TIMES=30, WHICH=2, VICINO_EXPLAIN="true").stderr
        self.assertIn("its time changed, so it was explored again: 1 time\n", told)
        self.learn(TIMES=3000, WHICH=2)
        self.assertEqual(self.site()["state"], "settled")
        self.assertGreaterEqual(self.site()["round"], 1)
        self.assertLess(self.site()["best"]["cost"], 1e5)

    def test_nothing_is_kept_where_nothing_is_tried(self):
        for settings in ({"VICINO_EXPLORE": "false"}, {"OMP_SCHEDULE": "static"},
                         {"OMP_NUM_THREADS": "1"}):
            self.assertEqual(self.learn(TIMES=5, WHICH=2, **settings).stderr, "")
            self.assertFalse(self.profile.exists())


class Keys(ProfileCase):
    """The profile has a site settled on one thread. The threads that have iterations show whether a
    run uses it."""

    def setUp(self):
        super().setUp()
        self.learn(TIMES=3, WHICH=2)
        self.settle_on("static", 1)

    def assert_ignored(self, **run):
        used = "15\n" if run.get("OMP_NUM_THREADS") == 4 else "3\n"
        self.assertEqual(self.learn(TIMES=1, **run).stdout, used)
        self.assertEqual(len(self.sites()), 2)
        self.assertEqual(self.learn(TIMES=1, WHICH=2).stdout, "1\n")

    def test_another_loop(self):
        self.assert_ignored(WHICH=3)

    def test_another_team(self):
        self.assert_ignored(WHICH=2, OMP_NUM_THREADS=4)

    def test_another_machine(self):
        self.assert_ignored(WHICH=2, VICINO_MACHINE=MACHINES / "plain-2x4.xml")

    def test_another_binary(self):
        self.assert_ignored(WHICH=2, flags=("-DOTHER", "-O0"))

    def test_the_same_binary_elsewhere(self):
        program = self.programs.build(SOURCE, GCC)
        moved = self.work / "moved"
        moved.write_bytes(program.read_bytes())
        moved.chmod(0o755)
        done = self.programs.run(moved, WHICH="2", OMP_NUM_THREADS="2", VICINO_STATS="false",
                                 VICINO_PROFILE=str(self.profile))
        self.assertEqual(done.stdout, "1\n")
        self.assertEqual(len(self.sites()), 1)

    def test_an_object_without_a_build_id_is_left_out(self):
        done = self.learn(TIMES=5, WHICH=2, flags=("-Wl,--build-id=none",))
        self.assertEqual((done.stdout, done.stderr), ("3\n", ""))
        self.assertEqual(len(self.sites()), 1)


class Graphs(ProfileCase):
    def run_graph(self, **run):
        """Returns what the graph says of itself. Its `most` is the largest number of tasks in a call
        in the first run: one thread alone has them by hundreds."""
        done = self.learn(source=GRAPH, **run)
        self.assertEqual(done.stderr, "")
        most, text = done.stdout.split("\n", 1)
        self.most = int(most)
        return text

    def settle_graph_on(self, candidate, threads=2):
        self.edit(r"  state .*", "  state settled round=0")
        self.edit(r"  best \S+ threads=\d+", f"  best {candidate} threads={threads}")

    def test_the_second_process_begins_as_the_first_ended(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.profile.unlink(missing_ok=True)
                text = self.run_graph(compiler=compiler, TIMES=150)
                self.assertRegex(text, r"^automatic, 2 threads: .*\n  one thread: \d+ us at the first run; ")
                self.assertEqual(self.most, 256)
                site = self.site()
                self.assertEqual((site["kind"], site["team"], site["state"], site["executions"],
                                  site["iterations"]), ("graph", 2, "settled", 150, 150 * 256))
                self.assertRegex(site["structure"], "^[0-9a-f]{16}$")
                self.assertEqual(site["where"].split("(")[0], "a")
                # What this process would find beaten does not matter: nothing is measured anew.
                self.edit(r"( samples=\d+)( beaten)?\n", r"\1\n")
                site = self.site()
                best = site["best"]["candidate"].replace("none", "no pass")
                text = self.run_graph(compiler=compiler)
                self.assertRegex(text, rf"^automatic, 2 threads: {re.escape(best)}, as the profile has it\n"
                                       r"  one thread: \d+ us in an earlier process\n  alone: ")
                again = self.site()
                self.assertEqual(again["executions"], 151)
                for fact in ("state", "round", "default", "best", "tried"):
                    self.assertEqual(again[fact], site[fact])

    def test_the_explanation_at_the_end_has_graphs(self):
        explained = {"source": GRAPH, "VICINO_EXPLAIN": "true", "TIMES": 150}
        told = (r"^vicino: task graphs that the tuner chose for \(version \S+\)\n"
                r"a(\(.*)?, task graph, team of 2, timed {} times, 256 tasks\n")
        self.assertRegex(self.learn(**explained).stderr, told.format(150))
        self.assertRegex(self.learn(**explained, GRAPHS=2).stderr, told.format(300))
        # Without a profile, and in a file that no profile can have.
        alone = explained | {"VICINO_PROFILE": ""}
        self.assertRegex(self.learn(**alone).stderr, told.format(150))
        bare = alone | {"flags": ["-Wl,--build-id=none"]}
        self.assertRegex(self.learn(**bare).stderr, told.format(150))
        self.profile.unlink()
        self.learn(**bare | {"VICINO_PROFILE": str(self.profile)})
        self.assertFalse(self.profile.exists())

    def test_any_coarse_string_of_the_profile_is_used(self):
        self.run_graph(TIMES=150)
        for candidate, threads, named, most in (("D(7)", 2, "D(7)", 7), ("SD(3)", 2, "SD(3)", 3),
                                                ("none", 2, "no pass", 1), ("alone", 1, "alone", 256)):
            with self.subTest(candidate=candidate):
                self.settle_graph_on(candidate, threads)
                for times in (1, 30):
                    text = self.run_graph(TIMES=times)
                    self.assertTrue(text.startswith(f"automatic, 2 threads: {named}, as the profile has it\n"), text)
                    self.assertEqual(self.most, most)

    def test_what_has_no_meaning_here_is_kept_but_not_used(self):
        self.run_graph(TIMES=150)
        good = self.profile.read_text(encoding="utf-8")
        for candidate, threads in (("Q(7)", 2), ("D(7)", 3), ("D(7)", 1), ("alone", 2), ("D(07)", 2),
                                   ("automatic", 2), ("D(7)", "2 nodes=0")):
            with self.subTest(candidate=candidate, threads=threads):
                self.profile.write_text(good, encoding="utf-8")
                self.settle_graph_on(candidate, threads)
                self.assertIn("2 threads: so far alone\n  one thread: ", self.run_graph())
                self.assertEqual(self.most, 256)
                self.assertEqual(self.site()["best"]["candidate"], candidate)
        for pattern, now in ((r"  default (.*) low=\S+", r"  default \1 low=0"),
                             (r"  tried \S+ threads=2", "  tried wonderful threads=2"),
                             (r"  tried (\S+) threads=2", r"  tried \1 threads=3"),
                             (r"  tried (.*) high=\S+", r"  tried \1 high=1e-9")):
            with self.subTest(now=now):
                self.profile.write_text(good, encoding="utf-8")
                self.settle_graph_on("D(7)")
                self.edit(pattern, now)
                self.assertIn("2 threads: so far alone\n", self.run_graph())

    def test_another_graph_body_or_team_begins_afresh(self):
        self.run_graph(TIMES=150)
        self.settle_graph_on("D(7)")
        for other in ({"SIDE": 17}, {"WHICH": 1}, {"OMP_NUM_THREADS": 3}, {"RECORD": 1, "SIDE": 17}):
            with self.subTest(other=other):
                sites = len(self.sites())
                self.assertIn(" threads: so far alone\n", self.run_graph(**other))
                self.assertEqual(len(self.sites()), sites + 1)
        self.assertIn(": D(7), as the profile has it\n", self.run_graph())

    def test_recorded_tasks(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                self.profile.unlink(missing_ok=True)
                run = {"compiler": compiler, "RECORD": 1}
                self.run_graph(TIMES=150, **run)
                self.assertEqual(self.site()["where"].split("(")[0], "generate")
                self.settle_graph_on("D(7)")
                self.assertIn(": D(7), as the profile has it\n", self.run_graph(**run))

    def test_a_race_goes_on_until_it_is_over(self):
        runs, state = 0, ""
        while state != "settled":
            text = self.run_graph(TIMES=4)
            runs += 1
            self.assertIn("at the first run" if runs == 1 else "in an earlier process", text)
            state = self.site()["state"]
            self.assertIn(state, ("schedules", "settled"))
            if runs == 1:
                self.assertIn("so far ", self.told("profile", "show", self.profile))
            self.assertLess(runs, 60)
        self.assertGreater(runs, 2)
        self.assertEqual(self.site()["executions"], 4 * runs)

    def test_graphs_that_are_gone_count_as_well(self):
        for free in ({}, {"FREE": 1}):
            with self.subTest(free=free):
                self.profile.unlink(missing_ok=True)
                self.learn(source=GRAPH, TIMES=5, GRAPHS=3, **free)
                self.assertEqual(self.site()["executions"], 15)

    def test_a_child_of_fork_adds_what_it_met_first(self):
        for free in ({}, {"FREE": 1}):
            with self.subTest(free=free):
                self.profile.unlink(missing_ok=True)
                self.learn(source=GRAPH, TIMES=5, CHILD=1, GRAPHS=2, **free)
                self.assertEqual({site["where"].split("(")[0]: site["executions"] for site in self.sites()},
                                 {"a": 10, "b": 10})

    def test_nothing_is_kept_where_nothing_is_tried(self):
        for settings in ({"VICINO_EXPLORE": "false"}, {"OMP_NUM_THREADS": "1"}):
            self.run_graph(TIMES=5, **settings)
            self.assertFalse(self.profile.exists())

    def test_commands(self):
        self.learn(TIMES=5, WHICH=2)
        self.assertEqual(self.profile.read_text(encoding="utf-8").split("\n", 1)[0], "vicino profile 1")
        self.run_graph(TIMES=150)
        self.settle_graph_on("D(7)")
        self.assertEqual(self.profile.read_text(encoding="utf-8").split("\n", 1)[0], "vicino profile 2")
        self.assertRegex(self.told("profile", "show", self.profile),
                         r"\nprogram: a\S* +graph +2 +256 +150 +\S+ .s +\S+ .s +\d{4}-\d\d-\d\d +D\(7\) on 2 threads\n")
        text = self.told("explain", self.profile)
        self.assertRegex(text, r"\na\S*, task graph, team of 2, timed 150 times, 256 tasks\n"
                               r"  D\(7\) on 2 threads: \S+ .s against \S+ .s for alone on 1 thread\n"
                               r"  coarse string  threads samples       time  between\n"
                               r"  alone                1 ")
        out = self.work / "all.profile"
        self.told("profile", "merge", "-o", out, self.profile)
        self.assertEqual(self.sites(out), self.sites())


class Processes(ProfileCase):
    def test_several_at_once_lose_nothing(self):
        program = self.programs.build(SOURCE, GCC)  # before several processes run
        self.assertTrue(program.exists())
        which = [2, 3, 4, 5] * 4
        with concurrent.futures.ThreadPoolExecutor(len(which)) as pool:
            for done in pool.map(lambda loop: self.learn(TIMES=5, WHICH=loop), which):
                self.assertEqual(done.stderr, "")
        self.assertEqual([site["executions"] for site in self.sites()], [4 * 5] * 4)
        self.assertEqual([file.name for file in self.work.iterdir() if file.is_file()],
                         ["some.profile"])

    def test_a_child_of_fork_adds_its_own_sites(self):
        self.learn(TIMES=5, WHICH=2, CHILD=3)
        self.assertEqual({site["where"][0]: site["executions"] for site in self.sites()},
                         {"a": 5, "b": 5})

    def test_a_library_that_is_gone_at_the_end(self):
        library = self.work / "library.so"
        (self.work / "library.c").write_text(IN_LIBRARY, encoding="utf-8")
        subprocess.run([GCC, "-fopenmp", "-shared", "-fPIC", self.work / "library.c", "-o", library],
                       check=True)
        program = self.programs.build(LIBRARY, GCC, f'-DLIBRARY="{library}"')
        done = self.programs.run(program, OMP_NUM_THREADS="2", VICINO_STATS="false",
                                 VICINO_PROFILE=str(self.profile))
        self.assertEqual(done.stderr, "")
        site = self.site()
        self.assertEqual((Path(site["binary"]).name, site["executions"], site["where"]),
                         ("library.so", 4, ""))

    def test_a_program_that_changes_its_folder(self):
        self.learn(TIMES=3, WHICH=2, FOLDER="/", VICINO_PROFILE="some.profile")
        self.assertEqual(self.site()["executions"], 3)


class Refused(ProfileCase):
    def refuse(self, reason):
        """The program runs as without a profile and prints one line; the file stays as it is."""
        before = self.profile.read_bytes() if self.profile.is_file() else None
        done = self.learn(TIMES=5, WHICH=2)
        self.assertEqual(done.stdout, "3\n")
        self.assertRegex(done.stderr, rf"^vicino: VICINO_PROFILE: [^\n]*some.profile:[^\n]*{reason}"
                                      r"[^\n]*; it is not used, and stays as it is\n$")
        if before is not None:
            self.assertEqual(self.profile.read_bytes(), before)
        self.assertIn("some.profile", self.told("profile", "show", self.profile, status=2))
        self.assertIn("some.profile", self.told("explain", self.profile, status=2))
        if before is not None:
            self.assertEqual(self.profile.read_bytes(), before)

    def test_files_that_are_no_profiles(self):
        self.learn(TIMES=3, WHICH=2)
        good = self.profile.read_text(encoding="utf-8")
        for text, reason in (("dear diary\n", "1: this is not a profile"),
                             ("\0" * 100, "1: this is not a profile"),
                             (good[:len(good) // 2], "cut short"),
                             (good[:-1], "cut short"),
                             (good.replace("team=2", "team=1"), "damaged or edited"),
                             (seal(good.replace("profile 1", "profile 7")), "1: its format is 7"),
                             (seal(good.replace("team=2", "team=many")), "2: 'many' is not a"),
                             (seal(good.replace("  used", "  \033[2J used")), r"'\?\[2J' is not")):
            with self.subTest(reason=reason):
                self.profile.write_text(text, encoding="utf-8")
                self.refuse(reason)

    def test_a_huge_file(self):
        with self.profile.open("wb") as file:
            file.truncate(1 << 36)
        done = self.learn(TIMES=5, WHICH=2)
        self.assertIn("it has 68719476736 bytes; a profile has", done.stderr)

    def test_no_file(self):
        self.profile.mkdir()
        self.refuse("this is not a plain file")
        self.profile.rmdir()
        os.mkfifo(self.profile)
        self.refuse("this is not a plain file")

    def test_a_folder_that_is_not_there(self):
        self.profile = self.work / "nowhere" / "some.profile"
        done = self.learn(TIMES=5, WHICH=2)
        self.assertRegex(done.stderr, r"^vicino: VICINO_PROFILE: .*some.profile: No such file or "
                                      r"directory; what was learnt is not kept\n$")


class Commands(ProfileCase):
    def setUp(self):
        super().setUp()
        self.learn(TIMES=5, WHICH=2)
        self.settle_on("guided", 1)
        self.learn(TIMES=4, WHICH=3)

    def test_show(self):
        text = self.told("profile", "show", self.profile)
        self.assertRegex(text, r"^site +kind +team +trip +executed +time +default +last used +uses\n")
        self.assertRegex(text, r"\nprogram: a\S* +loop +2 +64 +5 +64 ms +(-|\S+ .s) +"
                               r"\d{4}-\d\d-\d\d +guided on 1 thread\n")
        self.assertRegex(text, r"\nprogram: b\S* +loop +2 +64 +4 .* so far \w+ on [12] threads?\n")
        self.edit("machine=[0-9a-f]+", "machine=77")
        self.assertEqual(self.told("profile", "show", self.profile).count("\n*program: "), 2)

    def test_merge(self):
        other, out = self.work / "other.profile", self.work / "all.profile"
        other.write_bytes(self.profile.read_bytes())
        self.assertIn("2 sites of 2 files\n", self.told("profile", "merge", "-o", out, other,
                                                        self.profile))
        self.assertEqual([site["executions"] for site in self.sites(out)],
                         [2 * site["executions"] for site in self.sites()])
        self.assertIn("2 sites of 1 files", self.told("profile", "merge", "-o", out, other))
        self.assertEqual(self.sites(out), self.sites())

    def test_merge_leaves_other_files_alone(self):
        out = self.work / "out"
        out.write_text("dear diary\n", encoding="utf-8")
        self.assertIn("out:1: this is not a profile",
                      self.told("profile", "merge", "-o", out, self.profile, status=2))
        self.assertIn("out:1: this is not a profile",
                      self.told("profile", "merge", "-o", self.work / "new", out, status=2))
        self.assertEqual(out.read_text(encoding="utf-8"), "dear diary\n")
        self.assertFalse((self.work / "new").exists())

    def prune(self, *options):
        return self.told("profile", "prune", *options, self.profile)

    def test_prune_by_executions(self):
        self.assertIn("1 sites would be taken out, 1 stay",
                      self.prune("--min-executions", "5", "--dry-run"))
        self.assertEqual(len(self.sites()), 2)
        self.assertIn("1 sites taken out, 1 stay", self.prune("--min-executions", "5"))
        self.assertEqual(self.site()["executions"], 5)

    def test_prune_by_age(self):
        self.assertIn("0 sites taken out", self.prune("--older-than", "1"))
        self.edit(r"used \d{4}", "used 2001")
        self.assertIn("2 sites taken out, 0 stay", self.prune("--older-than", "90"))
        self.assertEqual(self.sites(), [])

    def test_prune_of_other_machines(self):
        self.assertIn("0 sites taken out", self.prune("--other-machines"))
        self.edit("machine=[0-9a-f]+", "machine=77")
        self.assertIn("2 sites taken out", self.prune("--other-machines"))

    def test_prune_of_files_that_are_gone(self):
        self.assertIn("0 sites taken out", self.prune("--gone"))
        text = self.profile.read_text(encoding="utf-8")
        for pattern, now, removed in ((r"(  binary .*)", r"\1.gone", 2),
                                      (r"  binary .*", f"  binary {VICINO}", 2),
                                      (r"  binary .*", "  binary /proc/version", 0)):
            with self.subTest(now=now):
                self.profile.write_text(text, encoding="utf-8")
                self.edit(pattern, now)
                self.assertIn(f"{removed} sites taken out", self.prune("--gone"))
        self.profile.write_text(text, encoding="utf-8")
        self.edit(r"(  binary .*)", r"\1.gone")
        self.edit("machine=[0-9a-f]+", "machine=77")
        self.assertIn("0 sites taken out", self.prune("--gone"))  # another machine's files: unknown

    def test_explain_a_profile(self):
        text = self.told("explain", self.profile)
        self.assertRegex(text, r"^\S*/program \(build [0-9a-f]{12}\), \d+ packages?, .* threads?:\n")
        self.assertRegex(text, r"\na\S*, team of 2, timed 5 times, 64 iterations\n"
                               r"  guided on 1 thread(: 64 ms against \S+ .s for static on 2 threads|,.*)\n"
                               r"  schedule +threads +samples +time  between\n"
                               r"  (static|ich) +2 +\d ")
        self.assertIn("\nb", text)
        self.assertIn("; it still tries numbers of threads\n", text)
        self.assertRegex(text, r"\nall that was timed: .* saved\n$")

    def test_explain_a_program(self):
        program = self.programs.build(SOURCE, GCC)
        done = subprocess.run([VICINO, "explain", "--", program], text=True, capture_output=True,
                              env=clean_environment("LD_") | {"OMP_NUM_THREADS": "2", "TIMES": "5", "WHICH": "2"},
                              check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, "3\n"))
        self.assertRegex(done.stderr, r"\Avicino: loops that the tuner chose for \(version \S+\)\na")

    def test_run_with_a_profile(self):
        self.profile.unlink()
        for option, file in (("--profile", "vicino.profile"), ("--profile=my.profile", "my.profile")):
            program = self.programs.build(SOURCE, GCC)
            self.programs.run(program, option, cwd=self.work, OMP_NUM_THREADS="2", TIMES="3",
                              WHICH="2", FOLDER="/", VICINO_STATS="false")
            self.assertEqual([s["executions"] for s in self.sites(self.work / file)], [3])


class Mistakes(Case):
    def test_each_is_named_with_what_is_right(self):
        for command, texts in (
            (("profile",), ("show, merge or prune",)),
            (("profile", "shw"), ("'shw' is not a command of vicino profile",)),
            (("profile", "show"), ("no profile is given",)),
            (("profile", "show", "/nope"), ("/nope: No such file",)),
            (("profile", "show", "a", "b"), ("'b' is a second file",)),
            (("profile", "show", "--nope", "a"), ("'--nope' is not an option of vicino profile show",)),
            (("profile", "merge", "a"), ("no -o OUT",)),
            (("profile", "merge", "-o", "a"), ("no profile is given",)),
            (("profile", "prune", "a"), ("--gone", "--older-than", "--min-executions")),
            (("profile", "prune", "--older-than", "x", "a"), ("--older-than", "'x'", "from 1")),
            (("explain",), ("no profile is given",)),
            (("explain", "a", "--", "ls"), ("'a' and a program",)),
            (("explain", "--", "/nope/ls"), ("/nope/ls",)),
        ):
            with self.subTest(command=command):
                done = self.run_vicino(*command)
                self.assertEqual((done.returncode, done.stdout),
                                 (127 if "/nope/ls" in command else 2, ""), done.stderr)
                for text in texts:
                    self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
