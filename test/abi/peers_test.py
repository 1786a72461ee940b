#!/usr/bin/env python3
"""peers_test.py LIBRARY PEERS: peers.py sees each way in which Vicino and the other runtimes' names can differ.

The real library is compared with a list that was changed in one row.
"""
import sys
import unittest
from pathlib import Path

from elf import exports, version_nodes
from peers import Row, compare, read

LIBRARY = Path(sys.argv[1])
FOUND, NODES = exports(LIBRARY), version_nodes(LIBRARY)
ROWS = {row.name: row for row in read(Path(sys.argv[2]))[1]}


class PeersTest(unittest.TestCase):
    def problems(self, row: Row) -> list[str]:
        return compare([row], FOUND, NODES)

    def test_as_it_is(self) -> None:
        for name in "GOMP_parallel", "omp_get_wtime", "omp_display_affinity", "omp_null_allocator", "__atomic_load":
            self.assertEqual(self.problems(ROWS[name]), [])
            self.assertEqual(ROWS[name].verdict, "ours")

    def test_missing(self) -> None:
        row = ROWS["GOMP_parallel"]._replace(name="omp_no_such_routine", versions={"gomp": ["OMP_1.0"]})
        self.assertEqual(self.problems(row), ["missing: omp_no_such_routine@OMP_1.0"])

    def test_version_that_is_not_declared(self) -> None:
        row = ROWS["GOMP_parallel"]._replace(versions={"gomp": ["GOMP_4.0", "GOMP_99.0"], "omp": ["VERSION"]})
        self.assertEqual(self.problems(row), ["missing: GOMP_parallel@GOMP_99.0"])

    def test_version_of_another_function(self) -> None:
        row = ROWS["__atomic_load"]._replace(versions={"gomp": ["OMP_1.0"]})
        self.assertEqual(self.problems(row), ["missing: __atomic_load@OMP_1.0"])

    def test_wrong_kind(self) -> None:
        row = ROWS["omp_get_wtime"]._replace(kind="object", versions={"omp": ["VERSION"]})
        self.assertEqual(self.problems(row), ["wrong kind: omp_get_wtime is func, not object"])

    def test_left_out_but_exported(self) -> None:
        row = ROWS["omp_display_affinity"]._replace(verdict="internal", reason="none")
        self.assertEqual(self.problems(row), ["internal, but exported: omp_display_affinity@VERSION",
                                              "internal, but exported: omp_display_affinity@@OMP_5.0"])

    def test_left_out_without_a_reason(self) -> None:
        row = ROWS["ompt_start_tool"]
        self.assertEqual(self.problems(row), [])
        self.assertEqual(self.problems(row._replace(reason="")), ["left out without a reason: ompt_start_tool"])

    def test_no_verdict(self) -> None:
        self.assertEqual(self.problems(ROWS["ompt_start_tool"]._replace(verdict="?", reason="")),
                         ["no verdict: ompt_start_tool"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
