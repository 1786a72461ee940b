"""A rank of several cores lends all of them at once, and another one borrows as many as it can use.

    lend_test.py MACHINE LEND
"""

import sys
import unittest

import guest
from launcher import machine

NAME, LEND = sys.argv[1:]
ALL = list(range(machine.load(NAME).cpus))
HALF = len(ALL) // 2


class Lend(unittest.TestCase):
    def setUp(self):
        done = guest.lab("--machine", NAME, "--env", "VICINO_LEND=true", "--", LEND)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done)
        self.lines = [line.split() for line in done.stdout.decode().splitlines()]

    def masks(self, at, word):
        self.assertEqual(self.lines[at][0], word)
        return [[int(cpu) for cpu in mask.split(",")] for mask in self.lines[at][1:]]

    def check_team(self, masks, borrowed):
        """One thread for each CPU of the share, and one on each of so many others, alone."""
        own, guests = masks[:HALF], masks[HALF:]
        self.assertEqual(len(own), HALF)
        for mask in own:
            self.assertLessEqual(set(mask), set(ALL[:HALF]))
        self.assertEqual([len(mask) for mask in guests], [1] * borrowed)
        cpus = {mask[0] for mask in guests}
        self.assertEqual(len(cpus), borrowed)
        self.assertLessEqual(cpus, set(ALL[HALF:]))

    def test_several_cores_at_once(self):
        self.check_team(self.masks(0, "alone"), 0)
        self.assertEqual(self.lines[1], ["lends", str(HALF)])
        self.check_team(self.masks(2, "few"), 2)
        self.check_team(self.masks(3, "all"), HALF)
        ran = self.masks(4, "taskloop")
        self.assertEqual(len(ran), len(ALL))
        self.assertEqual(sorted(cpu for mask in ran[HALF:] for cpu in mask), ALL[HALF:])
        back = self.masks(5, "back")
        self.assertEqual(len(back), len(ALL))
        for mask in back:
            self.assertLessEqual(set(mask), set(ALL[:HALF]))
        self.check_team(self.masks(6, "alone"), 0)
        self.assertEqual(self.lines[7], ["owner", str(HALF)])
        self.check_team(self.masks(8, "all"), HALF)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
