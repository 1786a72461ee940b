"""pictures_test.py BUILD: the pictures of docs/pictures are what scripts/pictures/draw makes of this build, can be read aloud, and
are on a page that says what they show.
"""

import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DRAW = ROOT / "scripts/pictures/draw"
FOLDER = ROOT / "docs/pictures"
SVG = "{http://www.w3.org/2000/svg}"
LEAST_WORDS = 12    # of a text for those who do not see the picture
BUILD = Path(sys.argv.pop())


class Pictures(unittest.TestCase):
    def test_they_are_of_what_is_here(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", DRAW, "--build", BUILD, "--to", folder], check=True)
            made = {path.name: path.read_text(encoding="utf-8") for path in Path(folder).iterdir()}
        self.assertEqual(sorted(made), sorted(path.name for path in FOLDER.iterdir()))
        for name, text in made.items():
            self.assertEqual((FOLDER / name).read_text(encoding="utf-8"), text, f"{name} is old: run {DRAW} {Path(name).stem}")

    def test_each_schedule_has_a_strip(self):
        listed = subprocess.run([BUILD / "bin/vicino", "schedules", "--markdown"], check=True, capture_output=True, text=True).stdout
        drawn = ElementTree.parse(FOLDER / "schedules.svg").getroot()
        texts = {text.text for text in drawn.iter(f"{SVG}text")}
        names = set(re.findall(r"^\| `(\w+)` \|", listed, re.MULTILINE))
        self.assertGreater(len(names), 10)
        self.assertEqual(names - texts, set())

    def test_they_can_be_read(self):
        for path in sorted(FOLDER.iterdir()):
            with self.subTest(picture=path.name):
                text = path.read_text(encoding="utf-8")
                root = ElementTree.fromstring(text)
                self.assertEqual(root.get("role"), "img")
                self.assertTrue(root.find(f"{SVG}title").text and root.find(f"{SVG}desc").text)
                self.assertRegex(text, r"@media ?\(prefers-color-scheme: ?dark\)")
                self.assertLess(len(text.encode()), 60_000)
                self.assertLessEqual(int(root.get("width")), 800)

    def test_pages_say_what_they_show(self):
        shown = {}
        for page in sorted((ROOT / "docs").rglob("*.md")):
            for alt, target in re.findall(r"!\[([^\]]*)\]\(([^)]*pictures/[^)]*)\)", page.read_text(encoding="utf-8")):
                shown[(page.parent / target).resolve()] = alt.split()
        self.assertEqual(sorted(shown), sorted(FOLDER.iterdir()))
        for path, words in shown.items():
            self.assertGreaterEqual(len(words), LEAST_WORDS, path)


if __name__ == "__main__":
    unittest.main()
