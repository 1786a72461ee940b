"""docs/papers.md has all claims, as the pages of the studies have them now."""

import re
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "bench")]

from claims import study  # noqa: E402
from report import page  # noqa: E402


def rows_of(text):
    return [study.cells(line) for line in text.split("\n") if re.match(r"\| [A-Z]\d", line)]


class Claims(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = rows_of(study.PAGE.read_text(encoding="utf-8"))

    def verdicts(self, letter):
        return [row[4] for row in self.rows if row[0].startswith(letter)]

    def test_the_page_is_what_the_studies_say(self):
        self.assertEqual(page.measured_of(study.PAGE), study.text().strip(), "run `studies/run claims --write`")

    def test_each_row_of_a_study_is_there_with_its_verdict(self):
        _, nich = study.table(study.STUDIES / "loops/results.md", "The paper's claims")
        self.assertEqual(self.verdicts("N"), [row[-1] for row in nich])
        _, gains = study.table(study.STUDIES / "cluster/results.md", "Against the paper", "gain")
        _, order = study.table(study.STUDIES / "cluster/results.md", "Against the paper", "the paper's order")
        self.assertEqual(self.verdicts("S"), [row[-1].replace("**", "") for row in gains + order])
        head, ilan = study.table(study.STUDIES / "papers/results.md", "ILAN")
        shown = {row[1].partition(":")[0]: row[4] for row in self.rows if row[0].startswith("I") and "without" not in row[1].partition(":")[0]}
        for row in ilan:
            self.assertEqual(shown[row[0].partition(" (")[0]], row[head.index("verdict")] or study.NO_FIGURE, row[0])
        for letter, part in (("D", "Task schedulers on a Sun X4600 M2"), ("M", "Static fractions on 16 cores")):
            theirs = [row[head.index("verdict")] for above, head, rows in study.tables(study.STUDIES / "papers/results.md")
                      if above == part and "verdict" in head for row in rows]
            self.assertTrue(theirs)
            self.assertEqual([one for one in self.verdicts(letter) if one != study.NOT_RUN], theirs)

    def test_what_is_counted(self):
        paper = study.Paper("X", "X and Y", "a.md", "", [
            ["one", "m", "h", "reproduced", ""], ["two", "m", "h", "reproduced, not at both bounds", ""],
            ["three", "m", "h", "not reproduced (-17.0 points)", ""], ["four", "m", "", study.NOT_RUN, ""],
            [study.EXPERIMENT + "five", "m", "h", "reproduced", ""]])
        counted = "4 claims, 1 reproduced, 1 in part, 1 not reproduced, 1 not run or without a figure"
        self.assertEqual(study.summary([paper]), f"- all: {counted}\n- [X and Y](#x-and-y): {counted}\n")
        self.assertEqual(study.column_of("no sign: it depends on the seed"), "in part")
        with self.assertRaises(ValueError):
            study.column_of("maybe")

    def test_all_have_a_machine_and_what_was_not_run_says_so(self):
        self.assertGreater(len(self.rows), 90)
        for row in self.rows:
            self.assertEqual(len(row), len(study.HEAD), row)
            self.assertTrue(row[1] and row[2] and row[4], row)
            self.assertEqual(row[4] == study.NOT_RUN, row[3] == "", row)


if __name__ == "__main__":
    unittest.main()
