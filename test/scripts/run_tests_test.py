"""scripts/run_tests tells tests that failed from tests for which no time was left."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN_TESTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/run_tests"


class Time(unittest.TestCase):

    def run_tests(self, tests, seconds):
        """The exit status and the last line. `tests` are lines of CTest's own file."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text("\n".join(tests), encoding="utf-8")
            done = subprocess.run([sys.executable, RUN_TESTS, folder, "--seconds", str(seconds), "--jobs", "3"],
                                  capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip().split("\n")[-1]

    def test_without_time_left_a_test_is_left_out(self):
        status, count = self.run_tests(["add_test(good true)", "add_test(slow sleep 60)"], 5)
        self.assertEqual((status, count), (0, "ctest: 1 passed, 0 failed, 1 left out for want of time"))

    def test_a_test_that_took_more_than_its_own_time_failed(self):
        status, count = self.run_tests(
            ["add_test(slow sleep 60)", "add_test(hung sleep 60)",
             "set_tests_properties(hung PROPERTIES TIMEOUT 2)"], 5)
        self.assertEqual((status, count), (1, "ctest: 0 passed, 1 failed, 1 left out for want of time"))

    def test_a_failure_is_one_in_the_last_seconds_too(self):
        status, count = self.run_tests(["add_test(slow sleep 60)", "add_test(bad false)"], 5)
        self.assertEqual((status, count), (1, "ctest: 0 passed, 1 failed, 1 left out for want of time"))

    def test_no_part_begins_without_time(self):
        status, count = self.run_tests(["add_test(bad false)"], 0)
        self.assertEqual((status, count), (0, "ctest: 0 passed, 0 failed"))


if __name__ == "__main__":
    unittest.main()
