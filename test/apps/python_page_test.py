"""Each command of the pages on Python prints what the page shows, in an environment with the built tree's wheel and
scikit-learn. In what is shown, `...` is any text.

    python_page_test.py VICINO BUILD FOLDER
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from on_vicino import clean_environment, python_with
from sklearn_test import PINS

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = ("docs/start/python.md", "docs/reference/python.md")
sys.path.append(str(REPOSITORY / "test/python"))

from built_wheel import CPU, built_wheel  # noqa: E402


def sessions(page):
    """(command, what it prints) for each `$ command`."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.S | re.M):
        for session in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = session.partition("\n")
            yield command, shown


def programs(page):
    """(name, text) for each program that the page names."""
    return re.findall(r"`([\w-]+\.py)`:\n\n```python\n(.*?)^```", page, re.S | re.M)


def is_shown(shown, printed):
    return re.fullmatch(".*".join(map(re.escape, shown.strip().split("..."))), printed.strip(), re.S)


def main(_, build, folder):
    python = python_with(Path(folder) / "sklearn", *PINS)
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        # An environment of its own, since the page removes the package; what scikit-learn needs is the other one's.
        subprocess.run([python, "-m", "venv", work / "venv"], check=True)
        inside, packages = ([next(place.glob("lib/python*/site-packages"))] for place in (work / "venv", python.parents[1]))
        (inside[0] / "others.pth").write_text(f"{packages[0]}\n", encoding="utf-8")
        built_wheel(Path(build), work)
        settings = clean_environment(PATH=f"{work}/venv/bin:{os.environ['PATH']}", PIP_NO_INDEX="1",
                                     PIP_DISABLE_PIP_VERSION_CHECK="1", HOME=str(work))
        settings.pop("PYTHONPATH", None)
        count = 0
        for page in PAGES:
            page = (REPOSITORY / page).read_text(encoding="utf-8").replace("x86_64.whl", f"{CPU}.whl")
            for name, text in programs(page):
                (work / name).write_text(text, encoding="utf-8")
            for command, shown in sessions(page):
                done = subprocess.run(["sh", "-c", command], cwd=work, env=settings, text=True, check=False, timeout=240,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}"
                assert is_shown(shown, done.stdout), f"{command}\nshown:\n{shown}\nprinted:\n{done.stdout}"
                count += 1
            subprocess.run([work / "venv/bin/pip", "uninstall", "--quiet", "--yes", "vicino"], check=True)
        assert count > 10, count
        print(f"{count} commands print what is shown")


if __name__ == "__main__":
    main(*sys.argv[1:])
