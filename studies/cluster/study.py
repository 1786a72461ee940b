"""Loops on 1 to 1024 nodes of a cluster, by a model (main.cpp): some six minutes on two cores.

All of it is computed: the same sources give the same figures on each machine.
"""

import json
import os
import pathlib
import subprocess
import sys

from cluster import verdicts
from report import command

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "results.md"
TARGETS = ("bench_cluster",)
PICTURES = ((HERE / "picture.py", "cluster.svg", verdicts.FIGURE),)
NODES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
FULL = {"nodes": NODES, "warm": 20, "steps": 60}
QUICK = {"nodes": (1, 4, 16, 64), "warm": 10, "steps": 10}
LIMITS = {"nodes": (128,), "warm": 15, "steps": 20}  # where parameters are at their limits
OFF_BY = 0.001  # how far sigma may be from what calibrates it


def add_options(parser):
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of this machine (all)")
    parser.add_argument("--seed", type=int, default=1, help="of the noise (1)")


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
    data = {"written_by": command.written_by(options.build), "parameters": parameters, "seed": options.seed, "scale": QUICK if options.quick else FULL,
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


def parts(options):
    data = json.loads(options.source.read_text(encoding="utf-8")) if options.source else compute(options)
    if options.json:
        options.json.write_text(json.dumps(data), encoding="utf-8")
    if options.quick:
        return verdicts.figure(data["runs"])
    refuse_uncalibrated(data)
    return verdicts.report(data)
