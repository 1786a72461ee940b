"""lab/lab --locality: what a counted run prints and writes, and when nothing is counted.

    locality_test.py MARKED_PROGRAM
"""

import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import guest
from launcher import parameters

MARKED = sys.argv.pop()
BUILD = Path(os.environ["LAB_BUILD"])
LINES = 16 * (1 << 20) // 64
# Two nodes of one CPU each: the smallest machine on which there is something to count.
SMALL = """about = "two nodes"
[[nodes]]
package = 0
l3 = [1]
memory = 192
distances = [10, 20]
[[nodes]]
package = 0
l3 = [1]
memory = 64
distances = [20, 10]
"""


class Locality(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="vicino-lab-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.machine = cls.folder / "small.toml"
        cls.machine.write_text(SMALL)
        cls.build = cls.own_build("build")

    @classmethod
    def own_build(cls, name):
        """A copy of the lab's build that keeps its own record of what passed the self-test."""
        build = cls.folder / name
        (build / "selftest").mkdir(parents=True)
        for part in ("init", "locality.so", "selftest/known"):
            (build / part).symlink_to(BUILD / part)
        return build

    def lab(self, *options, build=None, name="run.json", **changes):
        self.json = self.folder / name
        self.json.unlink(missing_ok=True)
        return guest.lab("--machine", self.machine, "--build", build or self.build, "--json", self.json,
                         *options, "--", MARKED, env=os.environ | changes)

    def outcome(self):
        return json.loads(self.json.read_text())

    def test_a_counted_run(self):
        build = self.own_build("counted")
        first = self.lab("--locality", "--set", "lat_l3=31", "--seed", "5", build=build)
        self.assertEqual((first.returncode, first.stdout), (7, f"{LINES} lines\n".encode()))
        self.assertIn(b"self-test passed on machine small", first.stderr)
        outcome = self.outcome()
        default = {parameter.name: parameter.value for parameter in parameters.known()}
        changed = default | {"lat_l3": 31, "quantum": default["quantum"] + 5}
        self.assertEqual((outcome["parameters"], outcome["seed"]), (changed, 5))
        region, = outcome["regions"]
        self.assertEqual((region["region"], region["run"]), (3, 0))
        memory = sum(region["totals"][home] for home in ("local", "same_package", "other_package"))
        self.assertLessEqual(abs(region["totals"]["loads"] - LINES), LINES // 100)
        self.assertLessEqual(abs(memory - LINES), LINES // 100)     # the caches hold none of it
        for counter, total in region["totals"].items():
            self.assertEqual(total, sum(cpu[counter] for cpu in region["cpus"]), counter)
        table = first.stderr.decode().splitlines()
        self.assertIn("model: " + " ".join(f"{name}={value}" for name, value in changed.items()), table)
        row, = [line.split() for line in table if line.split()[:3] == ["3", "0", "all"]]
        self.assertEqual(row[3], str(region["totals"]["insns"]))
        self.assertEqual(row[6], str(memory))
        self.assertEqual(row[7], f"{100 * region['totals']['local'] / memory:.1f}%")
        self.assertEqual(row[-1], str(region["machine_cycles"]))

        again = self.lab("--locality", "--per-cpu", build=build)
        self.assertEqual(again.returncode, 7)
        self.assertNotIn(b"self-test", again.stderr, "the self-test is remembered")
        cpus = [line.split()[:2] for line in again.stderr.decode().splitlines()]
        region, = self.outcome()["regions"]
        for cpu, counts in enumerate(region["cpus"]):
            self.assertEqual([str(cpu), str(counts["insns"])] in cpus, counts["insns"] > 0)

    def test_runs_are_alike_to_the_last_byte(self):
        results = []
        for _ in range(2):
            self.assertEqual(self.lab("--locality").returncode, 7)
            results.append(self.json.read_bytes())
        self.assertEqual(*results)
        self.assertEqual(self.outcome()["clock"], "model")
        self.assertEqual(len(self.outcome()["regions"]), 1)

    def is_refused(self, run, *words):
        self.assertEqual((run.returncode, run.stdout), (125, b""), run.stderr)
        message, = [line for line in run.stderr.decode().splitlines() if line.startswith("lab: ")]
        for word in words:
            self.assertIn(word, message)
        self.assertEqual(message, "lab: " + self.outcome()["lab_error"])

    def test_what_the_plugin_refuses(self):
        self.is_refused(self.lab("--set", "l2_ways=3"), "the plugin refused", "l2_ways 3")

    def test_nothing_is_counted_after_a_failed_selftest(self):
        build = self.own_build("failing")
        (build / "selftest" / "known").unlink()
        (build / "selftest" / "known").symlink_to(shutil.which("true"))
        for _ in range(2):      # a failure is not recorded as a pass
            self.is_refused(self.lab("--locality", build=build), "self-test failed on machine small")

    def test_a_qemu_that_is_not_known(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "qemu-system-x86_64").write_text("#!/bin/sh\necho QEMU emulator version 99.1.0\n")
        (tools / "qemu-system-x86_64").chmod(0o755)
        run = self.lab("--locality", PATH=f"{tools}:{os.environ['PATH']}")
        self.is_refused(run, "QEMU 99.1.0 is not known", "known: 7.2.*")


if __name__ == "__main__":
    unittest.main()
