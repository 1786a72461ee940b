"""vicino report --talp: TALP-Pages, of PyPI, reads the file, and finds what `--json` says."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGES = ("talp-pages==3.8.0",)
UNAVAILABLE = 77

SOURCE = r"""
int main(void) {
  volatile double sum = 0;
  for (int k = 0; k < 20; ++k) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < 1000; ++j) sum = sum + j;
  }
}
"""


def reader():
    folder = tempfile.mkdtemp()
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target",
                           folder, *PACKAGES], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"skipped: {PACKAGES} cannot be had: {done.stderr.strip()[-200:]}")
        sys.exit(UNAVAILABLE)
    sys.path.insert(0, folder)
    from talp_pages.io.dataframe_handling import load_talp_json_df
    return load_talp_json_df


class Talp(unittest.TestCase):
    def test_it_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            program, ours, talps = (Path(folder) / name for name in ("a", "ours.json", "talp.json"))
            subprocess.run(["gcc-12", "-fopenmp", "-x", "c", "-", "-o", program], input=SOURCE, text=True, check=True)
            subprocess.run([VICINO, "report", "--json", ours, "--talp", talps, "--", program], check=True,
                           capture_output=True, env=os.environ | {"OMP_NUM_THREADS": "2"})
            table = LOAD(talps).set_index("regionName")
            expected = json.loads(ours.read_text(encoding="utf-8"))
        self.assertEqual(set(table["executionMode"]), {"OpenMP"})
        [region] = [one for one in expected["constructs"] if one["kind"] == "region"]
        for name, seconds, efficiency in (("Global", expected["seconds"], expected["efficiency"]),
                                          (region["place"], region["lengths"]["ns"] * 1e-9, region["efficiency"])):
            row = table.loc[name]
            self.assertAlmostEqual(row["elapsedTime"], seconds)
            for theirs, mine in (("parallelEfficiency", "parallel"), ("ompLoadBalance", "load_balance"),
                                 ("ompSchedulingEfficiency", "scheduling"), ("ompSerializationEfficiency", "serialization")):
                self.assertAlmostEqual(row[theirs], efficiency[mine])
        self.assertEqual(len(table), 2)


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    LOAD = reader()
    unittest.main()
