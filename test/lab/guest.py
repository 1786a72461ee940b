"""Runs lab/lab for the tests of this folder."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "lab"
LAB = FOLDER / "lab"

sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER))     # the launcher's modules, for tests of one of them


def lab(*arguments, **options):
    """Returns the finished process: its status, and its output and errors as bytes."""
    return subprocess.run([LAB, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, **options)


BORDER = "==="


def outputs(machine, program, seed, commands, first=(), files=(), options=()):
    """What each of the commands prints, one after the other in one guest that counts. `first`:
    lines of the shell before them. `files`: what else travels. `options`: more of the lab's. A command that
    fails ends the test."""
    lines = [*first, *(f"({command}) || exit 1; echo {BORDER}" for command in commands)]
    travels = (word for path in (program, *files) for word in ("--file", path))
    done = lab("--machine", machine, "--locality", "--seed", seed, *options, *travels,
               "--", "sh", "-c", "\n".join(lines))
    assert done.returncode == 0, done
    return done.stdout.decode().split(f"{BORDER}\n")[:len(commands)]
