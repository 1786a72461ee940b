"""The parts of a report that could mislead if they were wrong."""

import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "micro"))

from report import cells, cgroup, page, stats  # noqa: E402
from suites import tasks  # noqa: E402


class Ratios(unittest.TestCase):
    def noise(self, center, seed, count=15):
        """As timings are: a hard floor, small jitter, a rare large disturbance."""
        rng = random.Random(seed)
        return [center * (1 + abs(rng.gauss(0, 0.02)) + (rng.random() < 0.1) * rng.random() * 5)
                for _ in range(count)]

    def test_finds_a_difference_under_noise(self):
        found = stats.ratio(self.noise(120, 1), [self.noise(100, 2), self.noise(300, 3)])
        self.assertLess(found["low"], 1.2)
        self.assertGreater(found["high"], 1.19)
        self.assertGreater(found["low"], 1.05)

    def test_interval_holds_one_when_nothing_differs(self):
        held = 0
        for seed in range(100):
            found = stats.ratio(self.noise(100, 2 * seed), [self.noise(100, 2 * seed + 1)], 200)
            held += found["low"] <= 1 <= found["high"]
        self.assertGreaterEqual(held, 88)

    def test_the_better_peer_is_the_reference(self):
        self.assertEqual(stats.ratio([30.0] * 3, [[10.0] * 3, [60.0] * 3])["ratio"], 3)


class Quietest(unittest.TestCase):
    def test_leaves_out_disturbed_processes_and_not_slow_ones(self):
        self.assertEqual(stats.quietest([9, 1, 8, 7], [0.01, 0.5, 0.0, 0.02]), [9, 8, 7])

    def test_keeps_the_quieter_half_of_a_busy_run(self):
        self.assertEqual(stats.quietest([1, 2, 3, 4, 5, 6, 7, 8], [0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6, 0.5]),
                         [2, 4, 6, 8])

    def test_never_empty(self):
        self.assertEqual(stats.quietest([5], [0.9]), [5])


class TaskKernels(unittest.TestCase):
    BY_KERNEL = {
        "fib": {"clang Vicino": [2.0] * 3, "clang libomp": [8.0] * 3, "gcc Vicino": [99.0] * 3},
        "sort": {"clang Vicino": [4.0] * 3, "clang libomp": [4.0] * 3},
        "chain": {"clang Vicino": [1.0] * 3, "clang libomp": [100.0] * 3},
        "fft": {"clang Vicino": [1.0] * 3},  # the peer found no end
    }

    def test_speed_is_the_peers_time_over_ours_in_the_same_program(self):
        self.assertEqual(tasks.speeds(self.BY_KERNEL, cells.OURS, "clang libomp"),
                         {"fib": 4.0, "sort": 1.0})

    def test_verdict_names_the_mean_and_the_slowest(self):
        text = tasks.verdict(self.BY_KERNEL, cells.OURS, "clang libomp")
        self.assertIn("2.00 times as fast in the geometric mean of 2 kernels, 1.00 at least (sort)",
                      text)

    def test_no_verdict_without_a_pair(self):
        self.assertEqual(tasks.verdict(self.BY_KERNEL, cells.OURS, "gcc oneTBB"), "")


class Page(unittest.TestCase):
    def test_keeps_the_fixed_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n", encoding="utf-8")
            page.rewrite(path, "new")
            page.rewrite(path, "newer")
            text = path.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n"))
        self.assertIn("newer", text)
        self.assertNotIn("old", text)

    def test_refuses_a_page_without_marks(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".md") as file:
            with self.assertRaises(ValueError):
                page.rewrite(pathlib.Path(file.name), "new")


class Rounds(unittest.TestCase):
    def test_every_job_once_a_round(self):
        ran = list(cells.interleaved("abc", 0, 4, lambda _: None))
        for number in range(4):
            self.assertEqual(sorted(job for n, job in ran if n == number), ["a", "b", "c"])
        self.assertEqual(len(ran), 12)


class Quota(unittest.TestCase):
    def test_group_is_gone_after_a_failure(self):
        before = self.groups()
        try:
            with cgroup.cpu_quota(1):
                self.assertNotEqual(self.groups(), before)
                raise KeyError
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))
        except KeyError:
            pass
        self.assertEqual(self.groups(), before)

    def test_group_is_gone_after_a_kill(self):
        script = ("from report.cgroup import cpu_quota\nimport subprocess\n"
                  "with cpu_quota(1) as join:\n"
                  "    sleep = subprocess.Popen(['sleep', '60'], preexec_fn=join)\n"
                  "    print(flush=True)\n    sleep.wait()")
        before = self.groups()
        bench = pathlib.Path(__file__).resolve().parents[1]
        with subprocess.Popen([sys.executable, "-c", script], cwd=bench, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            if not child.stdout.readline():
                self.skipTest(child.stderr.read().strip().splitlines()[-1])
            self.assertNotEqual(self.groups(), before)
            child.kill()
        for _ in range(100):
            if self.groups() == before:
                return
            time.sleep(0.05)
        self.fail("the group is still there")

    @staticmethod
    def groups():
        return sorted(pathlib.Path("/sys/fs/cgroup").rglob("vicino-bench-*"))


if __name__ == "__main__":
    unittest.main()
