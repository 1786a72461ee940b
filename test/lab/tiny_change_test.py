"""Tasks that were tiny, and ran as calls, and become long are shared by the threads.

    tiny_change_test.py PROGRAM...

The program tells how many long tasks each of two threads ran, in the lab's clock, where nobody takes a thread's core.
"""

import sys
import unittest
from pathlib import Path

import guest

PROGRAMS = sys.argv[1:]
LONG = 200
LEAST = LONG // 5  # of each thread
SETTINGS = ("", "OMP_WAIT_POLICY=passive")


class TinyChange(unittest.TestCase):
    def test_each_thread_has_its_share(self):
        for program in PROGRAMS:
            said = guest.outputs("1x2", program, 0, [f"{setting} {program}" for setting in SETTINGS])
            for setting, text in zip(SETTINGS, said):
                for line in text.splitlines():
                    with self.subTest(f"{Path(program).name} {setting} {line}"):
                        ran = [int(word) for word in line.split()[-2:]]
                        self.assertEqual(sum(ran), LONG)
                        self.assertGreaterEqual(min(ran), LEAST)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
