"""vicino report: the command; what it finds is tested by test/cli/diagnosis_test.cpp on traces of programs that never ran."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = r"""
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
  return strcmp(what, "fails") == 0 ? 7 : 0;
}
"""


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.program = cls.work / "program"
        subprocess.run(["gcc-12", "-O1", "-fopenmp", "-x", "c", "-", "-o", cls.program],
                       input=SOURCE, text=True, check=True)

    def report(self, *words, status=0):
        mine = {name: value for name, value in os.environ.items()
                if not name.startswith(("OMP_", "GOMP_", "KMP_", "VICINO_", "LD_"))}
        temporary = self.work / "tmp"
        temporary.mkdir(exist_ok=True)
        done = subprocess.run(list(map(str, [VICINO, "report", *words])), text=True, capture_output=True, check=False,
                              timeout=120, env=mine | {"OMP_NUM_THREADS": "2", "TMPDIR": str(temporary)})
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(list(temporary.iterdir()), [])
        return done

    def json_of(self, *words, **options):
        file = self.work / "report.json"
        self.report("--json", file, *words, **options)
        return json.loads(file.read_text(encoding="utf-8"))

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
        self.assertIn("no-such-program", self.report("--", "no-such-program", status=3).stderr)

    def test_bad_input(self):
        for words, says in (((), "report: it takes a trace or a program"),
                            (("a", "b"), "report: 'a' and 'b' are given; it takes one trace"),
                            (("/nowhere",), "'/nowhere' cannot be read: No such file or directory"),
                            (("/etc/passwd",), "'/etc/passwd' is not a trace that 'vicino run --trace' has written"),
                            (("--json", "/nowhere/a", "--", self.program, "healthy"), "'/nowhere/a' cannot be written")):
            with self.subTest(words=words):
                self.assertIn(says, self.report(*words, status=2).stderr)


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    unittest.main()
