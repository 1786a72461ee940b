"""`vicino selftest`: it is content with the library as built, and with nothing else."""

import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command import OWN, VICINO, Case

BUILD = VICINO.parent.parent
LIBRARY = BUILD / "lib" / "libvicino.so"
PROGRAMS = BUILD / "libexec" / "vicino" / "selftest"
HERE = Path(__file__).resolve().parent
GCC = "gcc-12"

# Which part must notice a fault of a runtime (test/omp/faults/faults.c, kmpc_faults.c).
FAULTS = {
    "gcc": (HERE.parent / "omp" / "faults" / "faults.c",
            {"parallel_lost": "team", "thread_twice": "constructs", "barrier_open": "constructs",
             "critical_open": "constructs", "ordered_open": "loops",
             "lock_open": "locks", "single_by_all": "constructs", "copy_missing": "constructs",
             "section_skipped": "reductions", "chunk_lost": "loops", "number_same": "team",
             "queries_constant": "locks", "task_lost": "tasks"}),
    "clang": (HERE / "kmpc_faults.c",
              {"barrier_open": "constructs", "critical_open": "constructs", "single_by_all": "constructs",
               "chunk_lost": "loops", "task_lost": "tasks", "taskloop_lost": "taskloops",
               "dependences_lost": "depend", "cancel_refused": "cancel", "lock_open": "locks",
               "threadprivate_shared": "constructs", "block_unaligned": "memory"}),
}


class SelftestCase(Case):
    def setUp(self):
        super().setUp()
        del self.env["VICINO_LIBRARY"]
        self.prefix = self.work / "prefix"

    def selftest(self, *options, command=VICINO, status):
        # On a busy machine, too, all runs have their time.
        options = options if "--timeout" in options else ("--timeout", "110s", *options)
        began = time.monotonic()
        done = subprocess.run([command, "selftest", *options], env=self.env, text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=180)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        done.seconds = time.monotonic() - began
        done.lines = done.stdout.splitlines()
        return done

    def install(self):
        """What is built, in a tree of its own, of which a test may change a part."""
        for folder in ("bin", "lib/vicino/replace", "libexec/vicino/selftest"):
            (self.prefix / folder).mkdir(parents=True)
        for file, place in ((VICINO, "bin/vicino"), (LIBRARY, "lib/libvicino.so")):
            try:
                os.link(os.path.realpath(file), self.prefix / place)
            except OSError:  # another file system
                shutil.copy(file, self.prefix / place)
        for name in (LIBRARY.parent / "vicino" / "replace").iterdir():
            (self.prefix / "lib/vicino/replace" / name.name).symlink_to("../../libvicino.so")
        for program in PROGRAMS.iterdir():
            (self.programs() / program.name).symlink_to(program)
        return self.prefix / "bin" / "vicino"

    def programs(self):
        return self.prefix / "libexec" / "vicino" / "selftest"

    def wrap(self, name, body):
        """Puts a script before a program; in it `real` is the program and $1 the part."""
        program = self.programs() / f"selftest-{name}"
        program.unlink()
        program.write_text(f'#!/bin/sh\nreal() {{ "{PROGRAMS / program.name}" "$@"; }}\n{body}\n', encoding="utf-8")
        program.chmod(0o755)


class Works(SelftestCase):
    def test_as_built(self):
        done = self.selftest(status=0)
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.lines[0], r"^library +/.*libvicino[.]so.*\([0-9.]+.*\)$")
        names = [line.split("  ")[0] for line in done.lines]
        for name in ("processor", "usable", "CPUs", "default team", "kernel", "C library", "container", "CPU quota"):
            self.assertIn(name, names)
        self.assertRegex(done.lines[-1], r"^All is well: \d{4} checks in [0-9.]+ s[.]$")
        for name in ("gcc", "clang"):
            self.assertTrue(any(name in line.lower() and line.endswith(": good") for line in done.lines), name)

    def test_as_json(self):
        told = json.loads(self.selftest("--json", status=0).stdout)
        self.assertEqual((told["schema"], told["status"]), ("vicino-selftest-1", 0))
        self.assertEqual({each["name"] for each in told["programs"]},
                         {program.name.removeprefix("selftest-") for program in PROGRAMS.iterdir()})
        for program in told["programs"]:
            names = [run["name"] for run in program["runs"]]
            self.assertEqual(len(names), len(set(names)))
            for name in ("loops", "loops, VICINO_SCHEDULE=nich", "tasks, VICINO_TASKS=nas", "target", "memory",
                         "cancel, OMP_CANCELLATION=true", "places, OMP_PLACES=numa_domains, OMP_PROC_BIND=close"):
                self.assertIn(name, names)
            # Beside the program's own checks each run has "end" and "runtime".
            self.assertTrue(all(run["good"] and run["checks"] > 3 for run in program["runs"]), program)

    def test_settings_of_the_user_are_left_out(self):
        self.env |= {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "OMP_DYNAMIC": "true", "OMP_PLACES": "{0}",
                     "VICINO_SCHEDULE": "static", "OMP_TARGET_OFFLOAD": "mandatory",
                     "HWLOC_XMLFILE": str(HERE.parent / "machines/epyc-7713-64.xml")}
        self.selftest(status=0)

    def test_on_one_cpu(self):
        cpu = min(os.sched_getaffinity(0))
        with_mask = ["taskset", "-c", str(cpu), str(VICINO), "selftest"]
        done = subprocess.run(with_mask, env=self.env, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, rf"\nCPUs +{cpu}( |\n)")

    def test_as_a_rank_of_an_mpi_program(self):
        """One that shares the machine with another: it has a part of the CPUs, unless places are named."""
        cpus = len(os.sched_getaffinity(0))
        self.env |= {f"OMPI_COMM_WORLD_{name}": value for name, value in
                     (("SIZE", "2"), ("RANK", "1"), ("LOCAL_SIZE", "2"), ("LOCAL_RANK", "1"))}
        done = self.selftest("--json", status=0)
        self.assertEqual(json.loads(done.stdout)["machine"]["default_team_size"], max(1, cpus // 2))

    def test_under_a_quota(self):
        """Of one and a half CPUs, by either version of control groups: a team then has at most two threads."""
        group = Path("/sys/fs/cgroup/cpu" if Path("/sys/fs/cgroup/cpu").is_dir() else "/sys/fs/cgroup",
                     f"vicino-selftest-{os.getpid()}")
        try:
            group.mkdir()
            self.addCleanup(group.rmdir)
            if (group / "cpu.cfs_quota_us").exists():
                (group / "cpu.cfs_quota_us").write_text("150000")
            else:
                (group / "cpu.max").write_text("150000 100000")
        except OSError as why:
            self.skipTest(f"no control group can be made here: {why}")
        in_group = f'echo $$ > {group}/cgroup.procs && exec "$0" selftest --timeout 60s'
        done = subprocess.run(["sh", "-c", in_group, VICINO], env=self.env, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\nCPU quota +1[.]50 CPUs\n")

    def test_elsewhere(self):
        self.selftest(command=self.install(), status=0)
        self.assert_nothing_left()

    def test_without_a_replacement_folder(self):
        """A private one is made, and removed."""
        command = self.install()
        shutil.rmtree(self.prefix / "lib" / "vicino")
        self.selftest(command=command, status=0)
        self.assert_nothing_left()

    def test_without_clang(self):
        command = self.install()
        (self.programs() / "selftest-clang").unlink()
        done = self.selftest(command=command, status=0)
        self.assertRegex(done.lines[-1], "All is well: .*; programs of clang were not built, and so not tried[.]")


class Fails(SelftestCase):
    def failures(self, done):
        return [line.strip() for line in done.lines if line.startswith("  ")]

    def test_with_another_runtime_in_the_place_of_the_library(self):
        self.env["VICINO_LIBRARY"] = str(OWN)
        done = self.selftest(status=3)
        self.assertIn("does not work here", done.lines[-1])

    def test_with_gccs_runtime_as_the_library(self):
        found = subprocess.run([GCC, "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True)
        self.env["VICINO_LIBRARY"] = found.stdout.strip()
        self.assertIn("is not Vicino", self.selftest("--timeout", "4s", status=3).stdout)

    def test_when_the_loader_refuses_a_program(self):
        command = self.install()
        self.wrap("clang", 'echo "libomp.so: cannot open shared object file" >&2; exit 127')
        done = self.selftest(command=command, status=3)
        self.assertIn("libomp.so: cannot open shared object file", done.stdout)
        self.assertTrue(any(line.startswith("gcc ") and line.endswith("good") for line in done.lines))

    def test_when_a_name_is_missing_in_the_folder(self):
        """Then the system's runtime is loaded besides, though the calls go to the preloaded library."""
        command = self.install()
        others = self.work / "others"
        others.mkdir()
        for name in (self.prefix / "lib/vicino/replace").glob("libomp*"):
            name.unlink()
            shutil.copy(OWN, others / name.name)
        self.env["LD_LIBRARY_PATH"] = str(others)
        done = self.selftest(command=command, status=6)
        self.assertRegex(done.stdout, f"'{others}/libomp.so[.5]*' is loaded besides")
        self.assertRegex(done.lines[-1], "^Vicino is not reached: [0-9]+ of [0-9]+ runs had another OpenMP runtime")

    def test_when_calls_go_to_the_systems_runtime(self):
        command = self.install()
        self.wrap("gcc", 'LD_PRELOAD= LD_LIBRARY_PATH= real "$@"')
        done = self.selftest("--timeout", "4s", command=command, status=6)  # libgomp is slow in some parts
        self.assertRegex(done.stdout, "runtime: its calls go to '/.*libgomp.so.1'")

    def test_on_a_wrong_result(self):
        command = self.install()
        self.wrap("gcc", 'real "$@" | sed "s/^ok critical$/failed critical: 399 where 400 was expected/"')
        done = self.selftest(command=command, status=3)
        self.assertIn("constructs: critical: 399 where 400 was expected", self.failures(done))
        self.assertRegex(done.lines[-1], "^Vicino does not work here: 2 of [0-9]+ runs failed")
        told = json.loads(self.selftest("--json", command=command, status=3).stdout)
        bad = [run for program in told["programs"] for run in program["runs"] if not run["good"]]
        self.assertEqual(bad[0]["failed"], [{"check": "critical", "seen": "399 where 400 was expected"}])

    def test_on_another_number_of_threads(self):
        command = self.install()
        self.wrap("gcc", 'real "$@" | sed "s/^fact threads .*/fact threads 99/"')
        done = self.selftest(command=command, status=3)
        self.assertIn("team: threads: 99 where {} was expected".format(len(os.sched_getaffinity(0))),
                      self.failures(done))

    def test_when_a_program_does_not_come_to_its_end(self):
        command = self.install()
        self.wrap("gcc", 'if [ "$1" = locks ]; then real "$@" | head -n 9; else real "$@"; fi')
        self.assertIn("locks: end: it ended before its end", self.failures(self.selftest(command=command, status=3)))

    def test_when_a_program_crashes(self):
        command = self.install()
        self.wrap("gcc", 'if [ "$1" = depend ]; then echo "last words" >&2; kill -SEGV $$; else real "$@"; fi')
        done = self.selftest(command=command, status=3)
        self.assertIn("depend: end: signal 11 (Segmentation fault)", self.failures(done))
        self.assertIn("last words", done.stdout)

    def test_when_a_program_hangs(self):
        command = self.install()
        self.wrap("gcc", 'if [ "$1" = nested ]; then real "$@"; sleep 1000; fi; real "$@"')
        done = self.selftest("--timeout", "6s", command=command, status=3)
        self.assertLess(done.seconds, 30)
        self.assertTrue(any(line.startswith("nested: end: it did not end within 1.5 s; the last check was ")
                            for line in self.failures(done)), done.stdout)

    def test_when_the_time_is_over(self):
        command = self.install()
        self.wrap("gcc", "sleep 1000")
        done = self.selftest("--timeout", "1s", command=command, status=3)
        self.assertLess(done.seconds, 30)
        self.assertTrue(any(line.endswith("runs left out: the time was over") for line in self.failures(done)))

    def test_without_its_programs(self):
        command = self.install()
        shutil.rmtree(self.programs())
        done = self.selftest(command=command, status=2)
        self.assertIn("its programs are not in '", done.stderr)

    def test_without_a_library(self):
        command = self.install()
        shutil.rmtree(self.prefix / "lib")
        self.assertIn("libvicino.so was not found", self.selftest(command=command, status=2).stderr)

    def test_with_a_library_that_does_not_suit(self):
        self.env["VICINO_LIBRARY"] = __file__
        self.assertIn("is not a library", self.selftest(status=2).stderr)

    def test_bad_usage(self):
        self.assertIn("'soon'", self.selftest("--timeout", "soon", status=2).stderr)

    def test_when_it_is_interrupted(self):
        command = self.install()
        self.wrap("gcc", "echo begun >&2; touch begun; sleep 1000")
        started = subprocess.Popen([command, "selftest"], env=self.env, cwd=self.work, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not (self.work / "begun").exists():
            time.sleep(0.01)
        started.send_signal(signal.SIGINT)
        out, _ = started.communicate(timeout=30)
        self.assertEqual((started.returncode, out), (128 + signal.SIGINT, ""))
        self.assert_nothing_left()


class NoticesFaults(SelftestCase):
    """The programs themselves, on the library with a fault before it."""

    def test_of_a_runtime(self):
        asked = [(name, fault, part) for name, (_, faults) in FAULTS.items() for fault, part in faults.items()]
        asked += [(name, None, part) for name, part in {(name, part) for name, _, part in asked}]
        for name, fault, _ in asked:
            if fault:
                self.build(name, fault)
        # Many faults are noticed because nothing goes on, some only if threads meet at an unlucky time.
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            contents = pool.map(lambda each: all(self.is_content(*each) for _ in range(20)), asked)
            for (name, fault, part), content in zip(asked, contents):
                with self.subTest(program=name, fault=fault, part=part):
                    self.assertEqual(content, fault is None)

    def library(self, name, fault):
        return self.work / f"{name}-{fault}.so"

    def build(self, name, fault):
        subprocess.run([GCC, "-O1", "-shared", "-fPIC", f"-D{fault}", FAULTS[name][0],
                        "-o", self.library(name, fault)], check=True)

    def is_content(self, name, fault, part):
        replace = LIBRARY.parent / "vicino" / "replace"
        libraries = [self.library(name, fault)] if fault else []
        preload = ":".join(map(str, (*libraries, replace / "libgomp.so.1")))
        env = {**self.env, "LD_PRELOAD": preload, "LD_LIBRARY_PATH": str(replace), "OMP_CANCELLATION": "true"}
        try:
            done = subprocess.run([PROGRAMS / f"selftest-{name}", part], env=env, text=True, capture_output=True, check=False,
                                  timeout=10)
        except subprocess.TimeoutExpired:
            return False
        lines = done.stdout.splitlines()
        return done.returncode == 0 and lines[-1] == "end" and not any(line.startswith("failed") for line in lines)


if __name__ == "__main__":
    unittest.main()
