"""One program: its input, its runs on its own runtime and on Vicino, the differences, the times."""

import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import checked
from program import FULL, SMALL

SETTINGS = {
    "defaults": {},
    "7 threads": {"OMP_NUM_THREADS": "7"},
    "bound": {"OMP_PROC_BIND": "close"},
    "1 thread": {"OMP_NUM_THREADS": "1"},
}
# For modules whose regions may have fewer threads than they ask for: the numbers of threads that SETTINGS lack, and one
# that changes from region to region. A library may ask for no more than the machine has CPUs.
FEWER = [{"OMP_NUM_THREADS": str(threads)} for threads in (2, 3, 4, 5, 6, 8)]
TWELVE_CPUS = str(pathlib.Path(__file__).resolve().parents[2] / "test/machines/hybrid-4p8e.xml")
RANDOM = [{"OMP_NUM_THREADS": str(threads), "VICINO_KNOWN": "random", "VICINO_EXPLAIN": "true",
           "VICINO_MACHINE": TWELVE_CPUS} for threads in (3, 8)]
# Each region may have fewer threads, but those of modules that are known to go wrong.
DYNAMIC = {"OMP_NUM_THREADS": "8", "OMP_DYNAMIC": "true", "VICINO_KNOWN": "random", "VICINO_MACHINE": TWELVE_CPUS}
TIME_LIMIT = 60            # seconds, for one run
PAIRS = (6, 20)            # the fewest that give an interval, and a number that is enough
CHOOSERS = ("OMP_", "GOMP_", "KMP_", "VICINO_", "LD_", "OPENBLAS_", "MKL_")


class Wrong(Exception):
    """The program failed, or its results differ."""


class NoAnswer(Exception):
    """The program's own runtime takes too long for a comparison; Vicino finished."""


@dataclasses.dataclass
class Run:
    status: int
    out: str
    err: str
    seconds: float
    ended: bool = True  # False: the time limit stopped it

    def last_words(self):
        return " | ".join((self.out + "\n" + self.err).strip().split("\n")[-4:])[-600:]


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def chosen_by_nobody():
    """This process's environment, without variables that choose a runtime or a number of threads."""
    return {name: value for name, value in os.environ.items() if not name.startswith(CHOOSERS)}


def run(words, folder, env, limit=TIME_LIMIT, join=None):
    """Runs a command in a process group of its own; all of the group ends with it. `join` is called in the
    child before it begins."""
    start = time.monotonic()
    ended = True
    with subprocess.Popen([str(word) for word in words], cwd=folder, env=env, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True, preexec_fn=join) as process:
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            ended = False
            stop(process)
            out, err = process.communicate()
            err += f"\nnot ended after {limit} s"
        finally:
            stop(process)
    return Run(process.returncode, out, err, time.monotonic() - start, ended)


class Trial:
    def __init__(self, name, program, *, vicino, python, work, small):
        self.name, self.program, self.vicino = name, program, vicino
        self.which = SMALL if small else FULL
        self.folder = work / ("small" if small else "full") / name
        self.limit = TIME_LIMIT
        self.more = {"python": python, "bin": pathlib.Path(python).parent, "work": self.folder}

    def filled(self, text):
        return self.program.filled(text, self.which, **self.more)

    def environment(self, **settings):
        own = {name: self.filled(value) for name, value in self.program.env.items()}
        return {**chosen_by_nobody(), "LC_ALL": "C.UTF-8", "HOME": str(self.folder),
                "PWD": str(self.folder), **own, **settings}

    def prepare(self, source):
        """Writes the input, unless this description of the program has already written it."""
        source += repr(dataclasses.replace(self.program, make=None))  # it may import another file
        stamp = self.folder / ".prepared"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == source:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name, text in self.program.files.items():
            (self.folder / name).write_text(self.filled(text), encoding="utf-8")
        if self.program.make:
            self.program.make(self.folder, self.program.size(self.which))
        self._shell(self.program.prepare, "prepare")
        stamp.write_text(source, encoding="utf-8")

    def _shell(self, script, what):
        done = run(["bash", "-euo", "pipefail", "-c", self.filled(script)], self.folder,
                   self.environment(), 600)
        if done.status:
            raise Wrong(f"{what}: exit {done.status}: {done.last_words()}")
        return done.out

    def _remove_written(self):
        for pattern in self.program.writes.split():
            for path in self.folder.glob(pattern):
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()

    def words(self):
        return self.program.words(self.which, **self.more)

    def _checked_run(self, side, before, settings):
        self._remove_written()
        done = run([*before, *self.words()], self.folder, self.environment(**settings), self.limit)
        if not done.ended and not before:
            return None, done
        if done.status:
            raise Wrong(f"on {side} it ended with {done.status}: {done.last_words()}")
        text = self._shell(self.program.result, f"result on {side}") if self.program.result else done.out
        return checked.kept(text, self.program.keep), done

    def same_results(self, setting):
        """Returns the seconds on both sides; raises Wrong if the results differ."""
        own, own_run = self._own(setting)
        ours, our_run = self._on_vicino(SETTINGS[setting])
        if own is None:
            raise NoAnswer(
                f"its own runtime did not end in {own_run.seconds:.0f} s, Vicino in {our_run.seconds:.1f} s")
        self._same(own, ours)
        return own_run.seconds, our_run.seconds

    @functools.cache
    def _own(self, setting):
        return self._checked_run("its own runtime", [], SETTINGS[setting])

    def _on_vicino(self, settings):
        return self._checked_run("Vicino", [self.vicino, "run", "--"], settings)

    def _same(self, own, ours):
        if found := checked.difference(own, ours, self.program.relative, self.program.absolute):
            raise Wrong(found)

    def allows_fewer(self):
        """After same_results("defaults"): raises Wrong if results depend on the number of threads, or a module had no
        region with fewer."""
        own, _ = self._own("defaults")
        for settings in [*FEWER, *RANDOM]:
            words = " ".join(f"{name}={value}" for name, value in settings.items())
            try:
                ours, done = self._on_vicino(settings)
                self._same(own, ours)
            except Wrong as why:
                raise Wrong(f"with {words}: {why}") from why
        # The last run is one that explains itself.
        said = " ".join(re.findall("what is known of (.*) allows that", done.err))
        for module in self.program.known:
            if module not in said:
                raise Wrong(f"{module} had no region with fewer threads than it asked for: {done.last_words()}")

    def allows_dynamic(self):
        """After same_results("defaults"): raises Wrong if results differ where each region may have fewer threads."""
        self._same(self._own("defaults")[0], self._on_vicino(DYNAMIC)[0])

    def compared(self, pairs):
        """Returns the output of `vicino compare --json`, and its warnings. One pair is enough for its
        witness, which reads the loader's bindings and fails if the program's calls did not reach Vicino."""
        self._remove_written()
        file = self.folder / ".compared.json"
        file.unlink(missing_ok=True)
        done = run([self.vicino, "compare", "--pairs", pairs, "--json", file, "--", *self.words()],
                   self.folder, self.environment(), TIME_LIMIT * 5)
        if done.status:
            raise Wrong(f"vicino compare: exit {done.status}: {done.last_words()}")
        warnings = [line for line in done.err.split("\n") if line.startswith("vicino: ")]
        return json.loads(file.read_text(encoding="utf-8")), warnings


def pairs_within(seconds, slowest):
    least, most = PAIRS
    return max(least, min(most, int(seconds / (2 * max(slowest, 1e-3)))))


def attempt(trial, source, *, timed, budget, say):
    """Does all for a program and returns a row of the results; `wrong` has what is wrong, by setting."""
    row = {"about": trial.program.about, "note": trial.program.note, "same": [], "wrong": {},
           "no answer": {}, "warnings": []}
    slowest = 0.0
    try:
        trial.prepare(source)
    except Wrong as why:
        row["wrong"]["input"] = str(why)
        return row
    for setting in SETTINGS:
        say(setting)
        try:
            took = trial.same_results(setting)
            row["same"].append(setting)
            slowest = slowest or max(took)
        except NoAnswer as why:
            row["no answer"][setting] = str(why)
        except Wrong as why:
            row["wrong"][setting] = str(why)
    if trial.program.known and "defaults" in row["same"]:
        say("fewer threads")
        try:
            trial.allows_fewer()
        except Wrong as why:
            row["wrong"]["fewer threads"] = str(why)
    if "defaults" in row["same"]:
        say("dyn-var")
        try:
            trial.allows_dynamic()
        except Wrong as why:
            row["wrong"]["dyn-var"] = str(why)
    if trial.program.openmp and "defaults" in row["same"]:
        say("compare")
        try:
            comparison, row["warnings"] = trial.compared(pairs_within(budget, slowest) if timed else 1)
            if timed:
                row["compared"] = comparison
        except Wrong as why:
            row["wrong"]["compare"] = str(why)
    return row
