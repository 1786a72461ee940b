"""With OMP_DYNAMIC=true regions leave other processes their CPUs, and get them back afterwards."""
import os
import pathlib
import threading
import unittest

from surroundings import Case
from report import copies

CPUS = len(os.sched_getaffinity(0))


def ready():
    """How many threads of the machine want to run."""
    return int(pathlib.Path("/proc/loadavg").read_text(encoding="utf-8").split()[3].split("/")[0])


@unittest.skipIf(CPUS < 2, "one CPU: each region has one thread")
class Room(Case):
    def regions(self, ms, *words, **settings):
        """(with all the threads, with fewer) of the second half."""
        output, _ = self.run_on_vicino("rooms", ms, CPUS, *words, **settings)
        return [int(word) for word in output.split()]

    def test_in_a_crowd_regions_have_fewer_threads(self):
        with copies.Endless(2 * CPUS):
            whole, fewer = self.regions(600, OMP_DYNAMIC="true")
        self.assertGreater(fewer, 10 * whole)

    def test_without_dyn_var_they_have_what_they_ask_for(self):
        with copies.Endless(2 * CPUS):
            whole, fewer = self.regions(300)
        self.assertGreater(whole, 0)
        self.assertEqual(fewer, 0)

    def test_after_the_crowd_they_have_all(self):
        with copies.Endless(2 * CPUS) as crowd:
            end = threading.Timer(0.5, crowd.stop)
            end.start()
            whole, _ = self.regions(8000, "until", OMP_DYNAMIC="true")
            end.join()
        if not whole and ready() > CPUS:
            self.skipTest("the machine is busy")
        self.assertEqual(whole, 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
