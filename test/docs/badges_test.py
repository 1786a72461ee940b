"""Figures say what they are: above each table of figures on a page for users, or in bench/ and studies/, is a badge.

A table is one of figures if half of its cells behind the first column begin with a number. A badge is what bench/report/page.py
writes, and holds until the next one. Where its figures were taken once, they have no interval.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/programs")]

from report import page  # noqa: E402

LIKE_A_BADGE = re.compile(r"^> \*\*\w+\*\* · .*$", re.MULTILINE)
BADGE = re.compile(rf"^> \*\*(?P<kind>{'|'.join(page.KINDS)})\*\* · (?:(?P<date>\d{{4}}-\d\d-\d\d \d\d:\d\d(?: to \d{{4}}-\d\d-\d\d \d\d:\d\d)? UTC)"
                   rf"|date {page.UNKNOWN}|by row) · commit (?:[0-9a-f]{{7,}}(?:, [0-9a-f]{{7,}})*|{page.UNKNOWN}|by row)"
                   r" · rounds: (?P<rounds>\S.*)$")
FENCED = re.compile(r"^(```|~~~).*?^\1[`~]*$", re.DOTALL | re.MULTILINE)
TABLE = re.compile(r"^\|.*\|\n\|[-:| ]+\|\n(?:\|.*\|\n?)+", re.MULTILINE)
NUMBER = re.compile(r"[*_~]*[-+−]?\d[\d.,]*(?![\d\w-])")
INTERVAL = re.compile(r"\d \[-?[\d.]+, -?[\d.]+\]|\d \(-?[\d.]+ to -?[\d.]+\)")
# Pages for developers: their text says how each figure was taken.
ELSEWHERE = ("docs/design/", "docs/history/", "docs/examples/")


def pages():
    yield ROOT / "README.md"
    for folder in ("bench", "studies", "docs"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.md"))
                    if not path.relative_to(ROOT).as_posix().startswith(ELSEWHERE))


def cells_of(table):
    rows = [re.split(r"(?<!\\)\|", line.strip().strip("|"))[1:] for line in table.strip().split("\n")[2:]]
    return [cell.strip() for row in rows for cell in row if cell.strip()]


def has_figures(table):
    cells = cells_of(table)
    return bool(cells) and 2 * sum(bool(NUMBER.match(cell)) for cell in cells) >= len(cells)


def faults(text):
    text = FENCED.sub("", text)
    badges = list(LIKE_A_BADGE.finditer(text))
    found = [f"not a badge: {one[0]}" for one in badges if not BADGE.match(one[0])]
    for table in TABLE.finditer(text):
        if not has_figures(table[0]):
            continue
        above = [one for one in badges if one.end() < table.start()]
        if not above:
            found.append("figures without a badge: " + table[0].partition("\n")[0])
        elif above[-1][0].endswith("rounds: 1") and INTERVAL.search(table[0]):
            found.append("an interval of one round: " + INTERVAL.search(table[0])[0])
    return found


class Badges(unittest.TestCase):
    def test_pages(self):
        for path in pages():
            with self.subTest(page=path.relative_to(ROOT).as_posix()):
                self.assertEqual(faults(path.read_text(encoding="utf-8")), [])

    def test_pages_that_commands_write(self):
        written = [path for path in pages() if page.BEGIN in path.read_text(encoding="utf-8")]
        self.assertGreaterEqual(len(written), 12)
        for path in written:
            self.assertRegex(page.measured_of(path), LIKE_A_BADGE, path)

    def test_a_picture_has_its_page_s_badge(self):
        for shown, source in (("README.md", "bench/programs/results.md"),
                              ("docs/explain/crowds.md", "bench/crowded/performance.md")):
            of_page = LIKE_A_BADGE.search((ROOT / source).read_text(encoding="utf-8"))[0]
            self.assertIn(of_page, (ROOT / shown).read_text(encoding="utf-8").split("\n"))

    def test_what_counts(self):
        table = "| a | b |\n|---|---|\n| x | 1.5 |\n| y | {} |\n"
        badge = page.badge("measured", "2026-11-29 10:00 UTC", "591ecdd70cc4", "{}")
        self.assertEqual(len(faults(table.format("2 ms"))), 1)
        self.assertEqual(faults(badge.format(7) + "\n" + table.format("2.00 [1.00, 3.00]")), [])
        self.assertEqual(len(faults(badge.format(1) + "\n" + table.format("2.00 [1.00, 3.00]"))), 1)
        self.assertEqual(len(faults(table.format("2 ms") + "\n" + badge.format(7))), 1)
        self.assertEqual(faults("| a | b |\n|---|---|\n| x | one |\n| y | 2-way |\n"), [])
        self.assertEqual(faults("```\n" + table.format("2") + "```\n"), [])
        self.assertEqual(len(faults("> **guessed** · 2026-11-29 10:00 UTC · commit 591ecdd · rounds: 3\n")), 1)
        for known in (("measured", "", "", ""), ("modelled", "2026-11-27 11:58 to 2026-11-27 12:03 UTC", "591ecdd, 591ecde", 3),
                      ("virtual", *["by row"] * 3)):
            self.assertEqual(faults(page.badge(*known)), [])


if __name__ == "__main__":
    unittest.main()
