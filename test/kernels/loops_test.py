"""A loop kernel of bench/loops at a small size gives right answers under each schedule of the library.

The test asks the library for its schedules, so a new schedule is tested without a change here.
"""
import json
import math
import statistics
import sys

import checked
from report import schedules

# Worked out by hand: the work of each iteration of a loop, at the size of the test.
WORK = {("synthetic-uniform", "walk"): [2] * 16000,
        ("spmv-arrow", "rows"): [400] + [2] * 399,
        ("pathfinder", "row"): ([5] + [6] * 3998 + [5]) * 19}
# (arguments, how the refusal begins)
REFUSED = [(("--scale", "0"), "not a value for --scale: '0'; accepted: a number from 0.001"),
           (("--repeat", "2x"), "not a value for --repeat: '2x'; accepted: a whole number from 1"),
           (("--input", "nothing"), "no input 'nothing'; accepted: "),
           (("--size", "5"), "unknown argument, or one without its value: '--size'; accepted: --input")]
# After one of Vicino's names, the schedule says what a number means; after these names OpenMP does.
CHUNKED = [f"{kind},{chunk}" for kind in ("static", "dynamic", "guided") for chunk in (1, 3)]
SMALL = ("--scale", "0.02", "--repeat", "2")


def all_settings(names):
    yield {}
    for row in names["VICINO_SCHEDULE"]:
        yield {"VICINO_SCHEDULE": row}
    for kind in dict.fromkeys(["auto", *names["OMP_SCHEDULE"], *CHUNKED]):
        yield {"OMP_SCHEDULE": kind}


class Kernel(checked.Kernel):
    def complaint(self, settings, inputs):
        """What is wrong with a run, or None. Every input must have reported."""
        done = self.run(settings, *SMALL)
        ran = done.stdout.count('"kind":"kernel"')
        if done.returncode == 0 and ran == inputs and not done.stderr:
            return None
        shown = " ".join(f"{k}={v}" for k, v in settings.items())
        return f"{shown}: exit status {done.returncode}, {ran} of {inputs} inputs\n{done.stderr}"


def work_complaints(kernel, inputs):
    done = kernel.run({}, "--distribution", *SMALL)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if len({line["kernel"] for line in lines}) != inputs:
        yield f"--distribution: {len(lines)} loops of {inputs} inputs\n{done.stderr}"
    for line in lines:
        known = WORK.get((line["kernel"], line["loop"]))
        if known is None:
            continue
        want = (len(known), statistics.mean(known), statistics.pvariance(known), max(known) - min(known))
        got = tuple(line[key] for key in ("iterations", "mean", "variance", "range"))
        if not all(math.isclose(g, w, rel_tol=1e-4) for g, w in zip(got, want)):
            yield f"{line['kernel']}: iterations, mean, variance, range are {got}, not {want}\n"


def complaints(options):
    kernel = Kernel(options)
    inputs = kernel.run({}, "--list").stdout.count('"kind":"input"')
    if inputs == 0:
        yield "--list: no inputs\n"
    names = schedules.known(kernel.run(schedules.QUESTION, "--owners", "1").stderr)
    for settings in all_settings(names):
        for threads in options.threads:
            if complaint := kernel.complaint({"OMP_NUM_THREADS": str(threads), **settings}, inputs):
                yield complaint
    yield from work_complaints(kernel, inputs)
    yield from kernel.refusal_complaints(REFUSED)


if __name__ == "__main__":
    sys.exit(checked.main(__doc__, "1,2,3,7", complaints))
