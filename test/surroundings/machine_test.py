"""Whole programs take one recorded machine, the first argument, for the real one."""
import re
import sys
import unittest

from surroundings import HERE, Case, build

NAME = sys.argv.pop()
FILE = HERE.parent / "machines" / f"{NAME}.xml"
NESTED = {"plain-2x4": (4, 8), "epyc-7713-64": (8, 9)}  # outer and inner team


def default_team():
    return int(re.search(r"^team = (\d+)$", FILE.with_suffix(".expected").read_text(), re.M)[1])


class Machine(Case):
    def on_machine(self, *arguments, **settings):
        for by in ("gcc-12", "clang-19"):
            if build.available(by, HERE / "machine.c"):
                with self.subTest(compiler=by, **settings):
                    _, error = self.run_on_vicino("machine", *arguments, by=by,
                                                  VICINO_MACHINE=FILE, **settings)
                    self.assertEqual(error, "")

    def test_default_team(self):
        self.on_machine(default_team(), OMP_SCHEDULE="trapezoid")

    def test_team_along_the_places(self):
        self.on_machine(default_team(), OMP_SCHEDULE="guided,2", OMP_PROC_BIND="close",
                        OMP_PLACES="threads")
        self.on_machine(default_team(), OMP_SCHEDULE="dynamic", OMP_PROC_BIND="spread",
                        OMP_PLACES="cores")

    def test_primary_is_on_its_place_in_regions_alone(self):
        for places in ("granularity=thread,compact", "granularity=core,scatter", "granularity=node,balanced"):
            self.on_machine(default_team(), "reset", KMP_AFFINITY=f"reset,{places}")

    def test_reset_without_places(self):
        self.on_machine(default_team(), KMP_AFFINITY="reset")

    # Threads wait in groups and look for tasks by nodes; regions must end on every machine.
    def test_tasks(self):
        several = "{0},{0:2},{0:2},{1}" if default_team() > 1 else "{0}"
        for settings in ({}, {"OMP_PROC_BIND": "close"}, {"OMP_WAIT_POLICY": "passive"},
                         {"OMP_PROC_BIND": "close", "VICINO_TASKLOOP": "flat"},
                         {"OMP_PROC_BIND": "spread", "VICINO_TASKS": "nas"},
                         {"OMP_PROC_BIND": "close", "OMP_PLACES": several, "VICINO_TASKS": "nas"},
                         {"OMP_PROC_BIND": "close", "OMP_PLACES": several}):
            for by in ("gcc-12", "clang-19"):
                if build.available(by, HERE / "tasks.c"):
                    with self.subTest(compiler=by, **settings):
                        self.run_on_vicino("tasks", by=by, VICINO_MACHINE=FILE, OMP_NUM_THREADS="6",
                                           **settings)

    def test_taskloops(self):
        for settings in ({}, {"OMP_PROC_BIND": "close"}, {"OMP_PROC_BIND": "spread"},
                         {"OMP_PROC_BIND": "spread", "OMP_WAIT_POLICY": "passive"}):
            for by in ("gcc-12", "clang-19"):
                if build.available(by, HERE / "taskloops.c"):
                    with self.subTest(compiler=by, **settings):
                        self.run_on_vicino("taskloops", by=by, VICINO_MACHINE=FILE,
                                           OMP_NUM_THREADS="6", **settings)

    def test_nested_teams(self):
        if NAME not in NESTED:
            self.skipTest("not on this machine")
        outer, inner = NESTED[NAME]
        self.on_machine(outer, inner, OMP_NUM_THREADS=outer)
        self.on_machine(outer, inner, OMP_NUM_THREADS=outer, OMP_PLACES="cores",
                        OMP_PROC_BIND="spread,close")


if __name__ == "__main__":
    unittest.main(verbosity=2)
