"""`vicino run`: it runs the program that the shell would have run, on another runtime."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import APP, Case, FIXTURES, REPLACEMENT, STATIC_APP, VICINO, words

SHOW_ARGUMENTS = "import json, sys; print(json.dumps(sys.argv[1:]))"


class TakesThePlace(Case):
    def test_of_the_runtime(self):
        self.assertEqual(self.run_vicino("run", APP, "id").stdout, "first line\n2\n")

    def test_of_this_process(self):
        started = self.start("run", "sh", "-c", "read child < /proc/$$/task/$$/children; echo $$ $child")
        out, _ = started.communicate()
        self.assertEqual(out.split(), [str(started.pid)], "other process, or it has a child")

    def test_arguments_arrive_as_they_are(self):
        given = ["a b", "", "[a,b]", "--", "--env", "-x", "new\nline", "'\"$HOME\\", "%%", "ü"]
        for mark in ((), ("--",)):
            done = self.run_vicino("run", "--env", "A=1", *mark, sys.executable, "-c",
                                   SHOW_ARGUMENTS, *given)
            self.assertEqual(json.loads(done.stdout), given)

    def test_standard_input(self):
        self.assertEqual(self.run_vicino("run", "cat", input="text").stdout, "text")

    def test_variables(self):
        done = self.run_vicino("run", "--env", "A=[1,2]", "--env", "B=x=y", "--threads", "3,2",
                               "--schedule", "guided", "env")
        for line in ("A=[1,2]", "B=x=y", "OMP_NUM_THREADS=3,2", "VICINO_SCHEDULE=guided"):
            self.assertIn(line + "\n", done.stdout)

    def test_the_users_libraries_stay_behind(self):
        env = {**self.env, "LD_LIBRARY_PATH": "/a:/b", "LD_PRELOAD": str(REPLACEMENT)}
        values = dict(line.split("=", 1) for line in
                      self.run_vicino("run", "env", env=env).stdout.splitlines() if "=" in line)
        folder, _, rest = values["LD_LIBRARY_PATH"].partition(":")
        self.assertEqual(rest, "/a:/b")
        self.assertEqual(values["LD_PRELOAD"], f"{folder}/libgomp.so.1:{REPLACEMENT}")

    def test_an_empty_library_path_does_not_become_the_working_directory(self):
        env = {**self.env, "LD_LIBRARY_PATH": ""}
        self.assertNotRegex(self.run_vicino("run", "env", env=env).stdout, "LD_LIBRARY_PATH=.*:")


class Ends(Case):
    def test_with_the_programs_status(self):
        for status in (0, 1, 7, 125, 255):
            self.assertEqual(self.run_vicino("run", "sh", "-c", f"exit {status}").returncode,
                             status)

    def test_by_the_programs_signal(self):
        done = self.run_vicino("run", "sh", "-c", "kill -SEGV $$")
        self.assertEqual(done.returncode, -signal.SIGSEGV)

    def test_a_signal_reaches_the_program(self):
        started = self.start("run", "sh", "-c",
                             "trap 'exit 42' TERM; echo ready; while :; do sleep 0.05; done")
        self.assertEqual(started.stdout.readline(), "ready\n")
        started.send_signal(signal.SIGTERM)
        started.communicate(timeout=20)
        self.assertEqual(started.returncode, 42)

    def test_a_working_folder_that_is_gone(self):
        script = 'mkdir gone && cd gone && rmdir ../gone && "$0" run "$@"'
        for option in ("--trace", "--profile", "--report=z"):
            with self.subTest(option), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(["sh", "-c", script, str(VICINO), option, "true"], capture_output=True, text=True,
                                      check=False, cwd=folder, env=self.env)
                self.assertEqual(done.returncode, 125, done.stderr)
                self.assertIn("is in the working folder, which cannot be found: No such file", done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(subprocess.run(["sh", "-c", script, str(VICINO), "--report", "true"], capture_output=True,
                                            check=False, cwd=folder, env=self.env).returncode, 0)

    def test_without_a_program(self):
        text = self.work / "text"
        text.write_text("no program")
        script = self.work / "script"
        script.write_text("#!/no/such/interpreter\n")
        script.chmod(0o755)
        for program, status, reason in (("no-such-program", 127, "PATH"),
                                        (self.work / "nope", 127, "No such file"),
                                        (script, 127, "interpreter"),
                                        (text, 126, "Permission denied"),
                                        (self.work, 126, "folder")):
            done = self.run_vicino("run", program)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(reason, done.stderr)
            self.assertIn(f"'{program}'", done.stderr)
        self.assert_nothing_left()

    def test_without_a_library(self):
        done = self.run_vicino("run", "true", env={**self.env, "VICINO_LIBRARY": "/nope.so"})
        self.assertEqual(done.returncode, 125)
        self.assertIn("/nope.so", done.stderr)


class HasAddressSanitizer(Case):
    """Its runtime refuses to start behind another preloaded library."""
    SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int count, char** words) {
  int *numbers = calloc(8, sizeof(int)), sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += 1 + numbers[6 + count];
  free(numbers);
  return printf("%d\n", sum) != 2;
}
"""

    def setUp(self):
        super().setUp()
        if shutil.which("gcc-12") is None:
            self.skipTest("no gcc-12, which brings AddressSanitizer")
        del self.env["VICINO_LIBRARY"]  # the program has regions
        self.program = self.work / "program"
        subprocess.run(["gcc-12", "-fopenmp", "-fsanitize=address", "-x", "c", "-", "-o", self.program], check=True,
                       input=self.SOURCE, text=True)

    def test_it_starts(self):
        for options in ({}, {"LD_PRELOAD": "libasan.so.8"}, {"ASAN_OPTIONS": "exitcode=9"}):
            done = self.run_vicino("run", self.program, env=self.env | options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "3\n", ""))

    def test_it_sees_errors_by_the_users_options(self):
        done = self.run_vicino("run", self.program, "x", env=self.env | {"ASAN_OPTIONS": "exitcode=9"})
        self.assertEqual(done.returncode, 9)
        self.assertIn("heap-buffer-overflow", done.stderr)

    def test_compare_and_doctor(self):
        done = self.run_vicino("compare", "--pairs", "1", "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("failed on Vicino", self.run_vicino("doctor", "--", self.program).stderr)

    def test_the_runtime_in_a_program_that_is_not_linked_with_it(self):
        env = self.env | {"LD_PRELOAD": "libasan.so.8", "ASAN_OPTIONS": "detect_leaks=0"}
        self.assertIn("verify_asan_link_order=0:detect_leaks=0\n", self.run_vicino("run", "env", env=env).stdout)

    def test_others_get_no_options(self):
        self.assertNotIn("ASAN_OPTIONS", self.run_vicino("run", "env").stdout)


class Unheard(Case):
    """Where standard error cannot be written a message is lost, and nothing else."""

    def ended(self, where, *command):
        return subprocess.run(["sh", "-c", f'exec "$0" "$@" {where}', *words(*command)], check=False, text=True,
                              env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60)

    def test_the_program_runs(self):
        for where in ("2>&-", "2>/dev/full"):
            with self.subTest(where=where):
                done = self.ended(where, "run", STATIC_APP, "id")
                self.assertEqual((done.returncode, done.stdout), (0, "first line\n3\n"))

    def test_a_pipe_without_a_reader(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(words("run", STATIC_APP, "id"), check=False, text=True, env=self.env, stderr=write,
                              stdout=subprocess.PIPE, timeout=60)
        os.close(write)
        self.assertEqual((done.returncode, done.stdout), (0, "first line\n3\n"))

    def test_failures_keep_their_status(self):
        for status, *command in ((127, "run", "./nosuch"), (125, "run", "--schedule", "foo", APP), (2, "topo", "--bad"),
                                 (6, "compare", "--", "true"), (2, "convert"), (2, "report", "/nowhere")):
            for where in ("2>&-", "2>/dev/full"):
                with self.subTest(command=command, where=where):
                    self.assertEqual(self.ended(where, *command).returncode, status)

    def test_no_file_takes_its_place(self):
        done = self.ended("2>&-", "compare", "--pairs", "1", "--json", "-", "--", APP)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["pairs"], 1)
        done = self.ended("<&- 2>&-", "run", "sh", "-c", "ls /proc/$$/fd")
        self.assertEqual([one for one in done.stdout.split() if one in "012"], ["1"])


class StandardOutput(Case):
    """What cannot be written there is no success."""

    def test_that_cannot_be_written(self):
        for where, why in ((">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")):
            for command in (("--help",), ("settings",), ("topo", "--json"), ("doctor",)):
                with self.subTest(command=command, where=where):
                    done = subprocess.run(["sh", "-c", f'exec "$0" "$@" {where}', *words(*command)], check=False, text=True,
                                          env=self.env, stderr=subprocess.PIPE, timeout=60)
                    # A finding, such as of other tests that run beside this one, stays the status.
                    self.assertIn(done.returncode, (2, 7) if command == ("doctor",) else (2,))
                    self.assertRegex(done.stderr, f"^vicino: standard output.*: {why}\n$")


class AsksForMoreThanThereIs(Case):
    ENDS = 125

    def refusal(self, *command):
        done = self.run_vicino(*command)
        self.assertEqual((done.returncode, done.stdout), (self.ENDS, ""), done.stderr)
        for word in ("omp_from_the_future()", "GOMP_99.0", "libgomp.so.1"):
            self.assertIn(word, done.stderr)
        self.assert_nothing_left()
        return done.stderr

    def test_a_program(self):
        said = self.refusal("run", FIXTURES / "cli_future")
        self.assertIn("'cli_future' asks for", said)
        self.assertIn("runs on its own runtime, without 'vicino run'", said)

    def test_a_library_of_a_program(self):
        self.assertIn("'libcli_plugin.so' asks for", self.refusal("run", FIXTURES / "cli_with_plugin"))

    def test_compare(self):
        self.ENDS = 6
        self.refusal("compare", "--pairs", "1", "--", FIXTURES / "cli_future")

    def test_weakly(self):
        done = self.run_vicino("run", FIXTURES / "cli_future_weak")
        self.assertNotIn("omp_from_the_future", done.stderr)

    def test_what_no_runtime_is_asked_for_does_not_matter(self):
        self.assertEqual(self.run_vicino("run", "true").stderr, "")


class Folder(Case):
    def test_is_removed_at_the_end(self):
        self.assertIn(str(self.tmp), self.run_vicino("run", "env").stdout)
        self.assert_nothing_left()

    def test_is_removed_when_the_program_is_killed(self):
        started = self.start("run", "sleep", "100")
        while not list(self.tmp.glob("*/libgomp.so.1")):
            time.sleep(0.01)
        time.sleep(0.2)
        self.assertTrue(list(self.tmp.iterdir()), "removed while the program runs")
        started.kill()
        started.communicate()
        self.assert_nothing_left()

    def test_many_at_once(self):
        runs = [self.start("run", APP, "id") for _ in range(12)]
        for run in runs:
            out, err = run.communicate(timeout=60)
            self.assertEqual((run.returncode, out, err), (0, "first line\n2\n", ""))
        self.assert_nothing_left()

    def test_whoever_removes_it_holds_no_pipe(self):
        started = self.start("run", "sh", "-c", "exec >&- 2>&-; sleep 3")
        began = time.monotonic()
        ready, _, _ = select.select([started.stdout], [], [], 10)
        self.assertTrue(ready and time.monotonic() - began < 2.5, "the pipe stays open")
        started.communicate()

    def test_installed_one_is_used(self):
        lib = self.work / "lib"
        (lib / "vicino" / "replace").mkdir(parents=True)
        shutil.copy(REPLACEMENT, lib)
        (lib / "vicino" / "replace" / "libgomp.so.1").symlink_to("../../libvicino.so")
        env = {**self.env, "VICINO_LIBRARY": str(lib / "libvicino.so")}
        self.assertEqual(self.run_vicino("run", APP, "id", env=env).stdout, "first line\n2\n")
        self.assertIn(f"LD_PRELOAD={lib}/vicino/replace/libgomp.so.1",
                      self.run_vicino("run", "env", env=env).stdout)
        self.assertFalse(list(self.tmp.iterdir()))

    def test_a_path_that_the_loader_would_split(self):
        odd = self.work / "a b:c"
        (odd / "vicino" / "replace").mkdir(parents=True)
        shutil.copy(REPLACEMENT, odd)
        (odd / "vicino" / "replace" / "libgomp.so.1").symlink_to("../../libvicino.so")
        env = {**self.env, "VICINO_LIBRARY": str(odd / "libvicino.so")}
        self.assertEqual(self.run_vicino("run", APP, "id", env=env).stdout, "first line\n2\n")

    def test_has_the_names_of_the_built_one(self):
        built = VICINO.parent.parent / "lib" / "vicino" / "replace"
        if not built.is_dir():
            self.skipTest("the library is not built here")
        folder = 'ls "${LD_LIBRARY_PATH%%:*}"'
        made = self.run_vicino("run", "sh", "-c", folder).stdout.split()
        self.assertEqual(sorted(made), sorted(path.name for path in built.iterdir()))


if __name__ == "__main__":
    unittest.main()
