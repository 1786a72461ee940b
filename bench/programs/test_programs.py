"""Tests of the parts of the driver that could call a wrong result right, or hide a program."""

import importlib.machinery
import importlib.util
import io
import contextlib
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import checked  # noqa: E402
import packages  # noqa: E402
import table  # noqa: E402
import trial  # noqa: E402
from program import FULL, SMALL, Program  # noqa: E402


def driver():
    loader = importlib.machinery.SourceFileLoader("driver", str(HERE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("driver", loader))
    loader.exec_module(module)
    return module


def differ(own, other, relative=0.0, absolute=0.0):
    return checked.difference(checked.kept(own, ""), checked.kept(other, ""), relative, absolute)


class Differences(unittest.TestCase):
    def test_same_text_is_the_same(self):
        self.assertIsNone(differ("a 1.5 b\nc\n", "a 1.5 b\nc"))

    def test_a_word_is_not_another(self):
        self.assertIn("'moon 1' is 'noon 1'", differ("sun\nmoon 1", "sun\nnoon 1", 0.5))
        self.assertIn("line 2", differ("sun\nmoon 1", "sun\nnoon 1", 0.5))

    def test_a_number_may_differ_by_what_is_allowed_and_no_more(self):
        self.assertIsNone(differ("energy -1000.0", "energy -1000.9", 1e-3))
        self.assertIn("allowed", differ("energy -1000.0", "energy -1001.1", 1e-3))
        self.assertIn("allowed", differ("energy -1000.0", "energy 1000.0", 1e-3))
        self.assertIn("allowed", differ("1.0", "1.0000001"))
        self.assertIsNone(differ("1e-17", "-3e-18", absolute=1e-16))
        self.assertIn("allowed", differ("1e-15", "-3e-18", absolute=1e-16))
        self.assertIn("allowed", differ("0.0", "1e-9", 1e-3))

    def test_a_count_is_exact(self):
        self.assertIn("1000000 is 1000001", differ("rows 1000000", "rows 1000001", 1e-2))
        self.assertIsNone(differ("mean 3", "mean 3.0000001", 1e-3))  # printed whole by chance

    def test_every_number_of_every_line_is_looked_at(self):
        self.assertIn("line 2", differ("1.0 2.0\n3.0 4.0", "1.0 2.0\n3.0 4.5", 1e-3))
        self.assertIn("1.0 is 1.5", differ("1.0 2.0", "1.5 2.0", 1e-3))

    def test_checksums_are_words(self):
        for own, other in (("12ab34", "12ab35"), ("1e5f 2", "1e6f 2"), ("x.100 in.1", "x.101 in.1")):
            self.assertIsNotNone(differ(own, other, 0.9), own)

    def test_missing_and_further_lines_are_seen(self):
        self.assertIn("2 lines on its own runtime, 1 on Vicino", differ("a\nb", "a"))
        self.assertIn("1 lines on its own runtime, 2 on Vicino", differ("a", "a\nb"))
        self.assertIn("2 lines on its own runtime, 0", differ("a\nb", ""))

    def test_nothing_to_check_is_wrong(self):
        self.assertIn("nothing", differ("", ""))
        self.assertIn("NaN", differ("loss nan", "loss nan", 1.0))

    def test_lines_are_kept_by_expression(self):
        self.assertEqual(checked.kept("time 3\nsum 4\nsum 5\n", "^sum"), ["sum 4", "sum 5"])
        self.assertEqual(checked.kept("a\n\nb  \n\n", ""), ["a", "", "b"])


# A shell script as `vicino`: it drops its own options up to `--` and runs the rest.
VICINO = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
export ON_VICINO=yes
exec "$@"
"""


class Trials(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.vicino = self.work / "vicino"
        self.vicino.write_text(VICINO, encoding="utf-8")
        self.vicino.chmod(0o755)

    def attempt(self, small=True, **told):
        program = Program(about="a test", openmp=False, **told)
        this = trial.Trial("it", program, vicino=self.vicino, python=sys.executable, work=self.work, small=small)
        return trial.attempt(this, repr(told), timed=False, budget=1, say=lambda text: None)

    def test_a_program_that_does_the_same(self):
        row = self.attempt(command="echo the same")
        self.assertEqual((row["same"], row["wrong"]), (list(trial.SETTINGS), {}))

    def test_a_wrong_result_names_setting_and_difference(self):
        row = self.attempt(command="""sh -c 'echo "sum $ON_VICINO${OMP_NUM_THREADS:-2}.0" | sed s/yes7/8/\
 | sed s/yes//'""")
        self.assertEqual(row["same"], ["defaults", "bound", "1 thread"])
        self.assertIn("7.0 is 8.0", row["wrong"]["7 threads"])

    def test_a_failure_on_vicino(self):
        row = self.attempt(command="""sh -c 'echo same; [ -z "$ON_VICINO" ] || { echo because >&2; exit 3; }'""")
        self.assertEqual(row["same"], [])
        self.assertIn("on Vicino it ended with 3: same", row["wrong"]["bound"])
        self.assertIn("because", row["wrong"]["bound"])

    def test_a_failure_everywhere_is_no_agreement(self):
        row = self.attempt(command="sh -c 'echo same; exit 1'")
        self.assertIn("on its own runtime it ended with 1", row["wrong"]["defaults"])

    def test_a_result_of_the_last_run_is_not_taken_for_this_one(self):
        row = self.attempt(command="""sh -c '[ -n "$ON_VICINO" ] || echo 1 > out'""", writes="out",
                           result="cat out")
        self.assertIn("result on Vicino", row["wrong"]["defaults"])

    def test_an_input_that_cannot_be_made(self):
        self.assertIn("exit 1", self.attempt(command="true", prepare="false | cat")["wrong"]["input"])

    def test_sizes_and_scripts(self):
        told = {"command": "cat said", "files": {"text": "@n@ of @work@"}, "sizes": {"n": (100, 5)},
                "prepare": "cp text said", "result": "grep -qx '@n@ of @work@' said; cat said"}
        self.assertEqual(self.attempt(**told)["wrong"], {})
        self.assertEqual((self.work / "small/it/said").read_text(), f"5 of {self.work}/small/it")
        self.attempt(small=False, **told)
        self.assertEqual((self.work / "full/it/said").read_text(), f"100 of {self.work}/full/it")
        with self.assertRaises(ValueError):
            Program(about="", command="@m@").words(FULL)

    def test_a_program_that_does_not_end_is_stopped(self):
        done = trial.run(["sh", "-c", "sleep 50 & wait"], self.work, {"PATH": "/usr/bin:/bin"}, limit=0.2)
        self.assertNotEqual(done.status, 0)
        self.assertIn("not ended", done.err)
        self.assertLess(done.seconds, 10)

    def test_a_runtime_that_takes_too_long_is_no_fault_of_the_other(self):
        def slow(side):
            return {"command": f"""sh -c '[ {side} "$ON_VICINO" ] || [ -z "$OMP_PROC_BIND" ] || sleep 50; echo 1'"""}
        with unittest.mock.patch.object(trial, "TIME_LIMIT", 0.5):
            row = self.attempt(**slow("-n"))
            self.assertEqual((list(row["no answer"]), row["wrong"], len(row["same"])), (["bound"], {}, 3))
            row = self.attempt(**slow("-z"))
            self.assertEqual((row["no answer"], len(row["same"])), ({}, 3))
            self.assertIn("not ended", row["wrong"]["bound"])

    def test_modules_that_are_known_to_allow_fewer_threads(self):
        says = """sh -c 'echo 1; [ -z "$VICINO_KNOWN" ] || echo what is known of liba, libb allows that >&2'"""
        self.assertEqual(self.attempt(known=("libb", "liba"), command=says)["wrong"], {})
        self.assertEqual(self.attempt(known=("libc",), command=says)["wrong"].keys(), {"fewer threads"})
        row = self.attempt(known=("liba",), command="sh -c 'echo 1.$OMP_NUM_THREADS'")
        self.assertIn("with OMP_NUM_THREADS=2", row["wrong"]["fewer threads"])
        row = self.attempt(known=("liba",), command="""sh -c '[ "$VICINO_KNOWN" ] && echo 2 || echo 1'""")
        self.assertIn("VICINO_KNOWN=random", row["wrong"]["fewer threads"])
        self.assertIn("1 is 2", row["wrong"]["fewer threads"])
        self.assertEqual(row["same"], list(trial.SETTINGS))

    def test_regions_that_may_have_fewer_threads(self):
        row = self.attempt(command="sh -c 'echo 1$OMP_DYNAMIC'")
        self.assertEqual(row["same"], list(trial.SETTINGS))
        self.assertIn("'1' is '1true'", row["wrong"]["dyn-var"])

    def test_pairs_are_enough_for_an_interval_and_bounded(self):
        self.assertEqual(trial.pairs_within(25, 10), 6)
        self.assertEqual(trial.pairs_within(25, 1), 12)
        self.assertEqual(trial.pairs_within(25, 0), 20)


class Table(unittest.TestCase):
    def row(self, **more):
        return {"about": "what", "version": "1", "note": "", "same": list(trial.SETTINGS), "wrong": {},
                "warnings": [], **more}

    def compared(self, verdict):
        return {"verdict": verdict, "pairs": 12, "ratio": {"estimate": 0.9, "low": 0.85, "high": 0.95},
                "base": {"median": 0.9}, "candidate": {"median": 1.0}}

    def test_losses_failures_and_skips_are_shown(self):
        rows = {"good": self.row(compared=self.compared("better")),
                "bad": self.row(compared=self.compared("worse")),
                "broken": self.row(same=["defaults"], wrong={"bound": "1 is 2"})}
        results = {"machine": {"date": "", "processor": "", "cores": 2, "virtual": False, "kernel": "", "load": 3,
                               "compilers": {}, "runtimes": {}}, "noise": {"others": 0, "steal": 0}, "programs": rows,
                   "skipped": {"absent": "not installed: it"}}
        text = table.report(results)
        self.assertIn("3 programs run, 2 without a fault, 1 faster, 1 slower, 1 skipped.", text)
        self.assertRegex(text, r"\| bad \|.*0\.900 \[0\.850, 0\.950\].*\*\*slower\*\*")
        self.assertRegex(text, r"\| broken \|.*\*\*1 of 4\*\*.*\*\*wrong\*\*")
        self.assertIn("- broken, bound: 1 is 2", text)
        self.assertIn("- absent: not installed: it", text)
        self.assertIn("> **measured** · date not recorded · commit not recorded · rounds: 12\n", text)

    def test_the_status_tells(self):
        run = driver()
        options = type("Options", (), {"json": None, "page": None})

        def status(programs, skipped=None):
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    run.write(options, {"programs": programs, "skipped": skipped or {}})
            except SystemExit as ended:
                return ended.code
            return 0
        self.assertEqual(status({"a": self.row()}), 0)
        self.assertEqual(status({"a": self.row(wrong={"bound": "1 is 2"}), "b": self.row()}), "wrong: a")
        self.assertEqual(status({}, {"a": "not installed"}), 77)

    def test_an_interrupted_run_goes_on(self):
        run = driver()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.json"
            options = type("Options", (), {"json": file, "resume": True, "vicino": pathlib.Path("/a/bin/vicino")})
            self.assertEqual(run.begun(options)["programs"], {})
            run.keep(options, {"programs": {"a": self.row()}, "skipped": {"b": "not installed"}})
            self.assertEqual(run.begun(options), {"programs": {"a": self.row()}, "skipped": {}})
            options.resume = False
            self.assertEqual(run.begun(options)["programs"], {})


class Catalog(unittest.TestCase):
    def test_every_file_says_what_is_needed(self):
        given = {"python": "python", "bin": "bin", "work": "work"}
        programs = driver().catalog()
        self.assertGreaterEqual(len(programs), 10)
        for name, program in programs.items():
            with self.subTest(name):
                self.assertTrue(program.debian or program.pypi)
                self.assertNotRegex(program.pypi.replace("==", ""), "[<>=]")
                for pin in program.pypi.split():
                    self.assertRegex(pin, r"^[\w.-]+==[\w.]+$")
                for which in (FULL, SMALL):
                    words = program.words(which, **given)
                    texts = [program.prepare, program.result, *program.files.values(), *program.env.values()]
                    for text in texts:
                        program.filled(text, which, **given)
                    self.assertTrue(words)
                for full, small in program.sizes.values():
                    self.assertGreater(full, small)
                for expression in (program.keep,):
                    re.compile(expression)

    def test_five_are_in_make_test(self):
        self.assertEqual(sum(program.in_make_test for program in driver().catalog().values()), 5)

    def test_a_program_that_is_not_installed(self):
        program = Program(about="", command="true", debian="bash no-such-package-anywhere", pypi="none==1")
        self.assertEqual(packages.missing(program), ["no-such-package-anywhere"])
        with self.assertRaises(packages.Unavailable):
            packages.python_of(program, pathlib.Path("/nonexistent"))


if __name__ == "__main__":
    unittest.main()
