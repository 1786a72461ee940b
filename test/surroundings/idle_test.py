"""Between regions a program uses no CPU time."""
import unittest

from surroundings import Case


SLEEPING_US = 5000  # at most, of the 300,000 that the program measures


class Idle(Case):
    def used_us(self, **settings):
        return int(self.run_on_vicino("idle", **settings)[0])

    def test_threads_sleep_soon_after_a_region(self):
        for threads in (2, 8):
            with self.subTest(threads=threads):
                self.assertLess(self.used_us(OMP_NUM_THREADS=threads), SLEEPING_US)

    def test_unless_they_are_told_to_poll(self):
        """The measurement notices a runtime that polls. Beside other load one run may not show it."""
        self.assertTrue(any(self.used_us(OMP_NUM_THREADS=2, OMP_WAIT_POLICY="active") > 2 * SLEEPING_US
                            for _ in range(8)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
