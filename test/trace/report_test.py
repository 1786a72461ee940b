"""vicino report: the command; what it finds is tested by test/cli/diagnosis_test.cpp on traces of programs that never ran."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile double sink;
static void work(int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += i * 0.5;
  sink = sum;
}
int main(int count, char** words) {
  const char* what = words[1];
  if (strcmp(what, "serial") == 0) usleep(300000);
  if (strcmp(what, "at once") == 0) {
#pragma omp parallel
    work(1);
    _exit(0);
  }
  for (int k = 0; k < 10; ++k) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 20; ++i) {
      work(1000);
      if (strcmp(what, "critical") == 0) {
#pragma omp critical
        usleep(1000);
      }
    }
  }
  if (strcmp(what, "long") == 0) {
    usleep(200000);
    puts("ready");
    fflush(stdout);
    sleep(60);
  }
  return strcmp(what, "fails") == 0 ? 7 : 0;
}
"""


REGIONS = {"lines.c:5", "part.c:9"}  # the part can be a library
ONLY_THE_TRACE = r"^vicino: \S+ has \d+ events\n$"
LINES = r"""#include <unistd.h>
void part(void);
int main(void) {
  for (int k = 0; k < 3; ++k) {
#pragma omp parallel num_threads(2)
    usleep(1000);
    part();
  }
}
"""
PART = r"""
static volatile int sink;


void part(void) {



#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int i = 0; i < 20; ++i) sink = i;
  sink = 0;
}
"""
class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.program = cls.work / "program"
        subprocess.run(["gcc-12", "-O1", "-fopenmp", "-x", "c", "-", "-o", cls.program],
                       input=SOURCE, text=True, check=True)

    def report(self, *words, status=0, path=None):
        temporary = self.work / "tmp"
        temporary.mkdir(exist_ok=True)
        done = subprocess.run(list(map(str, [VICINO, "report", *words])), text=True, errors="replace", check=False,
                              capture_output=True, timeout=120, env=clean_environment("LD_") | {"OMP_NUM_THREADS": "2", "TMPDIR": str(temporary)} |
                              ({} if path is None else {"PATH": str(path)}))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(list(temporary.iterdir()), [])
        return done

    def json_of(self, *words, **options):
        file = self.work / "report.json"
        self.report("--json", file, *words, **options)
        return json.loads(file.read_text(encoding="utf-8"))


class Report(Case):
    def test_a_program(self):
        file = self.work / "serial.json"
        done = self.report("--json", file, "--", self.program, "serial")
        first, *_ = done.stdout.splitlines()
        self.assertRegex(first, r"^In \d\S* [mu]?s the 2 threads worked for the program in \d+ % of their time")
        self.assertRegex(done.stdout, r"One thread works alone for \S+ m?s of .* while 1 other waits.*: \d+ % of all thread time\.")
        self.assertRegex(done.stdout, r"Make more of the program parallel")
        self.assertRegex(done.stdout, r"dynamic loop main\S*\n")
        found = json.loads(file.read_text(encoding="utf-8"))
        self.assertIn("serial", [one["disease"] for one in found["diagnoses"]])
        self.assertEqual(first, found["verdict"][0])

    def test_a_trace(self):
        trace = self.work / "a.pftrace"
        subprocess.run([VICINO, "run", f"--trace={trace}", "--threads", "2", "--", self.program, "critical"], check=True,
                       capture_output=True)
        found = self.json_of(trace)
        self.assertIn("lock", [one["disease"] for one in found["diagnoses"]])
        self.assertTrue(trace.exists())

    def test_a_script_of_two_programs(self):
        other = self.work / "other"
        other.symlink_to(self.program)
        done = self.report("--", "/bin/sh", "-c", f"{other} critical; {self.program} healthy")
        self.assertIn("the run has left 2 traces, this is the largest; for the others: VICINO_TRACE=trace-%p.pftrace vicino run "
                      "/bin/sh -c '", done.stderr)
        self.assertNotIn("has left", self.report("--", self.program, "healthy").stderr)

    def test_json(self):
        found = self.json_of("--", self.program, "healthy")
        self.assertEqual((found["schema"], found["team"], found["program"], found["dropped"]), (1, 2, "program", 0))
        self.assertEqual(found["cpus"], len(os.sched_getaffinity(0)))
        efficiency = found["efficiency"]
        product = efficiency["load_balance"] * efficiency["scheduling"] * efficiency["serialization"]
        self.assertAlmostEqual(efficiency["parallel"], product)
        for thread in found["threads"]:
            self.assertLessEqual(sum(thread["ns"].values()), found["seconds"] * 1e9)
        [region] = [one for one in found["constructs"] if one["kind"] == "region"]
        self.assertEqual((region["executions"], region["team"]), (10, 2))
        [loop] = [one for one in found["constructs"] if one["kind"] == "dynamic loop"]
        self.assertEqual((loop["executions"], loop["chunks"]["count"]), (20, 200))

    def test_status_is_the_programs(self):
        self.report("--", self.program, "fails", status=7)
        self.assertIn("the program has left no trace", self.report("--", "/bin/true", status=3).stderr)
        for status, *words in ((127, "no-such-program"), (9, "/bin/sh", "-c", "exit 9"), (137, "/bin/sh", "-c", "kill -9 $$")):
            self.assertIn(words[0] if status == 127 else "has left no trace", self.report("--", *words, status=status).stderr)

    def test_a_program_that_ends_at_once(self):
        """Its trace may have nothing but its beginning, of which nothing can be told."""
        for _ in range(20):
            done = subprocess.run([VICINO, "report", "--", self.program, "at once"], check=False, text=True, capture_output=True,
                                  env=clean_environment("LD_") | {"OMP_NUM_THREADS": "2"}, timeout=120)
            if done.returncode == 3:
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, "there is no event in the trace|has left no trace")
            else:  # the writer was faster
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"^In [\d.]+ m?s ")

    def test_a_signal_to_the_command_ends_the_program(self):
        """What the program has done until then is told, and nothing is left."""
        for number, to_all in ((signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGHUP, True)):
            with self.subTest(signal=number, to_all=to_all):
                temporary = Path(tempfile.mkdtemp(dir=self.work))
                started = subprocess.Popen([VICINO, "report", "--", self.program, "long"], text=True, start_new_session=True,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                           env=clean_environment("LD_") | {"OMP_NUM_THREADS": "2", "TMPDIR": str(temporary)})
                self.assertEqual(started.stdout.readline(), "ready\n")
                (os.killpg if to_all else os.kill)(started.pid, number)
                out, _ = started.communicate(timeout=60)  # until the program has closed it, too
                self.assertEqual(started.returncode, 128 + number)
                self.assertRegex(out, r"^In \S+ m?s the 2 threads worked")
                self.assertEqual(list(temporary.iterdir()), [])

    def test_a_command_that_is_killed_leaves_nothing(self):
        temporary = Path(tempfile.mkdtemp(dir=self.work))
        started = subprocess.Popen([VICINO, "report", "--", self.program, "long"], text=True, stdout=subprocess.PIPE,
                                   env=clean_environment("LD_") | {"TMPDIR": str(temporary)})
        self.assertEqual(started.stdout.readline(), "ready\n")
        started.kill()
        started.communicate(timeout=60)
        for _ in range(200):
            if not list(temporary.iterdir()):
                return
            time.sleep(0.05)
        self.fail(list(temporary.iterdir()))

    def test_files_and_standard_output(self):
        trace, file = self.work / "files.pftrace", self.work / "files.json"
        subprocess.run([VICINO, "run", f"--trace={trace}", self.program, "healthy"], check=True, capture_output=True)
        for option in ("--json", "--talp"):
            done = self.report(option, "-", trace)
            self.assertIsInstance(json.loads(done.stdout), dict)
            self.assertRegex(done.stderr, "^In ")
        self.assertTrue(self.report("--html", "-", trace).stdout.startswith("<!DOCTYPE html>"))
        self.assertFalse(Path("-").exists())
        done = self.report("--html", "/dev/full", "--json", file, trace, status=2)
        self.assertIn("cannot write '/dev/full': No space left on device", done.stderr)
        self.assertEqual(json.loads(file.read_text(encoding="utf-8"))["schema"], 1)

    def test_a_file_that_cannot_be_written_leaves_the_programs_status(self):
        for options in ("--html /dev/full", "--json /dev/full", "--talp /dev/full"):
            with self.subTest(options):
                done = self.report(*options.split(), "--", "sh", "-c", f'"{self.program}" healthy; exit 42', status=42)
                self.assertIn("cannot write '/dev/full'", done.stderr)

    def test_a_name_that_is_no_text(self):
        program = self.work / os.fsdecode(b"caf\xe9")
        program.symlink_to(self.program)
        self.assertIn("\ufffd", self.json_of("--", program, "healthy")["program"])

    def test_bad_input(self):
        for words, says in (((), "report: it takes a trace or a program"),
                            (("a", "b"), "report: 'a' and 'b' are given; it takes one trace"),
                            (("/nowhere",), "'/nowhere' cannot be read: No such file or directory"),
                            (("/etc/passwd",), "'/etc/passwd' is not a trace that 'vicino run --trace' has written"),
                            (("--json", "/nowhere/a", "--", self.program, "healthy"), "cannot write '/nowhere/a': No such file")):
            with self.subTest(words=words):
                done = self.report(*words, status=2)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stdout, "", "the program has run")
        (self.work / "empty").touch()
        self.assertIn("there is no event in the trace", self.report(self.work / "empty", status=3).stderr)


class SourceLines(Case):
    """Places are lines of source where debug information tells them."""

    def built(self, name, *options, compiler="gcc-12", library=False):
        folder = self.work / name
        folder.mkdir()
        for file, text in (("lines.c", LINES), ("part.c", PART)):
            (folder / file).write_text(text, encoding="utf-8")
        build = [compiler, "-O1", "-fopenmp", *options]
        if library:
            subprocess.run([*build, "-fPIC", "-shared", "part.c", "-o", "libpart.so"], cwd=folder, check=True)
            subprocess.run([*build, "lines.c", "-o", "program", "-L.", "-lpart", f"-Wl,-rpath,{folder}"], cwd=folder, check=True)
        else:
            subprocess.run([*build, "lines.c", "part.c", "-o", "program"], cwd=folder, check=True)
        return folder / "program"

    def places(self, *words, **options):
        """The places of regions, that of the loop, and all constructs that have a line."""
        constructs = self.json_of(*words, **options)["constructs"]
        [loop] = [one["place"] for one in constructs if one["kind"] == "dynamic loop"]
        return ({one["place"] for one in constructs if one["kind"] == "region"}, loop,
                [one for one in constructs if "code" in one])

    def test_compilers_and_kinds_of_files(self):
        for name, *options in (("gcc", "-g"), ("gcc_fixed", "-g", "-no-pie"), ("clang", "-g", "clang-19"),
                               ("gcc_library", "-g", "library"), ("clang_library", "-g", "clang-19", "library"),
                               ("no_id", "-g", "-Wl,--build-id=none")):
            with self.subTest(name=name):
                compiler = "clang-19" if "clang-19" in options else "gcc-12"
                flags = [one for one in options if one.startswith("-")]
                program = self.built(name, *flags, compiler=compiler, library="library" in options)
                regions, loop, lines = self.places("--", program)
                self.assertEqual(regions, REGIONS)
                self.assertIn(loop, ("part.c:9", "part.c:10"))  # of gcc, and of clang
                for one in lines:
                    self.assertRegex(one["code"], r"^(main|part)\S*(\+0x|$)")

    def test_text(self):
        done = self.report("--", self.built("text", "-g"))
        self.assertRegex(done.stdout, r"  dynamic loop part\.c:9\n")
        self.assertRegex(done.stdout, r"  region lines\.c:5\n")

    def test_where_nothing_tells_lines(self):
        for name, change in (("none", lambda program: None), ("stripped", lambda program: subprocess.run(["strip", program], check=True))):
            with self.subTest(name=name):
                program = self.built(name, *(["-g"] if name == "stripped" else []))
                change(program)
                regions, loop, lines = self.places("--", program)
                self.assertEqual(lines, [])
                for place in (*regions, loop):
                    self.assertRegex(place, r"^(program|main|part)\S*(\+0x|$)")

    def test_a_program_that_is_another_now(self):
        trace = self.work / "before.pftrace"
        for name, *options in (("id", "-g"), ("without_id", "-g", "-Wl,--build-id=none")):
            with self.subTest(name=name):
                program = self.built(name, *options)
                subprocess.run([VICINO, "run", f"--trace={trace}", program], check=True, capture_output=True)
                os.utime(trace)
                self.assertEqual(self.places(trace)[0], REGIONS)
                source = program.with_name("lines.c")
                source.write_text("\n\n" + LINES, encoding="utf-8")
                subprocess.run(["gcc-12", "-O1", "-fopenmp", *options, "lines.c", "part.c", "-o", "program"],
                               cwd=program.parent, check=True)
                later = trace.stat().st_mtime + 10
                os.utime(program, (later, later))
                self.assertEqual(self.places(trace)[-1], [])
                program.unlink()
                self.assertEqual(self.places(trace)[-1], [])

    def test_no_reader_of_debug_information(self):
        program = self.built("no_reader", "-g")
        done = self.report("--", program, path="/nowhere")
        self.assertRegex(done.stdout, r"  region main\+0x")
        self.assertRegex(done.stderr, ONLY_THE_TRACE)

    def test_a_reader_that_fails(self):
        program = self.built("bad_reader", "-g")
        folder = self.work / "bad"
        folder.mkdir()
        for says in ("exit 3", "echo nonsense"):
            with self.subTest(says=says):
                reader = folder / "addr2line"
                reader.write_text(f"#!/bin/sh\n{says}\n", encoding="utf-8")
                reader.chmod(0o755)
                done = self.report("--", program, path=folder)
                self.assertRegex(done.stdout, r"  region main\+0x")
                self.assertRegex(done.stderr, ONLY_THE_TRACE)

    def test_other_readers(self):
        found = shutil.which("llvm-addr2line") or shutil.which("llvm-addr2line-19")
        if found is None:
            self.skipTest("no llvm-addr2line")
        folder = self.work / "llvm"
        folder.mkdir()
        (folder / "llvm-addr2line").symlink_to(Path(found).resolve())
        done = self.report("--", self.built("llvm_reader", "-g"), path=folder)
        self.assertRegex(done.stdout, r"  region lines\.c:5\n")

    def test_a_profile(self):
        folder = self.work / "profile"
        folder.mkdir()
        (folder / "auto.c").write_text("""#include <unistd.h>
int main(void) {
  for (int k = 0; k < 30; ++k) {
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 1000; ++i) __asm__ volatile("" : : "r"(i));
  }
}
""", encoding="utf-8")
        subprocess.run(["gcc-12", "-O1", "-g", "-fopenmp", "auto.c", "-o", "auto"], cwd=folder, check=True)
        subprocess.run([VICINO, "run", "--profile=a.profile", "--threads", "2", "./auto"], cwd=folder, check=True, capture_output=True)
        for command in (("explain",), ("profile", "show")):
            with self.subTest(command=command):
                done = subprocess.run([VICINO, *command, "a.profile"], cwd=folder, check=True, capture_output=True, text=True)
                self.assertIn("auto.c:4", done.stdout)
                done = subprocess.run([VICINO, *command, "a.profile"], cwd=folder, check=True, capture_output=True, text=True,
                                      env={"PATH": "/nowhere"})
                self.assertNotIn("auto.c", done.stdout)
                self.assertIn("main", done.stdout)


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    unittest.main()
