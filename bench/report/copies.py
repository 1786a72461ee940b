"""Copies of a program that start together, and processes that do nothing but keep the cores busy."""

import os
import pathlib
import select
import signal
import subprocess
import sys
import time

from report.cells import Refused, TimedOut, json_lines

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from launcher.process import die_with  # noqa: E402

READY_S = 300  # Python clients import their packages first, many at once on few cores


class Crowd:
    """Copies that are ready and wait for `go()`. They know the options --ready and --go (crowded/copy.hpp)."""

    def __init__(self, bench, cell, command, count, threads=None, settings=None, join=None):
        self._cell = cell
        go, self._held = os.pipe()  # all copies read; nobody writes, and closing the held end ends the reads
        ready, told = os.pipe()
        attach = die_with(os.getpid(), signal.SIGKILL)

        def prepare():
            attach()
            if join:
                join()

        command = [*command, "--ready", str(told), "--go", str(go)]
        self._copies = [subprocess.Popen(command, env=bench.environment(cell, threads) | (settings or {}), text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         pass_fds=(told, go), preexec_fn=prepare)
                        for _ in range(count)]
        os.close(go)
        os.close(told)
        self._ready = ready

    def __enter__(self):
        """Returns when all copies are ready. A copy that has ended by then is told by `results()`."""
        left = len(self._copies)
        deadline = time.monotonic() + READY_S
        while left > 0 and not any(copy.poll() for copy in self._copies):
            if time.monotonic() > deadline:
                self.__exit__()
                raise TimedOut(f"{self._cell}: not ready within {READY_S} s")
            if select.select([self._ready], [], [], 0.05)[0]:
                left -= len(os.read(self._ready, left))
        return self

    def go(self):
        """Starts all copies, and returns when, in ns."""
        start = time.monotonic_ns()
        os.close(self._held)
        self._held = None
        return start

    def results(self, timeout):
        """The JSON lines of each copy."""
        deadline = time.monotonic() + timeout
        found = []
        for copy in self._copies:
            try:
                out, err = copy.communicate(timeout=max(0.01, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise TimedOut(f"{self._cell}: no end within {timeout:.0f} s") from None
            if copy.returncode:
                last = (err.strip().split("\n") or [""])[-1]
                raise Refused(f"{self._cell}: status {copy.returncode}: {last}")
            found.append(json_lines(out))
        return found

    def __exit__(self, *_):
        for copy in self._copies:
            copy.kill()
        for copy in self._copies:
            copy.communicate()
        for end in (self._held, self._ready):
            if end is not None:
                os.close(end)
        self._held = self._ready = None


class Endless:
    """Processes that keep a core busy each, from construction on or between `run()` and `stop()`: one of `command` and
    its children for each, at this niceness, that `join` puts into a control group; else of one thread that never
    sleeps. They end when asked to, so that the CPU time of their children is known to be ours."""

    LOOP = (sys.executable, "-S", "-c", "while True: pass")

    def __init__(self, count, command=LOOP, nice=0, join=None):
        attach = die_with(os.getpid(), signal.SIGKILL)

        def prepare():
            attach()
            os.nice(nice)
            if join:
                join()

        self._all = [subprocess.Popen(command, preexec_fn=prepare, stdout=subprocess.DEVNULL) for _ in range(count)]

    def __enter__(self):
        return self

    def pids(self):
        return [process.pid for process in self._all]

    def _signal(self, number):
        for process in self._all:
            process.send_signal(number)
        return time.monotonic_ns()

    def stop(self):
        """Returns when, in ns."""
        return self._signal(signal.SIGSTOP)

    def run(self):
        return self._signal(signal.SIGCONT)

    def __exit__(self, *_):
        self._signal(signal.SIGTERM)
        self.run()
        for process in self._all:
            process.wait()
