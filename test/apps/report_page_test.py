"""Pages of vicino report and vicino compare in headless Chromium: no complaints, light, dark and on a phone, keys and screen
readers, without JavaScript; and a page of a million events.

    report_page_test.py VICINO
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import browser  # noqa: E402
from harness import html_page  # noqa: E402
from harness.runs import clean_environment  # noqa: E402

UNAVAILABLE = 77

WORK = r"""
#include <stdlib.h>
static volatile double sink;
static void work(long n) { double x = 0; for (long i = 0; i < n; ++i) x += i * 0.5; sink = x; }
int main(int count, char** words) {
  const int times = atoi(words[1]);
  for (int k = 0; k < times; ++k) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < 40; ++i) {
        work(i * 300);
#pragma omp critical
        work(100);
      }
#pragma omp single
      for (int i = 0; i < 40; ++i) {
#pragma omp task
        work(5000);
      }
    }
  }
}
"""
MILLION = 1_000_000
THREADS = 4
LEAST_CONTRAST = 4.5  # WCAG's, for text

# The least contrast of all texts with the ground that they stand on, and the text.
CONTRAST = """(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => numbers(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0) return colour;
    }
  };
  let least = [99, ""];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !one.getClientRects().length) continue;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    const its = (a + 0.05) / (b + 0.05);
    if (its < least[0]) least = [its, texts.currentNode.data];
  }
  return least;
})()"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.program = cls.folder / "app"
        subprocess.run(["clang-19", "-O1", "-fopenmp", "-x", "c", "-", "-o", cls.program], input=WORK, text=True, check=True)
        cls.page = cls.folder / "page.html"
        subprocess.run([VICINO, "report", "--html", cls.page, "--", cls.program, "10"], check=True,
                       stdout=subprocess.DEVNULL, env=clean_environment("LD_") | {"OMP_NUM_THREADS": str(THREADS)}, timeout=120)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def tearDown(self):
        self.assertEqual(self.browser.said, [])
        self.assertEqual([url for url in self.browser.asked if not url.startswith(("file:", "data:,"))], [])
        self.assertEqual(len([url for url in self.browser.asked if url.startswith("file:")]), 1)

    def view(self):
        """The part of the time that is shown, in ns, and the length of all."""
        return self.browser.run("""(() => { const its = document.querySelector('#timeline').dataset;
            const all = JSON.parse(document.querySelector('#timeline-data').textContent).length;
            return [Number(its.from), Number(its.to), all]; })()""")

    def row_pictures(self):
        """Of each row of the timeline, its pixels."""
        places = self.browser.run("""[...document.querySelectorAll('.plot')].map((one) => {
            const r = one.getBoundingClientRect(); return [r.x + scrollX, r.y + scrollY, r.width, r.height]; })""")
        return [browser.pixels(self.browser.picture(place)) for place in places]

    def assert_rows_are_drawn(self):
        """Each has more than the ground, and the first thread, which is never idle, fills its row from side to side."""
        rows = self.row_pictures()
        self.assertEqual(len(rows), THREADS)
        ground = tuple(self.browser.run("getComputedStyle(document.querySelector('.plot')).backgroundColor.match(/\\d+/g)"
                                        ".map(Number)"))
        drawn = [sum(pixel != ground for line in row for pixel in line) / (len(row) * len(row[0])) for row in rows]
        self.assertGreater(min(drawn), 0.01, drawn)
        self.assertGreater(drawn[0], 0.8, drawn)
        self.assertLess(min(drawn), 1, drawn)
        return rows

    def test_light_dark_and_phone(self):
        grounds = set()
        for width in (320, 390, 800, 1400):
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    self.browser.open(self.page, width=width, dark=dark)
                    self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width)
                    self.assert_rows_are_drawn()
                    contrast, text = self.browser.run(CONTRAST)
                    self.assertGreaterEqual(contrast, LEAST_CONTRAST, text)
                    grounds.add((dark, self.browser.run("getComputedStyle(document.body).backgroundColor")))
                    self.assertEqual(self.browser.said, [])
        self.assertEqual(len(grounds), 2, grounds)
        self.assertEqual(len({ground for _, ground in grounds}), 2, grounds)

    def test_without_javascript(self):
        self.browser.open(self.page, script=False)
        self.assert_rows_are_drawn()
        self.assertEqual(self.browser.run("document.querySelectorAll('.plot > svg').length"), THREADS)
        self.assertEqual(self.browser.run("document.querySelectorAll('canvas').length"), 0)
        self.assertEqual(self.browser.run("[...document.querySelectorAll('button')].filter((b) => b.offsetParent).length"), 0)

    def test_the_same_with_and_without(self):
        """The picture and what is drawn from the data say the same of each row, but for edges and patterns."""
        self.browser.open(self.page, script=False)
        pictures = self.row_pictures()
        self.browser.open(self.page)
        plain = [tuple(self.browser.run(f"""(() => {{ const one = document.createElement('p'); one.style.color = 'var(--d{kind})';
            document.body.append(one); return getComputedStyle(one).color.match(/\\d+/g).map(Number); }})()""")) for kind in (0, 2)]
        for row, drawn in zip(pictures, self.row_pictures()):
            same = sum([a == one for one in plain] == [b == one for one in plain]
                       for lines in zip(row, drawn) for a, b in zip(*lines))
            self.assertGreater(same / (len(row) * len(row[0])), 0.85)
            self.assertGreater(sum(pixel == plain[1] for line in drawn for pixel in line), 0)

    def test_keys(self):
        self.browser.open(self.page)
        for _ in range(40):
            self.browser.key("Tab")
            if self.browser.run("document.activeElement.className") == "rows":
                break
        self.assertEqual(self.browser.run("document.activeElement.className"), "rows")
        self.assertNotEqual(self.browser.run("getComputedStyle(document.activeElement).outlineStyle"), "none")
        begin, end, length = self.view()
        self.assertEqual((begin, end), (0, length))
        before = self.row_pictures()
        self.browser.key("+")
        self.browser.key("+")
        begin, end, _ = self.view()
        self.assertAlmostEqual((end - begin) / length, 0.25, places=3)
        self.assertAlmostEqual((end + begin) / length, 1, places=3)
        self.assertNotEqual(self.row_pictures(), before)
        self.assertRegex(self.browser.run("document.querySelector('.says').textContent"), r"^[\d.]+ \ws? to [\d.]+ \ws?$")
        self.browser.key("ArrowRight")
        self.assertAlmostEqual((self.view()[0] - begin) / (end - begin), 0.2, places=3)
        self.browser.key("ArrowLeft")
        self.browser.key("-")
        begin, end, _ = self.view()
        self.assertAlmostEqual((end - begin) / length, 0.5, places=3)
        for _ in range(60):
            self.browser.key("ArrowLeft")
        self.assertEqual(self.view()[0], 0)
        for _ in range(60):
            self.browser.key("+")
        begin, end, _ = self.view()
        self.assertGreater(end, begin)
        self.browser.key("0")
        self.assertEqual(self.view(), [0, length, length])
        self.assertEqual(self.row_pictures(), before)

    def test_mouse(self):
        self.browser.open(self.page)
        x, y, width, height = self.browser.place(".plot")
        self.browser.run(f"scrollTo(0, {y - 200})")
        y = y + height / 2 - self.browser.run("scrollY")
        middle = x + width / 2

        def wheel(turn):
            self.browser.mouse("mouseWheel", middle, y, deltaX=0, deltaY=turn)
            self.browser.settle()

        _, _, length = self.view()
        wheel(-100)  # nobody has asked the timeline for anything: the page moves
        self.assertEqual(self.view()[:2], [0, length])
        self.browser.settle()
        self.browser.run("document.querySelector('.rows').focus({preventScroll: true})")
        y = self.browser.place(".plot")[1] + height / 2 - self.browser.run("scrollY")
        wheel(-100)
        begin, end, _ = self.view()
        self.assertLess(end - begin, length)
        self.assertAlmostEqual((begin + end) / length, 1, delta=0.01)
        self.browser.mouse("mousePressed", middle, y, button="left", clickCount=1)
        self.browser.mouse("mouseMoved", middle - 30, y, button="left", buttons=1)
        self.browser.mouse("mouseReleased", middle - 30, y, button="left", clickCount=1)
        self.browser.settle()
        moved = self.view()[0]
        self.assertAlmostEqual(moved - begin, 30 / width * (end - begin), delta=(end - begin) / 100)
        self.browser.mouse("mouseMoved", middle + 50, y)
        self.assertEqual(self.view()[0], round(moved))
        self.assertRegex(self.browser.run("document.querySelector('.says').textContent"), r"^thread .* at .*: .* \d+ %")
        self.browser.run("document.querySelector('[data-do=all]').click()")
        for i in range(60):  # what is said of a moment is all of it; names below 1 % are not said
            self.browser.mouse("mouseMoved", x + width * (i + 0.5) / 60, y)
            says = self.browser.run("document.querySelector('.says').textContent")
            self.assertAlmostEqual(sum(map(int, re.findall(r"(\d+) %", says))), 100, delta=5, msg=says)
        self.assertEqual(self.view()[:2], [0, length])

    def test_screen_readers(self):
        self.browser.open(self.page)
        named = {}
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            name = node.get("name", {}).get("value", "").strip()
            if node.get("ignored") or role not in ("image", "button", "table", "region", "group", "heading", "link"):
                continue
            self.assertTrue(name, node)
            named.setdefault(role, []).append(name)
        self.assertGreaterEqual(len([name for name in named["image"] if name.startswith(("thread", "worker"))]), 2 * THREADS)
        self.assertIn("Zoom in", named["button"])
        self.assertGreaterEqual(len(named["table"]), 3, named["table"])

    def test_copies_commands(self):
        self.browser.open(self.page)
        count = self.browser.run("document.querySelectorAll('button.copy').length")
        self.assertEqual(count, self.browser.run("document.querySelectorAll('.command code').length"))
        if count == 0:
            self.skipTest("the run was well")
        self.browser.run("""(() => { window.copied = '';
            Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { copied = text; }}}); })()""")
        self.browser.run("document.querySelector('button.copy').click()")
        self.assertEqual(self.browser.run("copied"), self.browser.run("document.querySelector('.command code').textContent"))
        self.assertRegex(self.browser.run("copied"), "^vicino run ")
        self.browser.settle()
        self.assertEqual(self.browser.run("document.querySelector('button.copy').textContent"), "Copied")

    def test_a_comparison(self):
        page = self.folder / "compare.html"
        subprocess.run([VICINO, "compare", "--pairs", "6", "--html", page, "--", self.program, "1"], check=True, timeout=300,
                       stdout=subprocess.DEVNULL, env=clean_environment("LD_"))
        self.assertEqual(html_page.faults(page.read_text(encoding="utf-8")), [])
        for width in (320, 1400):
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    self.browser.open(page, width=width, dark=dark)
                    self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.browser.run("document.querySelectorAll('.plotted circle').length"), 6 + 2 * 6)
                    contrast, text = self.browser.run(CONTRAST)
                    self.assertGreaterEqual(contrast, LEAST_CONTRAST, text)

    def test_a_million_events(self):
        page = self.folder / "million.html"
        for times in (2500, 10000, 40000):
            subprocess.run([VICINO, "report", "--html", page, "--", self.program, str(times)], check=True, timeout=300,
                           stdout=subprocess.DEVNULL, env=clean_environment("LD_") | {"OMP_NUM_THREADS": str(THREADS)})
            text = page.read_text(encoding="utf-8")
            events = int(text.split(" events</li>")[0].rsplit("<li>", 1)[1].replace(",", ""))
            if events >= MILLION:
                break
        self.assertGreaterEqual(events, MILLION)
        self.assertLess(len(text), 2_000_000)
        self.assertEqual(html_page.faults(text), [])
        self.browser.open(page)
        # CPU time of the page's own thread, from the first byte to what is drawn: the machine may do other things.
        seconds = self.browser.seconds_of_work()
        print(f"{events} events: {len(text)} bytes, {seconds:.2f} s of work until it is drawn")
        self.assertLess(seconds, 2)
        self.assert_rows_are_drawn()


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    if not browser.is_there():
        print("skipped: there is no Chromium (scripts/need browser)")
        sys.exit(UNAVAILABLE)
    unittest.main(verbosity=2)
