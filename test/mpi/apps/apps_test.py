"""A program of bench/mpi gives the same answer, to the last bit, on every runtime, by any ranks and threads.

    apps_test.py APP MPI PROGRAMS RUNTIME WORK

Each run also compares its answer with that of its own serial form (--check).
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "bench")]

from harness.runs import SKIPPED, clean_environment  # noqa: E402
from harness.runtime import Runtime  # noqa: E402
from report import launch  # noqa: E402

SECONDS = 100
SMALL = {"galaxy": "600", "sweep": "9"}
STEPS = "3"
# Waiting ranks of Open MPI give way to whoever else runs on the cores.
POLITE = {"OMP_WAIT_POLICY": "passive", "OMPI_MCA_mpi_yield_when_idle": "1"}
# (ranks, settings, arguments): all for gcc's program, the second for clang's. A setting that only Vicino knows does
# not disturb the others.
CASES = [(1, {}, ()), (2, {}, ()), (2, {"OMP_SCHEDULE": "dynamic,1"}, ("--uneven", "2")),
         (4, {"OMP_NUM_THREADS": "2", "VICINO_SCHEDULE": "mixed"}, ())]
REFUSED = [(("--size", "7"), "not a value for --size: '7'; accepted: a whole number from 8"),
           (("--steps", "3x"), "not a value for --steps: '3x'; accepted: a whole number from 1"),
           (("--uneven", "0.5"), "not a value for --uneven: '0.5'; accepted: a number from 1 to 100"),
           (("--scale", "2"), "unknown argument, or one without its value: '--scale'; accepted: --size N")]


class App:
    def __init__(self, app, mpi, programs, runtime, work):
        self.mpi = mpi
        self.small = ["--size", SMALL.get(app, "13"), "--steps", STEPS]
        self.programs = [program for compiler in ("gcc", "clang")
                         if (program := pathlib.Path(programs) / f"{app}-{mpi}-{compiler}").exists()]
        ours = Runtime(pathlib.Path(runtime), pathlib.Path(work)).environment()
        self.runtimes = {"its own runtime": ({}, []),
                         "Vicino": (ours, ["--runtime", str(runtime)])}

    def run(self, program, runtime, ranks, settings, arguments):
        environment, expected = self.runtimes[runtime]
        command = [*launch.command(self.mpi, ranks), program, *expected, *arguments]
        return subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=SECONDS,
                              check=False, env={**clean_environment(), **POLITE, **environment, **settings})

    def complaints(self):
        answers = {}
        for program in self.programs:
            for runtime in self.runtimes:
                for ranks, settings, arguments in CASES if program == self.programs[0] else CASES[1:2]:
                    title = f"{program.name}, {runtime}, {ranks} ranks, {settings}"
                    done = self.run(program, runtime, ranks, settings, [*self.small, *arguments, "--check"])
                    line = [json.loads(text) for text in done.stdout.splitlines() if '"kind":"app"' in text]
                    if done.returncode != 0 or [found["ranks"] for found in line] != [ranks]:
                        yield f"{title}: exit status {done.returncode}\n{done.stdout}{done.stderr}\n"
                    else:
                        answers.setdefault(line[0]["checksum"], title)
        if len(answers) > 1:
            yield f"different answers: {answers}\n"
        for arguments, beginning in REFUSED:
            done = subprocess.run([str(self.programs[0]), *arguments], text=True, capture_output=True, timeout=SECONDS,
                                  check=False, env=clean_environment())
            if done.returncode != 2 or not done.stderr.startswith(beginning):
                yield f"{arguments}: exit status {done.returncode}: {done.stderr}\n"


def main():
    app = App(*sys.argv[1:])
    if not app.programs:
        print("not built: its compiler is not installed")
        return SKIPPED
    found = list(app.complaints())
    print("".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
