"""A run with a profile places pages as an earlier run found best, and vicino explain tells it.

    pages_profile_test.py MACHINE PROGRAM VICINO
"""

import sys
import unittest

import guest

NAME, PROGRAM, VICINO = sys.argv[1:]
PROFILE = "/tmp/pages.profile"


class PagesProfile(unittest.TestCase):
    def test_the_second_run_places_at_once(self):
        run = f"VICINO_EXPLAIN=true VICINO_PROFILE={PROFILE} {PROGRAM} plain 2>&1"
        first, second, told = guest.outputs(
            NAME, PROGRAM, 0, (f"{run}", f"{run}", f"{VICINO} explain {PROFILE}"), files=(VICINO,))
        words = r"MiB that one thread filled lay on node \d: spread in blocks over 2 nodes in"
        self.assertRegex(first, words + r".*; regions took .* before and .* after\n")
        self.assertRegex(second, words + r".*, as an earlier run found best\n")
        self.assertRegex(told, r"pages that one thread filled, team of 8, timed \d+ times\n  blocks on 8 threads: "
                               r".* against .* for left on 8 threads\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
