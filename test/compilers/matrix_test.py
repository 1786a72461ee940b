#!/usr/bin/env python3
"""Tests of roots.py and matrix.py without a mirror: debootstrap and apt are replaced."""
import contextlib
import io
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import matrix
import roots
from harness import compilers, programs
from roots import Root, Unavailable

ROOT = Root("moon", ("gcc-1",), ("gcc-1", "g++-1"), ("libomp-1-dev",))


class Cached(unittest.TestCase):
    """Each test has a cache of its own, and a mirror that nobody asks."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.roots = pathlib.Path(folder.name) / "vicino/roots"
        self.made = 0
        for patch in (unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": folder.name}),
                      unittest.mock.patch.object(roots, "make", self.make),
                      unittest.mock.patch.object(roots, "may_enter", lambda: [])):
            patch.start()
            self.addCleanup(patch.stop)

    def make(self, root, folder):
        self.made += 1
        folder.mkdir()
        (folder / "usr").mkdir()
        (folder / roots.STAMP).write_text(root.wanted)

    def interrupted(self, root, folder):
        folder.mkdir()
        (folder / "half").touch()
        raise Unavailable("the mirror has gone")


class Making(Cached):
    def test_a_root_is_made_once(self):
        for _ in range(2):
            self.assertEqual(roots.ensure(ROOT), self.roots / "moon")
        self.assertEqual(self.made, 1)

    def test_other_packages_make_another_root(self):
        roots.ensure(ROOT)
        (self.roots / "moon/old").touch()
        roots.ensure(Root("moon", (), ("gcc-1", "g++-1", "clang-1"), ("libomp-1-dev",)))
        self.assertEqual(self.made, 2)
        self.assertFalse((self.roots / "moon/old").exists())

    def test_half_a_root_is_never_taken_for_one(self):
        with unittest.mock.patch.object(roots, "make", self.interrupted), self.assertRaises(Unavailable):
            roots.ensure(ROOT)
        self.assertEqual([path.name for path in self.roots.iterdir()], ["moon.lock"])
        (self.roots / "moon").mkdir()  # for example by hand, without a stamp
        (self.roots / "moon.unfinished").mkdir()  # of a machine that went down
        (self.roots / "moon.unfinished" / roots.STAMP).write_text(ROOT.wanted)
        roots.ensure(ROOT)
        self.assertEqual(self.made, 1)
        self.assertTrue((self.roots / "moon/usr").exists())
        self.assertFalse((self.roots / "moon.unfinished").exists())

    def test_the_root_there_is_stays_where_a_new_one_cannot_be_made(self):
        roots.ensure(ROOT)
        with unittest.mock.patch.object(roots, "make", self.interrupted), self.assertRaises(Unavailable):
            roots.ensure(Root("moon", (), ("gcc-2",)))
        self.assertEqual(roots.ensure(ROOT), self.roots / "moon")
        self.assertEqual(self.made, 1)


class Commands(unittest.TestCase):
    """make() itself, with tools that do what they are told to."""

    def tools(self, folder, **scripts):
        for name, text in scripts.items():
            path = folder / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def make(self, **scripts):
        with tempfile.TemporaryDirectory() as temporary, contextlib.redirect_stderr(io.StringIO()):
            folder = pathlib.Path(temporary)
            (folder / "bin").mkdir()
            self.tools(folder / "bin", **scripts)
            with unittest.mock.patch.object(roots, "may_enter", lambda: ["env", f"PATH={folder}/bin:/bin:/usr/bin"]), \
                    unittest.mock.patch.object(roots.mirror, "indices", lambda: [self.INDEX]), \
                    unittest.mock.patch.object(roots, "needs", lambda command, package: command), \
                    unittest.mock.patch.object(roots, "proxy", dict), \
                    unittest.mock.patch.object(roots, "GIGABYTES", 0):
                roots.make(ROOT, folder / "moon.unfinished")
            return (folder / "moon.unfinished" / roots.STAMP).read_text()

    INDEX = roots.mirror.Index("Debian", "Debian", "main", "http://mirror", "stable")
    # chroot FOLDER sh -c SCRIPT: what it would have done is left behind.
    CHROOT = f'echo libomp-1-dev > "$1/{roots.STAMP}.missing"'

    def test_the_stamp_says_what_was_asked_for_and_what_was_missing(self):
        stamp = self.make(debootstrap='mkdir "$3"', chroot=self.CHROOT)
        self.assertEqual(stamp, "gcc-1 g++-1 unpacked: libomp-1-dev\nmissing: libomp-1-dev\n")

    def test_a_mirror_that_fails_is_the_reason(self):
        with self.assertRaisesRegex(Unavailable, "the root moon cannot be made: .*no route to http://mirror"):
            self.make(debootstrap='echo "no route to $4"; exit 1', chroot=self.CHROOT)
        with self.assertRaisesRegex(Unavailable, "cannot be made: .*no space"):
            self.make(debootstrap='mkdir "$3"', chroot="echo no space; exit 100")

    def test_a_full_disk_is_the_reason(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(roots, "GIGABYTES", 1 << 20):
            with self.assertRaisesRegex(Unavailable, "has less than"):
                roots.make(ROOT, pathlib.Path(folder) / "moon.unfinished")


class Entering(unittest.TestCase):
    """In a root that is a folder with this machine's own programs bound into it."""

    def setUp(self):
        try:
            roots.may_enter()
        except Unavailable as reason:
            self.skipTest(str(reason))
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name) / "root"
        for name in ("proc", "sys", "dev", "tmp", "etc"):
            (self.folder / name).mkdir(parents=True)
        self.mine, self.others = (pathlib.Path(temporary.name) / name for name in ("mine", "others"))
        for path in (self.mine, self.others):
            path.mkdir()
        (self.mine / "inner").mkdir()

    def run_shell(self, script):
        system = [path for path in ("/bin", "/lib", "/lib64", "/usr") if os.path.exists(path)]
        for path in system:  # where /bin is a link, it has to be one in the root too
            if os.path.islink(path):
                (self.folder / path[1:]).symlink_to(os.readlink(path))
        command = roots.entering(self.folder, ["sh", "-c", script],
                                 read=[self.others, self.mine / "inner", *(p for p in system if not os.path.islink(p))],
                                 write=[self.mine])
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_what_may_be_written(self):
        done = self.run_shell(f"echo a > {self.mine}/a; echo b > /tmp/b; cat /tmp/b {self.mine}/a; for f in {self.others}/c "
                              f"{self.mine}/inner/c /etc/c; do if touch $f 2>/dev/null; then echo wrote $f; fi; done")
        self.assertEqual((done.returncode, done.stdout), (0, "b\na\n"), done.stderr)
        self.assertEqual((self.mine / "a").read_text(), "a\n")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_the_status_is_the_commands_and_nothing_stays_mounted(self):
        self.assertEqual(self.run_shell("exit 7").returncode, 7)
        self.assertNotIn(str(self.folder), pathlib.Path("/proc/self/mounts").read_text())

    def test_no_setting_of_the_caller_reaches_it(self):
        with unittest.mock.patch.dict(os.environ, {"OMP_NUM_THREADS": "3", "LD_PRELOAD": ""}):
            self.assertEqual(self.run_shell("echo $OMP_NUM_THREADS-$HOME").stdout, "-/tmp\n")


class Conditions(unittest.TestCase):
    """What the programs of test/omp say of compilers (harness/compilers.py)."""

    def test_versions(self):
        among = ("gcc-10", "gcc-12", "gcc-16", "clang-12", "gfortran-12")
        for condition, met in {"gcc": "gcc-10 gcc-12 gcc-16", "gcc-12": "gcc-12", "gcc<12": "gcc-10", "gcc>12": "gcc-16",
                               "clang": "clang-12", "flang": "", "gfortran": "gfortran-12"}.items():
            self.assertEqual([c for c in among if compilers.meets(c, condition)], met.split(), condition)

    def test_what_is_no_condition(self):
        for word in ("gcc12", "gcc-", "icc", "gcc>=12", "OMP_DYNAMIC=true"):
            self.assertFalse(compilers.is_condition(word), word)
        for word in ("gcc", "gcc<12"):
            with self.assertRaises(ValueError):
                compilers.split(word)

    def test_which_compilers_build_a_program(self):
        source = pathlib.Path("a.c")
        program = programs.Program(source, only=["clang"], skipped={"clang<21": "why"}, peers={"clang-23@fast": "why"})
        self.assertEqual(program.compilers(("gcc-16", "clang-19", "clang-23", "flang-23")), ["clang-23"])
        self.assertEqual(program.compilers(), [])
        self.assertFalse(program.fails_on_peer("clang-23"))
        program.variant = "fast"
        self.assertTrue(program.fails_on_peer("clang-23"))
        with self.assertRaises(ValueError):
            program.apply("gcc12")

    def test_commands(self):
        for compiler, suffix, command in (("gcc-16", ".cpp", "g++-16"), ("clang-23", ".cpp", "clang++-23"),
                                          ("flang-19", ".f90", "flang-new-19"), ("flang-23", ".f90", "flang-23")):
            self.assertEqual(compilers.command(compiler, suffix)[0], command)
        with self.assertRaises(ValueError):
            compilers.command("gcc-16", ".f90")


class Matrix(unittest.TestCase):
    def test_where_vicino_does_not_load_programs_are_only_built(self):
        self.assertEqual({test.partition("/")[0] for test in matrix.tests_of(roots.ROOTS["bullseye"])}, {"omp"})

    def test_every_suite_has_its_root_and_its_list(self):
        tests = [test for root in roots.ROOTS.values() for test in matrix.tests_of(root)]
        for compiler in matrix.SUITES:
            self.assertEqual(tests.count(f"suite/{compiler}"), 1)

    def test_what_cannot_be_had_is_skipped_with_its_reason(self):
        said = io.StringIO()
        with unittest.mock.patch.object(roots, "ensure", side_effect=Unavailable("no mirror today")), \
                contextlib.redirect_stdout(said), \
                unittest.mock.patch.object(sys, "argv", ["matrix.py", "test", "sid", "omp/gcc-16", "--runtime", "/dev/null"]):
            self.assertEqual(matrix.main(), 77)
        self.assertEqual(said.getvalue(), "no mirror today\n")


if __name__ == "__main__":
    unittest.main()
