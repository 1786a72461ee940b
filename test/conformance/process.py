"""process.py: runs one test program so that it leaves no process behind and inherits no setting."""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness import runs  # noqa: E402


class Ended(NamedTuple):
    status: int | None  # as subprocess gives it; None after a timeout
    output: str
    seconds: float


def clean_environment() -> dict[str, str]:
    """The caller's environment without settings of a runtime, and with four threads, because both
    suites expect a few."""
    return runs.clean_environment("LD_LIBRARY_PATH", "LD_PRELOAD") | {"OMP_NUM_THREADS": "4"}


def run(command: list[str], timeout: float, environment: dict[str, str], cwd: Path) -> Ended:
    """Output goes to a file, because a grandchild that kept a pipe open would make us wait."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, env=environment, cwd=cwd, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = child.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            kill_group(child)
        output.seek(0)
        text = output.read().decode(errors="replace")
    return Ended(status, text, time.monotonic() - start)


def kill_group(child: subprocess.Popen) -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
