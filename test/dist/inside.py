"""What a user does with a tarball and a wheel on a machine that has a compiler and Python, as an ordinary user.

    inside.py TREE TARBALL WHEEL [TEST...]

TREE is the tarball unpacked where nobody may write. Runs with Python 3.8 and newer and its own library alone, and
needs no network.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TREE, TARBALL, WHEEL = map(pathlib.Path, sys.argv[1:4])
COMPILERS = {"gcc": "team.c", "clang": "team.c", "gfortran": "team.f90"}
REPLACED = ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so")


def run(*command, **settings):
    """Both outputs of a command that must succeed."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, check=False, stdin=subprocess.DEVNULL, timeout=240,
                          env={**os.environ, **settings})
    if done.returncode:
        raise AssertionError("%s: exit %d\n%s" % (" ".join(map(str, command)), done.returncode, done.stdout))
    return done.stdout


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="dist-"))
        cls.addClassCleanup(shutil.rmtree, str(cls.work), True)

    def on_vicino(self, report):
        """A report of `vicino run` names one runtime, and it is Vicino."""
        runtimes = report.split("OpenMP runtimes in it:\n")[1].split("\n")
        self.assertRegex(runtimes[0], r"/libgomp\.so\.1 \(Vicino \d")
        self.assertFalse(runtimes[1].startswith("  /"), report)

    def team(self, command, name, source):
        """A program of the machine's own compiler reaches Vicino, and its region's sum is right."""
        if shutil.which(name) is None:
            self.fail("%s is missing" % name)
        program = self.work / ("team-" + name)
        run(name, "-O2", "-fopenmp", HERE / source, "-o", program)
        said = run(*command, "run", "--report", program, OMP_NUM_THREADS="3")
        self.assertIn("sum 499500 threads 3", said)
        self.on_vicino(said)
        own = run(program, OMP_NUM_THREADS="3")
        self.assertIn("sum 499500 threads 3", own)


class Tarball(Folder):
    tree, vicino = TREE, TREE / "bin/vicino"

    def test_layout(self):
        library = self.tree / "lib/libvicino.so"
        for name in REPLACED:
            self.assertTrue((self.tree / "lib/vicino/replace" / name).samefile(library), name)
        for file in ("include/vicino/vicino.h", "share/man/man1/vicino.1", "lib/pkgconfig/vicino.pc",
                     "lib/cmake/vicino/vicinoConfig.cmake"):
            self.assertTrue((self.tree / file).is_file(), file)

    def test_the_command_starts(self):
        self.assertRegex(run(self.vicino, "--version"), r"^vicino \d+\.\d+\.\d+")
        self.assertIn("CPUs", run(self.vicino, "topo"))

    def test_selftest(self):
        run(self.vicino, "selftest")

    def test_in_a_folder_that_the_loader_cannot_take(self):
        """Its lists end at a blank."""
        place = self.work / "a folder: with all"
        with tarfile.open(str(TARBALL)) as packed:
            packed.extractall(str(place))
        run(next(place.iterdir()) / "bin/vicino", "selftest")

    def test_programs_of_the_compilers_here(self):
        for name, source in COMPILERS.items():
            with self.subTest(name):
                self.team([self.vicino], name, source)

    def test_linked_program(self):
        program = self.work / "linked"
        run("gcc", "-O2", "-fopenmp", "-c", HERE / "team.c", "-o", self.work / "linked.o")
        run("gcc", self.work / "linked.o", "-L%s/lib" % self.tree, "-lvicino", "-o", program)
        said = run(program, LD_LIBRARY_PATH=str(self.tree / "lib"), OMP_NUM_THREADS="3")
        self.assertIn("sum 499500 threads 3", said)

    def test_python_of_this_machine(self):
        """scikit-learn of the release, under the release's Python."""
        said = run(self.vicino, "run", "--report", sys.executable, HERE / "client.py", OMP_NUM_THREADS="2")
        self.on_vicino(said)
        own = run(sys.executable, HERE / "client.py", OMP_NUM_THREADS="2")
        self.assertEqual([line for line in said.splitlines() if line.startswith("result")], own.splitlines())

    def test_a_program_of_this_machine(self):
        """The release's tesseract reads a page, and reads the same on its own runtime."""
        page = self.work / "page.png"
        run(sys.executable, HERE / "page.py", page)

        def reading(name, *command):
            said = run(*command, "tesseract", page, self.work / name, "--dpi", "200")
            return said, (self.work / (name + ".txt")).read_text(encoding="utf-8")

        said, text = reading("vicino", self.vicino, "run", "--report")
        self.on_vicino(said)
        self.assertEqual(text, reading("own")[1])
        self.assertIn("water light near machine", text)


class Wheel(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = cls.work / "venv"
        run(sys.executable, "-m", "venv", "--system-site-packages", cls.place)
        cls.before = cls.files()
        run(cls.place / "bin/python", "-m", "pip", "install", "--no-index", "--no-deps", WHEEL)

    @classmethod
    def files(cls):
        return {str(path) for path in cls.place.rglob("*") if "__pycache__" not in path.parts}

    def test_1_the_command(self):
        run(self.place / "bin/vicino", "selftest")
        self.team([self.place / "bin/vicino"], "gcc", "team.c")

    def test_2_the_module(self):
        said = run(self.place / "bin/python", "-m", "vicino", HERE / "client.py", OMP_NUM_THREADS="2")
        self.assertEqual(said, run(sys.executable, HERE / "client.py", OMP_NUM_THREADS="2"))
        said = run(self.place / "bin/python", "-m", "vicino", "-c",
                   "import sklearn.utils._openmp_helpers, vicino; print(vicino.info()['how'], len(vicino.info()['runtimes']))")
        self.assertEqual(said.split(), ["preloaded", "1"])

    def test_3_removed_without_a_trace(self):
        run(self.place / "bin/python", "-m", "pip", "uninstall", "--yes", "vicino")
        self.assertEqual(self.files() - self.before, set())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
