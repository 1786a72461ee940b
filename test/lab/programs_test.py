"""Runs programs that check themselves in a guest and print a line for each check.

    programs_test.py MACHINE PROGRAM...
"""

import sys
import unittest
from pathlib import Path

import guest

NAME, PROGRAMS = sys.argv[1], sys.argv[2:]


class Programs(unittest.TestCase):
    def test_all_checks_hold(self):
        for program in PROGRAMS:
            with self.subTest(Path(program).name):
                run = guest.lab("--machine", NAME, "--", program)
                said = run.stdout.decode()
                self.assertEqual((run.returncode, run.stderr), (0, b""), said)
                self.assertIn("ok  ", said)
                self.assertTrue(said.endswith("all is well\n"), said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
