"""The wheel of the built tree, installed into a virtual environment."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from built_wheel import built_wheel

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[2]
FIXTURES = Path(sys.argv.pop()).resolve()
BUILD = Path(sys.argv.pop()).resolve()


def environment(**settings):
    return {**clean_environment("LD_", "PYTHON", "JUPYTER", "XDG_"), **settings}


def run(*command, input="", status=0, cwd=None, **settings):
    done = subprocess.run([str(word) for word in command], env=environment(**settings), text=True, check=False,
                          input=input, capture_output=True, timeout=120, cwd=cwd)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Installed(unittest.TestCase):
    """All classes of a test share the environment, which takes longer to make than most tests."""

    @classmethod
    def setUpClass(cls):
        if not hasattr(Installed, "work"):
            Installed._install()

    @classmethod
    def _install(cls):
        folder = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.tree, cls.wheel = built_wheel(BUILD, cls.work)
        cls.venv = cls.work / "venv"
        run(sys.executable, "-m", "venv", cls.venv)
        cls.python = cls.venv / "bin/python"
        cls.bare = cls.files()
        cls.pip("install", "--no-index", "--no-deps", cls.wheel)
        cls.package = next(cls.venv.glob("lib/python*/site-packages/vicino"))
        cls.library = str(cls.package / "_tree/lib/vicino/replace/libgomp.so.1")

    @classmethod
    def pip(cls, *words):
        return run(cls.python, "-m", "pip", "--disable-pip-version-check", *words)

    @classmethod
    def files(cls):
        return {path for path in cls.venv.rglob("*") if "__pycache__" not in path.parts}

    def script(self, text, name="script.py"):
        file = self.work / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file
