"""Compiles and runs OpenMP programs for the tests that need the real library, and reads the counts of
their loops."""

import json
import subprocess
import tempfile
from pathlib import Path

from command import VICINO, Case, clean_environment

GCC, CLANG = "gcc-12", "clang-19"


class Programs:
    """The programs of one test class; they are removed when it ends."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.made = {}

    def close(self):
        self.folder.cleanup()

    def build(self, source, compiler, *flags):
        """`source` is a file, or the text of one, which then becomes loops.c."""
        key = (str(source), compiler, flags)
        if key not in self.made:
            folder = Path(tempfile.mkdtemp(dir=self.path))
            if not isinstance(source, Path):
                (folder / "loops.c").write_text(source, encoding="utf-8")
                source = folder / "loops.c"
            program = folder / "program"
            subprocess.run([compiler, "-fopenmp", "-O1", *flags, source, "-o", program], check=True)
            self.made[key] = program
        return self.made[key]

    def run(self, program, *options, cwd=None, **settings):
        """Returns the finished process; its `loops` is what VICINO_STATS says about its loops."""
        counts = self.path / "counts.json"
        counts.unlink(missing_ok=True)
        settings = {"OMP_NUM_THREADS": "4", "VICINO_STATS": str(counts), **settings}
        done = subprocess.run([VICINO, "run", *options, "--", program], text=True, timeout=120,
                              capture_output=True, env=clean_environment("LD_") | settings, check=False, cwd=cwd)
        assert done.returncode == 0, (done.returncode, done.stderr)
        done.loops = []
        if counts.exists():
            done.loops = json.loads(counts.read_text(encoding="utf-8"))["loops"]
        return done


class ProgramsCase(Case):
    """A test class with its own Programs."""

    @classmethod
    def setUpClass(cls):
        cls.programs = Programs()

    @classmethod
    def tearDownClass(cls):
        cls.programs.close()
