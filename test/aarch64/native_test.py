#!/usr/bin/env python3
"""native_test.py LIBRARY WORK: the feature programs that qemu-user cannot run (`test: native`), each by one compiler, in a
guest of the lab with an Arm processor and Debian's kernel for it."""
import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import processor, programs  # noqa: E402
from harness.runs import prepare  # noqa: E402

COMPILERS = ("gcc-12", "clang-19")
THREADS = (4,)
MACHINE = "2x4"


def lines(work):
    """(a line of each run, the files that it needs)."""
    options = argparse.Namespace(flags="", arguments="", work=work)
    for program in programs.find(HERE.parent / "omp"):
        if not program.native or program.variant:
            continue  # a run takes half a minute
        argv = prepare(program, program.compilers(COMPILERS)[0], options)
        for threads in program.threads or THREADS:
            settings = {"OMP_NUM_THREADS": threads, **program.environment}
            yield " ".join([*(f"{name}={value}" for name, value in settings.items()), *argv]), argv


def main():
    library, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    processor.choose("aarch64")
    each, listed = work / "each", work / "native-runs"
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run(["aarch64-linux-gnu-gcc-12", "-O1", "-Wall", HERE / "each.c", "-o", each], check=True)
    runs = list(lines(work))
    listed.write_text("".join(f"{line}\n" for line, _ in runs))
    files = sorted({file for _, needed in runs for file in needed})
    variables = {**os.environ, "LD_LIBRARY_PATH": f"{library.parent}/vicino/replace"}
    command = [HERE.parents[1] / "lab/lab", "--processor", "aarch64", "--machine", MACHINE, "--time-limit", "900",
               *(f"--file={file}" for file in files), "--", each, listed]
    return subprocess.run(command, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
