"""More threads than CPUs in a chain of doacross iterations: an iteration takes about as long as by hand, with yields.

    doacross_test.py DOACROSS
"""

import sys
import unittest

import guest

PROGRAM = sys.argv[1]
THREADS = (3, 8)
MOST = 2.5  # of the time by hand: what a wait does beyond its yield, each waiting thread does in its turn


class Doacross(unittest.TestCase):
    def test_a_wait_is_a_yield(self):
        said = guest.outputs("1x2", PROGRAM, 0, [f"OMP_NUM_THREADS={n} {PROGRAM}" for n in THREADS])
        for threads, text in zip(THREADS, said):
            with self.subTest(threads):
                nest, by_hand = map(float, text.split())
                self.assertLessEqual(nest, MOST * by_hand, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
