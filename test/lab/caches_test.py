"""What threads have in their caches stays near them on a machine of one node with several caches.

    caches_test.py PROGRAM
"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import guest

PROGRAM = sys.argv[1]
SEEDS = (0, 1)
# Of the accesses that memory answers, and of the time, where threads may run anywhere.
MOST_MEMORY, MOST_CYCLES = 0.2, 0.8
# Threads that sleep between regions are woken wherever the kernel likes; those that poll stay by themselves.
PROGRAM_ASLEEP = f"OMP_WAIT_POLICY=passive {PROGRAM}"


class Caches(unittest.TestCase):
    def test_memory_is_asked_less_than_by_threads_anywhere(self):
        for seed in SEEDS:
            with self.subTest(seed), tempfile.TemporaryDirectory() as folder:
                counts = Path(folder) / "counts.json"
                done = guest.lab("--machine", "1x64", "--locality", "--seed", seed, "--json", counts, "--file", PROGRAM,
                                 "--", "sh", "-c", f"OMP_PROC_BIND=false {PROGRAM_ASLEEP} && {PROGRAM_ASLEEP}")
                self.assertEqual(done.returncode, 0, done)
                anywhere, near = json.loads(counts.read_text())["regions"]
                self.assertLessEqual(near["totals"]["local"], MOST_MEMORY * anywhere["totals"]["local"])
                self.assertLessEqual(near["machine_cycles"], MOST_CYCLES * anywhere["machine_cycles"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
