#!/usr/bin/env python3
"""manifest_test.py LIBRARY SYMBOLS: manifest.py sees each way in which library and manifest can differ.

The real library is compared with a manifest that was changed in one row.
"""
import sys
import unittest
from pathlib import Path

from elf import Export, exports
from manifest import compare, read_symbols, unfinished

ROWS = read_symbols(Path(sys.argv[2]))
FOUND = exports(Path(sys.argv[1]))


class ManifestTest(unittest.TestCase):
    def problems(self, rows: list) -> list[str]:
        return [problem for problem in compare(rows, FOUND) if problem not in compare(ROWS, FOUND)]

    def changed(self, name: str, **fields: str) -> list:
        return [row._replace(**fields) if row.name == name else row for row in ROWS]

    def test_missing(self) -> None:
        rows = ROWS + [ROWS[0]._replace(name="omp_no_such_routine")]
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
        self.assertEqual(self.problems(ROWS + [ROWS[0]]),
                         [f"twice in the manifest: {ROWS[0].name}"])

    def as_stub(self, *versions: str) -> list:
        row = next(row for row in ROWS if row.name == "GOMP_parallel")
        return [export for export in FOUND if export.name != row.name] + [
            Export(f"{row.name}@{version}", "func") for version in versions]

    def test_unfinished(self) -> None:
        found = self.as_stub("VERSION", "GOMP_4.0")
        self.assertEqual(unfinished(ROWS, found, ["a"]), ["still a stub: GOMP_parallel of tier a"])
        self.assertEqual(unfinished(ROWS, found, ["b"]), [])
        self.assertEqual(compare(ROWS, found), compare(ROWS, FOUND))

    def test_stub_that_some_programs_do_not_find(self) -> None:
        self.assertIn("wrong version: GOMP_parallel@GOMP_4.0", compare(ROWS, self.as_stub("VERSION")))

    def test_stub_that_dlsym_finds(self) -> None:
        self.assertIn("wrong version: GOMP_parallel@@GOMP_4.0",
                      compare(ROWS, self.as_stub("VERSION", "@GOMP_4.0")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
