"""Tuned taskloops: threads outside the mask execute nothing, strict tasks stay in their near domain, which is a node
or a group of CPUs that share a cache, and with all threads the tasks run where a static loop touched their data first.

    ilan_test.py MACHINE ILAN SEED...

The guests count: see first_touch_test.py. Their CPUs run one after the other, so a
thread that sleeps comes late when it is woken, and then the threads of other domains may help: none sleeps.
"""

import sys
import unittest

import guest
from launcher import machine
from view import View

NAME, PROGRAM, *SEEDS = sys.argv[1:]
MACHINE = machine.load(NAME)
DOMAINS = len(View(MACHINE).groups(View(MACHINE).near_of))
# Slices of the executions. On one node the first one is offered to the whole team, since taskloops have to pay for
# trying. Then one warms up, and each width has one execution. The widths of the first two of these are known: all
# threads and half of them.
FIRST = 1 if len(MACHINE.nodes) == 1 else 0
ANY, ALL, HALF, EACH = slice(0, 7), slice(FIRST, FIRST + 2), slice(FIRST + 2, FIRST + 3), slice(FIRST, 7)


BOUND, UNBOUND = ("OMP_PROC_BIND=close", "OMP_PLACES=cores"), ()


def run(seed, settings):
    """[(threads, domains, changes of domain, share near its page, iterations that ran once, iterations)]"""
    done = guest.lab("--machine", NAME, "--locality", "--seed", seed, "--file", PROGRAM, "--",
                     "env", "OMP_WAIT_POLICY=active", *settings, PROGRAM)
    assert done.returncode == 0, done
    lines = [line.replace("/", " ").split() for line in done.stdout.decode().splitlines()]
    return [tuple(float(word) for word in line) for line in lines]


class Ilan(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.executions = {(seed, settings): run(seed, settings) for seed in SEEDS for settings in (BOUND, UNBOUND)}

    def each(self, which):
        for (seed, settings), executions in self.executions.items():
            self.assertEqual(len(executions), 7)
            for number, execution in enumerate(executions[which], which.start):
                with self.subTest(seed=seed, settings=settings, execution=number):
                    yield execution

    def test_each_iteration_runs_once(self):
        for *_, ran, all_ in self.each(ANY):
            self.assertEqual(ran, all_)

    def test_with_all_threads_where_their_data_are(self):
        for threads, domains, _, share, *_ in self.each(ALL):
            self.assertEqual((domains, share), (DOMAINS, 1))
            self.assertGreater(threads, DOMAINS)

    def test_with_half_of_them_in_half_of_the_nodes(self):
        """Threads are left out node by node, and evenly in the cache groups of one node."""
        for threads, domains, *_ in self.each(HALF):
            self.assertEqual(domains, DOMAINS if len(MACHINE.nodes) == 1 else DOMAINS // 2)
            self.assertLessEqual(threads, MACHINE.cpus // 2)

    def test_tasks_stay_in_their_domain(self):
        """Each domain runs one contiguous part of the iterations."""
        for threads, domains, changes, *_ in self.each(EACH):
            self.assertTrue(domains <= threads and domains <= DOMAINS)
            self.assertEqual(changes, domains - 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
