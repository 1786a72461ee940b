"""What the runtime does by itself for pages breaks no program, and is done.

    pages_by_themselves_test.py MACHINE PROGRAM SETTING...

A setting is a value of VICINO_PAGES. With `auto` the guests count, because a placement is kept by what it
gains; the others place without asking, and their guests do not count.
"""

import subprocess
import sys
import unittest

import guest

NAME, PROGRAM, *SETTINGS = sys.argv[1:]
ASKS = "auto"
BORDER = "=== "
MOVED = "FAIL moved:"     # was not
CASES = subprocess.run([PROGRAM], capture_output=True, text=True, check=True).stdout.split()


def run(setting):
    """{case: (status, lines)}"""
    script = "".join(f"echo '{BORDER}{case}'; {PROGRAM} {case}; echo \"status $?\"\n" for case in CASES)
    counted = ("--locality",) if setting == ASKS else ()
    done = guest.lab("--machine", NAME, *counted, "--time-limit", 550, "--env", f"VICINO_PAGES={setting}",
                     "--file", PROGRAM, "--", "sh", "-c", script)
    assert done.returncode == 0, done
    found = {}
    for part in done.stdout.decode().split(BORDER)[1:]:
        case, *lines = part.splitlines()
        found[case] = (lines[-1], lines[:-1])
    return found


class PagesByThemselves(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = {setting: run(setting) for setting in SETTINGS}

    def each(self, check):
        for setting, found in self.found.items():
            for case in CASES:
                with self.subTest(case, setting=setting):
                    self.assertIn(case, found)
                    check(*found[case])

    def test_each_case_comes_to_its_end(self):
        def check(status, lines):
            self.assertIn(status, ("status 0", "status 1"), lines)
            self.assertIn(lines[-1], ("all is well", "some checks failed"), lines)
            self.assertTrue(any(line.startswith("ok  ") for line in lines), lines)

        self.each(check)

    def test_nothing_is_lost_and_what_must_stay_stays(self):
        self.each(lambda _, lines: self.assertEqual(
            [line for line in lines if line.startswith("FAIL") and not line.startswith(MOVED)], []))

    def test_what_may_move_moves(self):
        self.each(lambda _, lines: self.assertEqual([line for line in lines if line.startswith(MOVED)], []))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
