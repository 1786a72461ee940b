"""`vicino doctor`: each condition that can be made here is made, and healthy surroundings have none.

Other processes may be busy on the machine meanwhile, so the findings about these are left out except where they are
tested. Conditions that need another machine are in doctor_test.cpp, on made-up facts.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from command import STATIC_APP, VICINO
from programs import CLANG, GCC, ProgramsCase

ROOT = Path(__file__).resolve().parents[2]
MACHINES = ROOT / "test" / "machines"
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "test" / "surroundings")]

import foreign  # noqa: E402
from report import cgroup  # noqa: E402

FOUND = 7
OF_OTHERS = {"neighbours", "crowded"}

# A loop over a triangle, an even one, a short one, and one that asks for threads.
LOOPS = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double row(int n) {
  double sum = 0;
  for (int k = 1; k < n; ++k) sum += 1.0 / k;
  return sum;
}
int main(int argc, char** argv) {
  const int uneven = strcmp(argv[1], "uneven") == 0, is_small = strcmp(argv[1], "small") == 0;
  const int times = is_small ? 20000 : 30, trip = is_small ? 8 : 400;
  double sum = 0;
  if (argc > 2) omp_set_num_threads(atoi(argv[2]));
  for (int t = 0; t < times; ++t) {
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < trip; ++i) sum += row(is_small ? 2 : uneven ? 60 * i : 12000);
  }
  printf("%g\n", sum);
  return sum > 0 ? strcmp(argv[1], "fails") == 0 : 1;
}
"""
# The other threads work in the barrier.
TASKS = r"""
#include <stdio.h>
static int fib(int n) {
  int a, b;
  if (n < 18) return n < 2 ? n : fib(n - 1) + fib(n - 2);
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  int result = 0;
  for (int i = 0; i < 20; ++i) {
#pragma omp parallel
#pragma omp master
    result += fib(27);
  }
  printf("%d\n", result);
}
"""
# One thread works, by its own choice: that is no loop that is cut unevenly.
SINGLE = r"""
#include <stdio.h>
int main(void) {
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
#pragma omp parallel
#pragma omp single
    for (int k = 1; k < 2000000; ++k) sum += 1.0 / k;
  }
  printf("%g\n", sum);
}
"""
PLAIN = "int main(void) { return 0; }"
PLUGIN = r"""
static int sum;
int work(void) {
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  return sum;
}
"""
HOST = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char** argv) {
  void* const plugin = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_DEEPBIND : 0));
  if (plugin == NULL) return printf("%s\n", dlerror());
  return ((int (*)(void))dlsym(plugin, "work"))() == 0;
}
"""


class DoctorCase(ProgramsCase):
    def setUp(self):
        super().setUp()
        ours = ("OMP_", "KMP_", "GOMP_", "VICINO_", "LIBOMP_", "HWLOC_", "LD_")
        self.env = {k: v for k, v in self.env.items() if not k.startswith(ours)}

    def doctor(self, *words, prefix=(), join=None, status=None, **variables):
        """Returns what --json tells, with the findings of others left out, by condition."""
        command = [str(word) for word in (*prefix, VICINO, "doctor", "--json", *words)]
        done = subprocess.run(command, env=self.env | {k: str(v) for k, v in variables.items()}, text=True,
                              capture_output=True, check=False, timeout=200, stdin=subprocess.DEVNULL, preexec_fn=join)
        self.assertIn(done.returncode, (0, FOUND) if status is None else (status,), done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        told = json.loads(done.stdout)
        self.assertEqual((told["schema"], told["status"]), ("vicino-doctor-1", done.returncode))
        self.assertEqual(done.returncode, FOUND if told["findings"] else 0)
        for each in told["findings"]:
            for key in ("condition", "what", "cost", "mend"):
                self.assertTrue(each[key], each)
            self.assertTrue(each["seen"] and all(each["seen"]), each)
        order = [each.get("times", 0) for each in told["findings"]]
        self.assertEqual(order, sorted(order, reverse=True))
        told["by"] = {each["condition"]: each for each in told["findings"] if each["condition"] not in OF_OTHERS}
        return told

    def expect(self, condition, *texts, words=(), **how):
        """The condition is the only one that is found; its finding has these texts. Returns the finding."""
        told = self.doctor(*words, **how)
        self.assertEqual(list(told["by"]), [condition], told["findings"])
        found = told["by"][condition]
        for text in texts:
            self.assertIn(text, json.dumps(found))
        return found

    def expect_none(self, *words, **how):
        told = self.doctor(*words, **how)
        self.assertEqual(told["by"], {})
        return told

    def cpus(self):
        return sorted(os.sched_getaffinity(0))

    def needs_two_cpus(self):
        if len(self.cpus()) < 2:
            self.skipTest("one CPU")


class Healthy(DoctorCase):
    def test_settings_that_say_nothing_wrong(self):
        cpus = len(self.cpus())
        for variables in (
                {}, {"OMP_NUM_THREADS": cpus}, {"OMP_NUM_THREADS": 1}, {"OMP_DYNAMIC": "true", "OMP_NUM_THREADS": 64},
                {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}, {"OMP_WAIT_POLICY": "active"},
                {"OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}, {"KMP_BLOCKTIME": "200", "GOMP_SPINCOUNT": "1000"},
                {"OMP_MAX_ACTIVE_LEVELS": "2", "OMP_NESTED": "true"}, {"OMP_NUM_TEAMS_DEV_1": "4"},
                {"OMP_STACKSIZE": "16M", "GOMP_STACKSIZE": "16384"}, {"KMP_LOCK_KIND": "tas"},
                {"MPI_NUM_THREADS": "4", "MKL_NUM_THREADS": "8", "OPENBLAS_NUM_THREADS": "8"},
                {"OMP_SCHEDULE": "guided", "OMP_CANCELLATION": "true", "VICINO_PROFILE": str(self.work / "profile")},
                {"OMP_THREAD_LIMIT": "64"}, {"KMP_HW_SUBSET": "1s,1c,1t"}, {"VICINO_LIBRARY": str(VICINO.parents[1] / "lib" / "libvicino.so")}):
            with self.subTest(**variables):
                self.expect_none(**variables)

    def test_recorded_machines(self):
        for machine in sorted(MACHINES.glob("*.xml")):
            with self.subTest(machine=machine.stem):
                told = self.expect_none(VICINO_MACHINE=machine)
                self.assertIn("a recorded machine", " ".join(told["not_looked_at"]))

    def test_ranks_of_an_mpi_program(self):
        """A launcher has bound each to its CPU."""
        rank = {f"OMPI_COMM_WORLD_{name}": value for name, value in
                (("SIZE", "2"), ("RANK", "1"), ("LOCAL_SIZE", "2"), ("LOCAL_RANK", "1"))}
        self.expect_none(prefix=("taskset", "-c", self.cpus()[0]), **rank)

    def test_programs(self):
        loops = {by: self.programs.build(LOOPS, by) for by in (GCC, CLANG)}
        for program, *words in ((loops[GCC], "even"), (loops[CLANG], "even"), (self.programs.build(TASKS, GCC),),
                                (self.programs.build(TASKS, CLANG),), (self.programs.build(SINGLE, GCC),),
                                (self.programs.build(PLAIN, GCC),)):
            with self.subTest(program=program, words=words):
                self.expect_none("--", program, *words)

    def test_one_line_says_so(self):
        done = self.run_vicino("doctor", env=self.env | {"OMP_DYNAMIC": "true"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^Nothing is wrong here[.]( Not looked at: .*[.])?\n$")

    def test_under_a_quota(self):
        """The default team fits it."""
        try:
            with cgroup.cpu_quota(1) as join:
                self.expect_none(join=join)
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))


class Threads(DoctorCase):
    def test_more_than_cpus(self):
        for name in ("OMP_NUM_THREADS", "OMP_NUM_THREADS_ALL"):
            found = self.expect("threads", f"{name}=64", "bench/performance.md", **{name: 64})
            self.assertIn("64 threads are asked for", found["what"])
            mended = subprocess.run(["bash", "-c", f'{found["mend"]}; "$0" doctor --json', str(VICINO)], text=True,
                                    env=self.env | {name: "64"}, capture_output=True, check=False)
            self.assertNotIn("threads", [each["condition"] for each in json.loads(mended.stdout)["findings"]])

    def test_nested_ones_count(self):
        cpus = len(self.cpus())
        found = self.expect("threads", OMP_NUM_THREADS=f"{cpus},{4 * cpus}")
        self.assertEqual(found["mend"], f"export OMP_NUM_THREADS={cpus},1")

    def test_more_than_a_quota(self):
        self.needs_two_cpus()
        try:
            with cgroup.cpu_quota(1) as join:
                self.expect("threads", "the quota is 1 CPUs", "5.8 times", join=join, OMP_NUM_THREADS=2)
                found = self.doctor(join=join, OMP_NUM_THREADS=2, OMP_WAIT_POLICY="active")["by"]
                self.assertEqual(set(found), {"threads", "polling"})
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))

    def test_that_poll(self):
        for variables in ({"OMP_WAIT_POLICY": "active"}, {"KMP_BLOCKTIME": "infinite"}, {"GOMP_SPINCOUNT": "infinite"}):
            with self.subTest(**variables):
                found = self.doctor(OMP_NUM_THREADS=64, **variables)["by"]
                self.assertEqual(set(found), {"threads", "polling"})
                self.assertIn(next(iter(variables)), found["polling"]["mend"])

    def test_on_too_few_places(self):
        self.needs_two_cpus()
        self.expect("places", "OMP_PLACES={", OMP_PLACES=f"{{{self.cpus()[0]}}}")

    def test_on_one_cpu_by_an_inherited_mask(self):
        self.needs_two_cpus()
        cpu = self.cpus()[0]
        found = self.expect("one-cpu", f"the affinity mask is {cpu}", prefix=("taskset", "-c", cpu))
        self.assertEqual(found["times"], len(self.cpus()))
        self.expect_none(prefix=("taskset", "-c", cpu), OMP_NUM_THREADS=1)
        # A shell that has the mask is named, and the command mends it.
        script = f'taskset -pc {cpu} $$ > /dev/null; "$0" doctor --json; {found["mend"]} > /dev/null; "$0" doctor --json'
        done = subprocess.run(["bash", "-c", script, str(VICINO)], env=self.env, text=True, capture_output=True,
                              check=False)
        first, second = (json.loads(text) for text in done.stdout.replace("}\n{", "}\0{").split("\0"))
        self.assertIn("(bash)", first["findings"][0]["seen"][1])
        self.assertNotIn("one-cpu", [each["condition"] for each in second["findings"]])

    def test_beside_a_copy_that_works(self):
        self.needs_two_cpus()
        program = self.programs.build(LOOPS.replace("30,", "1000000,"), GCC)
        copy = subprocess.Popen([program, "even"], env=self.env, stdout=subprocess.DEVNULL)
        self.addCleanup(copy.wait)
        self.addCleanup(copy.kill)
        time.sleep(0.3)
        found = [each for each in self.doctor()["findings"] if each["condition"] == "neighbours"]
        self.assertIn(f"process {copy.pid} (program) has libgomp.so.1", json.dumps(found))
        self.assertEqual(found[0]["mend"], "export OMP_DYNAMIC=true")
        again = self.doctor(OMP_DYNAMIC="true")
        self.assertNotIn("neighbours", [each["condition"] for each in again["findings"]])


class Variables(DoctorCase):
    def test_misspelt(self):
        for name, meant in (("OMP_NUM_THREAD", "OMP_NUM_THREADS"), ("OMP_NUM_THREDS", "OMP_NUM_THREADS"),
                            ("OPM_NUM_THREADS", "OMP_NUM_THREADS"), ("omp_num_threads", "OMP_NUM_THREADS"),
                            ("OMP_PROCBIND", "OMP_PROC_BIND"), ("KMP_BLOCKTIMES", "KMP_BLOCKTIME"),
                            ("GOMP_CPU_AFINITY", "GOMP_CPU_AFFINITY"), ("VICINO_SCHEDULES", "VICINO_SCHEDULE"),
                            ("OMP_BLOCKTIME", "KMP_BLOCKTIME"), ("OMP_NTHREADS", "OMP_NUM_THREADS")):
            with self.subTest(name=name):
                found = self.expect("misspelt", f"{name}=1", **{name: "1"})
                self.assertIn(f"; {meant} is.", found["what"])
                self.assertIn(f"export {meant}=1", found["mend"])

    def test_values_that_cannot_be_read(self):
        for name, value in (("OMP_NUM_THREADS", "many"), ("OMP_SCHEDULE", "fast"), ("VICINO_SCHEDULE", "nic"),
                            ("OMP_PROC_BIND", "sideways"), ("KMP_BLOCKTIME", "soon")):
            with self.subTest(name=name):
                self.expect("value", f"{name}='{value}'", **{name: value})
        self.expect("value", OMP_NUM_THREADS="many", KMP_WARNINGS="false")
        self.expect("value", OMP_STACKSIZE="big", KMP_STACKSIZE="16M")  # no contradiction

    def test_files(self):
        junk = self.work / "junk"
        junk.write_text("no such thing\n", encoding="utf-8")
        for name, why in (("VICINO_CONFIG", "No such file"), ("VICINO_MACHINE", "no machine that hwloc can read")):
            self.expect("file", f"{name}=/nowhere/a", why, **{name: "/nowhere/a"})
        for name in ("VICINO_CONFIG", "VICINO_MACHINE", "VICINO_PROFILE"):
            self.expect("file", f"{name}={junk}", **{name: str(junk)})
        self.expect("file", "/nowhere/a.so: No such file", OMP_TOOL_LIBRARIES=f"libtool.so:{junk}:/nowhere/a.so")
        for name in ("VICINO_PROFILE", "VICINO_STATS", "VICINO_REPORT", "VICINO_JOB_REPORT", "VICINO_EXPLAIN", "VICINO_TRACE"):
            self.expect("file", f"{name}=/nowhere/a", "No such file", **{name: "/nowhere/a"})
            self.expect("file", f"{name}={self.work}", "directory", **{name: str(self.work)})

    def test_contradictions(self):
        for variables in ({"OMP_STACKSIZE": "8M", "KMP_STACKSIZE": "16M"}, {"OMP_NESTED": "true",
                          "OMP_MAX_ACTIVE_LEVELS": "1"}, {"OMP_PROC_BIND": "false", "OMP_PLACES": "cores"},
                          {"OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "infinite"},
                          {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "infinite"},
                          {"OMP_WAIT_POLICY": "active", "KMP_BLOCKTIME": "0"},
                          {"OMP_WAIT_POLICY": "active", "KMP_LIBRARY": "throughput"},
                          {"VICINO_EXPLORE": "false", "VICINO_STATIC": "tuned"},
                          {"VICINO_LEND": "true", "OMP_PROC_BIND": "close"},
                          {"OMP_NUM_THREADS": "2", "OMP_THREAD_LIMIT": "1"}):
            with self.subTest(**variables):
                self.expect("contradiction", *(f"{k}={v}" for k, v in variables.items() if k != "VICINO_LEND"),
                            **variables)


class Programs(DoctorCase):
    def test_uneven_static_loop(self):
        self.needs_two_cpus()
        for by in (GCC, CLANG):
            with self.subTest(by=by):
                found = self.expect("uneven", "2 threads", words=("--", self.programs.build(LOOPS, by), "uneven"),
                                    OMP_NUM_THREADS=2)
                # A quarter and three quarters of the iterations; their CPU time also has what others put in the caches.
                [share] = re.search(r"shares of the threads: (\d+) %, \d+ %", json.dumps(found)).groups()
                self.assertIn(int(share), range(20, 31), found)
                self.assertIn("main+0x", found["what"])
                self.assertEqual(found["mend"], "vicino convert --in-place SOURCE.c, "
                                 "or schedule(runtime) by hand in place of its clause")
                self.assertGreater(found["times"], 1.1)
                line = LOOPS[:LOOPS.index("#pragma")].count("\n") + 1
                found = self.expect("uneven", words=("--", self.programs.build(LOOPS, by, "-g"), "uneven"), OMP_NUM_THREADS=2)
                self.assertIn(f"loops.c:{line} is uneven", found["what"])
                self.assertIn("vicino convert --in-place loops.c", found["mend"])

    def test_uneven_static_loop_beside_fortran(self):
        self.needs_two_cpus()
        program = self.programs.build(LOOPS, GCC, "-Wl,--no-as-needed", "-lgfortran")
        found = self.expect("uneven", words=("--", program, "uneven"), OMP_NUM_THREADS=2)
        self.assertIn("!$omp do", found["mend"])

    def test_uneven_loop_whose_schedule_is_set(self):
        self.needs_two_cpus()
        asks = LOOPS.replace("schedule(static)", "schedule(runtime)")
        for by in (GCC, CLANG):
            with self.subTest(by=by):
                found = self.expect("uneven", words=("--", self.programs.build(asks, by), "uneven"), OMP_NUM_THREADS=2,
                                    OMP_SCHEDULE="static")
                self.assertTrue(found["mend"].startswith("OMP_SCHEDULE=auto vicino run -- "), found)

    def test_regions_that_are_too_small(self):
        self.needs_two_cpus()
        for by in (GCC, CLANG):
            with self.subTest(by=by):
                self.expect("small", "20000 executions on 2 threads",
                            words=("--", self.programs.build(LOOPS, by), "small"), OMP_NUM_THREADS=2)

    def test_a_program_that_asks_for_too_many_threads(self):
        found = self.doctor("--", self.programs.build(LOOPS, GCC), "even", 64)["by"]
        self.assertIn("clause", found)
        self.assertIn("of up to 64 threads", json.dumps(found["clause"]))

    def test_regions_that_get_fewer_threads(self):
        self.needs_two_cpus()
        found = self.doctor("--", self.programs.build(LOOPS, GCC), "even", 2, OMP_THREAD_LIMIT=1)["by"]
        self.assertIn("fewer", found)
        self.assertIn("1 thread where 2 were asked for", json.dumps(found["fewer"]))
        self.assertEqual(found["fewer"]["mend"], "unset OMP_THREAD_LIMIT")

    def test_two_runtimes(self):
        """One by gcc, one by clang, in one process."""
        folder = self.work
        (folder / "plugin.c").write_text(PLUGIN, encoding="utf-8")
        (folder / "main.c").write_text("int work(void);\nint main(void) { int n = 0;\n#pragma omp parallel\n"
                                       "#pragma omp atomic\nn++;\nreturn work() == 0 || n == 0; }", encoding="utf-8")
        subprocess.run([CLANG, "-fopenmp", "-fPIC", "-shared", "plugin.c", "-o", "libplugin.so"], cwd=folder, check=True)
        subprocess.run([GCC, "-fopenmp", "main.c", "-L.", "-lplugin", f"-Wl,-rpath,{folder}", "-o", "main"], cwd=folder,
                       check=True)
        found = self.expect("runtimes", "needs libgomp.so.1", "needs libomp", words=("--", folder / "main"))
        self.assertIn("vicino run -- ", found["mend"])

    def test_a_copy_that_stays_foreign(self):
        """A library that is opened with RTLD_DEEPBIND calls the runtime of its wheel."""
        (self.work / "plugin.c").write_text(PLUGIN, encoding="utf-8")
        library = foreign.link_plugin(self.work / "plugin.c", foreign.make_library(self.work))
        host = self.programs.build(HOST, GCC, "-ldl")
        self.assertNotIn("foreign", self.doctor("--", host, library)["by"])
        found = self.doctor("--", host, library, "deep")["by"]["foreign"]
        self.assertIn("libgomp-1.so", found["mend"])
        # The command mends it.
        subprocess.run(["bash", "-c", found["mend"]], check=True)
        self.assertNotIn("foreign", self.doctor("--", host, library, "deep")["by"])

    def test_a_program_that_cannot_run_on_vicino(self):
        self.expect("not-on-vicino", "it is statically linked", words=("--", STATIC_APP))

    def test_failures(self):
        loops = self.programs.build(LOOPS, GCC)
        for words, status, texts in (
                (("--", loops, "fails"), 3,
                 ("failed on Vicino: exit status 1", "without Vicino it fails, too: exit status 1")),
                (("--", "sh", "-c", "exit ${VICINO_REPORT:+4}"), 3,
                 ("'sh' failed on Vicino: exit status 4 (without Vicino it does not fail)",)),
                (("--timeout", "0.2s", "--", "sleep", "5"), 3, ("did not end within 0.2 s",)),
                (("--", "/nope"), 127, ("/nope",)),
                (("--", self.work), 126, (str(self.work),)),
                (("--timeout", "soon", "--", "ls"), 2, ("--timeout", "'soon'")),
                (("--env", "A", "--", "ls"), 2, ("--env", "'A'", "NAME=VALUE")),
                (("--what",), 2, ("'--what'",))):
            with self.subTest(words=words):
                done = self.run_vicino("doctor", *words)
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                for text in texts:
                    self.assertIn(text, done.stderr)
                self.assertNotIn("VICINO_PROFILE", done.stderr)  # it is the command's own
        self.assert_nothing_left()

    def test_a_program_without_openmp_is_no_finding(self):
        told = self.expect_none("--", shutil.which("true"))
        self.assertIn("parallel regions: the program had none", " ".join(told["not_looked_at"]))


class WithoutRoom(DoctorCase):
    def test_no_report_fits(self):
        full = f"mount -t tmpfs -o size=64k none {self.work} && cat /dev/zero 2> /dev/null > {self.work}/zero; "
        inside = ("unshare", "--mount", "sh", "-c", full + 'exec "$0" "$@"')
        if subprocess.run([*inside[:4], f"mount -t tmpfs none {self.work}"], check=False, capture_output=True).returncode != 0:
            self.skipTest("this process may mount nothing")
        told = self.doctor("--", self.programs.build(LOOPS, GCC), "even", 2, prefix=inside, TMPDIR=self.work)
        self.assertIn(f"its report may not fit into '{self.work}' (TMPDIR): No space left on device",
                      " ".join(told["not_looked_at"]))


class WithoutProc(DoctorCase):
    def test_nothing_mounted(self):
        """In a namespace whose /proc and /sys are empty."""
        script = 'mount -t tmpfs none /sys && mount -t tmpfs none /proc && exec "$0" doctor --json'
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(VICINO)], env=self.env, text=True,
                              capture_output=True, check=False)
        if "unshare" in done.stderr or "mount" in done.stderr:
            self.skipTest(f"no mounts here: {done.stderr}")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told["findings"]), (0, []), done.stderr)
        for text in ("other processes", "the clock's governor"):
            self.assertIn(text, " ".join(told["not_looked_at"]))


if __name__ == "__main__":
    unittest.main()
