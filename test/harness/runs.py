"""Runs a built program with settings of the test's choice, and says how it ended."""
import os
import signal
import subprocess
import tempfile

from harness import build, processor

SKIPPED = 77  # the exit status that CTest takes for a skipped test


def clean_environment(*more):
    """The environment without the user's OpenMP settings, which must not decide the results, and without
    names that begin like one of `more`."""
    prefixes = ("OMP_", "KMP_", "GOMP_", "VICINO_", *more)
    return {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}


def run_once(argv, environment, timeout):
    """Returns (exit status or None for a timeout, output). No process it started outlives it."""
    argv, environment = processor.command(argv, environment)
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace")


def describe(status, want):
    if status is None:
        return "did not end in time"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return f"exit status {status}, not {want}"


def prepare(program, compiler, options):
    flags = program.flags + options.flags.split()
    binary = build.build(program.source, compiler, flags, options.work)
    argv = [str(binary), *options.arguments.split()]
    if program.library:
        argv.insert(1, str(build.build(program.library, compiler, flags, options.work, True)))
    return argv
