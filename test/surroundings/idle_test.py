"""Between regions a program uses no CPU time."""
import unittest

from surroundings import Case


class Idle(Case):
    def used_us(self, **settings):
        return int(self.run_on_vicino("idle", **settings)[0])

    def test_threads_sleep_soon_after_a_region(self):
        for threads in (2, 8):
            with self.subTest(threads=threads):
                self.assertLess(self.used_us(OMP_NUM_THREADS=threads), 5000)

    def test_unless_they_are_told_to_poll(self):
        """The measurement notices a runtime that polls."""
        self.assertGreater(self.used_us(OMP_NUM_THREADS=2, OMP_WAIT_POLICY="active"), 50000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
