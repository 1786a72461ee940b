"""The self-test before counts are believed: programs whose counts are known (lab/selftest).

It runs once for each combination of machine, plugin, QEMU, kernel and model. A file beside the plugin has a
digest of each combination that passed. Nothing is counted if the self-test fails.
"""

import fcntl
import hashlib
import os
import signal
import subprocess
import sys

from . import guest, parameters
from .failure import LabError
from .process import die_with, die_with_parent
from .session import LAB

RUNNER = LAB / "selftest" / "run.py"
INSIDE = "LAB_SELFTEST_INSIDE"      # set for the runs of the self-test itself, which must not wait for it


def run(session):
    """Raises a LabError if a known answer was not met; what differed is on standard error."""
    machine = session.machine
    variables = os.environ | {INSIDE: "1", "LAB_BUILD": str(session.build)}
    # It dies by SIGINT, so that it can remove its temporary folder.
    ended = subprocess.run([sys.executable, RUNNER, "--lab", LAB / "lab", "--machine", machine.source],
                           env=variables, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False,
                           preexec_fn=die_with(os.getpid(), signal.SIGINT))
    if ended.returncode != 0:
        raise LabError(f"the self-test failed on machine {machine.name}, so nothing is counted")
    print(f"self-test passed on machine {machine.name}", file=sys.stderr)


def need(session):
    """Runs the self-test unless the same parts have passed it."""
    if INSIDE in os.environ:
        return
    digest = _digest(session)
    # Locked while the self-test runs: another launcher waits, and then finds that it passed.
    with open(session.build / "selftest.passed", "a+", encoding="ascii") as passed:
        fcntl.flock(passed, fcntl.LOCK_EX)
        passed.seek(0)
        if digest not in passed.read().split():
            run(session)
            passed.write(digest + "\n")


def join():
    """Makes a run of the self-test end with the self-test, also when the self-test is killed."""
    if INSIDE in os.environ:
        die_with_parent()


def _digest(session):
    programs = sorted(path for path in (session.build / "selftest").glob("*") if path.is_file())
    digest = hashlib.sha256(repr(session.machine).encode())
    for path in (session.built("locality.so"), guest.qemu_path(), session.kernel, session.init, RUNNER,
                 parameters.FILE, *programs):
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
