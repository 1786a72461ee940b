#!/usr/bin/env python3
"""Runs the model of a cluster (main.cpp) and writes results.md and figure6.svg. All of it is computed: the
same sources give the same page on each machine.

    run.py --build BUILD             1 to 1024 nodes, parameters at their limits; the page and the picture
    run.py --build BUILD --quick     up to 64 nodes, few steps, printed
    run.py --build BUILD --from FILE what an earlier run kept, instead of a run

The picture is drawn by matplotlib, which is installed into a virtual environment in BUILD from PyPI.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import verdicts  # noqa: E402
from report import page, pictures  # noqa: E402

NODES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
FULL = {"nodes": NODES, "warm": 20, "steps": 60}
QUICK = {"nodes": (1, 4, 16, 64), "warm": 10, "steps": 10}
LIMITS = {"nodes": (128,), "warm": 15, "steps": 20}  # where parameters are at their limits
OFF_BY = 0.001  # how far sigma may be from what calibrates it


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="where bench_cluster was built")
    parser.add_argument("--quick", action="store_true", help="up to 64 nodes, printed")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of this machine (all)")
    parser.add_argument("--seed", type=int, default=1, help="of the noise (1)")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE", help="an earlier run")
    parser.add_argument("--page", type=pathlib.Path, default=HERE / "results.md", help="page to rewrite")
    parser.add_argument("--picture", type=pathlib.Path, default=HERE / "figure6.svg", help="picture to draw")
    return parser.parse_args()


class Model:
    """The program, with what all its runs have in common."""

    def __init__(self, options):
        self.program = options.build / "bench/cluster/cluster"
        self.common = ["--threads", str(options.threads), "--seed", str(options.seed)]
        if not self.program.exists():
            sys.exit(f"no {self.program}: build the target bench_cluster")

    def _output(self, *arguments):
        done = subprocess.run([self.program, *self.common, *arguments], text=True, stdout=subprocess.PIPE,
                              check=False)
        if done.returncode:
            sys.exit(f"{self.program.name} {' '.join(arguments)}: status {done.returncode}")
        return done.stdout

    def run(self, workload, scale, *more):
        return json.loads(self._output(
            "--workload", workload, "--nodes", ",".join(map(str, scale["nodes"])), "--warm", str(scale["warm"]),
            "--steps", str(scale["steps"]), *more))

    def parameters(self):
        return json.loads(self._output("--parameters"))

    def calibrated(self, scale):
        return float(self._output("--calibrate", "--warm", str(scale["warm"]), "--steps", str(scale["steps"])))


def say(text):
    print(text, file=sys.stderr, flush=True)


def concerns(name, workload):
    """Whether a parameter has to do with a workload."""
    return not name.startswith({"nbody": "snap-", "snap": "nbody-"}[workload]) and (
        workload == "nbody" or name != "clustering")


def at_limits(model, parameters, workload):
    """[(parameter, "low" or "high", rows)], and first the rows with nothing changed."""
    strategies = ("--strategies", ",".join(verdicts.PAPER))
    found = [("", "", model.run(workload, LIMITS, *strategies))]
    for row in parameters:
        if concerns(row["name"], workload):
            for end in ("low", "high"):
                if row[end] != row["value"]:
                    say(f"{workload}: {row['name']}={end}")
                    found.append((row["name"], end, model.run(
                        workload, LIMITS, *strategies, "--set", f"{row['name']}={end}")))
    return found


def compute(options):
    model = Model(options)
    parameters = model.parameters()
    data = {"parameters": parameters, "seed": options.seed, "scale": QUICK if options.quick else FULL,
            "limits_scale": LIMITS, "runs": {}, "limits": {}, "calibrated": None}
    if not options.quick:
        say("calibrating sigma")
        data["calibrated"] = model.calibrated(FULL)
    for workload in ("nbody", "snap"):
        say(f"{workload}: {max(data['scale']['nodes'])} nodes")
        data["runs"][workload] = model.run(workload, data["scale"])
        if not options.quick:
            data["limits"][workload] = at_limits(model, parameters, workload)
    return data


def refuse_uncalibrated(data):
    sigma = next(row["value"] for row in data["parameters"] if row["calibrated"])
    if data["seed"] == 1 and data["calibrated"] is not None and abs(sigma - data["calibrated"]) > OFF_BY:
        sys.exit(f"sigma is {sigma} in parameters.cpp, but {data['calibrated']} gives the paper's uSched: set it")


def draw(options, data):
    try:
        pictures.draw(options.build, HERE / "picture.py", options.picture, data["runs"])
    except pictures.Unavailable as why:
        sys.exit(f"no picture, and no page without it: {why}")


def main():
    options = parse()
    data = json.loads(options.source.read_text(encoding="utf-8")) if options.source else compute(options)
    if options.quick:
        print(verdicts.figure(data["runs"]))
        return
    (options.build / "bench/cluster/results.json").write_text(json.dumps(data), encoding="utf-8")
    refuse_uncalibrated(data)
    draw(options, data)
    page.rewrite(options.page, verdicts.report(data))
    print(f"written: {options.page}, {options.picture}")


if __name__ == "__main__":
    main()
