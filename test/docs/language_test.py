"""The pages that users read: their length, that of their sentences and table cells, and words that say nothing.

    language_test.py            tests
    language_test.py --list     prints what is too long or not plain, page by page
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Written by commands from tables, whose cells are as long as the text of --help.
GENERATED = {"docs/reference/settings.md", "docs/reference/schedules.md"}
MOST_LINES = {"README.md": 120, "docs/papers.md": 200, "docs/design/": 150, "docs/": 250}
MOST_WORDS = 35
MOST_IN_CELL = 200
# A thread, a task or a program is "it"; what something does is said by its verb.
NOT_PLAIN = (r"\bheeded\b", r"\bthese days\b", r"\bhe\b", r"\bleads? to\b", r"\b(?:is|are) told\b",
             r"\bis left to (?:it|him)self\b", r"\bnobody can say\b")


def pages():
    yield "README.md"
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("docs/history/"):
            yield name


def is_for_users(name):
    return not name.startswith("docs/design/")


def prose_and_cells(text):
    """Paragraphs and list items as texts; cells of tables."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^(```|~~~).*?^\1[`~]*$", "\n", text, flags=re.DOTALL | re.MULTILINE)
    paragraphs, cells, part = [], [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            cells += [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if not line.strip() or line.startswith(("    ", "|", "#")) or re.match(r" *(?:[-*]|\d+\.) ", line):
            paragraphs.append(" ".join(part))
            part = []
        if line.strip() and not line.startswith(("    ", "|", "#")):
            part.append(re.sub(r"^ *(?:[-*>]|\d+\.) ", "", line.strip()))
    return [one for one in paragraphs if one], cells


def as_read(text):
    """Links as their text, code as one word, pictures left out."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"`[^`]*`", "code", text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def sentences(text):
    return re.split(r"(?<=[.!?:])[)\"*]*\s+", as_read(text))


def faults(name, text=None):
    """[(kind, text)] of a page; `text` is that of one which is not in the repository."""
    text = (ROOT / name).read_text(encoding="utf-8") if text is None else text
    found, lines = [], text.count("\n")
    most = next(most for start, most in MOST_LINES.items() if name.startswith(start))
    if lines > most:
        found.append(("lines", f"{lines} lines, {most} are allowed"))
    if is_for_users(name):
        paragraphs, cells = prose_and_cells(text)
        if name not in GENERATED:
            found += [("cell", cell) for cell in cells if len(as_read(cell)) > MOST_IN_CELL]
        found += [("sentence", one) for paragraph in paragraphs for one in sentences(paragraph)
                  if len(one.split()) > MOST_WORDS]
        for paragraph in paragraphs + cells:
            found += [("plain", match[0] + ": " + paragraph[max(0, match.start() - 40):match.end() + 40])
                      for pattern in NOT_PLAIN for match in re.finditer(pattern, as_read(paragraph))]
    return found


class Language(unittest.TestCase):
    def test_pages(self):
        for name in pages():
            with self.subTest(page=name):
                self.assertEqual([f"{kind}: {text}" for kind, text in faults(name)], [])

    def test_pages_that_others_name_are_there(self):
        files = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False).stdout.split("\n")
        if files == [""]:
            self.skipTest("no clone")
        for name in files:
            path = ROOT / name
            if path.suffix in (".cpp", ".hpp", ".h", ".c", ".f90", ".py", ".md", ".txt", ".toml", "") and path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                gone = {page for page in re.findall(r"(?<![\w/.])docs/[a-z0-9_/-]+\.md\b", text) if not (ROOT / page).is_file()}
                self.assertEqual(gone, set(), f"{name} names pages that are not there")

    def test_what_counts(self):
        paragraphs, cells = prose_and_cells("A b\nc.\n\n- one\n  two\n- three\n\n| x | y\\|z |\n|---|---|\n\n```c\nno no\n```\n\n    $ no\n")
        self.assertEqual(paragraphs, ["A b c.", "one two", "three"])
        self.assertEqual(cells[:2], ["x", "y\\|z"])
        self.assertEqual(as_read("see [the page](a.md) of `a b c`"), "see the page of code")
        self.assertEqual(len(sentences("One is here. Two: three; four.")), 3)


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        for page in pages():
            for kind, text in faults(page):
                print(f"{page}: {kind}: {text}")
    else:
        unittest.main()
