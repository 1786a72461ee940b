"""If threads cannot be started, regions run with the threads there are, and one line says so. If there is no
memory, one line says so, and the process aborts."""
import signal
import subprocess
import unittest

from surroundings import (HERE, LIBRARY, TIMEOUT, WORK, Case, build, cgroup, clean_environment, compiler, program,
                          runtime)


class Refused(Case):
    def said_once(self, sizes, *asked, **options):
        output, error = self.run_on_vicino("team", *asked, **options)
        self.assertEqual([int(word) for word in output.split()], sizes)
        lines = error.splitlines()
        self.assertEqual(len(lines), 1, error)
        self.assertRegex(lines[0], "^vicino: no more threads can be started")

    def refusing(self, after, times=1000):
        shim = build.build(HERE / "refuse.c", compiler(), [], WORK / "surroundings", shared=True)
        return {"LD_PRELOAD": shim, "REFUSE_AFTER": after, "REFUSE_TIMES": times}

    def test_from_the_start(self):
        self.said_once([1, 1, 1], 4, 1, 8, **self.refusing(0))

    def test_when_the_team_grows(self):
        self.said_once([2, 3, 3, 1, 2, 3], 2, 8, 8, 1, 2, 64, **self.refusing(2))

    def test_not_said_when_there_are_enough(self):
        self.assertEqual(self.sizes(4, 2, 4, **self.refusing(3)), [4, 2, 4])

    def test_bound_threads(self):
        self.said_once([2, 3, 3], 2, 8, 5, OMP_PROC_BIND="close", OMP_PLACES="threads",
                       **self.refusing(2))

    def test_not_for_ever(self):
        self.said_once([3, 6, 2, 7], 6, 6, 2, 7, **self.refusing(2, times=1))

    def test_under_a_thread_limit(self):
        """Room in the limit that was reserved for threads which cannot be started is given back."""
        self.said_once([3, 6, 2, 6], 6, 6, 2, 7, OMP_THREAD_LIMIT=6, **self.refusing(2, times=1))

    def test_limit_of_the_control_group(self):
        for limit in (1, 3):
            with self.subTest(limit=limit), self.in_group(cgroup.thread_limit(limit)) as join:
                self.said_once([min(limit, 2), limit, limit], 2, 8, 6, join=join)

    def test_a_wish_for_more_threads_than_any_system_has(self):
        with self.in_group(cgroup.thread_limit(20)) as join:
            for wish in (100_000, 2**31 - 1):
                with self.subTest(wish=wish):
                    self.said_once([20, 3], wish, 3, join=join)

    def test_stacks_larger_than_memory(self):
        self.said_once([1, 1], 4, 2, OMP_STACKSIZE="1000T")


class NoMemory(Case):
    def test_one_line_says_so(self):
        shim = build.build(HERE / "no_memory.c", compiler(), [], WORK / "surroundings", shared=True)
        settings = runtime.Runtime(LIBRARY, WORK).environment()
        inherited = clean_environment()
        ended = 0
        # Not the first calls: the C++ library's reserve for exceptions is among them.
        for calls in range(5, 200, 11):
            environment = {**inherited, **settings, "LD_PRELOAD": str(shim), "FAIL_AT": str(calls)}
            done = subprocess.run([program("team"), "4", "2", "4"], env=environment, text=True, check=False,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
            if done.returncode == 0:
                continue
            ended += 1
            self.assertEqual(done.returncode, -signal.SIGABRT, calls)
            self.assertRegex(done.stderr, r"\Avicino: out of memory.*\n\Z")
        self.assertGreater(ended, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
