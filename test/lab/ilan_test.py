"""Tuned taskloops: threads outside the node mask execute nothing, strict tasks stay on their node, and
with all threads the tasks run where a static loop touched their data first.

    ilan_test.py MACHINE ILAN SEED...

The guests count: see first_touch_test.py. Their CPUs run one after the other, so a
thread that sleeps comes late when it is woken, and then the threads of other nodes may help: none sleeps.
"""

import sys
import unittest

import guest
from launcher import machine

NAME, PROGRAM, *SEEDS = sys.argv[1:]
MACHINE = machine.load(NAME)
NODES = len(MACHINE.nodes)
# Slices of the executions. The first one warms up, then each width has one execution. The widths of the
# first two of these are known: all threads and half of them.
ALL, HALF, EACH = slice(0, 2), slice(2, 3), slice(0, 7)


BOUND, UNBOUND = ("OMP_PROC_BIND=close", "OMP_PLACES=cores"), ()


def run(seed, settings):
    """[(threads, nodes, changes of node, share near its page, iterations that ran once, iterations)]"""
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
        for *_, ran, all_ in self.each(EACH):
            self.assertEqual(ran, all_)

    def test_with_all_threads_where_their_data_are(self):
        for threads, nodes, _, share, *_ in self.each(ALL):
            self.assertEqual((nodes, share), (NODES, 1))
            self.assertGreater(threads, NODES)

    def test_with_half_of_them_on_half_of_the_nodes(self):
        for _, nodes, *_ in self.each(HALF):
            self.assertEqual(nodes, NODES // 2)

    def test_tasks_stay_on_their_node(self):
        """Each node runs one contiguous part of the iterations."""
        for threads, nodes, changes, *_ in self.each(EACH):
            self.assertTrue(nodes <= threads and nodes <= NODES)
            self.assertEqual(changes, nodes - 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
