#!/usr/bin/env python3
"""harness_test.py: tests the parts of the harnesses that need neither sources nor a runtime."""
import contextlib
import io
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import dejagnu
import gcc_suite
import mirror
import options
import process
import report
import runtimes
import tiers
from report import Result


class Directives(unittest.TestCase):
    def read(self, text: str, language: str = "c") -> dejagnu.Directives:
        return dejagnu.read(f"/* {text} */ int main(void) {{ return 0; }}", language)

    def test_a_source_without_directives_runs_at_o2(self) -> None:
        found = self.read("")
        self.assertEqual((found.skip, found.flags), ("", ["-O2"]))

    def test_selectors(self) -> None:
        for selector, truth in {
                "*-*-*": True, "i?86-*-*": False, "i?86-*-* x86_64-*-*": True,
                "{ i?86-*-* x86_64-*-* } && { ! ia32 }": True,
                "x86_64-*-* && ia32": False, "! lp64": False, "offload_device": False,
                "ia32 || lp64": True, "c": True, "c++": False}.items():
            with self.subTest(selector):
                self.assertEqual(dejagnu.selected(selector, "c"), truth)

    def test_a_selector_that_is_not_understood_is_an_error(self) -> None:
        with self.assertRaises(ValueError):
            dejagnu.selected("lp64 } lp64", "c")

    def test_options_of_another_target_are_left_out(self) -> None:
        found = self.read('{ dg-options "-O1 -g" } { dg-additional-options "-x" { target c++ } }'
                          '{ dg-additional-options "-y" { target { ! ia32 } } }')
        self.assertEqual(found.flags, ["-O1", "-g", "-y"])

    def test_what_is_not_run(self) -> None:
        for text in ("{ dg-do compile }", "{ dg-do run { target ia32 } }",
                     '{ dg-skip-if "" { *-*-* } }',
                     "{ dg-require-effective-target offload_device }",
                     '{ dg-xfail-run-if "why" { lp64 } }'):
            with self.subTest(text):
                self.assertTrue(self.read(text).skip)

    def test_flags_that_spare_from_a_skip(self) -> None:
        found = self.read('{ dg-skip-if "" { ! run_expensive } { "*" } { "-O0" "-O2" } }')
        self.assertFalse(found.skip)

    def test_output_is_unescaped_as_tcl_does(self) -> None:
        found = self.read(r'{ dg-output "a\\[\[0-9\]+(\n|\r\n)" } { dg-output "b" }')
        self.assertRegex("a[7\nb", found.output)

    def test_a_failure_or_an_output_of_another_target_is_not_wanted(self) -> None:
        found = self.read('{ dg-shouldfail "why" { offload_device } }'
                          '{ dg-output "on the device" { target offload_device } }'
                          '{ dg-output "on the host" { target { ! offload_device } } }')
        self.assertEqual((found.should_fail, found.output), (False, "on the host"))
        for text in ('{ dg-shouldfail "why" }', '{ dg-shouldfail "why" { ! offload_device } }',
                     '{ dg-shouldfail "why" { target lp64 } }'):
            self.assertTrue(self.read(text).should_fail, text)

    def test_environment(self) -> None:
        found = self.read('{ dg-set-target-env-var OMP_PLACES "{6,7}:4:-2,!{2,3}" }')
        self.assertEqual(found.environment, {"OMP_PLACES": "{6,7}:4:-2,!{2,3}"})


class Toolchains(unittest.TestCase):
    LINK_FAILED = "flang-new: error: linker command failed with exit code 1 (use -v to see invocation)"
    SAID = {"t1": "", "t2": "2 errors generated.", "t3": "undefined reference to `omp_target_alloc'",
            "t4": f"cannot find -lomp\n{LINK_FAILED}",
            "t5": f"undefined reference to `__kmpc_fork_call'\n{LINK_FAILED}",
            "t6": "error: Semantic errors in a.f90"}

    def refused(self, compiler: str) -> list[str]:
        toolchain = gcc_suite.TOOLCHAINS[compiler]
        language = next(iter(toolchain.compilers))
        tests = [gcc_suite.Test(name, [], dejagnu.Directives(), language) for name in self.SAID]
        built = {name: gcc_suite.Built(Path(), [], said) for name, said in self.SAID.items()}
        left_out = gcc_suite.refusals(tests, built, toolchain)
        self.assertEqual({result.verdict for result in left_out} - {"SKIP"}, set())
        return [result.test for result in left_out]

    def test_only_what_clang_does_not_take_is_left_out(self) -> None:
        self.assertEqual(self.refused("clang"), ["t2", "t3"])
        self.assertEqual(self.refused("flang"), ["t3", "t6"])
        self.assertEqual(self.refused("gcc"), [])

    def test_fortran_is_for_fortran_compilers(self) -> None:
        with tempfile.TemporaryDirectory() as source:
            for name in ("libgomp.c/a.c", "libgomp.c-c++-common/b.c", "libgomp.fortran/c.f90"):
                path = Path(source) / "libgomp/testsuite" / name
                path.parent.mkdir(parents=True)
                path.write_text("")
            found = {name: [test.name for test in gcc_suite.discover(Path(source), toolchain)]
                     for name, toolchain in gcc_suite.TOOLCHAINS.items()}
        c = ["libgomp.c/a.c", "libgomp.c-c++-common/b.c", "libgomp.c-c++-common/b.c:c++"]
        by_gcc = [*c, "libgomp.fortran/c.f90"]
        self.assertEqual(found, {"gcc": by_gcc, "gcc-16": by_gcc, "clang": c,
                                 "flang": ["libgomp.fortran/c.f90"]})

    def test_a_compilers_own_runtime_is_of_its_version(self) -> None:
        asked = []

        def say(command: list[str], **_) -> subprocess.CompletedProcess:
            asked.append(command[0])
            return subprocess.CompletedProcess(command, 0, "/dev/null\n")

        with unittest.mock.patch.object(subprocess, "run", say):
            for name, compiler in (("libgomp", "gcc-16"), ("libomp", "gcc-16"), ("libomp", "clang-23")):
                runtimes.installed(name, compiler)
        self.assertEqual(asked, ["gcc-16", "clang-19", "clang-23"])


class Mirrors(unittest.TestCase):
    LISTED = ("Debian|Debian-Security|main|http://a/security|stable-security\n"
              "Other|Debian|main|http://b|stable\nDebian|Debian|contrib|http://c|stable\n"
              "Debian|Debian|main|http://d|stable\nDebian|Debian|main|http://d|stable-updates\n")

    def test_which_of_apts_repositories_are_debians(self) -> None:
        found = mirror.of_debian(self.LISTED)
        self.assertEqual([index.release for index in found],
                         ["stable-security", "stable", "stable-updates"])
        self.assertEqual(mirror.of_releases(found), "http://d")

    def test_a_machine_without_a_mirror(self) -> None:
        for listed in ("", "Other|Debian|main|http://b|stable\n"):
            with self.assertRaises(mirror.Unavailable):
                mirror.of_debian(listed)
        with self.assertRaises(mirror.Unavailable):
            mirror.of_releases(mirror.of_debian(self.LISTED.splitlines()[0]))

    def test_a_runtime_that_cannot_run_what_the_compiler_built(self) -> None:
        runtimes = {name: each.runtimes for name, each in gcc_suite.TOOLCHAINS.items()}
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as out, contextlib.redirect_stderr(said):
            words = ["gcc_suite.py", "--out", out, "--runtime", "libgomp"]
            with unittest.mock.patch.object(sys, "argv", words):
                self.assertEqual(options.parse("", runtimes).runtime, "libgomp")
            with unittest.mock.patch.object(sys, "argv", [*words, "--compiler", "clang"]):
                with self.assertRaises(SystemExit):
                    options.parse("", runtimes)
        self.assertIn("--runtime libgomp: what clang built runs on vicino, libomp, nothing",
                      said.getvalue())


class Verdicts(unittest.TestCase):
    def judge(self, status: int | None, said: str = "", **wanted) -> str:
        ended = process.Ended(status, said, 0)
        return gcc_suite.judge(ended, dejagnu.Directives(**wanted))[0]

    def test_all(self) -> None:
        self.assertEqual(self.judge(0), "PASS")
        self.assertEqual(self.judge(-6), "FAIL")
        self.assertEqual(self.judge(None), "TIMEOUT")
        self.assertEqual(self.judge(1, should_fail=True), "PASS")
        self.assertEqual(self.judge(0, should_fail=True), "FAIL")
        self.assertEqual(self.judge(0, "42", output="4[0-9]"), "PASS")
        self.assertEqual(self.judge(0, "a\nb\n", output="a.*b"), "PASS")
        self.assertEqual(self.judge(0, "24", output="4[0-9]"), "FAIL")


class Reports(unittest.TestCase):
    RESULTS = [Result("good", "PASS"), Result("bad", "FAIL"), Result("slow", "TIMEOUT"),
               Result("other", "SKIP")]

    def test_a_failure_without_a_row_is_news(self) -> None:
        found = report.news(self.RESULTS, {"slow": "x"})
        self.assertEqual([result.test for result in found], ["bad"])

    def test_a_row_for_a_test_that_passes_is_named(self) -> None:
        rows = {"good": "x", "bad": "y"}
        self.assertEqual(report.stale_rows(self.RESULTS, rows), ["good"])
        self.assertEqual(report.stale_rows(self.RESULTS, {"good": "sometimes: x"}), [])
        self.assertEqual(report.stale_rows(self.RESULTS, {"not-run": "x"}), [])

    def test_only_news_gets_a_second_chance(self) -> None:
        asked = []

        def run_alone(tests: list[str]) -> list[Result]:
            asked.extend(tests)
            return [Result("slow", "PASS"), Result("bad", "FAIL")]

        results = report.with_second_chance("gcc", "nothing", self.RESULTS, run_alone)
        self.assertEqual(asked, ["bad", "slow"])
        self.assertEqual([(result.test, result.flaky) for result in results if result.flaky],
                         [("slow", True)])
        self.assertEqual([result.verdict for result in results], ["PASS", "FAIL", "PASS", "SKIP"])

    def test_a_run_of_nothing_fails(self) -> None:
        with tempfile.TemporaryDirectory() as out:
            for results, status in (([], 1), (self.RESULTS[3:], 1), (self.RESULTS[:1], 0),
                                    (self.RESULTS, 1)):
                with contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(report.finish("gcc", "nothing", results, Path(out)), status)

    def test_every_row_has_a_reason(self) -> None:
        for path in Path(__file__).with_name("expected").glob("*.txt"):
            for line in path.read_text().splitlines():
                if line.strip() and not line.startswith("#"):
                    self.assertGreaterEqual(len(line.split()), 3, line)


class Processes(unittest.TestCase):
    def run_shell(self, script: str, timeout: float = 20) -> process.Ended:
        with tempfile.TemporaryDirectory() as cwd:
            return process.run(["sh", "-c", script], timeout, process.clean_environment(),
                               Path(cwd))

    def test_status_and_both_outputs(self) -> None:
        ended = self.run_shell("echo out; echo err >&2; exit 3")
        self.assertEqual((ended.status, ended.output), (3, "out\nerr\n"))

    def test_a_timeout_takes_the_grandchildren_along(self) -> None:
        ended = self.run_shell("sleep 600 & echo $!; wait", timeout=0.5)
        self.assertIsNone(ended.status)
        self.assert_gone(ended)

    def test_what_a_program_leaves_behind_is_killed(self) -> None:
        ended = self.run_shell("sleep 600 & echo $!")
        self.assertEqual(ended.status, 0)
        self.assert_gone(ended)

    def assert_gone(self, ended: process.Ended) -> None:
        for _ in range(50):
            state = subprocess.run(["ps", "-o", "stat=", "-p", ended.output.strip()],
                                   capture_output=True, text=True).stdout
            if state[:1] in ("", "Z"):
                return
            time.sleep(0.1)
        self.fail(f"process {ended.output.strip()} is still there")


class Tiers(unittest.TestCase):
    def test_the_last_tier_counts(self) -> None:
        self.assertEqual(tiers.tier([]), "a")
        self.assertEqual(tiers.tier(["GOMP_parallel", "omp_get_wtime"]), "a")
        self.assertEqual(tiers.tier(["GOMP_parallel", "GOMP_task"]), "b")
        self.assertEqual(tiers.tier(["acc_init", "GOMP_task"]), "none")

    def test_what_a_slice_takes(self) -> None:
        for symbols, slices in {"GOMP_parallel": "quick tier-a all", "GOMP_task": "quick all",
                                "GOMP_teams4": "all", "acc_init": "all"}.items():
            taken = [name for name, last in options.LAST_TIER.items()
                     if tiers.within([symbols], last)]
            self.assertEqual(" ".join(taken), slices)

    def test_a_sample_is_a_sample(self) -> None:
        names = [f"folder/test{number}.c" for number in range(1000)]
        self.assertTrue(150 < sum(map(options.sampled, names)) < 350)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
