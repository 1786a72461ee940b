"""A set-user-id program takes no settings from its caller; each bad setting gets one warning; no file that
a setting names holds a program up or ends it."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

from surroundings import HERE, LIBRARY, Case, build, compiler, program, run_program

NOBODY = 65534


class SetUserId(Case):
    """The loader ignores LD_LIBRARY_PATH in a set-user-id program, so the program has an rpath."""

    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("giving a program to another user needs root")
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.folder.chmod(0o755)
        shutil.copy(LIBRARY, self.folder / "libgomp.so.1")
        shutil.copy(LIBRARY, self.folder / "libomp.so.5")
        self.binary = self.folder / "secure"
        subprocess.run([compiler(), "-O2", "-fopenmp", f"-Wl,-rpath,{self.folder}",
                        HERE / "secure.c", "-o", self.binary], check=True)

    def settings(self):
        words = {"OMP_NUM_THREADS": "7", "OMP_THREAD_LIMIT": "9", "OMP_SCHEDULE": "dynamic,5",
                 "OMP_MAX_ACTIVE_LEVELS": "6", "OMP_DISPLAY_ENV": "verbose",
                 "VICINO_MACHINE": str(HERE.parent / "machines" / "plain-2x4.xml")}
        done = subprocess.run([self.binary], env=words, capture_output=True, text=True, check=True)
        values = done.stdout.split()
        return done.stderr, dict(zip(values[::2], map(int, values[1::2])))

    def test_reads_no_settings(self):
        told, values = self.settings()
        self.assertIn("OMP_NUM_THREADS", told)
        self.assertEqual(values, {"secure": 0, "threads": 7, "limit": 9, "levels": 6, "chunk": 5})
        os.chown(self.binary, NOBODY, NOBODY)
        self.binary.chmod(0o4755)
        told, values = self.settings()
        if not values["secure"]:
            self.skipTest("the temporary folder does not allow set-user-id programs")
        self.assertEqual(told, "")
        self.assertEqual(values["threads"], len(os.sched_getaffinity(0)))
        self.assertGreater(values["limit"], 9)
        self.assertEqual(values["levels"], 1)
        self.assertNotEqual(values["chunk"], 5)


class AskedEarly(Case):
    """A library's constructor may ask before this library's own has run, if this one is preloaded and that one is linked
    with another file of the same name."""

    def test_the_settings_hold(self):
        for ask, wanted in (("omp_get_num_procs", "16 16"), ("omp_get_num_places", "12 12")):
            with self.subTest(ask=ask), tempfile.TemporaryDirectory() as folder:
                build = [compiler(), "-O1", "-fopenmp", f"-DASK={ask}", HERE / "early_ask.c"]
                subprocess.run([*build, "-DLIBRARY", "-shared", "-fPIC", "-o", f"{folder}/libearly.so"], check=True)
                subprocess.run([*build, f"-L{folder}", "-learly", f"-Wl,-rpath,{folder}", "-o", f"{folder}/asks"],
                               check=True)
                out, _ = run_program(self, f"{folder}/asks", LD_PRELOAD=LIBRARY,
                                     VICINO_MACHINE=HERE.parent / "machines/hybrid-4p8e.xml")
                self.assertEqual(out.strip(), wanted)


class Malformed(Case):
    BAD = {"OMP_NUM_THREADS": "many", "OMP_SCHEDULE": "fast", "OMP_STACKSIZE": "-1",
           "OMP_PROC_BIND": "near", "OMP_PLACES": "{0", "OMP_WAIT_POLICY": "perhaps",
           "KMP_BLOCKTIME": "soon", "OMP_DYNAMIC": "2", "OMP_THREAD_LIMIT": "0"}

    def test_each_gets_one_warning(self):
        for name, value in self.BAD.items():
            with self.subTest(name=name):
                _, error = self.run_on_vicino("team", 2, 4, 2, **{name: value})
                self.assertEqual(len(error.splitlines()), 1, error)
                self.assertTrue(error.startswith("vicino: "), error)
                self.assertIn(name, error)

    def test_all_together(self):
        _, error = self.run_on_vicino("team", 2, 4, 2, **self.BAD)
        self.assertEqual(len(error.splitlines()), len(self.BAD), error)

    def test_a_pipe_without_a_reader_does_not_end_the_program(self):
        reader, writer = os.pipe()
        os.close(reader)
        self.addCleanup(os.close, writer)
        for settings in (self.BAD, {"VICINO_STATS": "true"}, {"OMP_DISPLAY_ENV": "true"},
                         {"OMP_TOOL_VERBOSE_INIT": "stderr"}):
            argv, environment = self.command("team", 2, 4, 2, **settings)
            done = subprocess.run(argv, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=writer,
                                  text=True, timeout=60, check=False)
            with self.subTest(settings=settings):
                self.assertEqual((done.returncode, done.stdout.split()), (0, ["2", "4", "2"]))

    def test_warnings_can_be_turned_off(self):
        _, error = self.run_on_vicino("team", 2, 4, 2, KMP_WARNINGS="0", **self.BAD)
        self.assertEqual(error, "")


class Spaces(Case):
    """Blanks around the words of a setting, and large letters, mean nothing."""
    MEANT = {
        "schedule=1,4": {"OMP_SCHEDULE": "static , 4"}, "schedule=2,5": {"OMP_SCHEDULE": "  dynamic ,5 "},
        "schedule=3,3": {"OMP_SCHEDULE": "GUIDED,\t3"},
        "schedule=2,2": {"OMP_SCHEDULE": "nonmonotonic : Dynamic, 2"},
        "schedule=3,2": {"OMP_SCHEDULE": "monotonic: guided ,2"},
        "team=3 inner=2": {"OMP_NUM_THREADS": " 3 , 2 "},
        "team=3 inner=1 levels=1": {"OMP_NUM_THREADS": "3 ,2", "OMP_MAX_ACTIVE_LEVELS": " 1 "},
        "dynamic=1": {"OMP_DYNAMIC": " True "}, "bind=4": {"OMP_PROC_BIND": " Spread , close "},
        "places=1": {"OMP_PLACES": " { 0 } : 1 ", "OMP_PROC_BIND": "close "},
        "stack=20": {"OMP_STACKSIZE": " 20 m "}, "stack=30": {"OMP_STACKSIZE": "30720 "},
    }

    def test_they_change_nothing(self):
        for by in ("gcc-12", "clang-19"):
            if not build.available(by, HERE / "settings.c"):
                continue
            for wanted, settings in self.MEANT.items():
                with self.subTest(by=by, **settings):
                    output, error = self.run_on_vicino("settings", by=by, **{"OMP_NUM_THREADS": 2} | settings)
                    self.assertIn(wanted, output)
                    self.assertEqual(error, "")


class Files(Case):
    """The peers read no files; a program of theirs ends as it should in each of these."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.path = pathlib.Path(made.name) / "file"

    def complaints(self, name, **options):
        output, error = self.run_on_vicino("team", 2, 3, **{name: self.path}, **options)
        self.assertEqual(output.split(), ["2", "3"])
        return error

    def test_pipes_that_nobody_reads_or_writes(self):
        os.mkfifo(self.path)
        for name in ("VICINO_MACHINE", "VICINO_CONFIG", "VICINO_PROFILE", "VICINO_STATS"):
            with self.subTest(name=name):
                error = self.complaints(name)
                self.assertEqual(len(error.splitlines()), 1, error)
                self.assertIn(str(self.path), error)

    def test_a_pipe_with_a_reader_gets_the_counts(self):
        os.mkfifo(self.path)
        with subprocess.Popen(["cat", self.path], stdout=subprocess.PIPE, text=True) as reader:
            with open(self.path, "w", encoding="utf-8"):  # until the reader is there
                self.assertEqual(self.complaints("VICINO_STATS"), "")
            self.assertIn('"regions"', reader.communicate(timeout=60)[0])

    def test_a_limit_of_size(self):
        def no_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        error = self.complaints("VICINO_STATS", join=no_bytes)
        self.assertIn("File too large", error)


class ReadWhen(Case):
    """A program that sets variables for itself finds them where its own runtime would: libgomp reads as it is
    loaded, libomp at its first call, and Python loads libraries late."""

    def of_program(self, by):
        if not build.available(by, HERE / "late.c"):
            self.skipTest(f"{by} is not installed")
        output, error = self.run_on_vicino("late", "set", 3, by=by, OMP_NUM_THREADS=5)
        peers, _ = run_program(self, program("late", by), "set", 3, OMP_NUM_THREADS=5)
        self.assertEqual((output, error), (peers, ""))
        return int(output)

    def test_by_the_compiler(self):
        self.assertEqual(self.of_program("gcc-12"), 5)
        self.assertEqual(self.of_program("clang-19"), 3)

    def of_python(self, lines, **settings):
        code = f"import ctypes, os; library = ctypes.CDLL({str(LIBRARY)!r})\n"
        code += "region = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)\n" + lines
        return run_program(self, sys.executable, "-c", code, LD_PRELOAD=LIBRARY, **settings)

    def test_of_a_preloaded_library(self):
        output, _ = self.of_python("os.environ['OMP_NUM_THREADS'] = '3'\n"
                                   "print(library.omp_get_max_threads())")
        self.assertEqual(output, "3\n")

    def test_files_are_found_from_where_the_program_began(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        for name in ("rules", "profile"):
            (pathlib.Path(made.name) / name).write_text("neither\n", encoding="utf-8")
        _, error = self.of_python("os.chdir('/')\nlibrary.GOMP_parallel(region, None, 1, 0)",
                                  VICINO_CONFIG="rules", VICINO_PROFILE="profile",
                                  join=lambda: os.chdir(made.name))
        for name in ("rules", "profile"):
            self.assertIn(f"{made.name}/{name}", error)
        self.assertNotIn("No such file", error)

    def test_they_are_shown_once(self):
        for lines in ("", "library.GOMP_parallel(region, None, 1, 0)", "if os.fork(): os.wait()"):
            with self.subTest(lines=lines):
                _, error = self.of_python(lines, OMP_DISPLAY_ENV="true", KMP_SETTINGS=1, KMP_VERSION=1)
                for begin in ("OPENMP DISPLAY ENVIRONMENT BEGIN", "User settings", "vicino: version "):
                    self.assertEqual(error.count(begin), 1, error)

    def test_a_child_of_fork_does_not_wait_for_the_reader(self):
        binary, variables = self.on_vicino("late", "clang-19")
        bad = {name: "?" for name in Malformed.BAD}  # so that reading takes its time
        for _ in range(100):
            run_program(self, binary, "fork", **variables, **bad)


if __name__ == "__main__":
    unittest.main(verbosity=2)
