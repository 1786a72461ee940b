"""VICINO_OBJECTIVE: what the tuner does for an objective other than time, and what it says if the kernel
grants no counters. Counters come from a preloaded stand-in for the kernel (counters.c)."""
import errno
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from surroundings import HERE, LIBRARY, WORK, Case, build, clean_environment, compiler
from harness import runtime

# Where threads share out iterations among themselves, a thread that is held up runs fewer of them, so
# the energy that two threads use is not known beforehand.
SHARED = r"([\d.]+ J|\d{3} mJ)"
# Times are noisy, so the schedule may not be chosen yet.
BOTH = r"\n  (so far )?\w+ on 2 threads[:;]"
COUNTERS = ("cycles", "llc_misses", "node_loads", "node_misses")


class Objective(Case):
    def counters(self, **how):
        shim = build.build(HERE / "counters.c", compiler(), [], WORK / "surroundings", shared=True)
        return {"LD_PRELOAD": shim, "OMP_NUM_THREADS": 2, **how}

    def explained(self, what, times, *construct, **settings):
        _, error = self.run_on_vicino("spend", what, times, *construct, VICINO_EXPLAIN="true",
                                      **settings)
        return error

    def explained_undisturbed(self, *arguments, **settings):
        """The text of the first of five runs in which no other process changed what an execution uses,
        or else of the last run."""
        for _ in range(5):
            error = self.explained(*arguments, **settings)
            if "explored again" not in error:
                break
        return error

    def explained_others(self, what, times, **settings):
        """The texts for a taskloop and for a region whose number of threads the tuner chooses."""
        for construct in ("taskloop", "region"):
            yield construct, self.explained_undisturbed(what, times, construct,
                                                        VICINO_MOLD="regions", **settings)


class NotGranted(Objective):
    def said(self, objective, *named, **how):
        output, error = self.run_on_vicino("team", 2, 2, **self.counters(**how),
                                           VICINO_OBJECTIVE=objective)
        self.assertEqual(output.split(), ["2", "2"])
        lines = error.splitlines()
        self.assertEqual(len(lines), 1, error)
        for words in (f"vicino: VICINO_OBJECTIVE={objective} ", "tuned for time", *named):
            self.assertIn(words, lines[0])

    def test_one_line_says_what_the_kernel_answered(self):
        paranoid = pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text().strip()
        for objective in COUNTERS:
            for answer, told in {**{name: os.strerror(getattr(errno, name)) for name in ("EACCES", "EPERM", "ENOSYS")},
                                 "ENOENT": "there is no such counter here"}.items():
                with self.subTest(objective=objective, answer=answer):
                    self.said(objective, told, f"perf_event_paranoid is {paranoid}",
                              COUNTERS=answer)

    def test_energy_names_both_ways(self):
        with tempfile.TemporaryDirectory() as root:
            self.said("energy", "/sys/class/powercap/: no zone", "devices/power: no event",
                      COUNTERS_ROOT=root)

    def test_nothing_is_said_of_what_is_not_wanted(self):
        for settings in ({"VICINO_OBJECTIVE": "time"},
                         {"VICINO_OBJECTIVE": "cycles", "VICINO_EXPLORE": "false"}):
            _, error = self.run_on_vicino("team", 2, **self.counters(COUNTERS="EACCES"), **settings)
            self.assertEqual(error, "")

    def test_a_word_that_is_none_is_refused(self):
        _, error = self.run_on_vicino("team", 2, VICINO_OBJECTIVE="joules")
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertIn("joules", error)
        self.assertIn("time, cycles, llc_misses, node_loads, node_misses or energy", error)

    def test_loops_are_tuned_for_time_then(self):
        error = self.explained("time", 20, **self.counters(COUNTERS="EACCES"),
                               VICINO_OBJECTIVE="cycles")
        self.assertRegex(error, r"\nvicino: loops that the tuner chose for \(version \S+\)\n")
        self.assertRegex(error, r"(static|ich) +2 +\d+ +[\d.]+ [um]s ")


class Granted(Objective):
    def setUp(self):
        """The kernel may refuse even a software counter; then these tests are skipped."""
        _, error = self.run_on_vicino("team", 2, **self.counters(COUNTERS="software"),
                                      VICINO_OBJECTIVE="cycles")
        if error:
            self.skipTest(error)

    def test_least_cycles_may_take_longer(self):
        """On two threads half of the iterations burn cycles, although the loop takes half the time."""
        error = self.explained_undisturbed("cycles", 100, **self.counters(COUNTERS="software"),
                                           VICINO_OBJECTIVE="cycles")
        # The tuner may still be trying schedules if other processes disturb it.
        self.assertRegex(error, r"\n  (so far )?\w+ on 1 thread[:;] ")
        self.assertRegex(error, r"vicino: loops that the tuner chose for, by cycles \(version \S+\)\n")
        self.assertIn(" Mcycles ", error)

    def test_least_cycles_of_taskloops_and_regions(self):
        for construct, error in self.explained_others(
                "cycles", 60, **self.counters(COUNTERS="software"), VICINO_OBJECTIVE="cycles"):
            # The first execution of the taskloop pays for those that are tried.
            timed = 59 if construct == "taskloop" else 60
            self.assertRegex(error, rf"\n\S+, {construct}, team of 2, timed {timed} times")
            self.assertRegex(error, r"\n  (so far )?(\w+ on )?1 thread[:;] ")
            self.assertIn(" Mcycles ", error)

    def test_a_thread_without_a_counter_leaves_taskloops_and_regions_untuned(self):
        for construct, error in self.explained_others(
                "cycles", 20, **self.counters(COUNTERS="EMFILE", COUNTERS_AFTER=2),
                VICINO_OBJECTIVE="cycles"):
            if "is not granted" in error:
                self.skipTest("this machine has no counter of cycles")
            self.assertEqual(error.count("a thread gets no counter"), 1, error)
            self.assertIn(f", {construct}, team of 2, timed 0 times", error)

    def test_a_region_whose_last_tasks_nobody_counts_is_left_untuned(self):
        error = self.explained("cycles", 10, "tasks", **self.counters(COUNTERS="software"),
                               VICINO_OBJECTIVE="cycles", VICINO_MOLD="regions")
        self.assertIn(", region, team of 2, timed 0 times", error)

    def test_each_objective_has_its_unit(self):
        for objective, unit in zip(COUNTERS, ("cycles", "misses", "loads", "misses")):
            with self.subTest(objective=objective):
                error = self.explained("cycles", 10, **self.counters(COUNTERS="software"),
                                       VICINO_OBJECTIVE=objective)
                self.assertRegex(error, rf"(static|ich) +2 +\d+ +[\d.e+]+ M{unit} ")

    def test_a_thread_without_a_counter_leaves_the_loop_untuned(self):
        """After a trial the first thread gets a counter; the second thread does not."""
        error = self.explained("cycles", 20, **self.counters(COUNTERS="EMFILE", COUNTERS_AFTER=2),
                               VICINO_OBJECTIVE="cycles")
        if "is not granted" in error:
            self.skipTest("this machine has no counter of cycles")
        self.assertEqual(error.count("a thread gets no counter"), 1, error)
        self.assertIn("perf_event_open of cycles: Too many open files", error)
        self.assertIn("timed 0 times", error)

    def test_counters_are_closed_with_threads_and_in_children(self):
        output, _ = self.run_on_vicino("held", **self.counters(COUNTERS="software"),
                                       VICINO_OBJECTIVE="cycles")
        held = [line.split() for line in output.splitlines()]
        self.assertEqual(held, [
            ["alone", "0"], ["three", "3"],
            # After that the second thread of the root's team comes from the pool, or is new.
            ["in_thread", "5"], ["joined", "4"],
            ["child", "0"], ["child_after", "2"], ["parent", "4"],
            ["child", "0"], ["child_after", "2"], ["end", "4"]])

    def runs_well(self, program, **settings):
        binary = build.build(HERE.parent / "omp" / program, compiler(), [],
                             WORK / "surroundings")
        environment = clean_environment()
        environment.update(runtime.Runtime(LIBRARY, WORK).environment())
        environment.update({k: str(v) for k, v in self.counters(
            COUNTERS="software", VICINO_OBJECTIVE="cycles", **settings).items()})
        done = subprocess.run([binary], env=environment, capture_output=True, text=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_loops_run_each_iteration_once(self):
        """The loops of test/omp/auto_loops.c are cancelled, nested, overlapping and short."""
        self.runs_well("auto_loops.c", OMP_CANCELLATION="true")

    def test_taskloops_and_regions_run_once(self):
        for cancellation in ("false", "true"):
            with self.subTest(cancellation=cancellation):
                self.runs_well("taskloop_tuned.cpp", OMP_NUM_THREADS=4,
                               OMP_CANCELLATION=cancellation)
                self.runs_well("region_tuned.c", OMP_NUM_THREADS=4,
                               VICINO_MOLD="regions", OMP_CANCELLATION=cancellation)


class Energy(Objective):
    RANGE = 3_000_000  # less than three executions take, so the counter often wraps in one

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.zone = self.root / "sys/class/powercap/intel-rapl:0"
        self.zone.mkdir(parents=True)
        for name, text in (("name", "package-0"), ("energy_uj", "0"),
                           ("max_energy_range_uj", self.RANGE)):
            (self.zone / name).write_text(f"{text}\n")

    def settings(self, objective, begins_again=RANGE):
        return self.counters(COUNTERS_ROOT=self.root, VICINO_OBJECTIVE=objective,
                             ENERGY_FILE=self.zone / "energy_uj", ENERGY_RANGE=begins_again)

    def told(self, times, *settings):
        return self.explained("energy", times, **self.settings(*settings))

    def test_least_energy_is_another_choice_than_least_time(self):
        """A thread other than the first takes ten times the energy: 1.1 J in all, against 0.2 J."""
        error = self.told(100, "energy")
        self.assertRegex(error, r"vicino: loops that the tuner chose for, by energy \(version \S+\)\n")
        self.assertRegex(error, r"\n  \w+ on 1 thread: 200 mJ against 1\.1 J for static on 2 threads")
        self.assertRegex(error, r"(static|ich) +2 +\d+ +1\.1 J  1\.1 J to 1\.1 J")
        saved = re.search(r"; about ([\d.]+) J saved\n", error)
        self.assertGreater(float(saved[1]), 10)
        error = self.told(100, "time")
        self.assertRegex(error, BOTH)

    def test_least_energy_of_taskloops_and_regions(self):
        for construct, error in self.explained_others("energy", 60, **self.settings("energy")):
            two = "1\\.1 J" if construct == "region" else SHARED
            self.assertRegex(error, rf"\n  (\w+ on )?1 thread: 200 mJ against {two} for ")
        for construct, error in self.explained_others("energy", 60, **self.settings("time")):
            self.assertRegex(error, r"\n  (so far )?(\w+ on )?2 threads[:;]")

    def test_a_counter_that_breaks_stops_the_tuning(self):
        """After the first iteration the file shows a value beyond its range."""
        (self.zone / "max_energy_range_uj").write_text("500000000\n")
        error = self.told(20, "energy", 1_000_000_000)
        self.assertIn("timed 0 times", error)
        self.assertNotIn(" J ", error)


if __name__ == "__main__":
    unittest.main(verbosity=2)
