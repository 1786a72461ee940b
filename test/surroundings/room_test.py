"""With OMP_DYNAMIC=true regions leave other processes their CPUs, and get them back afterwards."""
import os
import subprocess
import unittest

from surroundings import Case
from report import copies

CPUS = len(os.sched_getaffinity(0))


@unittest.skipIf(CPUS < 2, "one CPU: each region has one thread")
class Room(Case):
    def regions(self, ms, **settings):
        """(with all the threads, with fewer) of the second half."""
        output, _ = self.run_on_vicino("rooms", ms, CPUS, **settings)
        return [int(word) for word in output.split()]

    def test_in_a_crowd_regions_have_fewer_threads(self):
        with copies.Endless(2 * CPUS):
            whole, fewer = self.regions(600, OMP_DYNAMIC="true")
        self.assertGreater(fewer, 10 * whole)

    def test_without_dyn_var_they_have_what_they_ask_for(self):
        with copies.Endless(2 * CPUS):
            whole, fewer = self.regions(1000)
        self.assertGreater(whole, 0)
        self.assertEqual(fewer, 0)

    def test_bound_teams_stay_whole(self):
        with copies.Endless(2 * CPUS):
            whole, fewer = self.regions(1000, OMP_DYNAMIC="true", OMP_PROC_BIND="true")
        self.assertGreater(whole, 0)
        self.assertEqual(fewer, 0)

    def test_after_the_crowd_they_have_all(self):
        command, environment = self.command("rooms", 8_000, CPUS, "until", OMP_DYNAMIC="true")
        with copies.Endless(2 * CPUS) as crowd, \
                subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
            self.assertEqual(running.stdout.readline(), "narrow\n")
            crowd.stop()
            ended = running.stdout.readline()
        if ended == "0 0\n":
            self.skip_if_busy()
        self.assertEqual(ended, "1 0\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
