"""Runs a program on its own OpenMP runtime and on Vicino, and says which library served its calls."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "test"), str(REPOSITORY / "bench/programs")]

import packages  # noqa: E402
from harness import runs  # noqa: E402

SKIPPED = 77  # CTest's SKIP_RETURN_CODE in CMakeLists.txt

BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: \w+ symbol `(\w+)'")
OPENMP = re.compile(r"(GOMP_|omp_|ompc_|kmp_|__kmpc_)")
RUNTIME = re.compile(r"lib(gomp|omp|iomp5|vicino)\b")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def clean_environment(**settings):
    """This process's environment without settings that choose a runtime or a number of threads."""
    return {**runs.clean_environment("LD_"), **settings}


def is_vicino(file):
    """In the replacement folder Vicino has the names of the libraries that it replaces."""
    return file.name.startswith("libvicino.so") or file.parts[-3:-1] == ("vicino", "replace")


class Run:
    """What a program printed, and the OpenMP calls that it made: symbol -> files that served it.

    The evidence is the loader's own record of bindings. A library that is mapped may still serve
    nothing, if the loader finds a copy of another runtime under another name first.
    """

    def __init__(self, command, env):
        with tempfile.TemporaryDirectory() as folder:
            env = {**env, "LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": f"{folder}/bindings"}
            done = subprocess.run([str(c) for c in command], env=env, text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240)
            if done.returncode:
                raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
            self.out = done.stdout
            self.served = {}
            for log in Path(folder).iterdir():
                self._read(log.read_text(errors="replace"))

    def _read(self, log):
        for client, server, symbol in BINDING.findall(log):
            if OPENMP.match(symbol) and not RUNTIME.match(Path(client).name):
                self.served.setdefault(symbol, set()).add(Path(server).resolve())


class Vicino:
    def __init__(self, command):
        self.command = Path(command)

    def run(self, command, **settings):
        """Runs the command on Vicino; every OpenMP call it made must have been served by it."""
        run = Run([self.command, "run", "--", *command], clean_environment(**settings))
        foreign = {s: files for s, files in run.served.items()
                   if not all(map(is_vicino, files))}
        if foreign:
            raise AssertionError(f"not served by Vicino: {foreign}")
        if not run.served:
            raise AssertionError(f"{command}: made no OpenMP call")
        return run


def own(command, **settings):
    """Runs the command on the runtime that it came with."""
    run = Run(command, clean_environment(**settings))
    if any(is_vicino(f) for files in run.served.values() for f in files):
        raise AssertionError(f"{command}: is on Vicino without being asked")
    return run


def python_with(folder, *pins):
    """A Python with these packages, made once per folder; skips the test if pip cannot get them."""
    try:
        return packages.python_with(Path(folder), *pins)
    except packages.Unavailable as why:
        return skip(why)
