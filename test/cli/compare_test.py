"""`vicino compare`: what it says about programs whose speed and faults are known."""

import json
import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command import APP, Case, OWN, REPLACEMENT, STATIC_APP, printed_on_terminal, words


class Compare(Case):
    def compare(self, *arguments, **options):
        return self.run_vicino("compare", "--seed", "1", *arguments, **options)

    def samples(self, *arguments, status=0):
        done = self.compare("--json", "-", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)


class Verdict(Compare):
    def test_faster(self):
        """The fixtures sleep 60 ms and 20 ms; the start of a process adds to both times."""
        done = self.compare("--pairs", "8", APP)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"Vicino is [12]\.\d\dx faster \(95 % interval")
        self.assertRegex(done.stdout, r"own +" + re.escape(str(OWN)))
        self.assertRegex(done.stdout, r"8 in random order \(seed 1\), after 1 warm-up run of each")

    def test_slower(self):
        env = {**self.env, "VICINO_LIBRARY": str(OWN)}
        done = self.compare("--pairs", "8", "--with", REPLACEMENT, APP, env=env)
        self.assertRegex(done.stdout, r"Vicino is [12]\.\d\dx slower \(95 % interval")

    def test_no_difference(self):
        """Compares a constant figure: between equal times one comparison in twenty sees a difference."""
        done = self.compare("--pairs", "6", "--metric", "figure (.*)", "--higher-is-better", APP,
                            "constant")
        self.assertIn("No difference was seen: ratio 1.000", done.stdout)

    def test_too_few_pairs(self):
        done = self.compare("--pairs", "2", APP)
        self.assertEqual(done.returncode, 0)
        self.assertIn("2 pairs are too few for a verdict", done.stdout)
        self.assertNotIn("faster", done.stdout)

    def test_time_budget_ends_it(self):
        began = time.monotonic()
        found = self.samples("--time", "0.5s", APP)
        self.assertLess(time.monotonic() - began, 20)
        self.assertGreater(found["pairs"], 1)


class Metric(Compare):
    ARGUMENTS = ("--pairs", "6", "--metric", r"delay: (\d+) ms")

    def test_last_match_counts(self):
        found = self.samples(*self.ARGUMENTS, "--lower-is-better", APP, "figure")
        self.assertEqual({s["metric"] for s in found["base"]["samples"]}, {60})
        self.assertAlmostEqual(found["ratio"]["estimate"], 3)
        self.assertEqual(found["verdict"], "better")

    def test_direction_turns_the_verdict(self):
        done = self.compare(*self.ARGUMENTS, "--higher-is-better", APP, "figure")
        self.assertIn("Vicino is 3.00x worse (95 % interval 3.00 to 3.00)", done.stdout)

    def test_that_does_not_match_fails(self):
        done = self.compare(*self.ARGUMENTS, "--lower-is-better", APP, "id")
        self.assertEqual((done.returncode, done.stdout), (5, ""))
        self.assertIn("| first line", done.stderr)


class Fails(Compare):
    def fails(self, status, text, *arguments):
        done = self.compare("--pairs", "2", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertIn(text, done.stderr)
        self.assert_nothing_left()
        return done.stderr

    def test_when_only_one_side_fails(self):
        self.fails(3, "on Vicino the program failed: exit status 3, but not on libgomp.so.1",
                   APP, "fail-on", "2")

    def test_when_one_side_crashes(self):
        self.fails(3, "on Vicino the program failed: signal 6", APP, "crash-on", "2")

    def test_when_the_program_fails_by_itself(self):
        self.fails(3, "exit status 3", APP, "fail-on", "1")

    def test_when_outputs_differ(self):
        text = self.fails(4, "line 2: expected '1'", "--same-output", APP, "id")
        self.assertIn("found '2'", text)
        self.assertNotIn("from run to run", text)

    def test_without_blame_when_the_program_never_repeats_itself(self):
        self.fails(4, "differs from run to run", "--same-output", "sh", "-c", f"{APP}; echo $$")

    def test_not_when_nobody_asked(self):
        self.assertEqual(self.compare("--pairs", "1", APP, "id").returncode, 0)

    def test_when_a_run_takes_too_long(self):
        began = time.monotonic()
        self.fails(3, "it did not end in time", "--timeout", "0.5s", APP, "hang")
        self.assertLess(time.monotonic() - began, 20)

    def test_without_a_runtime_to_replace(self):
        self.fails(6, "'true' loads no OpenMP runtime", "true")
        self.fails(6, "statically linked", STATIC_APP)

    def test_when_the_program_gets_away(self):
        self.fails(6, f"did not run on {REPLACEMENT}: it used libgomp.so.1", "sh", "-c",
                   f"LD_PRELOAD= LD_LIBRARY_PATH= exec {APP}")

    def test_with_itself(self):
        self.fails(6, "same runtime", "--with", REPLACEMENT, APP)

    def test_without_a_program(self):
        self.fails(127, "'no-such-program'", "no-such-program")


class AtOnce(Compare):
    """Several copies of a program in each run."""

    def setUp(self):
        super().setUp()
        self.log = self.work / "log"

    def meet(self, copies):
        """Shell code in which a copy waits until all copies of its run are there."""
        return (f"echo $$ >> {self.log}; "
                f"until [ $(( $(wc -l < {self.log}) % {copies} )) -eq 0 ]; do sleep 0.01; done")

    def one_of(self, copies, which, its, others):
        """Shell code of which the first or the last copy of a run does `its`, and the others do `others`. The
        copies' numbers as processes rise in the order in which they were made."""
        end = {"first": "head", "last": "tail"}[which]
        return (f"{APP}; {self.meet(copies)}; one=$(tail -n {copies} {self.log} | sort -n | {end} -n 1); "
                f"if [ $$ = $one ]; then {its}; else {others}; fi")

    def start_and_stay(self, *arguments):
        """Starts three copies that stay for ten minutes; returns when they are there."""
        started = self.start("compare", "--at-once", "3", *arguments, "sh", "-c",
                             f"{APP}; echo $$ >> {self.log}; sleep 600")
        while not self.log.exists() or len(self.log.read_text().split()) < 3:
            self.assertIsNone(started.poll())
            time.sleep(0.05)
        return started

    def assert_all_gone(self, copies=3):
        pids = [int(pid) for pid in self.log.read_text().split()]
        self.assertEqual(len(pids), copies)
        for pid in pids:
            self.assertRaises(ProcessLookupError, os.kill, pid, 0)

    def test_copies_run_at_the_same_time(self):
        done = self.compare("--pairs", "2", "--warmup", "2", "--at-once", "3", "--timeout", "20s",
                            "sh", "-c", f"{APP}; {self.meet(3)}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("copies   3 at once: time until the last has ended, CPU time of all", done.stdout)
        self.assertEqual(self.log.read_text().count("\n"), 3 * 2 * (2 + 2))

    def test_time_is_that_of_the_slowest(self):
        for which, at in (("first", 0), ("last", 2)):
            with self.subTest(which=which):
                found = self.samples("--pairs", "1", "--at-once", "3", "sh", "-c",
                                     self.one_of(3, which, "sleep 1", "true"))
                self.assertEqual(found["at_once"], 3)
                for side in ("base", "candidate"):
                    sample, = found[side]["samples"]
                    self.assertEqual(len(sample["walls"]), 3)
                    self.assertGreaterEqual(sample["walls"][at], 1)
                    self.assertEqual(sample["wall"], max(sample["walls"]))

    def test_cpu_time_is_that_of_all(self):
        spin = f"{APP}; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"
        used = {}
        for copies in (1, 4):
            found = self.samples("--pairs", "1", "--at-once", copies, "sh", "-c", spin)
            used[copies] = [sum(found[side]["samples"][0][part] for part in ("user", "system"))
                            for side in ("base", "candidate")]
        self.assertGreater(min(used[4]), 2 * max(used[1]))

    def test_a_metric_is_the_mean(self):
        found = self.samples("--pairs", "6", "--at-once", "2", "--metric", "figure (.*)", "--lower-is-better",
                             "sh", "-c", self.one_of(2, "last", "echo figure 1", "echo figure 4"))
        self.assertEqual({s["metric"] for side in ("base", "candidate") for s in found[side]["samples"]}, {2.5})

    def test_a_metric_that_one_copy_lacks(self):
        done = self.compare("--pairs", "1", "--at-once", "2", "--metric", "figure (.*)", "--lower-is-better",
                            "sh", "-c", self.one_of(2, "first", "echo figure 1", "echo none"))
        self.assertEqual((done.returncode, done.stdout), (5, ""))

    def test_a_copy_that_fails_ends_the_others(self):
        began = time.monotonic()
        done = self.compare("--at-once", "3", "sh", "-c", self.one_of(3, "last", "exit 3", "sleep 600"))
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertIn("on own runtime copy 3 of 3 failed: exit status 3", done.stderr)

    def test_copies_that_fail_on_one_side(self):
        done = self.compare("--at-once", "3", APP, "crash-on", "2")
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertRegex(done.stderr, r"on Vicino copy [123] of 3 failed: signal 6.*, but not on libgomp.so.1")

    def test_a_copy_whose_output_differs(self):
        done = self.compare("--at-once", "3", "--same-output", "sh", "-c",
                            self.one_of(3, "last", "echo one", "echo other"))
        self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
        self.assertIn("differs from run to run", done.stderr)

    def test_outputs_that_differ_on_one_side(self):
        done = self.compare("--at-once", "3", "--same-output", APP, "id")
        self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
        self.assertIn("line 2: expected '1'", done.stderr)
        self.assertNotIn("from run to run", done.stderr)

    def test_a_time_limit_ends_all(self):
        started = self.start_and_stay("--timeout", "2s")
        out, err = started.communicate(timeout=30)
        self.assertEqual((started.returncode, out), (3, ""))
        self.assertIn("copy 1 of 3 failed: it did not end in time", err)
        self.assert_all_gone()

    def test_a_signal_ends_all(self):
        started = self.start_and_stay()
        started.send_signal(signal.SIGTERM)
        out, _ = started.communicate(timeout=30)
        self.assertEqual(started.returncode, 128 + signal.SIGTERM)
        self.assertIn("there is no result", out)
        self.assert_all_gone()

    def test_a_copy_that_ignores_signals_is_killed(self):
        started = self.start("compare", "--at-once", "2", "--timeout", "0.5s", "sh", "-c",
                             f"trap '' TERM; echo $$ >> {self.log}; while :; do sleep 1; done")
        started.communicate(timeout=30)
        self.assertEqual(started.returncode, 3)
        self.assert_all_gone(2)

    def test_each_copy_gets_the_input(self):
        text = self.work / "input"
        text.write_text("7\n8\n")
        with text.open() as file:
            done = self.compare("--pairs", "1", "--at-once", "3", "--timeout", "20s", "--same-output", "sh", "-c",
                                f"{APP}; cat; {self.meet(3)}", stdin=file)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_without_a_program(self):
        done = self.compare("--at-once", "3", "no-such-program")
        self.assertEqual((done.returncode, done.stdout), (127, ""))
        self.assertIn("'no-such-program'", done.stderr)


class Sees(Compare):
    def test_runtime_of_a_child(self):
        found = self.samples("--pairs", "1", "sh", "-c", f"{APP}; true")
        self.assertEqual(found["base"]["runtimes"], [str(OWN)])
        self.assertEqual(found["candidate"]["runtimes"], [str(REPLACEMENT)])

    def test_same_input_every_time(self):
        """With a shared file position only the first run would get the input."""
        text = self.work / "input"
        text.write_text("7\n8\n")
        with text.open() as file:
            done = self.compare("--pairs", "1", "--same-output", "sh", "-c", f"{APP}; cat",
                                stdin=file)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_variables_of_both(self):
        done = self.compare("--pairs", "1", "--env", "STATUS=0", "sh", "-c", f"{APP}; exit $STATUS")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_children_that_stay_are_stopped(self):
        pid = self.work / "pid"
        self.compare("--pairs", "1", "sh", "-c", f"sleep 600 & echo $! > {pid}; {APP}")
        stat = Path("/proc", pid.read_text().strip(), "stat")
        for _ in range(100):
            if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return
            time.sleep(0.05)
        self.fail("a child of the program runs on")


class Json(Compare):
    def test_has_all_that_was_measured(self):
        file = self.work / "out.json"
        done = self.compare("--pairs", "6", "--warmup", "2", "--json", file, APP)
        self.assertIn("faster", done.stdout)
        found = json.loads(file.read_text())
        self.assertEqual(found["schema"], "vicino-compare-1")
        self.assertEqual((found["pairs"], found["warmups"], found["seed"]), (6, 2, 1))
        self.assertEqual(found["at_once"], 1)
        self.assertEqual(found["program"], [str(APP)])
        self.assertEqual((found["verdict"], found["measured"]), ("better", "wall"))
        self.assertGreaterEqual(found["machine"]["counts"]["thread"], 1)
        self.assertLess(found["ratio"]["low"], found["ratio"]["high"] + 1e-9)
        for side in ("base", "candidate"):
            self.assertEqual(len(found[side]["samples"]), 6)
            for sample in found[side]["samples"]:
                self.assertEqual(set(sample), {"wall", "user", "system"})
                self.assertGreater(sample["wall"], 0.02)

    def test_a_file_that_cannot_be_written(self):
        """It is told before the first run, and no file is left that was not there."""
        ran, page = self.work / "ran", self.work / "page.html"
        for good, bad in (("--html", "--json"), ("--json", "--html")):
            done = self.compare("--pairs", "1", good, page, bad, "/nope/x.json", "sh", "-c", f"echo >> {ran}; {APP}")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("cannot write '/nope/x.json': No such file or directory", done.stderr)
        self.assertEqual((ran.exists(), page.exists()), (False, False))

    def test_one_file_that_cannot_be_written_keeps_back_no_other(self):
        file = self.work / "out.json"
        done = self.compare("--pairs", "1", "--html", "/dev/full", "--json", file, APP)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write '/dev/full': No space left on device", done.stderr)
        self.assertEqual(json.loads(file.read_text())["pairs"], 1)

    def test_a_name_that_is_no_text(self):
        file = self.work / "out.json"
        program = self.work / os.fsdecode(b"caf\xe9")
        program.symlink_to(APP)
        done = self.compare("--pairs", "1", "--json", file, program, errors="replace")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(file.read_bytes().decode())["program"], [f"{self.work}/caf\ufffd"])


class TemporaryFolder(Compare):
    def test_that_is_full(self):
        full = f"mount -t tmpfs -o size=64k none {self.tmp} && {{ cat /dev/zero > {self.tmp}/zero; "
        inside = ["unshare", "--mount", "sh", "-c", full + 'exec "$0" "$@"; } 2>&1', *words("compare", "--pairs", "1", APP)]
        if subprocess.run([*inside[:4], full + "true; }"], check=False, capture_output=True).returncode != 0:
            self.skipTest("this process may mount nothing")
        done = subprocess.run(inside, check=False, text=True, env=self.env, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(f"the loader's log does not fit into '{self.tmp}' (TMPDIR): No space left on device", done.stdout)

    def test_an_empty_name_is_none(self):
        self.env["TMPDIR"] = ""
        self.assertEqual(self.compare("--pairs", "1", APP).returncode, 0)

    def test_that_is_not_there(self):
        self.env["TMPDIR"] = "/nope"
        done = self.compare("--pairs", "1", APP)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no folder can be made in '/nope' (TMPDIR): No such file or directory", done.stderr)


class Interrupted(Compare):
    def test_stops_the_program_and_says_what_is_known(self):
        count = self.work / "count"
        started = self.start("compare", "--pairs", "100000", "sh", "-c", f"echo >> {count}; {APP}")
        while not count.exists() or count.stat().st_size < 8:
            time.sleep(0.05)
        started.send_signal(signal.SIGINT)
        out, _ = started.communicate(timeout=30)
        self.assertEqual(started.returncode, 128 + signal.SIGINT)
        self.assertRegex(out, r"pairs +\d+ in random order")
        self.assertRegex(out, r"too few for a verdict|faster")
        self.assert_nothing_left()

    def test_before_the_first_pair(self):
        started = self.start("compare", "sh", "-c", f"{APP}; echo $$ > {self.work}/pid; sleep 600")
        while not (self.work / "pid").exists() or not (self.work / "pid").read_text():
            time.sleep(0.05)
        started.send_signal(signal.SIGTERM)
        out, _ = started.communicate(timeout=30)
        self.assertEqual(started.returncode, 128 + signal.SIGTERM)
        self.assertIn("there is no result", out)
        pid = int((self.work / "pid").read_text())
        self.assertRaises(ProcessLookupError, os.kill, pid, 0)


class Terminal(Compare):
    def on_terminal(self, *command, env):
        """Returns what is printed on a terminal that is both standard output and standard error."""
        return printed_on_terminal(lambda terminal: self.start(*command, env=env, stdout=terminal, stderr=terminal))

    def test_bar_and_colour(self):
        text = self.on_terminal("compare", "--pairs", "6", APP, env=self.env)
        self.assertRegex(text, r"\[#+\.+\] pair 4, on (Vicino|libgomp\.so\.1)")
        self.assertRegex(text, "\033\\[1;32mVicino is .* faster")

    def test_no_colour_if_so_wished(self):
        text = self.on_terminal("compare", "--pairs", "6", APP,
                                env={**self.env, "NO_COLOR": "1"})
        self.assertRegex(text, "Vicino is .* faster")
        self.assertNotRegex(text, "\033\\[[0-9;]*m")


if __name__ == "__main__":
    unittest.main()
