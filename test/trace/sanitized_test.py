"""Traces and reports in a build with a sanitizer, whose programs have it, too: no race, and whole files.

    sanitized_test.py LIBRARY FLAGS [UNITTEST ARGUMENT...]

LIBRARY: libvicino.so; FLAGS: of the compiler, in one word.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import trace_test
from trace_file import Trace

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

LIBRARY = Path(sys.argv[1]).resolve()
FLAGS = sys.argv[2].split()
del sys.argv[1:3]
REPOSITORY = Path(__file__).resolve().parents[2]

# One thread of the program ends while others write, and a child of fork() has a trace of its own.
THREADS = r"""
#include <pthread.h>
static volatile int sink;
static void* run(void* none) {
  for (int i = 0; i < 20; ++i) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    sink += 1;
  }
  return none;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}
"""
API = (f"-I{REPOSITORY}/include", f"-L{LIBRARY.parent}", "-lvicino", f"-Wl,-rpath,{LIBRARY.parent}")
# Each with its arguments, more flags, and a span that its trace must have.
PROGRAMS = {
    "work": (trace_test.WORK, (), (), "task"),
    "taskloop": (trace_test.TASKLOOP, (), (), "crew"),
    "graph": (trace_test.GRAPH, ("",), API, "aggregate"),
    "many": (trace_test.MANY, ("100000",), (), "critical"),
    "fork": (trace_test.ENDS, ("fork",), (), "region"),
    "threads": (THREADS, (), (), "region"),
}


if any("thread" in flag for flag in FLAGS):
    del PROGRAMS["fork"]  # ThreadSanitizer follows no child with threads


class Sanitized(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, (source, _, flags, _) in PROGRAMS.items():
            subprocess.run(["gcc-12", "-fopenmp", "-g", "-x", "c", "-", "-o", cls.folder / name, *FLAGS, *flags], input=source,
                           text=True, check=True)
        (cls.folder / "libgomp.so.1").symlink_to(LIBRARY)

    def run_it(self, name, **settings):
        done = subprocess.run([self.folder / name, *PROGRAMS[name][1]], text=True, check=False, timeout=300, capture_output=True,
                              env=clean_environment("LD_") | {"LD_LIBRARY_PATH": str(self.folder)} | settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Sanitizer", done.stderr)
        return done.stderr

    def test_traces(self):
        for name, (_, _, _, kind) in PROGRAMS.items():
            for threads in ("2", "7"):
                with self.subTest(name=name, threads=threads):
                    file = self.folder / "a.pftrace"
                    file.unlink(missing_ok=True)
                    self.assertIn(f"vicino: {file} has ", self.run_it(name, VICINO_TRACE=str(file), OMP_NUM_THREADS=threads))
                    trace = Trace.of(file)
                    self.assertEqual(trace.faults(), [])
                    self.assertGreater(len(trace.spans(kind)), 0)

    def test_reports(self):
        for name in PROGRAMS:
            with self.subTest(name=name):
                file = self.folder / "report.json"
                self.run_it(name, VICINO_REPORT=str(file), OMP_NUM_THREADS="4")
                self.assertGreater(len(json.loads(file.read_text(encoding="utf-8"))["constructs"]), 0)


if __name__ == "__main__":
    unittest.main()
