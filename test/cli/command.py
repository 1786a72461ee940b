"""What the scripts of this folder share: the program under test and its fixtures."""

import os
import pty
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

FIXTURES = Path(sys.argv.pop()).resolve()
VICINO = Path(sys.argv.pop()).resolve()
APP = FIXTURES / "cli_app"
STATIC_APP = FIXTURES / "cli_app_static"
OWN = FIXTURES / "own" / "libgomp.so.1"
REPLACEMENT = FIXTURES / "vicino" / "libvicino.so"


def words(*command):
    return [str(word) for word in (VICINO, *command)]


def printed_on_terminal(start):
    """What a process prints on a terminal, with which `start(terminal)` starts it."""
    ours, theirs = pty.openpty()
    started = start(theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            text += os.read(ours, 4096)
        except OSError:  # on Linux: the other end is closed
            break
    started.wait()
    os.close(ours)
    return text.decode()


class Case(unittest.TestCase):
    """A test with an environment and a folder for temporary files, where nothing may be left."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.tmp = self.work / "tmp"
        self.tmp.mkdir()
        self.env = {**clean_environment("LD_PRELOAD", "LD_LIBRARY_PATH", "NO_COLOR"),
                    "VICINO_LIBRARY": str(REPLACEMENT), "TMPDIR": str(self.tmp), "TERM": "xterm"}

    def start(self, *command, **options):
        pipes = {name: subprocess.PIPE for name in ("stdout", "stderr") if name not in options}
        options.setdefault("env", self.env)
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(words(*command), text=True, **pipes, **options)

    def run_vicino(self, *command, **options):
        if "input" in options:
            options["stdin"] = None
        options.setdefault("env", self.env)
        options.setdefault("stdin", subprocess.DEVNULL)
        if options["stdin"] is None:
            del options["stdin"]
        return subprocess.run(words(*command), text=True, capture_output=True, check=False,
                              timeout=120, **options)

    def assert_nothing_left(self):
        """Another process removes the files shortly after the program has ended."""
        for _ in range(200):
            if not list(self.tmp.iterdir()):
                return
            time.sleep(0.05)
        self.fail(f"left behind: {list(self.tmp.rglob('*'))}")
