"""Runs the sessions that the documentation shows; each must print what is shown."""

import os
import subprocess
import unittest
from pathlib import Path

from command import VICINO, Case, clean_environment

ROOT = Path(__file__).resolve().parents[2]


def sessions(page):
    """(command, output) for each indented `$ command`. The output ends at the next command or where
    the indentation ends."""
    found, indent, inside = [], "    ", False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith(indent + "$ "):
            found.append((line.removeprefix(indent + "$ "), []))
            inside = True
        elif inside and (not line or line.startswith(indent)):
            found[-1][1].append(line.removeprefix(indent))
        else:
            inside = False
    return [(command, "\n".join(lines).strip()) for command, lines in found]


class Docs(Case):
    def test_sessions_print_what_is_shown(self):
        ran = 0
        environment = {**clean_environment("LD_"), "TMPDIR": str(self.tmp), "TERM": "xterm", "PATH": f"{VICINO.parent}:{os.environ['PATH']}"}
        here = self.work / "sources"  # commands may write files, but not among the sources
        here.mkdir()
        for entry in ROOT.iterdir():
            (here / entry.name).symlink_to(entry)
        for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
            for command, shown in sessions(page):
                with self.subTest(page=page.name, command=command):
                    done = subprocess.run(["sh", "-c", command], cwd=here, env=environment,
                                          text=True, capture_output=True, check=False, timeout=60)
                    self.assertEqual((done.stdout.strip(), done.stderr), (shown, ""))
                ran += 1
        self.assertGreater(ran, 0)


if __name__ == "__main__":
    unittest.main()
