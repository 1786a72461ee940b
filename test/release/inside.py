"""Installs, uses and removes Vicino's packages, in a root of debian_test.py. Python's own library alone."""
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path("/here")
DEFAULT = "vicino-default"
NAMES = ("libvicino0", "vicino", "libvicino-dev")
# What dpkg and ldconfig write for themselves.
KEPT = ("/here", "/proc", "/dev", "/sys", "/tmp", "/var/lib/dpkg", "/var/log", "/var/cache/ldconfig", "/etc/ld.so.cache")


def run(*command, **settings):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          universal_newlines=True, env={**os.environ, **settings})
    if done.returncode:
        raise AssertionError("%s: exit %d\n%s" % (" ".join(map(str, command)), done.returncode, done.stdout))
    return done.stdout


def files():
    """Everything in the root that is not of a package manager, with what it is."""
    found = {}
    for folder, folders, names in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in KEPT]
        for name in names + folders:
            path = os.path.join(folder, name)
            if path not in KEPT:
                state = os.lstat(path)
                found[path] = (state.st_mode, state.st_size if name in names else 0)
    return found


def package(name):
    return next(HERE.glob(name + "_*.deb"))


class Packages(unittest.TestCase):
    def runs_on(self, runtime, *command):
        """That both compilers' programs find OpenMP's functions in a file whose path has this text; in Vicino's they
        find those of the C library that it wraps, too, and it is the only runtime."""
        for compiler, own in (("gcc", "/libgomp.so.1"), ("clang", "/libomp.so.5")):
            said = run(*command, HERE / compiler)
            self.assertRegex(said, r"\A\d+ \S+ \S+ \d+\n\Z")
            threads, routines, wrapped, runtimes = said.split()
            self.assertEqual(threads, "3")
            self.assertIn(runtime or own, routines)
            if runtime:
                self.assertEqual((wrapped, runtimes), (routines, "1"))
            else:
                self.assertNotIn("vicino", routines + wrapped)

    def test_all(self):
        # Linked by gcc: clang 14 writes the folder of its own runtime into a program, and the loader asks that first.
        libomp = next(pathlib.Path("/usr/lib").glob("*-linux-gnu/libomp.so.5"))
        for compiler, runtime in (("gcc", "-lgomp"), ("clang", libomp)):
            run(compiler, "-fopenmp", "-c", HERE / "team.c", "-o", HERE / "team.o")
            run("gcc", HERE / "team.o", runtime, "-ldl", "-lpthread", "-o", HERE / compiler)
        before = files()
        self.runs_on(None)

        run("dpkg", "-i", *map(package, NAMES))
        self.assertRegex(run("vicino", "--version"), r"^vicino \d+\.\d+\.\d+\+")
        self.runs_on(None)
        self.runs_on("/vicino/replace/", "vicino", "run")
        self.check_developers_files()

        run("dpkg", "-i", package(DEFAULT))
        self.runs_on("/libvicino.so.0")
        self.runs_on("vicino", "vicino", "run")
        self.assertEqual(len(list(pathlib.Path("/etc/ld.so.conf.d").glob("*vicino*"))), 1)

        run("dpkg", "-r", DEFAULT)
        self.runs_on(None)
        self.assertEqual(list(pathlib.Path("/etc/ld.so.conf.d").glob("*vicino*")), [])

        run("dpkg", "-P", DEFAULT, *reversed(NAMES))
        after = files()
        self.assertEqual(sorted(set(after) - set(before)), [])
        self.assertEqual([path for path in before if after.get(path) != before[path]], [])

    def check_developers_files(self):
        source = HERE / "api.c"
        source.write_text("#include <stdio.h>\n#include <vicino/vicino.h>\nint main(void) { puts(vicino_version()); }\n")
        run("gcc", source, "-lvicino", "-o", HERE / "api")
        self.assertEqual("vicino " + run(HERE / "api"), run("vicino", "--version"))
        self.assertEqual(list(pathlib.Path("/usr/lib").glob("*/pkgconfig/vicino.pc"))[0].is_file(), True)


if __name__ == "__main__":
    sys.exit(unittest.main())
