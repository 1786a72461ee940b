"""scikit-learn's wheel, which carries a renamed libgomp, gives the same labels on Vicino, also several
processes at once: the program that docs/reference/compare.md shows.

    sklearn_test.py VICINO FOLDER
"""

import json
import subprocess
import sys
from pathlib import Path

from on_vicino import Vicino, clean_environment, is_vicino, own, python_with

PINS = ("scikit-learn==1.5.2", "numpy==1.26.4", "scipy==1.11.4", "joblib==1.4.2", "threadpoolctl==3.5.0")
WORK = Path(__file__).with_name("sklearn_work.py")


def labels(run):
    return [line for line in run.out.splitlines() if line.startswith(("kmeans", "boosting"))]


def compare_at_once(vicino, python, folder, copies):
    """Waiting is passive, because several copies on libgomp's default take minutes where cores are few."""
    page = (Path(__file__).resolve().parents[2] / "docs/reference/compare.md").read_text(encoding="utf-8")
    shown = page.split("```python\n")[1].split("```")[0]
    program = Path(folder) / "train.py"
    program.write_text(shown, encoding="utf-8")
    command = [vicino, "compare", "--at-once", str(copies), "--pairs", "1", "--same-output", "--json", "-",
               "--env", "OMP_WAIT_POLICY=passive", "--", python, program]
    done = subprocess.run(command, env=clean_environment(), text=True, capture_output=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    runtimes = {side: [is_vicino(Path(file)) for file in found[side]["runtimes"]] for side in ("base", "candidate")}
    assert runtimes == {"base": [False], "candidate": [True]}, found
    for side in runtimes:
        assert [len(sample["walls"]) for sample in found[side]["samples"]] == [copies], found[side]
    print(f"{copies} at once: same output from all")


def main(vicino, folder):
    python = python_with(Path(folder) / "sklearn", *PINS)
    expected = labels(own([python, WORK, "2"]))
    assert len(expected) == 2, expected
    for threads in ("1", "2", "5"):
        run = Vicino(vicino).run([python, WORK, threads])
        assert "vicino True" in run.out, run.out
        assert labels(run) == expected, f"{threads} threads:\n{expected}\n{run.out}"
        assert "GOMP_parallel" in run.served, run.served
        # threadpoolctl took Vicino for an OpenMP runtime, by its file's name, and set its threads.
        assert f"limited to {threads}\n" in run.out, run.out
        print(f"{threads} threads: same labels, {len(run.served)} entry points served by Vicino")
    compare_at_once(vicino, python, folder, 3)


if __name__ == "__main__":
    main(*sys.argv[1:])
