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
import signal
import subprocess
import sys

from report import cells, machine

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


def add_options(parser):
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=2, help="guests at a time (2)")
    parser.add_argument("--time-limit", type=int, default=900, metavar="SECONDS", help="of a guest (900)")


def key_of(run):
    return repr(dataclasses.astuple(run))


def samples(options):
    """[(seed, bound)]: each run is made with all of them."""
    return [(seed, bound) for bound in options.bounds for seed in options.seeds]


def chosen(kernels, options):
    return [name for name in kernels if name in options.kernels]


def times(found, name=None):
    """The times of the kernel of this name, or of the only one, in a run; None if its time was over."""
    return found and next(line["ns"] for line in found["lines"]
                          if line["kind"] == "kernel" and name in (None, line.get("kernel")))


class LabFailed(cells.Refused):
    """The lab could not run a guest."""


class Guests:
    """`files`: of a machine's name, what its guests need besides the program and its runtime."""

    def __init__(self, bench, build, options, progress, files=lambda machine: ()):
        self.bench, self.build, self.options, self.progress, self.files = bench, build, options, progress, files
        self.lab = pathlib.Path(__file__).resolve().parents[2] / "lab" / "lab"
        self.results = {}
        self.others = {}        # what load() found and no run asked for: save() keeps it
        self._running = set()
        self.commit = machine.commit_of(bench.runtimes[cells.OURS]) if bench and cells.OURS in bench.runtimes else ""

    def make(self, runs):
        """Makes all runs, two guests at a time, longest first as given. One that is refused ends it: what has
        not begun is left out, and what has is kept. A signal ends the guests, too."""
        todo = [run for run in dict.fromkeys(runs) if run not in self.results]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            futures = {pool.submit(self._once, run): run for run in todo}
            try:
                for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                    if future.exception():
                        pool.shutdown(cancel_futures=True)
                        break
                    self._keep({future: futures[future]})
                    self.progress(f"{done} of {len(todo)} guests")
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for guest in list(self._running):
                    guest.terminate()
                raise
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
        error, "made": when, "commit": of Vicino's library}, or None if time was over."""
        return self.results[run]

    def when(self, runs):
        """When these runs were made, as text; "" if none came to its end."""
        made = sorted(found["made"] for run in dict.fromkeys(runs) if (found := self.results[run]))
        if not made:
            return ""
        return f"{made[0]} UTC" if made[0] == made[-1] else f"{made[0]} to {made[-1]} UTC"

    def commits(self, runs):
        """The commits from which the libraries of these runs were built, as text; "" if none is known."""
        known = {found.get("commit") for run in dict.fromkeys(runs) if (found := self.results[run])} - {None, ""}
        return ", ".join(sorted(known))

    def runtime(self, cell):
        """The file that the guest's program loads as its runtime."""
        folder = self.bench.environment(cell)["LD_LIBRARY_PATH"]
        return f"{folder}/{'libomp.so.5' if cell.compiler == 'clang' else 'libgomp.so.1'}"

    def _once(self, run):
        runtime = self.runtime(run.cell)
        with _Scratch() as out:
            command = [self.lab, "--machine", run.machine, "--build", self.build / "lab", "--locality",
                       "--seed", run.seed, "--bound", run.bound, "--json", out,
                       "--time-limit", self.options.time_limit]
            for file in (runtime, *self.files(run.machine)):
                command += ["--file", file]
            for text in run.model:
                command += ["--set", text]
            for name, value in run.settings:
                command += ["--env", f"{name}={value}"]
            command += ["--", self.bench.program(run.program, run.cell), *run.arguments, "--runtime", runtime]
            done = self._watched(list(map(str, command)), self.bench.environment(run.cell))
            if done.returncode == TIME_IS_OVER:
                return None
            said = f"{run}: status {done.returncode}: {done.stderr.strip()[-400:]}"
            if done.returncode:
                raise (LabFailed if done.returncode == LAB_FAILED else cells.Refused)(said)
            return self.found(run, done, json.loads(pathlib.Path(out).read_text(encoding="utf-8")))

    def _watched(self, command, environment):
        with subprocess.Popen(command, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, preexec_fn=die_with(os.getpid(), signal.SIGTERM)) as process:
            self._running.add(process)
            try:
                out, err = process.communicate()
            finally:
                self._running.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def found(self, _run, done, counted):
        """What is kept of a run."""
        now = datetime.datetime.now(datetime.timezone.utc)
        return {"lines": cells.json_lines(done.stdout), "regions": [region["totals"] for region in counted["regions"]],
                "told": done.stderr, "made": f"{now:%Y-%m-%d %H:%M}", "commit": self.commit}


class _Scratch:
    """A file that nobody else has, and that is gone afterwards."""

    def __enter__(self):
        self.fd = os.memfd_create("counts")
        return f"/proc/{os.getpid()}/fd/{self.fd}"

    def __exit__(self, *_):
        os.close(self.fd)
