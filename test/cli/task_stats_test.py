"""VICINO_STATS: what a program's threads did with tasks, as a table and as JSON."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from command import VICINO, Case

SOURCE = r"""
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 100; ++i)
#pragma omp task
    ;
#pragma omp parallel num_threads(1)
  for (int i = 0; i < 10; ++i)
#pragma omp task
    ;
}
"""


class TaskStats(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Path(cls.folder.name) / "program"
        subprocess.run(["gcc-12", "-fopenmp", "-x", "c", "-", "-o", cls.program], input=SOURCE,
                       text=True, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ran(self, value):
        self.env.pop("VICINO_LIBRARY")  # so that the real library is used
        return subprocess.run([VICINO, "run", "--", self.program], text=True, capture_output=True,
                              env=self.env | {"VICINO_STATS": value}, check=True, timeout=60)

    def test_nothing_is_said_unless_asked(self):
        self.assertEqual(self.ran("false").stderr, "")

    def test_table(self):
        lines = self.ran("true").stderr.splitlines()
        head, *rows = lines[lines.index("vicino: tasks by thread") + 1:]
        sums = dict.fromkeys(head.split(), 0)
        for row in rows:
            for name, value in zip(head.split(), row.split(), strict=True):
                sums[name] += int(value)
        self.assertEqual((sums["spawned"], sums["executed"], sums["at_once"]), (100, 100, 10))

    def test_json_in_a_file_per_process(self):
        done = self.ran(f"{self.folder.name}/stats-%p.json")
        self.assertEqual(done.stderr, "")
        [file] = Path(self.folder.name).glob("stats-*.json")
        threads = json.loads(file.read_text(encoding="utf-8"))["tasks"]
        self.assertEqual(sum(t["executed"] for t in threads), 100)
        taken = sum(sum(t["stolen"].values()) for t in threads)
        others = sum(t["executed"] for t in threads if not t["spawned"])
        self.assertEqual(taken, others)

    def test_a_file_that_cannot_be_written(self):
        done = self.ran("/nowhere/at/all.json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("VICINO_STATS: cannot write /nowhere/at/all.json: No such file", done.stderr)


if __name__ == "__main__":
    unittest.main()
