#!/usr/bin/env python3
"""manifest_test.py LIBRARY SYMBOLS: manifest.py sees each way in which library and manifest can differ.

The real library is compared with a manifest that was changed in one row.
"""
import sys
import unittest
from pathlib import Path

from elf import exports
from manifest import compare, read_symbols

ROWS = read_symbols(Path(sys.argv[2]))
ROW = next(row for row in ROWS if row.name == "GOMP_parallel")
FOUND = exports(Path(sys.argv[1]))


class ManifestTest(unittest.TestCase):
    def problems(self, rows: list) -> list[str]:
        return [problem for problem in compare(rows, FOUND) if problem not in compare(ROWS, FOUND)]

    def changed(self, name: str, **fields: str) -> list:
        return [row._replace(**fields) if row.name == name else row for row in ROWS]

    def test_missing(self) -> None:
        rows = ROWS + [ROW._replace(name="omp_no_such_routine")]
        self.assertEqual(self.problems(rows), ["missing: omp_no_such_routine"])

    def test_extra(self) -> None:
        rows = [row for row in ROWS if row.name != "GOMP_parallel"]
        self.assertEqual(self.problems(rows), ["extra: GOMP_parallel"])

    def test_wrong_version(self) -> None:
        rows = self.changed("GOMP_parallel", version="@@GOMP_4.0")
        self.assertEqual(self.problems(rows), ["wrong version: GOMP_parallel@@GOMP_4.0",
                                               "wrong version: GOMP_parallel"])

    def test_lost_version(self) -> None:
        rows = [row for row in self.changed("omp_display_affinity", version="-")
                if row.name != "omp_display_affinity"] + [
                    row._replace(version="-") for row in ROWS
                    if row.name == "omp_display_affinity" and row.version.startswith("@@")]
        self.assertIn("wrong version: omp_display_affinity@VERSION", self.problems(rows))

    def test_wrong_kind(self) -> None:
        rows = self.changed("omp_get_wtime", kind="object")
        self.assertEqual(self.problems(rows), ["wrong kind: omp_get_wtime is func, not object"])

    def test_twice(self) -> None:
        self.assertEqual(self.problems(ROWS + [ROW]), ["twice in the manifest: GOMP_parallel"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
