"""Runs a command that forks after a parallel region, once on its own runtime and once on Vicino.

    after_fork.py VICINO SECONDS FILE COMMAND...

FILE gets the seconds of each, and null for one that did not end within SECONDS. Vicino must end, with what the
command prints when it ends.
"""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench/programs"))

import trial  # noqa: E402


def main(vicino, seconds, file, *command):
    ran = {}
    for side, before in (("own", []), ("vicino", [vicino, "run", "--"])):
        ran[side] = trial.run([*before, *command], None, trial.chosen_by_nobody(), float(seconds))
    for side, run in ran.items():
        if run.ended and run.status:
            sys.exit(f"{side}: exit {run.status}: {run.last_words()}")
        print(f"{side}: " + (f"{run.seconds:.1f} s" if run.ended else f"not ended after {seconds} s"))
    if not ran["vicino"].ended:
        sys.exit("it hangs on Vicino, too")
    Path(file).write_text(json.dumps({side: run.seconds if run.ended else None for side, run in ran.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
