"""What is in a wheel, and that pip installs and removes it.

    wheel_test.py BUILD FIXTURES
"""

import ast
import base64
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

from built_wheel import CPU, WHEN, wheel
from installed import BUILD, FIXTURES, REPOSITORY, Installed, environment, run

def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().strip("=")


NAMES = {"libomp.so", "libomp.so.5", "libiomp5.so", "libgomp.so.1.0.0"}


class Wheel(Installed):
    def test_the_record_is_right(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
            self.assertEqual(len(set(names)), len(names))
            record = next(name for name in names if name.endswith(".dist-info/RECORD"))
            lines = archive.read(record).decode().splitlines()
            expected = [f"{name},{digest(archive.read(name))},{archive.getinfo(name).file_size}"
                        for name in names if name != record]
            self.assertEqual(lines, [*expected, f"{record},,"])
            for entry in archive.infolist():
                self.assertEqual(entry.external_attr >> 28, 0o10, f"{entry.filename}: not a plain file")
                self.assertEqual(entry.date_time, (2025, 11, 24, 16, 0, 0), entry.filename)

    def test_the_same_tree_gives_the_same_bytes(self):
        """Also where it lies elsewhere, was copied in another order, and has other times."""
        other = self.work / "other"
        other.mkdir()
        shutil.copytree(self.tree, other / "tree", symlinks=True)
        for file in (other / "tree").rglob("*"):
            os.utime(file, (1, 1), follow_symlinks=False)
        again = wheel.make(other / "tree", CPU, other, WHEN)
        self.assertEqual(again.name, self.wheel.name)
        self.assertEqual(again.read_bytes(), self.wheel.read_bytes())

    def test_the_library_is_there_once(self):
        libraries = [path for path in self.package.rglob("lib*.so*") if path.stat().st_size > 1 << 20
                     and b"vicino_version" in path.read_bytes()]
        self.assertEqual([str(path) for path in libraries], [self.library])

    def test_each_name_has_the_versions_of_the_library(self):
        def versions(file):
            told = run("readelf", "--wide", "--version-info", file).stdout.split("Version definition section")[1]
            return re.findall(r"Flags: (?:none|WEAK) .*Name: (\S+)", told.split("Version needs section")[0])

        here = Path(self.library).parent
        expected = versions(self.library)
        self.assertIn("GOMP_4.0", expected)
        for name in NAMES:
            for file in (here / name, here / f"as-{name}"):
                self.assertEqual(versions(file), expected, file)
                told = run("readelf", "--wide", "--dynamic", file)
                self.assertEqual(told.stderr, "", file)
                self.assertIn(f"Library soname: [{name}]", told.stdout)
                self.assertNotIn("RWE", run("readelf", "--wide", "--segments", file).stdout)

    def test_a_program_that_needs_another_name_finds_it(self):
        """At load, with its versions, so that the loader has nothing to say."""
        for name in sorted(NAMES):
            program = self.work / "program"
            source = self.script('#include <stdio.h>\nint omp_get_max_threads(void);\n'
                                 'int main(void) { printf("%d\\n", omp_get_max_threads()); }\n', "program.c")
            run("gcc-12", source, "-o", program, FIXTURES / name)
            done = run(self.venv / "bin/vicino", "run", program, OMP_NUM_THREADS="3")
            self.assertEqual((done.stdout, done.stderr), ("3\n", ""), name)

    def test_the_command_is_the_program(self):
        vicino = self.venv / "bin/vicino"
        self.assertRegex(run(vicino, "--version").stdout, r"^vicino \d")
        started = subprocess.Popen([vicino, "run", "--", "sh", "-c", "echo $$; kill -TERM $$"], text=True,
                                   stdout=subprocess.PIPE, env=environment())
        self.assertEqual(started.communicate(timeout=60)[0], f"{started.pid}\n")
        self.assertEqual(started.returncode, -signal.SIGTERM)
        self.assertEqual(run(vicino, "run", "--", "sh", "-c", "exit 7", status=7).stderr, "")

    def test_nothing_is_written(self):
        """Neither into the package nor into a temporary folder, which there need not be."""
        before = self.files()
        self.assertEqual(run(self.venv / "bin/vicino", "run", "true", TMPDIR="/nowhere").stderr, "")
        run(self.python, "-m", "vicino", "-c", "import vicino", TMPDIR="/nowhere")
        self.assertEqual(self.files(), before)

    def test_what_needs_a_library_of_the_system_is_left_out(self):
        """The tag of the wheel promises that it needs none."""
        machine = REPOSITORY / "test/machines/plain-2x4.xml"
        told = run(self.venv / "bin/vicino", "topo", "--machine", machine, status=2)
        self.assertIn("which libvicino-hwloc.so reads, and that cannot be found", told.stderr)
        for path in self.package.rglob("*.so*"):
            self.assertNotRegex(run("readelf", "--wide", "--dynamic", path).stdout, "NEEDED.*(hwloc|clang)", path)

    def test_programs_of_the_tree_find_a_name_of_a_runtime(self):
        """But no runtime, unless the command has put one before."""
        for name in {"libgomp.so.1", *NAMES}:
            file = self.package / "_tree/libexec/vicino/names" / name
            self.assertNotIn("NEEDED", run("readelf", "--wide", "--dynamic", file).stdout)
            source = self.script('int omp_get_max_threads(void);\nint main(void) { return omp_get_max_threads(); }\n',
                                 "names.c")
            program = self.work / "names"
            run("gcc-12", source, "-o", program, FIXTURES / name, f"-Wl,-rpath,{file.parent}")
            self.assertIn("undefined symbol: omp_get_max_threads", run(program, status=127).stderr)
            run(self.venv / "bin/vicino", "run", program, status=3, OMP_NUM_THREADS="3")

    def test_the_layer_of_mpi_is_found(self):
        """A launcher of Open MPI has started the shell."""
        layer = Path(self.library).parents[1] / "libvicino-openmpi.so"
        self.assertEqual(layer.is_file(), (self.tree / "lib/vicino" / layer.name).is_file())
        if layer.is_file():
            done = run(self.venv / "bin/vicino", "run", "sh", "-c", "echo $LD_PRELOAD", OMPI_COMM_WORLD_SIZE="1")
            self.assertEqual(done.stdout, f"{self.library}:{layer}\n")

    def test_no_developers_files(self):
        for path in self.package.rglob("*"):
            self.assertNotIn(path.suffix, {".h", ".hpp", ".pc", ".cmake", ".debug"}, path)

    def test_an_incomplete_package_says_so(self):
        copy = self.work / "copy/vicino"
        shutil.copytree(self.package, copy)
        (copy / "_tree/bin/vicino").unlink()
        done = run(self.venv / "bin/vicino", "--version", status=125, PYTHONPATH=str(copy.parent))
        self.assertRegex(done.stderr, r"^vicino: the package is incomplete: \S+/bin/vicino is missing; .*\n$")

    def test_no_tree(self):
        done = run("python3", REPOSITORY / "packaging/python/wheel.py", BUILD / "lib", status=1)
        self.assertIn("is no installed tree: it has no lib/vicino/replace/libgomp.so.1", done.stderr)

    def test_python_3_8_reads_the_module(self):
        for file in self.package.glob("*.py"):
            ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))

    def test_in_a_folder_with_a_blank_where_nobody_may_write(self):
        place = self.work / "a folder"
        run(sys.executable, "-m", "venv", place)
        run(place / "bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--no-deps",
            self.wheel)
        run("chmod", "-R", "a-w", place)
        self.addCleanup(run, "chmod", "-R", "u+w", place)
        code = "import vicino; print(vicino.info()['how'])"
        self.assertRegex(run(place / "bin/vicino", "--version").stdout, r"^vicino \d")
        self.assertEqual(run(place / "bin/python", "-m", "vicino", "-c", code).stdout, "preloaded\n")
        self.assertEqual(run(place / "bin/python", "-c", code).stdout, "imported\n")

    def test_removed_without_a_trace(self):
        with_it = self.files()
        self.pip("uninstall", "--yes", "vicino")
        self.assertEqual(self.files(), self.bare)
        self.pip("install", "--no-index", "--no-deps", self.wheel)
        self.assertEqual(self.files(), with_it)


if __name__ == "__main__":
    unittest.main()
