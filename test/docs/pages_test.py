"""Each command of a page prints what the page shows, with Vicino installed in the user's home.

    pages_test.py INSTALLED PAGE

INSTALLED is the folder into which the build was installed.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import sessions

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"gcc": "gcc-12", "g++": "g++-12", "clang": "clang-19", "clang++": "clang++-19"}


def main(_, installed, page):
    with tempfile.TemporaryDirectory() as home:
        home = Path(home)
        work, tools = home / "work", home / ".tools"
        work.mkdir()
        tools.mkdir()
        for name, compiler in NAMES.items():
            found = shutil.which(compiler)
            if found:
                (tools / name).symlink_to(found)
        (home / "vicino").symlink_to(Path(installed).resolve())
        mine = {name: value for name, value in os.environ.items()
                if not name.startswith(("OMP_", "GOMP_", "KMP_", "VICINO_", "LD_"))}
        mine |= {"HOME": str(home), "PATH": f"{home}/vicino/bin:{tools}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        count = sessions.run((ROOT / page).read_text(encoding="utf-8"), work, mine, 240)
    assert count > 0, f"{page} has no commands"
    print(f"{count} commands print what is shown")


if __name__ == "__main__":
    main(*sys.argv)
