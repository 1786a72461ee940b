"""Regions and barriers beside short processes of low priority take about as long as on a machine of one's own.

    beside_test.py PROGRAM

By the model's clock, so nothing outside of the guest disturbs it.
"""

import sys
import unittest

import guest

PROGRAM, = sys.argv[1:]
MS = 150
OTHERS = ("19 short:3000",)
# A team that sleeps at each wait, or whose threads share one CPU while a process of low priority has the other, takes
# 26 to 50 times as long. Which way the threads meet is chance: another build of the program is another sample.
MOST = 8


class Beside(unittest.TestCase):
    def test_low_priority(self):
        commands = [f"{PROGRAM} 0 endless 0 20", *(f"{PROGRAM} {others} 2 {MS}" for others in OTHERS)]
        alone, *beside = ([int(word) for word in text.split()] for text in guest.outputs("1x2", PROGRAM, 0, commands))
        for others, found in zip(OTHERS, beside):
            for name, ns, least in zip(("region", "barrier"), found, alone):
                with self.subTest(f"{name} beside {others}: {ns} ns, alone {least} ns"):
                    self.assertLess(ns, MOST * least)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
