"""A client from PyPI computes on Vicino what it computes on its own runtime: by itself, four processes at
once, under a quota of one core, in children that were forked after a parallel region, and by Vicino's wheel.

    clients_test.py NAME VICINO FOLDER BUILD
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "apps"), str(HERE.parent / "python"), str(HERE.parents[1] / "bench")]

from built_wheel import built_wheel  # noqa: E402
from on_vicino import Vicino, clean_environment, own, skip  # noqa: E402
from python_of import client, packages, python_of  # noqa: E402
from report import cgroup  # noqa: E402
import checked  # noqa: E402
import trial  # noqa: E402

AT_ONCE = 4
LIMIT = 150    # seconds for a process that takes three on a quiet machine
MOST_THREADS = 8
HANGS = 10     # a process that hangs is given so many

BUILD, FOLDER, VICINO, NAME = (sys.argv.pop() for _ in range(4))
CLIENT = client(NAME)
SETTINGS = getattr(CLIENT, "ENVIRONMENT", {})


def command(how):
    return [python_of(NAME, FOLDER), HERE / "client.py", NAME, how]


def run(*before, how="once", limit=LIMIT, join=None, **settings):
    return trial.run([*before, *command(how)], FOLDER, clean_environment(**SETTINGS, **settings), limit, join)


def on_vicino(**options):
    return run(VICINO, "run", "--", **options)


class Case(unittest.TestCase):
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


@unittest.skipUnless(hasattr(CLIENT, "KNOWN"), "not known to allow fewer threads")
class Known(Case):
    """The client's modules are rows of config/known_modules.cpp."""

    def test_each_number_of_threads(self):
        for threads in range(1, MOST_THREADS + 1):
            with self.subTest(threads):
                self.right(on_vicino(OMP_NUM_THREADS=str(threads)))

    def test_numbers_that_change_from_region_to_region(self):
        for threads in (2, 3, MOST_THREADS):
            with self.subTest(threads):
                done = on_vicino(OMP_NUM_THREADS=str(threads), VICINO_KNOWN="random", VICINO_EXPLAIN="true")
                self.right(done)
                for module in CLIENT.KNOWN:
                    self.assertIn(module, done.err)


class Client(Case):
    def test_alone(self):
        """The loader's record shows that its calls were served by Vicino."""
        self.same(Vicino(VICINO).run(command("once"), **SETTINGS).out)

    def test_at_once(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as copies:
            for done in [copies.submit(on_vicino) for _ in range(AT_ONCE)]:
                self.right(done.result())

    def test_dyn_var(self):
        """Each region has some number of threads, but those of libraries that are known to need all."""
        self.right(on_vicino(**trial.DYNAMIC))

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


class Wheel(Case):
    """The module `vicino` beside the client's packages."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        wheel = built_wheel(Path(BUILD), Path(folder.name))[1]
        cls.place = Path(folder.name) / "installed"
        subprocess.run([python_of(NAME, FOLDER), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                        "--disable-pip-version-check", "--target", cls.place, wheel], check=True)

    def info(self, *words):
        """What the module says after the client's work, which was right."""
        done = trial.run([python_of(NAME, FOLDER), *words], FOLDER,
                         clean_environment(**SETTINGS, PYTHONPATH=str(self.place)), LIMIT, None)
        self.assertEqual(done.status, 0, done.last_words())
        self.assertNotIn("VicinoWarning", done.err)
        lines = done.out.splitlines()
        self.same("\n".join(lines[:-1]) + "\n")
        return json.loads(lines[-1])

    def reached(self, found, how):
        self.assertEqual(found["how"], how)
        self.assertEqual((found["elsewhere"], found["not_yet"]), ([], []))
        self.assertNotEqual(found["reached"], [])
        self.assertTrue(Path(found["library"]).is_relative_to(self.place), found["library"])

    def test_python_m_vicino(self):
        self.reached(self.info("-m", "vicino", HERE / "on_wheel.py", NAME), "preloaded")

    def test_import_first(self):
        self.reached(self.info(HERE / "on_wheel.py", NAME, "import"), "imported")

    def test_threadpoolctl_sees_it(self):
        """With the same threads as info(), and no runtime that info() does not know."""
        found = self.info("-m", "vicino", HERE / "on_wheel.py", NAME, "threadpoolctl")
        self.assertEqual(found["threadpoolctl"],
                         sorted([os.path.realpath(one["path"]), one["threads"]] for one in found["runtimes"]))
        self.assertIn([found["library"], found["threads"]], found["threadpoolctl"])


if __name__ == "__main__":
    try:
        python_of(NAME, FOLDER)
    except packages.Unavailable as why:
        skip(why)
    unittest.main(verbosity=2)
