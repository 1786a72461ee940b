"""The picture in README.md is that of the repository's figures; the demo's page has the table's rows."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import picture

PAGE = "<header></header>\n<main>\n<section>the verdict</section>\n</main>\n"


class Picture(unittest.TestCase):
    def test_it_is_of_the_figures_that_are_here(self):
        self.assertEqual(picture.PICTURE.read_text(encoding="utf-8"), picture.programs_svg(),
                         "bench/programs/results.md has changed: run demo/picture.py")

    def test_counts_are_those_of_the_table_and_of_the_readme(self):
        [counts] = re.findall(r"(\d+) faster, (\d+) slower, (\d+) no difference", picture.RESULTS.read_text(encoding="utf-8"))
        rows = picture.programs()
        drawn = [sum(len(row.ratios) for row in rows if row.kind == kind) for kind in ("faster", "slower", "same")]
        self.assertEqual(drawn, [int(count) for count in counts])
        readme = " ".join((picture.ROOT / "README.md").read_text(encoding="utf-8").split())
        [alt] = re.findall(r"!\[([^\]]*)\]\(demo/programs.svg\)", readme)
        for number in (sum(drawn), *drawn, *(f"{row.ratios[0][1]:.3g}" for row in rows[:3])):
            self.assertRegex(alt, rf"\b{number}\b")

    def test_it_is_small_and_can_be_read_aloud(self):
        text = picture.programs_svg()
        self.assertLess(len(text.encode()), 60_000)
        root = ElementTree.fromstring(text)
        self.assertEqual(root.get("role"), "img")
        self.assertTrue(root.get("aria-label"))
        self.assertIn("slower", root.find("{http://www.w3.org/2000/svg}desc").text)
        self.assertIn("prefers-color-scheme:dark", text)
        for x in re.findall(r'x="([\d.]+)"', text):
            self.assertLessEqual(float(x), picture.WIDTH)


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)

    def put(self, text, *rows):
        page = self.work / "report.html"
        page.write_text(text, encoding="utf-8")
        words = [str(word) for row in rows for word in row]
        done = subprocess.run([sys.executable, picture.__file__, page, *words], capture_output=True, text=True, check=False)
        return done, page.read_text(encoding="utf-8")

    def file(self, name, what):
        path = self.work / name
        path.write_text(json.dumps(what), encoding="utf-8")
        return path

    def compared(self, low, ratio, high):
        return self.file(f"{ratio}.json", {"ratio": {"estimate": ratio, "low": low, "high": high},
                                           "base": {"median": 3.5}, "candidate": {"median": 1.25}})

    def test_rows(self):
        done, text = self.put(PAGE, ("up & down", "s", self.compared(1.2, 1.5, 1.9), "It <waits>."),
                              ("slow", "ms", self.compared(0.8, 0.9, 0.95), ""), ("same", "s", self.compared(0.9, 1.01, 1.1), ""),
                              ("forks", "s", self.file("f.json", {"own": None, "vicino": 0.5}), "It hangs."),
                              ("guest", "ms", self.file("g.json", {"left_out": "there is <no> kernel"}), ""))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        [drawn] = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        marks = re.findall(r'<(?:circle|path) class="(faster|slower|same)" (?:cx|d="M[\d.]+ [\d-]+l)', drawn)
        self.assertEqual(marks, ["faster", "slower", "same"])
        for shown in ("up &amp; down", "1.5 (3.5 \N{RIGHTWARDS ARROW} 1.25 s)", "hangs on its own runtime, 0.5 s on Vicino",
                      "left out: there is &lt;no&gt; kernel"):
            self.assertIn(shown, drawn)
        self.assertIn("<li>up &amp; down: It &lt;waits&gt;.</li>\n<li>forks: It hangs.</li>", text)
        self.assertLess(text.index("</svg>"), text.index("the verdict"))
        self.assertTrue(text.startswith("<header></header>\n<main>\n") and text.endswith("</main>\n"))

    def test_what_is_no_page(self):
        done, text = self.put("<p>", ("one", "s", self.compared(1, 2, 3), ""))
        self.assertEqual(text, "<p>")
        self.assertIn("is no page of vicino report", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
