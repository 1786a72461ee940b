"""A cell is a compiler's program on a runtime. This module starts cells and refuses those it cannot trust.

A peer runs the same binary with another file first in LD_LIBRARY_PATH, in a folder where every name
that a compiler links against leads to that file. Preloading was rejected: it leaves the compiler's
own runtime mapped and runs its constructor. Every runtime gets such a folder, the default too, so
that each is found in the same number of steps.
"""

import dataclasses
import json
import os
import pathlib
import random
import shutil
import subprocess
import time

from report import machine

NAMES = ("libgomp.so.1", "libomp.so.5", "libiomp5.so", "libvicino.so.0")
OURS = "Vicino"
INTEL = "libiomp5"
PEERS = ("libomp", INTEL, "libgomp")
COMPILER_OF = {"libomp": "clang", INTEL: "clang", "libgomp": "gcc"}  # whose programs a peer is measured with
CONTROL = "libomp again"
FOREIGN = ("OMP_", "KMP_", "GOMP_", "VICINO_", "LD_PRELOAD", "LD_LIBRARY_PATH")


class Refused(Exception):
    """A process that must not be reported: it has the wrong runtime, a wrong answer, or crashed."""


class TimedOut(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Cell:
    compiler: str
    runtime: str

    def __str__(self):
        return f"{self.compiler} {self.runtime}"


class Bench:
    """The programs, the runtimes that they can run on, and how to start a program on a runtime."""

    def __init__(self, programs, library, extra, only, settings, scratch, intel=None):
        """`intel`: Intel's runtime, as a file; without it, it is no peer."""
        self.programs = pathlib.Path(programs)
        self.settings = settings
        self.scratch = pathlib.Path(scratch)
        self.compilers = [c for c in ("clang", "gcc") if (self.programs / f"micro-{c}").exists()]
        self.runtimes = self._find_runtimes(library, extra, only, intel)
        for name in self.runtimes:
            self._make_folder(name)

    def _find_runtimes(self, library, extra, only, intel):
        found = {}
        for compiler, name in (("clang", "libomp"), ("gcc", "libgomp")):
            if compiler in self.compilers:
                found[name] = _linked(self.programs / f"micro-{compiler}", name)
        if intel and "clang" in self.compilers:
            found[INTEL] = intel
        if "libomp" in found:
            copy = self.scratch / "copy-libomp.so"
            shutil.copy(found["libomp"], copy)
            found[CONTROL] = copy
        if library and pathlib.Path(library).exists():
            found[OURS] = pathlib.Path(library).resolve()
        found.update({name: pathlib.Path(file).resolve() for name, file in extra.items()})
        wanted = {name.lower() for name in only}
        return {n: f for n, f in found.items() if not only or n.lower() in wanted or n in extra}

    def _folder(self, runtime):
        return self.scratch / runtime.replace(" ", "-")

    def _make_folder(self, runtime):
        self._folder(runtime).mkdir()
        for name in NAMES:
            (self._folder(runtime) / name).symlink_to(self.runtimes[runtime])

    def cells(self, control=False):
        """clang's programs run on any runtime but libgomp, which lacks LLVM's entry points; gcc's on any but
        Intel's, for which nobody builds with gcc."""
        for compiler in self.compilers:
            for runtime in self.runtimes:
                if (compiler, runtime) in (("clang", "libgomp"), ("gcc", INTEL)):
                    continue
                if runtime == CONTROL and not (control and compiler == "clang"):
                    continue
                yield Cell(compiler, runtime)

    def native_cells(self):
        """Each peer with its own compiler's program only: for what takes long and depends on the runtime."""
        return [c for c in self.cells() if COMPILER_OF.get(c.runtime, c.compiler) == c.compiler]

    def program(self, name, cell):
        return str(self.programs / f"{name}-{cell.compiler}")

    def file(self, cell):
        return str(self.runtimes[cell.runtime])

    def environment(self, cell, threads=None):
        env = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)}
        env.update(self.settings)
        env["LD_LIBRARY_PATH"] = str(self._folder(cell.runtime))
        if threads:
            env["OMP_NUM_THREADS"] = str(threads)
        return env

    def run(self, cell, command, threads=None, timeout=120, before=None, settings=None):
        """Runs a program that reports in JSON lines, and returns them."""
        try:
            done = subprocess.run(command, env=self.environment(cell, threads) | (settings or {}), text=True,
                                  capture_output=True, timeout=timeout, preexec_fn=before)
        except subprocess.TimeoutExpired:
            raise TimedOut(f"{cell}: no end within {timeout} s") from None
        if done.returncode:
            last = (done.stderr.strip().split("\n") or [""])[-1]
            raise Refused(f"{cell}, {threads or 'default'} threads: status {done.returncode}: {last}")
        return json_lines(done.stdout)


def json_lines(text):
    """What a program says in lines of JSON, among others."""
    return [json.loads(line) for line in text.split("\n") if line.startswith("{")]


def _linked(program, name):
    """The file that a program loads as `name` when nothing redirects it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("LD_")}
    listing = subprocess.run(["ldd", program], env=env, text=True, capture_output=True, check=True)
    for line in listing.stdout.split("\n"):
        if line.strip().startswith(name + ".so") and "=>" in line:
            return pathlib.Path(line.split("=>")[1].split()[0]).resolve()
    raise Refused(f"{program} does not link {name}")


def interleaved(jobs, seconds, least, progress):
    """Yields (round, job): each job once a round, in random order, for about `seconds`.

    Interleaving spreads disturbances of the machine over all jobs; the random order keeps a job from
    always running right after the same other one. `progress` is as command.Progress is.
    """
    rng = random.Random(2)
    start = time.monotonic()
    jobs = list(jobs)
    done = 0
    while jobs:
        spent = time.monotonic() - start
        if done >= least and spent + spent / done > seconds:
            progress.rounds.append(done)
            return
        progress(f"round {done + 1}, {spent:.0f} of {seconds:.0f} s")
        for job in rng.sample(jobs, len(jobs)):
            yield done, job
        done += 1


def measured(jobs, rounds, once, late, name=str, is_hopeless=lambda job: False):
    """Yields (round, job, what once(job) found, how much others used the CPUs meanwhile).

    `rounds` are the arguments of interleaved() but the jobs. A job without an end in time is not run again; its name
    goes into the list `late`, or there is no list, and it ends all. What is hopeless runs in the first round only.
    """
    for number, job in interleaved(jobs, *rounds):
        if late and name(job) in late or number > 0 and is_hopeless(job):
            continue
        noise = machine.Noise()
        try:
            found = once(job)
        except TimedOut:
            if late is None:
                raise
            late.append(name(job))
            continue
        yield number, job, found, noise.shares()["others"]
