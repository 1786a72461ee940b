"""`vicino schedules`, and what must agree with the registry: the docs and the variants of programs."""

import unittest
from pathlib import Path

from command import Case

ROOT = Path(__file__).resolve().parents[2]


class Schedules(Case):
    def table(self):
        return self.run_vicino("schedules", "--markdown").stdout

    def names(self):
        return [line.split("`")[1] for line in self.table().splitlines()[2:]]

    def test_the_page_has_the_table(self):
        page = (ROOT / "docs" / "reference" / "schedules.md").read_text(encoding="utf-8")
        self.assertIn(self.table(), page)

    def test_the_page_says_when_to_use_each(self):
        page = (ROOT / "docs" / "reference" / "schedules.md").read_text(encoding="utf-8")
        advice = page.partition("## Which one")[2].partition("\n## ")[0]
        for name in self.names():
            self.assertIn(f"`{name}`", advice)

    def test_help_and_manual_name_each_with_its_parameters(self):
        help_, manual = (self.run_vicino(*words).stdout for words in
                         (("schedules",), ("--man", "schedules")))
        for name in self.names():
            self.assertIn(f"\n{name}\n", "\n" + help_)
            self.assertIn(name, manual)
        self.assertIn("chunks in a thread's block, if the chunk is not given (a whole number from 1 to ",
                      " ".join(help_.split()))

    def test_each_is_run_by_OMP_SCHEDULE(self):
        program = (ROOT / "test" / "omp" / "for_env.c").read_text(encoding="utf-8")
        tested = {line.split("OMP_SCHEDULE=")[1].split(",")[0]
                  for line in program.splitlines() if "// test: variant" in line}
        self.assertEqual(set(self.names()) - tested, set())


if __name__ == "__main__":
    unittest.main()
