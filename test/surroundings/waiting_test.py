"""In whichever way seven of eight threads wait for one that sleeps, they sleep soon, too."""
import unittest

from surroundings import HERE, Case, build

WAYS = ("barrier", "single", "ordered", "doacross", "critical", "lock", "nest_lock", "taskwait", "taskgroup",
        "dependences")
# Of half a second in which only one thread at a time may go on. A single thread that polls takes all of it.
MOST_US = 100_000


class Waiting(Case):
    def test_threads_sleep_soon(self):
        for by in ("gcc-12", "clang-19"):
            if not build.available(by, HERE / "waiting.c"):
                continue
            for way in WAYS:
                with self.subTest(way=way, by=by):
                    self.assertLess(int(self.run_on_vicino("waiting", way, by=by)[0]), MOST_US)


if __name__ == "__main__":
    unittest.main(verbosity=2)
