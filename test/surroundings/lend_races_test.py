"""Members that join a region late, under ThreadSanitizer. A race ends the rank, and what it says is an error."""
import os
import random
import unittest

from lend_test import Ranks


class Races(Ranks):
    @classmethod
    def setUpClass(cls):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])  # the ranks': one each

    def sanitized(self, number):
        return self.rank(number, by="gcc-12", flags=("-O1", "-g", "-fsanitize=thread"),
                         TSAN_OPTIONS="halt_on_error=1 ignore_noninstrumented_modules=1")

    def test_regions_while_another_rank_lends_again_and_again(self):
        a, b = self.sanitized(0), self.sanitized(1)
        self.bodies_beside_pulses(a, b, 10)
        self.end_all()

    def test_any_construct_while_both_lend_and_borrow(self):
        seed = random.randrange(1 << 30)
        a, b = self.sanitized(0), self.sanitized(1)
        self.mixed_in_both(a, b, seed, 10)
        self.end_all()


if __name__ == "__main__":
    unittest.main(verbosity=2)
