"""vicino report --html: pages of programs that ran are whole, and say what the report says.

    page_test.py VICINO
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.append(str(REPOSITORY / "test"))

from harness import html_page  # noqa: E402
from harness.runs import clean_environment  # noqa: E402

WORK = r"""
static volatile double sink;
static void work(long n) { double x = 0; for (long i = 0; i < n; ++i) x += i * 0.5; sink = x; }
int main(void) {
  for (int k = 0; k < 5; ++k) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < 64; ++i) work(1000);
#pragma omp parallel
    {
#pragma omp critical
      work(1000);
#pragma omp single
      for (int i = 0; i < 100; ++i) {
#pragma omp task
        work(500);
      }
    }
  }
}
"""
# Its name has what HTML is made of.
NAME = "a <b> & \"c\"'.x"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        source = cls.folder / "work.c"
        source.write_text(WORK, encoding="utf-8")
        cls.program = cls.folder / NAME
        subprocess.run(["clang-19", "-O1", "-fopenmp", source, "-o", cls.program], check=True)

    def report(self, *command, threads=4):
        page, found = self.folder / "page.html", self.folder / "found.json"
        environment = clean_environment("LD_")
        done = subprocess.run([VICINO, "report", "--html", page, "--json", found, *command], check=False, text=True,
                              capture_output=True, env=environment | {"OMP_NUM_THREADS": str(threads)}, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return page.read_text(encoding="utf-8"), json.loads(found.read_text(encoding="utf-8"))

    def test_is_whole_and_has_a_row_for_each_thread(self):
        for threads in (1, 4, 33):
            with self.subTest(threads=threads):
                text, found = self.report("--", self.program, threads=threads)
                self.assertEqual(html_page.faults(text), [])
                self.assertEqual(text.count('class="row"'), len(found["threads"]))
                self.assertEqual(len(found["threads"]), threads)

    def test_says_what_the_report_says(self):
        text, found = self.report("--", self.program)
        said = html_page.read(text)
        self.assertEqual(said.texts["h1"][0], found["program"])
        self.assertIn(found["verdict"][0], text)
        for one in found["constructs"][:10]:
            self.assertIn(f"<code>{one['place']}</code>".replace("<code></code>", ""), text)
        for title in ("Efficiency", "Threads", "Timeline", "Regions, loops and tasks"):
            self.assertIn(title, said.texts["h2"])

    def test_of_a_trace(self):
        trace = self.folder / "a.pftrace"
        subprocess.run([VICINO, "run", f"--trace={trace}", "--threads", "2", self.program], check=True,
                       stderr=subprocess.DEVNULL)
        text, _ = self.report(trace)
        self.assertEqual(html_page.faults(text), [])
        whole = trace.read_bytes()
        trace.write_bytes(whole[:len(whole) * 2 // 3])
        text, found = self.report(trace)
        self.assertTrue(found["cut_off"])
        self.assertEqual(html_page.faults(text), [])
        self.assertIn("The trace is cut off", text)

    def test_cannot_be_written(self):
        done = subprocess.run([VICINO, "report", "--html", self.folder / "no/page.html", "--", self.program], check=False,
                              text=True, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write ", done.stderr)


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    unittest.main(verbosity=2)
