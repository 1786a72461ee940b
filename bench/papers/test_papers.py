"""Tests of what the page of the papers says, without guests."""

import pathlib
import sys
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import constructs  # noqa: E402
import guests  # noqa: E402
import ilan  # noqa: E402

OPTIONS = types.SimpleNamespace(seeds=[0], bounds=["value", "low"], jobs=1, json=None,
                                kernels=list(ilan.KERNELS), teams=constructs.TEAMS)


class Verdicts(unittest.TestCase):
    def test_reproduced_needs_all_seeds_and_bounds_near(self):
        self.assertEqual(ilan.verdict(1.12, [1.05, 1.19]), "reproduced")
        self.assertEqual(ilan.verdict(1.12, [1.05, 1.21]), "same sign")

    def test_signs(self):
        self.assertEqual(ilan.verdict(1.12, [1.5, 1.6]), "same sign, more")
        self.assertEqual(ilan.verdict(1.46, [1.1, 1.2]), "same sign")
        self.assertEqual(ilan.verdict(1.46, [0.9, 0.8]), "not reproduced")
        self.assertEqual(ilan.verdict(1.46, [0.9, 1.2]), "no sign: it depends on the model's numbers")

    def test_without_a_figure_there_is_none(self):
        self.assertEqual(ilan.verdict(None, [1.2]), "")


class FakeGuests(dict):
    def __missing__(self, run):
        return None


def found(first, second):
    counts = {"local": 90, "same_package": 5, "other_package": 5}
    return {"lines": [{"kind": "process"}, {"kind": "kernel", "ns": [first, second]}], "regions": [counts]}


class Ilan(unittest.TestCase):
    def results(self):
        made = FakeGuests()
        for bound, factor in (("value", 1), ("low", 2)):
            base, full, off = (ilan.run_of("ft", cell, settings, 0, bound) for cell, settings in (
                (ilan.LLVM, guests.BOUND), (ilan.VICINO, guests.BOUND), (ilan.VICINO, ilan.OFF)))
            made |= {base: found(400, 330), full: found(400, 300 / factor), off: found(500, 300)}
        return made

    def test_speed_over_llvm_and_without_moldability(self):
        self.assertEqual([tuple(round(x, 2) for x in row[2:]) for row in ilan.ratios(self.results(), OPTIONS, "ft")],
                         [(1.0, 1.1, 0.8, 1.1), (1.0, 2.2, 0.8, 1.1)])

    def test_a_run_over_its_time_limit_is_said(self):
        text = ilan.text(self.results(), OPTIONS)
        self.assertIn("over its time limit", next(row for row in text.split("\n") if "(cg)" in row))
        self.assertIn("2.20 (1.10 to 2.20)", next(row for row in text.split("\n") if "(ft)" in row))
        self.assertIn("90%", text)

    def test_each_run_is_asked_for_once(self):
        runs = list(ilan.runs(OPTIONS))
        self.assertEqual(len(runs), len(set(runs)))
        self.assertEqual(len(runs), len(ilan.KERNELS) * 3 * 2)


class Constructs(unittest.TestCase):
    def test_each_compiler_is_compared_with_its_own_runtime(self):
        made = FakeGuests()
        for cell, ns in zip(constructs.CELLS, (200, 100, 50, 100)):
            made[constructs.run_of(cell, constructs.FAMILIES[0], 64, "close")] = {
                "lines": [{"kind": "time", "construct": "barrier", "ns": ns}]}
        rows = [row for row in constructs.text(made, OPTIONS).split("\n") if row.startswith("| barrier |")]
        self.assertEqual(rows[-1], "| barrier | 200 | 100 | 50.0 | 100 | 0.50 | 2.00 |")


class Saved(unittest.TestCase):
    def test_keys_of_different_runs_differ(self):
        runs = list(ilan.runs(OPTIONS)) + list(constructs.runs(OPTIONS))
        self.assertEqual(len({guests.key_of(run) for run in runs}), len(runs))


if __name__ == "__main__":
    unittest.main()
