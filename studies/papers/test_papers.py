"""Tests of what the page of the papers says, without guests."""

import json
import pathlib
import sys
import tempfile
import threading
import time
import types
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

from papers import (constructs, deviations, explained, handovers, ilan, loops, mixed, native, nich, orders,  # noqa: E402
                    paths, study, sweeps, taggre, tasks, worksharing)
from launcher import machine  # noqa: E402
from report import cells, guests  # noqa: E402

OPTIONS = types.SimpleNamespace(seeds=[0], bounds=["value", "low"], jobs=1, json=None,
                                kernels=list(ilan.KERNELS), machines=list(nich.THREADS),
                                programs=list(nich.PROGRAMS), build=pathlib.Path("build"), quick=False)


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

    def when(self, _runs):
        return "then"

    def commits(self, _runs):
        return "1234567"


def found(first, second):
    counts = {"local": 90, "same_package": 5, "other_package": 5}
    return {"lines": [{"kind": "process"}, {"kind": "kernel", "ns": [first, second]}], "regions": [counts],
            "told": "", "made": "2026-11-26 09:00"}


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

    def test_of_all_samples_the_one_in_which_least_was_decided(self):
        made = self.results()
        for run in made:
            made[run] = made[run] | {"told": Paths.TOLD}
        run = ilan.run_of("ft", ilan.VICINO, guests.BOUND, 0, "low")
        made[run]["told"] = Paths.TOLD.replace("full on 32 threads, first", "so far full on 32 threads, first")
        self.assertEqual(ilan.decided(made, OPTIONS, "ft"), "0 of 2")
        made[run]["told"] = ""
        self.assertEqual(ilan.decided(made, OPTIONS, "ft"), "1 of 2")

    def test_rows_of_kernels_that_were_not_made_stay(self):
        ft, cg = (types.SimpleNamespace(**vars(OPTIONS) | {"kernels": [name]}) for name in ("ft", "cg"))
        before = ilan.joined(ilan.text(self.results(), ft), "")
        self.assertIn("| mean | 1.132 | 2.20 |", before)
        after = ilan.joined(ilan.text(self.results(), cg), before)
        self.assertEqual([row for row in before.split("\n") if "(ft)" in row],
                         [row for row in after.split("\n") if "(ft)" in row])
        self.assertIn("over its time limit", next(row for row in after.split("\n") if "(cg)" in row))
        self.assertIn("| mean | 1.132 | 2.20 |", after)
        again = ilan.joined(ilan.text(self.results(), ft).replace("2.20", "4.40"), after)
        self.assertEqual(again.count("(ft)"), 1)
        self.assertIn("| mean | 1.132 | 4.40 |", again)

    def test_each_run_is_asked_for_once(self):
        runs = list(ilan.runs(OPTIONS))
        self.assertEqual(len(runs), len(set(runs)))
        self.assertEqual(len(runs), len(ilan.KERNELS) * 3 * 2)


class Worksharing(unittest.TestCase):
    def text(self, times):
        """`times`: {kernel: (LLVM's taskloops, its worksharing, ILAN)}, the same in each sample."""
        options = types.SimpleNamespace(**vars(OPTIONS) | {"kernels": list(times)})
        made = FakeGuests()
        for name, its in times.items():
            for sample in guests.samples(options):
                made |= {run: found(1, ns) for run, ns in zip(worksharing.runs_of(name, *sample), its)}
        return worksharing.text(made, options)

    def test_speeds_and_verdicts(self):
        rows = {"ft": (300, 100, 150), "bt": (300, 200, 100), "cg": (300, 600, 100)}
        text = self.text(rows)
        self.assertIn("| FT (ft) | 3.00 | 2.00 | 0.67 |", text)
        self.assertIn("| ILAN ahead in 2 of 3 |  |  | reproduced |", text)
        self.assertIn("| ILAN ahead in 3 of 3 |  |  | in most, also in FT |", self.text(rows | {"ft": (300, 200, 150)}))
        self.assertIn("| ILAN ahead in 1 of 3 |  |  | not reproduced |", self.text(rows | {"cg": (300, 50, 100)}))

    def test_a_run_over_its_time_limit_is_said(self):
        self.assertIn("| FT (ft) | over its time limit |", worksharing.text(FakeGuests(), OPTIONS))

    def test_worksharing_is_the_only_other_run(self):
        base, loop, _ = worksharing.runs_of("ft", 0, "value")
        self.assertEqual(base, ilan.run_of("ft", ilan.LLVM, guests.BOUND, 0, "value"))
        self.assertIn("runtime", loop.arguments)
        self.assertIn(("OMP_SCHEDULE", "static"), loop.settings)


class Deviations(unittest.TestCase):
    def text(self, spreads):
        """`spreads`: {kernel: (of LLVM's, of ILAN's)}: every other run takes so much longer than 100."""
        options = types.SimpleNamespace(**vars(OPTIONS) | {"kernels": list(spreads)})
        made = FakeGuests()
        for name, its in spreads.items():
            for cell, more in zip((ilan.LLVM, ilan.VICINO), its):
                for number, run in enumerate(deviations.runs_of(name, cell)):
                    made[run] = found(1, 100 + more * (number % 2))
        return deviations.text(made, options)

    def test_deviations_and_verdicts(self):
        text = self.text({"ft": (20, 2), "bt": (2, 20), "cg": (2, 20)})
        self.assertIn("| FT (ft) | 0.0117 | 0.0037 | 0.0958 | 0.0104 | the same |", text)
        self.assertIn("| ILAN's smaller in 1 of 3; as in the paper in 3 |  |  |  |  | reproduced |", text)
        self.assertIn("as in the paper in 2 |  |  |  |  | in most |", self.text({"ft": (2, 20), "bt": (2, 20), "cg": (2, 20)}))
        self.assertIn("as in the paper in 1 |  |  |  |  | not reproduced |", self.text({"ft": (2, 20), "bt": (20, 2), "cg": (2, 20)}))

    def test_seeds_are_the_parts_own(self):
        options = types.SimpleNamespace(**vars(OPTIONS) | {"only": ["deviations"], "kernels": ["ft"]})
        text = study.sections(FakeGuests(), options, {})[study.PARTS["deviations"][1]]
        self.assertIn("Seeds: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9", text)
        self.assertIn("over its time limit", text)


class Taggre(unittest.TestCase):
    """Of one system, ILU(0) of the cube in its natural order: the paper has 0.20, 1.06, 2.23 in table III, and 2.54, 2.68, 2.80 in XII."""
    SYSTEM = taggre.SYSTEMS[0]
    OPTIONS = types.SimpleNamespace(seeds=[0], bounds=["value"])

    def text(self, times=(5000, 1000, 500), placed=(240, 200, 250), options=OPTIONS):
        def graph(string, ns):
            return {"kind": "graph", "coarse": string, "units": 256, "coarsening": 3e6, "factor": [ns], "forward": [ns], "backward": [ns]}

        serial = {"kind": "serial", "rows": 32768, "edges": 95232, "factor": [1000], "forward": [1000], "backward": [1000]}
        one = [serial, *map(graph, ("", "F(32)", "CD(4)"), times)]
        where = dict(zip((taggre.INTERLEAVED, taggre.NAS, taggre.AS_THEIRS), placed))
        made = FakeGuests()
        for seed in options.seeds:
            for place, run in taggre.runs_of(self.SYSTEM, seed, "value").items():
                made[run] = {"lines": [serial, graph("CD(4)", where[place])] if place in where else one}
        return taggre.text(made, options)

    def test_speed_ups_beside_the_papers(self):
        text = self.text()
        self.assertIn("| Cube, ILU(0) | 0.20 (0.20) | 1.00 (1.06) | 2.00 (2.23) | 0.20 | 1.00 | 2.00 |", text)
        self.assertIn("| Cube, ILU(0) | 2.00 (2.54) | 4.17 (2.68) | 5.00 (2.80) | 4.00 |", text)
        self.assertIn("| 256, 256 | 0.00 | 3.0 | 3000.0 (16.2) |", text)

    def test_verdicts_go_by_the_order_in_each_row(self):
        for times, verdict in (((5000, 1000, 500), "1 of 1 rows in its order, its best is first in 1; 0.90 of its last column | reproduced in order |"),
                               ((1000, 5000, 500), "0 of 1 rows in its order, its best is first in 1; 0.90 of its last column | same sign |"),
                               ((5000, 500, 1000), "0 of 1 rows in its order, its best is first in 0; 0.45 of its last column | not reproduced |")):
            self.assertIn(f"| III: factorisation, one socket, natural order: none, F(32), CD(4) | {verdict}", self.text(times))

    def test_what_the_papers_text_says_of_nas(self):
        text = self.text()
        self.assertIn("by 1 to 40 % | 150.0 to 150.0 %, in the mean 150.0 | reproduced |", text)
        self.assertIn("| over Nas with such vectors 1.04; over Nas with vectors by their rows 0.83 | reproduced |", text)
        self.assertIn("by 12.36 % in the mean | -50.0 to -50.0 %, in the mean -50.0 | not reproduced |", self.text(placed=(240, 1000, 240)))

    def test_ranges_that_meet_have_no_order(self):
        system, paper = self.SYSTEM, taggre.PAPER["factorisation", taggre.ONE_SOCKET, "natural"]
        apart = {system: [(0.1, 0.2), (0.9, 1.1), (1.2, 1.3)]}
        meeting = {system: [(0.1, 0.2), (0.9, 1.2), (1.1, 1.3)]}
        self.assertEqual([taggre.verdict([system], paper, found)[1] for found in (apart, meeting)], ["reproduced in order", "not reproduced"])

    def test_a_system_over_its_time_limit_is_left_out(self):
        self.assertEqual(taggre.text(FakeGuests(), self.OPTIONS), "All were over their time limit.\n")
        self.assertNotIn("SPE10", self.text())

    def test_the_papers_tables_are_whole(self):
        for table in (*taggre.PAPER.values(), *taggre.NAS_PAPER.values()):
            self.assertEqual([len(figures) for system in taggre.SYSTEMS for figures in [system.of(table)]], [3] * len(taggre.SYSTEMS))


class Constructs(unittest.TestCase):
    def test_each_compiler_is_compared_with_its_own_runtime(self):
        made = FakeGuests()
        for cell, ns in zip(constructs.CELLS, (200, 100, 50, 100)):
            made[constructs.run_of(cell, constructs.FAMILIES[0], 64, "close")] = {
                "lines": [{"kind": "time", "construct": "barrier", "ns": ns}]}
        rows = [row for row in constructs.ALL.text(made, OPTIONS).split("\n") if row.startswith("| barrier |")]
        self.assertEqual(rows[-1], "| barrier | 200 | 100 | 50.0 | 100 | 0.50 | 2.00 |")


class Handovers(unittest.TestCase):
    def test_each_runtime_has_a_row_over_all_samples(self):
        made = FakeGuests({handovers.run_of(handovers.CELLS[0], 0, bound): {"lines": [
            {"kind": "process"}, {"kind": "handovers", "barrier_ns": 3000, "ns": ns, "group": 46, "package": 15.3,
                                  "beyond": 1.7}]} for bound, ns in (("value", 3500), ("low", 3400))})
        rows = handovers.text(made, OPTIONS).split("\n")
        self.assertIn("| gcc libgomp | 3000 | 3400 to 3500 | 46.0 | 15.3 | 1.7 |", rows)
        self.assertIn("over its time limit", next(row for row in rows if row.startswith("| gcc Vicino |")))

    def test_groups_are_the_machines(self):
        of_machine = machine.load(handovers.MACHINE)
        self.assertEqual({cpus for _, cpus in of_machine.caches()}, {handovers.GROUP})
        self.assertEqual((of_machine.cpus, of_machine.cpus // len(of_machine.packages())),
                         (handovers.THREADS, handovers.PACKAGE))


class Orders(unittest.TestCase):
    ORDER = (("a",), ("b", "c"), ("d",))

    def tau(self, **times):
        return orders.tau(self.ORDER, times)

    def test_pairs_of_a_group_do_not_count(self):
        self.assertEqual(self.tau(a=1, b=2, c=3, d=4), 1)
        self.assertEqual(self.tau(a=1, b=3, c=2, d=4), 1)

    def test_each_wrong_pair_takes_two_parts_and_each_equal_pair_one(self):
        self.assertEqual(self.tau(a=4, b=3, c=2, d=1), -1)
        self.assertAlmostEqual(self.tau(a=1, b=2, c=5, d=4), 3 / 5)
        self.assertAlmostEqual(self.tau(a=1, b=4, c=3, d=4), 4 / 5)

    def test_verdicts(self):
        self.assertEqual(orders.verdict([0.6, 1]), "reproduced")
        self.assertEqual(orders.verdict([0.2, 1]), "same sign")
        self.assertEqual(orders.verdict([0, -1]), "not reproduced")
        self.assertEqual(orders.verdict([-0.2, 1]), "no sign: it depends on the model's numbers")

    def test_the_papers_orders_name_schedules_that_are_run(self):
        for of_machine in nich.PAPER.values():
            for name, order in of_machine.items():
                self.assertIn(name, nich.TITLES)
                self.assertLessEqual({schedule for group in order for schedule in group}, set(nich.SCHEDULES))
        for _, _, order in mixed.KERNELS.values():
            self.assertLessEqual({schedule for group in order for schedule in group}, set(mixed.SCHEDULES))
        for kernel in tasks.KERNELS:
            self.assertLessEqual(set(tasks.PAPER[kernel]), set(tasks.CASES))
            self.assertLessEqual({case for group in tasks.paper_order(kernel) for case in group}, set(tasks.CASES))


class Nich(unittest.TestCase):
    OPTIONS = types.SimpleNamespace(**vars(OPTIONS) | {"machines": ["1x64"], "programs": ["bfs"]})

    def results(self):
        made = FakeGuests()
        for bound in self.OPTIONS.bounds:
            for place, schedule in enumerate(("guided", "nich,paper", "ich,paper", "dynamic_shared,1", "static",
                                              "dynamic_shared,3", "ich", "nich", "static_chunked,1"), 1):
                made[nich.run_of("1x64", "bfs", schedule, 0, bound)] = self.found(100 * place)
            for run in nich.runs(self.OPTIONS):
                made.setdefault(run, self.found(220))
        return made

    @staticmethod
    def found(ns):
        return {"lines": [{"kind": "process"}] + [{"kind": "kernel", "kernel": name, "ns": [ns]}
                                                  for name in nich.PROGRAMS["bfs"][1]]}

    def test_the_best_chunk_of_dynamic_counts_and_ranks_are_compared(self):
        rows = nich.text(self.results(), self.OPTIONS).split("\n")
        row = next(row for row in rows if "(bfs-uniform)" in row)
        self.assertIn("| 1.25 | 5.00 | 1.67 | 2.50 |", row)
        self.assertTrue(row.endswith("| guided > nich > ich > dynamic | 1.00 | reproduced |"))

    def test_a_run_over_its_time_limit_is_said(self):
        made = self.results()
        made[nich.run_of("1x64", "bfs", "ich", 0, "low")] = None
        self.assertIn("over its time limit", nich.text(made, self.OPTIONS))


class Sweeps(unittest.TestCase):
    def test_per_cent_slower_than_the_usual_parameters(self):
        made = {}
        for run in sweeps.runs(OPTIONS):
            schedule = dict(run.settings)["VICINO_SCHEDULE"]
            ns = {sweeps.USUAL: 200, "nich,paper,update=1": 220 if run.bound == "value" else 190}.get(schedule, 200)
            name = sweeps.PROGRAMS[run.program.split("/")[1]][2]
            made[run] = {"lines": [{"kind": "kernel", "kernel": name, "ns": [ns]}]}
        made[sweeps.run_of("bfs", "ich,paper", 0, "value")] = made[sweeps.run_of("bfs", "ich,paper", 0, "low")] = None
        rows = sweeps.text(made, OPTIONS).split("\n")
        self.assertIn("| nich,paper,update=1 | up to 37 | -5 to 10 | -5 to 10 |", rows)
        self.assertIn("| ich,paper |  | over its time limit | 0 |", rows)


class Loops(unittest.TestCase):
    def test_each_bound_has_runs_and_figures_of_its_own(self):
        options = types.SimpleNamespace(**vars(OPTIONS) | {"kernels": ["ft"], "machines": ["4x4"]})
        made = {run: found(100 if run.bound == "value" else 50, 0) for run in loops.runs(options)}
        cell, setting = loops.FIXED["static"]
        for bound, ns in (("value", 150), ("low", 100)):
            made[loops.run_of("4x4", "ft", cell, setting, 0, bound)] = found(ns, 0)
        self.assertEqual(loops.ratios(made, options, "4x4", "ft", cell, setting), [1.5, 2.0])
        self.assertIn("| 1.50 to 2.00 |", loops.text(made, options))
        # As long for a tenth of the steps.
        self.assertEqual(loops.ratios(made, options, "4x4", "ft", *loops.FIXED["guided"]), [10.0, 10.0])


class Native(unittest.TestCase):
    NATIVE = dict(zip(native.SCHEDULES, (100, 50, 54, 120, 110, 90)))    # 50 and 54, 100 and 110, 110 and 120: alike

    def times(self, **other):
        return {(name, title): (self.NATIVE | other)[title] if name == "lu" else 100
                for name in native.inputs() for title in native.SCHEDULES}

    def test_pairs_that_are_apart(self):
        pairs = native.apart(self.times(), "lu")
        self.assertIn(("static", "guided"), pairs)
        self.assertNotIn(("guided", "static"), pairs)
        self.assertEqual(len(pairs), 12)
        self.assertEqual(native.apart(self.times(), "mandelbrot"), [])

    def test_each_sample_of_the_model_must_have_the_order(self):
        told = native.tables(self.times(), [self.times(), self.times(dynamic=49)]).split("\n")
        self.assertTrue(next(row for row in told if row.startswith("| lu |")).endswith("| 12 | 12 |"))
        wrong = native.tables(self.times(), [self.times(), self.times(mixed=101)])
        self.assertIn("| lu | 2.00 / 2.00 | 1.85 / 1.85 | 0.83 / 0.83 | 0.91 / 0.91 | 1.11 / 0.99 to 1.11 | 12 | 11 |",
                      wrong)
        self.assertIn("Natively, but not in the model: lu: mixed before static (1.11).", wrong)

    def test_a_run_over_its_time_limit_is_said(self):
        self.assertIn("over its time limit", native.tables(self.times(), [self.times(ich=None)]))

    def test_guests_and_native_processes_have_the_same_arguments(self):
        run = native.run_of("lu", "ich", 0, "value")
        self.assertEqual(run.arguments[:3], native.arguments("lu"))
        self.assertIn(("VICINO_SCHEDULE", "ich"), run.settings)


class Tasks(unittest.TestCase):
    def test_places_are_in_the_order_that_the_machine_tells(self):
        told = "weights: x\n\n    the order in which threads take cores: 4-6 0 2-3\n"
        self.assertEqual(tasks.places_of(told), "{4},{5},{6},{0},{2},{3}")


class Paths(unittest.TestCase):
    TOLD = """vicino: loops that the tuner chose for
/x/forms.hpp:66, taskloop, team of 64, timed 9 times, 1 iteration
  left as it is: 9.16 us is too short to gain anything
  policy         threads samples       time  between
  strict              64       3    9.16 us  9.16 us to 9.88 us
/x/forms.hpp:66, taskloop, team of 64, timed 30 times, 4096 iterations
  full on 32 threads, first of node 3: 80.5 us against 100 us for strict on 64 threads
  policy         threads samples       time  between
  strict              64       3     100 us  99 us to 1.2 ms  beaten
  strict first_node=3      32       4      90 us  90 us to 91 us
  strict first_node=3      48       0          -  not tried yet
  full first_node=3      32       4    80.5 us  80.5 us to 81 us
/x/forms.hpp:66, taskloop, team of 64, timed 12 times, 25 iterations
  so far strict on 8 threads; it still tries numbers of threads
  policy         threads samples       time  between
  strict              64       3      12 us  12 us to 12 us
  strict               8       1     950 ns  950 ns to 950 ns
/x/forms.hpp:66, taskloop, team of 64, timed 1 times, 25 iterations
  nothing is known of it yet
all that was timed: 10.4 ms, of which trying cost 305 us (2.9 %); about 1.08 ms saved
"""

    def test_sites_are_told_in_order_with_what_was_tried_and_taken(self):
        first, second, third, last = explained.sites(self.TOLD)
        self.assertEqual((first["took"], first["decided"], len(first["tried"])), (None, True, 1))
        self.assertEqual(paths.took_of(first), "its default")
        self.assertEqual((second["executions"], second["took"], second["decided"]), (30, ("full", 32), True))
        self.assertEqual([(tried["policy"], tried["threads"], tried["ns"]) for tried in second["tried"]],
                         [("strict", 64, 1e5), ("strict", 32, 9e4), ("full", 32, 80.5e3)])
        self.assertEqual([second["tried"][0][bound] for bound in ("low", "high")], [99e3, 1.2e6])
        self.assertEqual((third["took"], third["decided"], third["tried"][1]["ns"]), (("strict", 8), False, 950))
        self.assertEqual(paths.took_of(third), "strict on 8, so far")
        self.assertEqual((last["took"], last["tried"]), (None, []))

    def test_the_longest_site_that_has_decided_is_shown(self):
        undecided = self.TOLD.replace("full on 32 threads, first", "so far full on 32 threads, first")
        self.assertEqual(paths.shown(undecided)["took"], ("full", 32))
        decided = undecided.replace("so far strict on 8 threads; it still", "strict on 8 threads: it still")
        self.assertEqual(paths.shown(decided)["took"], ("strict", 8))
        self.assertIsNone(paths.shown("nothing"))

    def test_what_is_shown(self):
        made = FakeGuests({paths.run_of("ft", OPTIONS): found(1, 2) | {"told": self.TOLD},
                           paths.run_of("cg", OPTIONS): found(1, 2) | {"told": "nothing"}})
        rows = paths.text(made, OPTIONS).split("\n")
        self.assertIn("| FT (ft) | 30 | strict on 64: 100 µs, strict on 32: 90.0 µs, full on 32: 80.5 µs | "
                      "full on 32 | 1 of 2 | 2.9 % |", rows)
        self.assertIn("nothing", next(row for row in rows if "(cg)" in row))
        drawn = paths.drawn(made, OPTIONS).rows
        self.assertEqual([step[-1] for step in drawn], ["", "", "yes"])
        self.assertEqual({step[0] for step in drawn}, {"FT (ft)"})


class Sections(unittest.TestCase):
    def test_a_part_that_is_not_run_stays_on_the_page(self):
        titles = [title for _, title in study.PARTS.values()]
        page = study.in_order({titles[2]: "*made then*\n\n| a |\n", titles[0]: "old\n"})
        self.assertEqual(page, f"\n## {titles[0]}\n\nold\n\n## {titles[2]}\n\n*made then*\n\n| a |\n")
        again = study.kept("- facts\n" + page)
        self.assertEqual(again, {titles[0]: "old\n", titles[2]: "*made then*\n\n| a |\n"})
        self.assertEqual(study.kept(""), {})

    def test_when_runs_were_made(self):
        runs = list(ilan.runs(OPTIONS))[:3]
        bench = guests.Guests(None, None, OPTIONS, print)
        bench.results = dict(zip(runs, ({"made": "2026-11-26 23:59"}, None, {"made": "2026-11-26 09:00"})))
        self.assertEqual(bench.when(runs), "2026-11-26 09:00 to 2026-11-26 23:59 UTC")
        self.assertEqual(bench.when(runs[:1]), "2026-11-26 23:59 UTC")
        self.assertEqual(bench.when(runs[1:2]), "")
        self.assertEqual(bench.commits(runs), "")
        bench.results[runs[2]]["commit"] = "591ecdd70cc4"
        self.assertEqual(bench.commits(runs), "591ecdd70cc4")


class Refused(unittest.TestCase):
    def test_a_refused_guest_ends_the_run_and_what_was_made_is_saved(self):
        runs = list(ilan.runs(OPTIONS))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "results.json")
            options = types.SimpleNamespace(jobs=2, json=path)
            bench = guests.Guests(None, None, options, lambda text: None)
            begun, refused = [], threading.Event()

            def once(run):
                begun.append(run)
                if run == runs[1]:
                    refused.set()
                    raise cells.Refused("no")
                refused.wait(10)
                time.sleep(0.2)
                return found(1, 2)

            bench._once = once
            with self.assertRaises(cells.Refused):
                bench.make(runs)
            self.assertLess(len(begun), len(runs) / 2)
            self.assertEqual(set(bench.results), set(begun) - {runs[1]})
            self.assertEqual(len(json.loads(path.read_text())), len(begun) - 1)


class Saved(unittest.TestCase):
    def test_keys_of_different_runs_differ(self):
        runs = list(ilan.runs(OPTIONS)) + [
            run for part in (constructs.CLOSE, constructs.SPREAD, constructs.ALL) for run in part.runs(OPTIONS)]
        self.assertEqual(len({guests.key_of(run) for run in runs}), len(runs))

    def test_what_is_taken_from_a_file_and_not_asked_for_stays_in_it(self):
        asked, other = list(ilan.runs(OPTIONS))[:2]
        bench = guests.Guests(None, None, OPTIONS, print)
        bench.results = {asked: found(1, 2), other: found(3, 4)}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "results.json")
            bench.save(path)
            again = guests.Guests(None, None, OPTIONS, print)
            again.load(path, [asked])
            again.save(path)
            last = guests.Guests(None, None, OPTIONS, print)
            last.load(path, [asked, other])
        self.assertEqual(list(again.results), [asked])
        self.assertEqual(last[other], found(3, 4))


if __name__ == "__main__":
    unittest.main()
