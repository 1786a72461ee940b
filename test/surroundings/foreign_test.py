"""A second runtime in the process: its constructor binds the initial thread before Vicino's first call."""
import json
import os
import pathlib
import tempfile
import unittest

import foreign
from surroundings import HERE, LIBRARY, Case, program, run_program

BINDINGS = ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "threads"}, {"GOMP_CPU_AFFINITY": "0"},
            {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"})


class Foreign(Case):
    @classmethod
    def setUpClass(cls):
        if len(os.sched_getaffinity(0)) < 2:
            raise unittest.SkipTest("one CPU: nothing can be lost")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.programs = {name: foreign.link_program(HERE / f"{name}.c", cls.folder)
                        for name in ("team", "binding")}

    def run_both(self, name, *words, **settings):
        return run_program(self, self.programs[name], *words, LD_PRELOAD=LIBRARY, **settings)

    def test_the_copy_is_there_and_binds(self):
        """Otherwise the tests below would show nothing."""
        output, _ = run_program(self, self.programs["team"], 0, OMP_DISPLAY_ENV="true", OMP_PROC_BIND="true",
                                LD_PRELOAD=LIBRARY)
        self.assertEqual(output.split(), [str(len(os.sched_getaffinity(0)))])
        _, error = self.run_both("team", 0, OMP_DISPLAY_ENV="true")
        self.assertEqual(error.count("OPENMP DISPLAY ENVIRONMENT BEGIN"), 2)

    def test_the_team_has_all_cpus_of_the_process(self):
        for binding in BINDINGS[:2] + BINDINGS[3:]:
            with self.subTest(**binding):
                output, error = self.run_both("team", 0, **binding)
                self.assertEqual((output.split(), error), ([str(len(os.sched_getaffinity(0)))], ""))

    def test_members_are_on_their_places_and_other_threads_everywhere(self):
        for binding in BINDINGS:
            with self.subTest(**binding):
                self.run_both("binding", "late", **binding)

    def test_a_mask_that_the_program_was_given_counts(self):
        cpu = max(os.sched_getaffinity(0))
        output, _ = run_program(self, self.programs["team"], 0, LD_PRELOAD=LIBRARY, OMP_PROC_BIND="true",
                                join=lambda: os.sched_setaffinity(0, {cpu}))
        self.assertEqual(output.split(), ["1"])


class Active(Case):
    """Which libraries call the copy: none by the usual search, one with RTLD_DEEPBIND."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.copy = foreign.make_library(cls.folder)

    def loaded(self, how, own=False, flags=(), **settings):
        plugin = foreign.link_plugin(HERE / "plugin.c", self.copy, *flags)
        words = (plugin, how, *(["own"] if own else []))
        output, error = run_program(self, program("host", flags=["-ldl"]), *words, LD_PRELOAD=LIBRARY, **settings)
        self.assertEqual(output, "2\n")
        return error

    def told(self, how, **settings):
        """How many regions Vicino ran, and which libraries call each other runtime."""
        file = self.folder / "report.json"
        self.loaded(how, VICINO_REPORT=file, **settings)
        told = json.loads(file.read_text(encoding="utf-8"))
        users = {one["path"]: one["users"] for one in told["other_runtimes"]}
        # The program was linked against gcc's own libgomp, which is listed in the same way.
        return told["regions"], {path: its for path, its in users.items() if its or path == str(self.copy)}

    def test_a_library_that_calls_vicino_is_not_named(self):
        for flags in ((), ("-Wl,-z,now",), ("-Wl,-z,lazy",)):
            with self.subTest(flags=flags):
                self.assertEqual(self.loaded("plain", flags=flags), "")
        self.assertEqual(self.told("plain", own=True), (6, {str(self.copy): []}))
        self.assertIn(f"  {self.copy}: no library is bound to it\n", self.loaded("plain", VICINO_REPORT="true"))

    def test_one_that_calls_the_copy_is_named_once(self):
        for flags in ((), ("-Wl,-z,now",), ("-Wl,-z,lazy",)):
            for own, follows in ((True, "the threads of the two compete for the CPUs"),
                                 (False, "nothing of this process ran on Vicino")):
                with self.subTest(flags=flags, own=own):
                    self.assertEqual(
                        self.loaded("deep", own=own, flags=flags),
                        f"vicino: {self.folder}/plugin.so runs its parallel regions on another OpenMP runtime, "
                        f"{self.copy}, not on Vicino (it is bound to GOMP_parallel there); {follows}; "
                        "docs/reference/run.md says what to do\n")

    def test_the_report_names_it(self):
        plugin = {"library": f"{self.folder}/plugin.so", "entry": "GOMP_parallel", "forks": True}
        self.assertEqual(self.told("deep", own=True), (1, {str(self.copy): [plugin]}))

    def test_warnings_can_be_turned_off(self):
        self.assertEqual(self.loaded("deep", KMP_WARNINGS="false"), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
