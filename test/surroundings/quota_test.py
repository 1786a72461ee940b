"""A control group's CPU quota sets the default team's size, and waiting does not waste the quota."""
import os
import unittest

from surroundings import Case, cgroup


class Quota(Case):
    def test_default_team_is_the_quota_rounded_up(self):
        cpus = len(os.sched_getaffinity(0))
        for quota, threads in ((0.5, 1), (1, 1), (1.5, 2)):
            with self.subTest(quota=quota), self.in_group(cgroup.cpu_quota(quota)) as join:
                self.assertEqual(self.sizes(0, 0, join=join), [min(threads, cpus)] * 2)

    def test_number_that_is_asked_for_is_obeyed(self):
        for quota in (0.5, 1, 1.5):
            with self.subTest(quota=quota), self.in_group(cgroup.cpu_quota(quota)) as join:
                self.assertEqual(self.sizes(0, join=join, OMP_NUM_THREADS=4), [4])
                self.assertEqual(self.sizes(3, 0, join=join, OMP_NUM_THREADS=2), [3, 2])

    def test_dynamic_keeps_to_the_quota(self):
        with self.in_group(cgroup.cpu_quota(1)) as join:
            self.assertEqual(self.sizes(4, join=join, OMP_DYNAMIC="true"), [1])

    def test_waiting_costs_little(self):
        """Compares CPU times, so that other load on the machine makes no difference. A thread that
        polled all the time would double them."""
        with self.in_group(cgroup.cpu_quota(1)) as join:
            serial, answer, _ = self.run_on_vicino("regions", "serial", join=join)[0].split()
            parallel, same, _ = self.run_on_vicino("regions", join=join,
                                                   OMP_NUM_THREADS=2)[0].split()
        self.assertEqual(answer, same)
        self.assertLess(int(parallel), 1.6 * int(serial))

    def test_a_used_up_quota_is_no_reason_to_sleep(self):
        """Four threads on two CPUs pass their CPUs on. A thread that took the time without a CPU for time
        that another thread took would sleep at each wait for a while, in every period again."""
        regions = 40_000
        cpus = os.sched_getaffinity(0)
        if len(cpus) < 2:
            self.skipTest("one CPU")
        os.sched_setaffinity(0, sorted(cpus)[:2])
        self.addCleanup(os.sched_setaffinity, 0, cpus)
        with self.in_group(cgroup.cpu_quota(0.5)) as join:
            sleeps = self.run_on_vicino("regions", "short", join=join, OMP_NUM_THREADS=4)[0].split()[2]
        if int(sleeps) >= regions / 2:
            self.skip_if_busy()
        self.assertLess(int(sleeps), regions / 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
