"""The page's verdicts, on made-up figures."""

import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

from cluster import verdicts  # noqa: E402


def rows(**ns):
    return [{"strategy": name, "nodes": 4, "step_ns": value, "slack": 0.1, "fraction": None, "moved": 0.5}
            for name, value in ns.items()]


EACH = dict(static=200, dynamic=190, guided=180, uSched=170, callsite=165, vSched=150, full=140, shares=160)


class Verdicts(unittest.TestCase):
    def test_gains_are_over_static(self):
        self.assertAlmostEqual(verdicts.gains(rows(static=150, full=100))["full", 4], 0.5)

    def test_close(self):
        self.assertEqual(verdicts.close(0.35, 0.4), "within 8 points (-5.0 points)")
        self.assertEqual(verdicts.close(0.30, 0.4), "**not reproduced** (-10.0 points)")
        self.assertEqual(verdicts.close(0.50, 0.4), "**not reproduced** (+10.0 points)")

    def test_compare(self):
        self.assertEqual(verdicts.compare(0.1, 0.2), "same order")
        self.assertEqual(verdicts.compare(0.2, 0.1), "**other order**")
        self.assertEqual(verdicts.compare(0.2, 0.203), "about equal")

    def test_claims(self):
        text = verdicts.claims({"nbody": rows(**EACH), "snap": rows(**EACH)})
        self.assertIn("| n-body: uSched over static | 25.52 | 17.6 | calibration: no evidence |", text)
        self.assertIn("| n-body: full over static | 44.45 | 42.9 | within 8 points (-1.6 points) |", text)
        self.assertIn("| SNAP (regular mesh sweep): full over guided | 17.13 | 28.6 | **not reproduced**", text)

    def test_limits_name_what_changes(self):
        other = dict(EACH, callsite=180)
        found = [("", "", rows(**EACH)), ("alpha", "low", rows(**other))]
        self.assertIn("| alpha low | 5.3 | 11.1 | 17.6 | 11.1 | 33.3 | 42.9 | uSched and callsite |",
                      str(verdicts.limits("nbody", found)))
        self.assertIn("| as given | ", str(verdicts.limits("nbody", found)))

    def test_a_sign_that_does_not_survive_is_said(self):
        found = [("", "", rows(**EACH)), ("alpha", "low", rows(**dict(EACH, dynamic=210)))]
        self.assertFalse(verdicts.robust(found)["dynamic"])
        self.assertIn("at the limits dynamic may lose to static", verdicts.sentence("nbody", found))
        self.assertIn("faster than static at every limit", verdicts.sentence("nbody", found[:1]))

    def test_pairs_that_change_places_are_said(self):
        found = [("", "", rows(**EACH)), ("alpha", "low", rows(**dict(EACH, callsite=180)))]
        self.assertIn("Pairs in another order: uSched and callsite with alpha low.", verdicts.sentence("nbody", found))
        self.assertIn("Pairs in another order: none.", verdicts.sentence("nbody", found[:1]))


if __name__ == "__main__":
    unittest.main()
