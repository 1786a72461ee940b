"""Each command of a page prints what the page shows, with Vicino installed in the user's home.

    pages_test.py INSTALLED PAGE

INSTALLED is the folder into which the build was installed. What a page calls `./app` is app.c, and its `input` an empty file.
Slurm's commands are those of stand_ins.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import sessions

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
APP = Path(__file__).with_name("app.c")
STAND_INS = Path(__file__).with_name("stand_ins")
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
        for command in STAND_INS.iterdir():
            (tools / command.name).symlink_to(command)
        text = (ROOT / page).read_text(encoding="utf-8")
        if re.search(r"(?<!\S)\./app\b", text) and not re.search(r" -o app\b", text):
            subprocess.run(["gcc-12", "-O2", "-fopenmp", APP, "-o", work / "app"], check=True)
            (work / "input").touch()
        (home / "vicino").symlink_to(Path(installed).resolve())
        mine = clean_environment("LD_", "SLURM_")
        mine |= {"HOME": str(home), "PATH": f"{home}/vicino/bin:{tools}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        count = sessions.run(text, work, mine, 280)
    assert count > 0, f"{page} has no commands"
    print(f"{count} commands print what is shown")


if __name__ == "__main__":
    main(*sys.argv)
