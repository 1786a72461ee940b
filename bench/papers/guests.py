"""Runs of the benchmark's programs in guests of the lab, under the model's clock.

A run is one process in one guest: its runtime, its settings, its machine, its seed and its bound of the
model's numbers. Equal runs have equal results, so each is made once.
"""

import concurrent.futures
import dataclasses
import datetime
import json
import os
import pathlib
import subprocess
import sys

from report import cells

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from launcher.process import die_with  # noqa: E402

LAB_FAILED, TIME_IS_OVER = 125, 124
# Where nobody says how threads are bound, Vicino binds by itself what can be bound; the peers do not.
BOUND = (("OMP_PROC_BIND", "close"), ("OMP_PLACES", "cores"))


@dataclasses.dataclass(frozen=True)
class Run:
    machine: str
    cell: cells.Cell
    program: str                # below the folder of programs, without the compiler's name
    arguments: tuple
    settings: tuple = BOUND     # (name, value) pairs
    seed: int = 0
    bound: str = "value"
    model: tuple = ()           # NAME=VALUE of the model's numbers

    def __str__(self):
        settings = " ".join(f"{name}={value}" for name, value in self.settings if (name, value) not in BOUND)
        return f"{self.machine}, {self.cell} {settings}, {self.program} {' '.join(self.arguments)}"


def key_of(run):
    return repr(dataclasses.astuple(run))


def samples(options):
    """[(seed, bound)]: each run is made with all of them."""
    return [(seed, bound) for bound in options.bounds for seed in options.seeds]


def chosen(kernels, options):
    return [name for name in kernels if name in options.kernels]


class Guests:
    def __init__(self, bench, build, options, progress):
        self.bench, self.build, self.options, self.progress = bench, build, options, progress
        self.lab = pathlib.Path(__file__).resolve().parents[2] / "lab" / "lab"
        self.results = {}
        self.others = {}        # what load() found and no run asked for: save() keeps it

    def make(self, runs):
        """Makes all runs, two guests at a time, longest first as given. One that is refused ends it: what has
        not begun is left out, and what has is kept."""
        todo = [run for run in dict.fromkeys(runs) if run not in self.results]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            futures = {pool.submit(self._once, run): run for run in todo}
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                if future.exception():
                    pool.shutdown(cancel_futures=True)
                    break
                self._keep({future: futures[future]})
                self.progress(f"{done} of {len(todo)} guests")
        begun = {future: run for future, run in futures.items() if not future.cancelled()}
        self._keep({future: run for future, run in begun.items() if not future.exception()})
        for future in begun:
            future.result()     # raises what a guest was refused for

    def _keep(self, made):
        self.results |= {run: future.result() for future, run in made.items()}
        if self.options.json:
            self.save(self.options.json)

    def save(self, path):
        made = self.others | {key_of(run): found for run, found in self.results.items()}
        path.write_text(json.dumps(list(made.items())) + "\n")

    def load(self, path, runs):
        """Takes the results of these runs from a file that save() wrote; the others are still to be made."""
        self.others = dict(json.loads(path.read_text()))
        for run in runs:
            if key_of(run) in self.others:
                self.results[run] = self.others.pop(key_of(run))

    def __getitem__(self, run):
        """{"lines": the program's lines, "regions": the lab's counts, "told": what else it said on standard
        error, "made": when}, or None if time was over."""
        return self.results[run]

    def when(self, runs):
        """When these runs were made, as text; "" if none came to its end."""
        made = sorted(found["made"] for run in dict.fromkeys(runs) if (found := self.results[run]))
        if not made:
            return ""
        return f"{made[0]} UTC" if made[0] == made[-1] else f"{made[0]} to {made[-1]} UTC"

    def _once(self, run):
        folder = self.bench.environment(run.cell)["LD_LIBRARY_PATH"]
        runtime = f"{folder}/{'libomp.so.5' if run.cell.compiler == 'clang' else 'libgomp.so.1'}"
        with _Scratch() as out:
            command = [self.lab, "--machine", run.machine, "--build", self.build / "lab", "--locality",
                       "--seed", run.seed, "--bound", run.bound, "--json", out,
                       "--time-limit", self.options.time_limit, "--file", runtime]
            for text in run.model:
                command += ["--set", text]
            for name, value in run.settings:
                command += ["--env", f"{name}={value}"]
            command += ["--", self.bench.program(run.program, run.cell), *run.arguments, "--runtime", runtime]
            done = subprocess.run(list(map(str, command)), env=self.bench.environment(run.cell), text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                  preexec_fn=die_with(os.getpid()))
            if done.returncode == TIME_IS_OVER:
                return None
            if done.returncode:
                raise cells.Refused(f"{run}: status {done.returncode}: {done.stderr.strip()[-400:]}")
            counted = json.loads(pathlib.Path(out).read_text(encoding="utf-8"))
        now = datetime.datetime.now(datetime.timezone.utc)
        return {"lines": [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")],
                "regions": [region["totals"] for region in counted["regions"]],
                "told": done.stderr, "made": f"{now:%Y-%m-%d %H:%M}"}


class _Scratch:
    """A file that nobody else has, and that is gone afterwards."""

    def __enter__(self):
        self.fd = os.memfd_create("counts")
        return f"/proc/{os.getpid()}/fd/{self.fd}"

    def __exit__(self, *_):
        os.close(self.fd)
