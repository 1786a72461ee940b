"""A run with a profile places pages as earlier runs found best, and vicino explain tells it. The first run moves them
before a region's second time, so it has only the first time to compare with; the second run tries it again.

    pages_profile_test.py MACHINE PROGRAM VICINO
"""

import sys
import unittest

import guest

NAME, PROGRAM, VICINO = sys.argv[1:]
PROFILE = "/tmp/pages.profile"


class PagesProfile(unittest.TestCase):
    def test_the_third_run_places_at_once(self):
        run = f"VICINO_EXPLAIN=true VICINO_PROFILE={PROFILE} {PROGRAM} plain 2>&1"
        *tried, third, told = guest.outputs(
            NAME, PROGRAM, 0, (run, run, run, f"{VICINO} explain {PROFILE}"), files=(VICINO,))
        words = r"MiB that one thread filled lay on node \d: spread in blocks over 2 nodes in"
        for output in tried:
            self.assertRegex(output, words + r".*; regions took .* before and .* after\n")
        self.assertRegex(third, words + r".*, as an earlier run found best\n")
        self.assertRegex(told, r"pages that one thread filled, team of 8, timed \d+ times\n  blocks on 8 threads: "
                               r".* against .* for left on 8 threads\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
