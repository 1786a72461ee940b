"""Tests of the page of counted locality: figures that would mislead if they were wrong."""

import json
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

from locality import counting, tables  # noqa: E402
from report import cells, guests, page  # noqa: E402

RECORDED = pathlib.Path(__file__).resolve().parent / "recorded.json"

SETTINGS = """OMP_SCHEDULE, OMP_SCHEDULE_ALL
    Schedule of loops that say schedule(runtime).
    Values: [monotonic:|nonmonotonic:]kind[,chunk] where kind is static,
    dynamic, guided, auto or trapezoid and chunk a positive integer
    Default: auto, which leaves the choice to Vicino for each loop
VICINO_SCHEDULE
    The Vicino schedule of every loop that is not ordered or monotonic, whatever
    the loop says.
    Values: name[,param=value...] where name is static, static_chunked, dynamic,
    dynamic_shared, guided, trapezoid, nich
    Default: each loop's own schedule
OMP_WAIT_POLICY, KMP_LIBRARY
    Values: active or passive
"""


def region(cycles=100, local=1, same=0, other=0, **more):
    return {"kernel": "triad", "init": "first touch", "schedule": "static", "cycles": cycles,
            "totals": {"local": local, "same_package": same, "other_package": other}} | more


def guest(cell, *regions, seed=1, machine="4x4"):
    return {"machine": machine, "cell": cell, "seed": seed, "regions": list(regions)}


def cells_of(text, start):
    """The columns of the only row that begins with `start`."""
    found = [line for line in text.split("\n") if line.startswith(f"| {start} |")]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} rows begin with '{start}'")
    return [column.strip() for column in found[0].strip("|").split("|")]


class Recorded(unittest.TestCase):
    """Counts of a real run with two seeds, compared with figures worked out by hand."""

    @classmethod
    def setUpClass(cls):
        cls.text = page.whole(tables.report(json.loads(RECORDED.read_text(encoding="utf-8"))["guests"]))

    def test_reference(self):
        self.assertEqual(cells_of(self.text, "static, clang libomp")[1:], [
            "50.0 k", "98.1", "0.6", "1.3", "1.00 [1.00, 1.00]",
            "25.0", "24.9", "50.1", "1.00 [1.00, 1.00]"])
        self.assertIn("static on libomp: 0.40 [0.40, 0.40] million with first touch and "
                      "1.12 [1.12, 1.12] million with serial initialisation.", self.text)

    def test_another_schedule(self):
        self.assertEqual(cells_of(self.text, "taskloop,c, clang libomp")[1:], [
            "54.0 k", "33.8", "32.7", "33.5", "2.82 [2.70, 2.94]",
            "33.3", "33.7", "33.0", "1.03 [1.00, 1.06]"])

    def test_a_cell_that_was_not_run_has_no_row(self):
        self.assertNotIn("libgomp", self.text)

    def test_targets(self):
        self.assertEqual(cells_of(self.text, "static: local, %, at least 97")[1:],
                         ["triad, 4x4, clang Vicino", "99.4 [99.4, 99.4]", "yes"])
        self.assertEqual(
            cells_of(self.text, "taskloop: cycles over libomp's taskloop, at most 0.70")[1:],
            ["triad, 4x4, clang Vicino", "9.75 [9.31, 10.2]", "**no**"])
        self.assertIn("- taskloop: cycles over libomp's taskloop, at most 0.70 (triad, 4x4, clang Vicino): "
                      "9.75 [9.31, 10.2]\n", self.text)


class Figures(unittest.TestCase):
    def test_cycles_are_over_those_of_the_same_seed(self):
        found = tables.Figures([
            guest("clang libomp", region(100), seed=1), guest("clang libomp", region(200), seed=2),
            guest("clang Vicino", region(50), seed=1), guest("clang Vicino", region(400), seed=2)])
        self.assertEqual(found.cycles("4x4", "triad", "first touch", "clang Vicino", "static"),
                         [0.5, 2.0])

    def test_a_seed_without_reference_is_left_out(self):
        found = tables.Figures([guest("clang libomp", region(100), seed=1),
                                guest("clang Vicino", region(70), seed=1),
                                guest("clang Vicino", region(70), seed=2)])
        self.assertEqual(found.cycles("4x4", "triad", "first touch", "clang Vicino", "static"), [0.7])

    def test_without_the_reference_there_are_no_cycles(self):
        text = page.whole(tables.report([guest("clang Vicino", region(70))]))
        self.assertIn("No cycles for triad on 4x4", text)
        self.assertEqual(cells_of(text, "static, clang Vicino")[5], "")

    def test_only_what_a_machine_ran(self):
        text = page.whole(tables.report([guest("clang libomp", region(kernel="spmv"), machine="8x8"),
                              guest("clang libomp", region(), region(kernel="spmv"))]))
        heads = [line for line in text.split("\n") if line.startswith("### ") and " on " in line]
        self.assertEqual(heads, ["### triad on 4x4", "### spmv on 4x4", "### spmv on 8x8"])

    def test_a_region_without_a_miss(self):
        self.assertEqual(tables.share(region(local=0), "local"), 0)


class Targets(unittest.TestCase):
    def rows(self, *guests_run):
        return {row[0]: row[3] for row in tables.targets(tables.Figures(guests_run))}

    def test_limits(self):
        for local, reached in ((97, "yes"), (96, "**no**")):
            rows = self.rows(guest("clang Vicino", region(local=local, other=100 - local)))
            self.assertEqual(list(rows.values()), [reached])

    def test_taskloop_is_compared_with_taskloop(self):
        def loop(cycles):
            return region(cycles, local=9, other=1, schedule="taskloop,c")
        for cycles, reached in ((70, "yes"), (71, "**no**")):
            rows = self.rows(guest("clang libomp", region(1), loop(100)),
                             guest("clang Vicino", loop(cycles)))
            self.assertEqual(rows["taskloop: cycles over libomp's taskloop, at most 0.70"], reached)

    def test_a_schedule_that_exists_later_is_judged(self):
        rows = self.rows(guest("clang Vicino", region(local=90, other=10, schedule="nich,c")))
        self.assertEqual(rows, {"nich,c: local, %, at least 93": "**no**"})

    def test_what_is_not_there_is_named(self):
        text = page.whole(tables.report([guest("clang Vicino", region())]))
        self.assertIn("not judged: nich, hierarchical, staggered, vsched", text)

    def test_only_balanced_kernels_and_only_ours(self):
        self.assertEqual(self.rows(guest("clang Vicino", region(kernel="triangles")),
                                   guest("clang libomp", region())), {})


class Schedules(unittest.TestCase):
    def test_what_has_no_clause_comes_by_environment(self):
        self.assertEqual(counting.schedules_of_vicino(SETTINGS), ["auto", "trapezoid,c", "nich,c"])

    def test_refuses_settings_that_it_cannot_read(self):
        with self.assertRaises(cells.Refused):
            counting.schedules_of_vicino("OMP_SCHEDULE\n    Values: something\n")


class Pairs(unittest.TestCase):
    SAID = {"kind": "region", "region": 2, "kernel": "triad", "init": "first touch",
            "schedule": "static", "chunk": 0, "threads": 16, "right": True}
    COUNTED = {"region": 2, "machine_cycles": 7, "totals": {"local": 1}}
    WHERE = guests.Run("4x4", cells.Cell("clang", "libomp"), "locality", ())

    def pair(self, counted, *said):
        return counting.pair(self.WHERE, counted, "\n".join(map(json.dumps, said)))

    def test_counts_join_what_was_said(self):
        (found,) = self.pair([self.COUNTED], {"kind": "process"}, self.SAID)
        self.assertEqual((found["kernel"], found["cycles"], found["totals"]),
                         ("triad", 7, {"local": 1}))

    def test_refuses_a_region_too_many(self):
        with self.assertRaisesRegex(cells.Refused, "2 regions counted, 1 announced"):
            self.pair([self.COUNTED] * 2, self.SAID)

    def test_refuses_another_order(self):
        with self.assertRaises(cells.Refused):
            self.pair([self.COUNTED], self.SAID | {"region": 4})

    def test_refuses_a_wrong_answer(self):
        with self.assertRaisesRegex(cells.Refused, "wrong answer: triad, static"):
            self.pair([self.COUNTED], self.SAID | {"right": False})


if __name__ == "__main__":
    unittest.main()
