"""A client from PyPI computes on Vicino what it computes on its own runtime: by itself, four processes at
once, under a quota of one core, and in children that were forked after a parallel region.

    clients_test.py NAME VICINO FOLDER
"""

import concurrent.futures
import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "apps"), str(HERE.parents[1] / "bench")]

from on_vicino import Vicino, clean_environment, own, skip  # noqa: E402
from python_of import client, packages, python_of  # noqa: E402
from report import cgroup  # noqa: E402
import checked  # noqa: E402
import trial  # noqa: E402

AT_ONCE = 4
LIMIT = 150    # seconds for a process that takes three on a quiet machine
HANGS = 10     # a process that hangs is given so many

FOLDER, VICINO, NAME = (sys.argv.pop() for _ in range(3))
CLIENT = client(NAME)
SETTINGS = getattr(CLIENT, "ENVIRONMENT", {})


def command(how):
    return [python_of(NAME, FOLDER), HERE / "client.py", NAME, how]


def run(*before, how="once", limit=LIMIT, join=None, **settings):
    return trial.run([*before, *command(how)], FOLDER, clean_environment(**SETTINGS, **settings), limit, join)


def on_vicino(**options):
    return run(VICINO, "run", "--", **options)


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.expected = checked.kept(own(command("once"), **SETTINGS).out, "")

    def same(self, text, times=1):
        """The text is what the client printed on its own runtime, so many times one after the other."""
        found = checked.difference(self.expected * times, checked.kept(text, ""), CLIENT.RELATIVE)
        self.assertIsNone(found, text)

    def right(self, done, times=1):
        self.assertEqual(done.status, 0, f"after {done.seconds:.0f} s: {done.last_words()}")
        self.same(done.out, times)

    def test_alone(self):
        """The loader's record shows that its calls were served by Vicino."""
        self.same(Vicino(VICINO).run(command("once"), **SETTINGS).out)

    def test_at_once(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as copies:
            for done in [copies.submit(on_vicino) for _ in range(AT_ONCE)]:
                self.right(done.result())

    def test_quota(self):
        """With the default team, which is one thread then, and with more threads than the quota has cores."""
        try:
            with cgroup.cpu_quota(1) as join:
                self.right(on_vicino(join=join))
                self.right(on_vicino(join=join, OMP_NUM_THREADS="4"))
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))

    def test_fork(self):
        """Also shows that the children had parallel regions: on the client's own runtime they hang there."""
        with concurrent.futures.ThreadPoolExecutor(1) as beside:
            control = beside.submit(run, how="forked", limit=HANGS)
            done, control = on_vicino(how="forked"), control.result()
        if refusal := getattr(CLIENT, "REFUSES_FORK", None):
            for one in (done, control):
                self.assertIn(refusal, one.err)
            return
        self.right(done, times=3)
        if len(os.sched_getaffinity(0)) > 1:
            self.assertFalse(control.ended, f"ended on its own runtime: {control.last_words()}")


if __name__ == "__main__":
    try:
        python_of(NAME, FOLDER)
    except packages.Unavailable as why:
        skip(why)
    unittest.main(verbosity=2)
