"""The page's verdicts, on made-up figures."""

import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

from loops import claims, study, validation, verdicts  # noqa: E402
from loops.found import Found  # noqa: E402
from papers import orders  # noqa: E402

USUAL = {"static": 300, "static_chunked,1": 200, "libgomp-dynamic,1": 150, "libgomp-dynamic,3": 170,
         "libgomp-guided": 180, "ich,paper": 160, "nich,paper": 220, "ich": 155, "nich": 154}


def rows(program="synthetic-up", threads=64, seed=1, bound="value", what="speed", updates=(1, 0, 0), **ns):
    return [{"what": what, "program": program, "machine": "epyc", "threads": threads, "seed": seed, "bound": bound,
             "schedule": name, "ns": value, "updates": list(updates)}
            for name, value in (ns.get("of") or USUAL).items()]


def claim(number):
    return next(each for each in claims.CLAIMS if each.number == number)


class Times(unittest.TestCase):
    def test_the_best_of_what_was_tried_counts(self):
        at = Found(rows()).times("synthetic-up", "epyc", 64)
        self.assertEqual((at["static"], at["dynamic"], at["nich"], at["nich, Vicino's"]), (200, 150, 220, 154))

    def test_speedups_are_over_static_on_two(self):
        found = Found(rows() + rows(threads=2, of={"static": 4000, "static_chunked,1": 4400}))
        self.assertEqual(found.speedup("synthetic-up", "epyc", 64, "nich"), "18.18")
        self.assertEqual(found.speedup("synthetic-up", "epyc", 32, "nich"), "")

    def test_samples_begin_with_the_values(self):
        found = Found(rows(bound="low") + rows(seed=2) + rows())
        self.assertEqual(found.samples("epyc"), [(1, "value"), (2, "value"), (1, "low")])


class Ranks(unittest.TestCase):
    def test_times_that_are_alike_have_no_order(self):
        order = (("a",), ("b",), ("c",))
        self.assertEqual(orders.tau(order, {"a": 1, "b": 1.005, "c": 2}), 1)
        self.assertAlmostEqual(orders.tau(order, {"a": 1, "b": 1.005, "c": 2}, 0.01), 2 / 3)
        self.assertAlmostEqual(orders.tau(order, {"a": 1, "b": 0.9, "c": 2}, 0.01), 1 / 3)

    def test_tau_of_measures(self):
        self.assertEqual(orders.of_pairs([(1, 10), (2, 20), (3, 30)]), 1)
        self.assertEqual(orders.of_pairs([(1, 30), (2, 20), (3, 10)]), -1)

    def test_a_table_has_the_papers_order(self):
        table = next(verdicts.ranks(Found(rows() + rows(threads=2))))
        self.assertEqual(table.title, "EPYC 7713, 64 threads: speed-up over static on 2")
        self.assertEqual(table.rows[0][-4:], ["static, dynamic, guided, ich > nich", "1.00", "1.00", "reproduced"])


class Claims(unittest.TestCase):
    def test_nich_is_behind_all_others_or_it_is_not(self):
        of = claim("2b")
        numbers = of.of(Found(rows()), (1, "value"))
        self.assertAlmostEqual(numbers[0], 1.1)
        self.assertTrue(of.holds(numbers))
        ahead = Found(rows(of=USUAL | {"libgomp-guided": 230}))
        self.assertFalse(of.holds(of.of(ahead, (1, "value"))))

    def test_what_was_not_run_is_no_claim(self):
        self.assertEqual(claim("2b").of(Found(rows(program="boxes")), (1, "value")), [])
        self.assertEqual(list(claims.rows(Found([]))), [])

    def test_verdicts(self):
        def of(*held):
            return claims.verdict([(of_values, [number]) for of_values, number in held], lambda at: at[0] > 1)
        self.assertEqual(of((True, 2), (True, 2), (False, 2)), "reproduced")
        self.assertEqual(of((True, 2), (True, 2), (False, 0)), "reproduced, not at both bounds")
        self.assertEqual(of((True, 2), (True, 0), (False, 2)), "no sign: it depends on the seed")
        self.assertEqual(of((True, 0), (True, 0), (False, 2)), "not reproduced")

    def test_numbers_claim_by_claim(self):
        self.assertEqual(len({each.number for each in claims.CLAIMS}), len(claims.CLAIMS))
        for each in claims.CLAIMS:
            self.assertIn(each.on, study.THREADS)

    def test_sensitivity_is_over_four_and_four(self):
        names = {"nich,paper": 100, **{f"nich,paper,{each}": 110 for each in verdicts.VARIED}}
        names["nich,paper,update=1"] = 137
        made = [row for threads in (16, 32, 64)
                for row in rows("bfs-power", threads, what="parameters", of=names)]
        table = {row[0]: row for row in claims.rows(Found(made))}
        self.assertIn("37.0; 37.0; 37.0", table["7a"][3])
        self.assertEqual((table["7a"][4], table["7b"][4], table["7c"][4]), ("reproduced", "reproduced", "not reproduced"))
        self.assertEqual(table["6"][4], "reproduced")

    def test_updates_by_epsilon(self):
        made = [row for threads in (32, 64) for what in ("updates", "fixed") for each, many in ((0.25, 9), (0.33, 6), (0.5, 3))
                for row in rows("boxes", threads, what=what, updates=(many, 0, 0), of={f"nich,paper,epsilon={each}": 100})]
        table = {row[0]: row for row in claims.rows(Found(made))}
        self.assertEqual((table["T2a"][3], table["T2a"][4]), ("updates of a deque, all programs: 18; 12; 6", "reproduced"))
        self.assertEqual(table["T2b"][4], "reproduced")
        self.assertEqual(table["7.1"][4], "reproduced")


class Runs(unittest.TestCase):
    def test_short_iterations_have_no_cyclic_schedule(self):
        self.assertIn("static_chunked,1", study.schedules_of("triangles"))
        self.assertNotIn("static_chunked,1", study.schedules_of("pathfinder"))
        self.assertNotIn("ich", study.schedules_of("boxes", own=False))

    def test_validation_counts_what_is_near(self):
        table, said = validation.table([["epyc", "up", "ich", 1.0, 1.09], ["epyc", "up", "nich", 1.0, 1.2]])
        self.assertEqual(table.rows[1][-1], "+20")
        self.assertEqual(said, "1 of 2 ratios are within 10 %.\n")


if __name__ == "__main__":
    unittest.main()
