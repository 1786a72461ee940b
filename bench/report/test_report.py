"""Tests of the parts of a report that would mislead if they were wrong."""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from report import cells, cgroup, command, copies, machine, page, schedules, stats
from suites import crowded, crowded_report, graphs, graphs_report, ilan, ilan_report
from suites import loops, loops_report, pages, pages_report, slowed, tasks

whole = page.whole


class Ratios(unittest.TestCase):
    def noise(self, center, seed, count=15):
        """Values like timings: a hard floor, small jitter, a rare large disturbance."""
        rng = random.Random(seed)
        return [center * (1 + abs(rng.gauss(0, 0.02)) + (rng.random() < 0.1) * rng.random() * 5)
                for _ in range(count)]

    def test_finds_a_difference_under_noise(self):
        found = stats.ratio(self.noise(120, 1), [self.noise(100, 2), self.noise(300, 3)])
        self.assertLess(found["low"], 1.2)
        self.assertGreater(found["high"], 1.19)
        self.assertGreater(found["low"], 1.05)

    def test_interval_holds_one_when_nothing_differs(self):
        held = 0
        for seed in range(100):
            found = stats.ratio(self.noise(100, 2 * seed), [self.noise(100, 2 * seed + 1)], 200)
            held += found["low"] <= 1 <= found["high"]
        self.assertGreaterEqual(held, 88)

    def test_the_better_peer_is_the_reference(self):
        self.assertEqual(stats.ratio([30.0] * 3, [[10.0] * 3, [60.0] * 3])["ratio"], 3)


class ChosenApart(unittest.TestCase):
    def test_a_best_row_chosen_apart_is_not_the_luckiest(self):
        rng = random.Random(3)
        biased, fair = [], []
        for _ in range(200):
            rows = {f"row {i}": [rng.gauss(100, 5) for _ in range(4)] for i in range(24)}
            biased.append(stats.ratio(rows["row 0"], list(rows.values()))["ratio"])
            fair.append(stats.over_chosen_apart(rows, "row 0"))
        self.assertGreater(stats.median(biased), 1.04)
        self.assertAlmostEqual(stats.median(fair), 1, delta=0.01)

    def test_a_row_that_is_worse_is_so_over_one_chosen_apart_too(self):
        rows = {"a": [10, 11, 10], "b": [12, 12, 13], "c": [9, 99, 99]}
        self.assertEqual(stats.over_chosen_apart(rows, "b"), 1.2)  # 12 / 10, 12 / 11, 13 / 10
        self.assertEqual(stats.over_chosen_apart(rows, "a", among=["b"]), 10 / 12)
        self.assertIsNone(stats.over_chosen_apart({"a": [1], "b": [1]}, "b"))
        self.assertIsNone(stats.over_chosen_apart(rows, "a", among=[]))

    def test_samples_of_a_process_are_left_out_together(self):
        rows = {"a": [1, 8, 8, 1], "b": [5, 5, 5, 5]}
        self.assertEqual(stats.over_chosen_apart(rows, "b", together=2), 5 / 4.5)
        self.assertEqual(stats.over_chosen_apart(rows, "b"), (1 + 5 / 8) / 2)

    def test_a_row_that_timed_out_is_compared_where_it_is_there(self):
        self.assertEqual(stats.over_chosen_apart({"a": [10] * 4, "b": [5, 5]}, "a"), 1.5)


class Quietest(unittest.TestCase):
    def test_leaves_out_disturbed_processes_and_not_slow_ones(self):
        self.assertEqual(stats.quietest([9, 1, 8, 7], [0.01, 0.5, 0.0, 0.02]), [9, 8, 7])

    def test_keeps_the_quieter_half_of_a_busy_run(self):
        self.assertEqual(stats.quietest([1, 2, 3, 4, 5, 6, 7, 8], [0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6, 0.5]),
                         [2, 4, 6, 8])

    def test_never_empty(self):
        self.assertEqual(stats.quietest([5], [0.9]), [5])

    def test_leaves_out_runs_beside_a_slow_yardstick(self):
        """Each row has its own best yardstick: a serial program's core may be faster than either of two."""
        def sample(ns, others, yardstick):
            return {"ns": ns, "others": others, "yardstick_ns": yardstick}
        by_kernel = {
            "lu": {"static": sample([1, 2, 9, 3], [0, 0, 0, 0], [105, 109, 112, 108]),
                   "serial": sample([4, 5, 6], [0, 0, 0], [50, 50, 51])},
            "cg": {"static": sample([7, 8, 6, 5, 4], [0, 0.1, 0, 0, 0], [180, 100, 101, 100, 102])}}
        self.assertEqual(stats.quiet(by_kernel),
                         {"cg": {"static": [6, 5, 4]}, "lu": {"static": [1, 2, 3], "serial": [4, 5, 6]}})


class TaskKernels(unittest.TestCase):
    BY_KERNEL = {
        "fib": {"clang Vicino": [2.0] * 3, "clang libomp": [8.0] * 3, "gcc Vicino": [99.0] * 3},
        "sort": {"clang Vicino": [4.0] * 3, "clang libomp": [4.0] * 3},
        "chain": {"clang Vicino": [1.0] * 3, "clang libomp": [100.0] * 3},
        "fft": {"clang Vicino": [1.0] * 3},  # the peer timed out
    }

    def test_speed_is_the_peers_time_over_ours_in_the_same_program(self):
        self.assertEqual(tasks.speeds(self.BY_KERNEL, "clang Vicino", "clang libomp"),
                         {"fib": 4.0, "sort": 1.0})

    def test_verdict_names_the_mean_and_the_slowest(self):
        text = tasks.verdict(self.BY_KERNEL, "clang Vicino", "clang libomp")
        self.assertIn("2.00 times as fast in the geometric mean of 2 kernels, 1.00 at least (sort)",
                      text)

    def test_no_verdict_without_a_pair(self):
        self.assertEqual(tasks.verdict(self.BY_KERNEL, "gcc Vicino", "gcc oneTBB"), "")

    def test_each_compilers_program_is_compared_with_rayon(self):
        by_kernel = {"fib": {**self.BY_KERNEL["fib"], "rust rayon": [11.0] * 3}}
        text = whole(tasks.report({"samples": {2: {kernel: {cell: {"ns": ns, "others": [0] * 3} for cell, ns in by_cell.items()}
                                             for kernel, by_cell in by_kernel.items()}},
                             "tasks": {"fib": 1}, "late": []}))
        self.assertIn("clang: ratio to rayon", text)
        self.assertIn("gcc Vicino over rust rayon: 0.11 times as fast", text)
        self.assertNotIn("gcc Vicino over clang libomp", text)

    def test_speed_up_is_over_the_same_program_on_one_thread_and_over_the_serial_one(self):
        alone = {"clang Vicino": [3.0] * 3, "clang serial": [1.0] * 3}
        self.assertEqual(tasks.speedup(self.BY_KERNEL["fib"], alone, "clang Vicino"), "1.50 (0.50)")
        self.assertEqual(tasks.speedup(self.BY_KERNEL["fib"], alone, "gcc Vicino"), "")
        self.assertEqual(tasks.speedup(self.BY_KERNEL["fib"], {"gcc Vicino": [99.0]}, "gcc Vicino"),
                         "1.00")


class Schedules(unittest.TestCase):
    COMPLAINTS = (
        "vicino: VICINO_SCHEDULE='?': not name[,param=value...] where name is static, new_one, steal; "
        "using the default: each loop's own schedule\n"
        "vicino: OMP_SCHEDULE='?': not [monotonic:|nonmonotonic:]kind[,chunk] where kind is static, auto "
        "or trapezoid and chunk a positive integer; using the default: auto\n")

    def test_reads_the_names_that_the_library_gives(self):
        self.assertEqual(schedules.known(self.COMPLAINTS), {
            "VICINO_SCHEDULE": ["static", "new_one", "steal"],
            "OMP_SCHEDULE": ["static", "auto", "trapezoid"]})

    def test_the_words_around_the_names_may_change(self):
        text = "".join(f"vicino: {variable}='?': no schedule '?'; there are steal, mixed_2, ich; using the "
                       "default: auto, which leaves the choice\n" for variable in schedules.VARIABLES)
        self.assertEqual(schedules.known(text), dict.fromkeys(schedules.VARIABLES,
                                                              ["steal", "mixed_2", "ich"]))

    def test_a_library_that_says_nothing_is_an_error(self):
        with self.assertRaises(ValueError):
            schedules.known("")

    def test_each_schedule_once_and_the_default(self):
        found = schedules.of_vicino(schedules.known(self.COMPLAINTS), True)
        self.assertEqual(list(found), ["default", "static", "new_one", "steal", "trapezoid"])
        self.assertEqual(found["new_one"], {"VICINO_SCHEDULE": "new_one"})
        self.assertEqual(found["trapezoid"], {"OMP_SCHEDULE": "trapezoid"})

    def test_without_effect_only_what_openmp_names(self):
        found = schedules.of_vicino(schedules.known(self.COMPLAINTS), False)
        self.assertEqual(list(found), ["default", "static", "trapezoid"])


class LoopKernels(unittest.TestCase):
    BY_KERNEL = {
        "even": {"Vicino default": [11.0] * 3, "libomp static": [10.0] * 3, "Vicino ich": [10.5] * 3},
        "steep": {"Vicino default": [15.0] * 3, "libomp static": [30.0] * 3, "Vicino ich": [30.0] * 3},
    }

    def test_ratios_are_to_the_best_of_any_runtime(self):
        found = loops_report.over_best(self.BY_KERNEL)
        self.assertEqual(found["Vicino default"], {"even": 1.1, "steep": 1.0})
        self.assertEqual(found["Vicino ich"], {"even": 1.05, "steep": 2.0})

    def test_summary_names_the_worst_kernel_and_what_is_not_there(self):
        text = loops_report.summary({(2, "clang"): self.BY_KERNEL})
        self.assertIn("| Vicino ich | 1.52; 2.00 (steep) |", text)
        self.assertIn("Not in this build: nich, mixed.", text)
        apart = text[text.index("chosen apart"):]
        self.assertIn("| Vicino ich | 1.52; 2.00 (steep) |", apart)

    def test_the_default_comes_first_and_peers_last(self):
        self.assertEqual(loops_report.in_order(self.BY_KERNEL["even"]),
                         ["Vicino default", "Vicino ich", "libomp static"])

    def slow(self, ns, rival_ns=0):
        return {"ns": [ns] * 3, "rival_ns": [rival_ns] * 3, "calls": 1}

    def test_even_work_gains_what_the_lost_share_predicts(self):
        share = 0.5
        static, alone = 100 / 2 / (1 - share), self.slow(100)
        found = slowed.gains({"libomp static": self.slow(static, share * static),
                              "Vicino ich": self.slow(100 / (2 - share))}, {"libomp static": alone})
        self.assertAlmostEqual(found["share"], share)
        self.assertAlmostEqual(found["predicted"], (2 - share) / (2 * (1 - share)))
        self.assertAlmostEqual(slowed.reached("Vicino ich", {"even": found})["even"], 1)

    def test_short_calls_are_told_from_long_ones(self):
        enough = self.slow(slowed.LONGER * slowed.LONG_NS)
        self.assertTrue(slowed.is_long({"libomp static": enough}))
        self.assertFalse(slowed.is_long({"libomp static": enough | {"calls": 2}}))

    def test_long_kernels_are_those_of_any_compiler(self):
        some = {"long": {"libomp static": self.slow(slowed.LONG_NS)},
                "short": {"libomp static": self.slow(slowed.LONG_NS / 2)}}
        self.assertEqual(slowed.long_kernels({1: {"clang": some}, 2: {}}), {"long"})

    def test_what_is_measured_longer_takes_the_place_of_what_was_short(self):
        found = {1: {"clang": {"a": 1, "b": 2}}}
        self.assertEqual(loops.join(found, {1: {"clang": {"b": 3}}, 2: {"gcc": {"a": 4}}}),
                         {1: {"clang": {"a": 1, "b": 3}}, 2: {"gcc": {"a": 4}}})

    def test_a_rival_is_on_the_second_core_and_then_gone(self):
        with slowed.rival() as (settings, arguments, why):
            if why:
                self.skipTest(why)
            pid = int(arguments[1])
            self.assertEqual(len(os.sched_getaffinity(pid)), 1)
            self.assertIn(f"{{{min(os.sched_getaffinity(pid))}}}", settings["OMP_PLACES"])
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    def test_the_hopeless_are_measured_once(self):
        def job(schedule, cell=cells.Cell("clang", "libomp"), kernel="lu"):
            return loops.Job(kernel, kernel, "", cell, schedule, {}, 2)

        ours = cells.Cell("clang", cells.OURS)
        best, near, unlucky = job("guided,1"), job("guided,2"), job("guided,3")
        hopeless, reported, late = job("dynamic,1"), job("ich", ours), job("dynamic,2")
        by_row = {"libomp guided,1": [10], "libomp guided,2": [12], "libomp guided,3": [50, 12],
                  "libomp dynamic,1": [13, 500], "Vicino ich": [500], "libomp static": [500]}
        samples = {2: {"clang": {"lu": {row: {"ns": ns} for row, ns in by_row.items()}}}}
        work = [best, hopeless, near, reported, late, unlucky, job("static"), job("static", kernel="cg")]
        self.assertEqual(loops.contenders(work, samples),
                         [best, near, reported, unlucky, job("static")])

    def test_samples_keep_cpu_time_for_one_thread_and_wall_time_for_more(self):
        line = {"ns": [5, 6], "cpu_ns": [3, 4], "yardstick_ns": [8, 9], "calls": 7}
        found = {}
        for threads in (1, 2):
            loops.keep(found, loops.Job("lu", "lu", "", cells.Cell("gcc", "libgomp"), "static", {}, threads),
                       [line], 0.1)
        self.assertEqual(found[1]["gcc"]["lu"]["libgomp static"]["ns"], [3, 4])
        self.assertEqual(found[2]["gcc"]["lu"]["libgomp static"],
                         {"ns": [5, 6], "rival_ns": [], "others": [0.1, 0.1], "yardstick_ns": [9, 9],
                          "calls": 7})


class OneThreadFills(unittest.TestCase):
    @staticmethod
    def sample(column, sum_ns, runtime="Vicino", **others):
        return {"program": "triad", "machine": "4x4", "compiler": "gcc", "runtime": runtime, "column": column, "seed": 0,
                "bound": "low", "local": 0.5, "sum_ns": sum_ns, "run_ns": sum_ns, "median_ns": sum_ns, "threads": 16,
                "last_quarter_ns": sum_ns, "size": 1, "steps": 2, "checksum": "a", "told": [], **others}

    def judged(self, samples, limit):
        found = pages_report.held(pages_report.by_case(samples), limit)
        return {case[1]: round(pages_report.judged(values), 3) for case, values in found.items()}

    def test_the_better_peer_counts(self):
        samples = [self.sample("auto", 120), self.sample("interleaved", 150, "libgomp"),
                   self.sample("interleaved", 100, "libomp", compiler="clang")]
        self.assertEqual(self.judged(samples, pages_report.LIMITS[2]), {"triad": 1.2})

    def test_a_sample_is_compared_with_its_own_seed_and_bound(self):
        samples = [self.sample(column, ns * of_seed, seed=seed) for seed, of_seed in enumerate((1, 10, 100))
                   for column, ns in (("auto", 110), ("first touch", 100))]
        self.assertEqual(self.judged(samples, pages_report.LIMITS[0]), {"triad": 1.1})
        self.assertEqual(self.judged([self.sample("auto", 1, seed=1), self.sample("first touch", 1, seed=2)],
                                     pages_report.LIMITS[0]), {})

    def test_the_worse_bound_counts_and_of_seeds_the_middle_one(self):
        samples = [self.sample("auto", ns, seed=seed, bound=bound) for bound, of_seeds in
                   {"low": (100, 101, 900), "high": (100, 130, 131)}.items() for seed, ns in enumerate(of_seeds)]
        samples += [self.sample("first touch", 100, seed=s, bound=b) for s in range(3) for b in ("low", "high")]
        self.assertEqual(self.judged(samples, pages_report.LIMITS[0]), {"triad": 1.3})

    def test_verdicts(self):
        samples = [self.sample("auto", 114, program="triad"), self.sample("first touch", 100, program="triad"),
                   self.sample("auto", 116, program="spmv"), self.sample("first touch", 100, program="spmv"),
                   self.sample("auto", 101, program="small"), self.sample("off", 100, program="small")]
        text = pages_report.verdicts(pages_report.by_case(samples))
        self.assertIn("| 1.15 | 1.150 | 1.160 (spmv, 4x4, gcc) | 1 of 2 | does not hold |", text)
        self.assertIn("| 1.01 | 1.010 | 1.010 (small, 4x4, gcc) | 1 of 1 | holds |", text)

    def test_a_wrong_answer_is_refused(self):
        right = [self.sample("auto", 1), self.sample("peer", 1, "libomp", compiler="clang"),
                 self.sample("auto", 1, threads=64, checksum="b")]
        pages.expect_equal_answers(right)
        with self.assertRaisesRegex(cells.Refused, "wrong answer.*libomp"):
            pages.expect_equal_answers([*right, self.sample("off", 1, "libomp", checksum="b")])

    def test_without_vicino_there_is_a_page(self):
        whole(pages_report.parts({"samples": [self.sample("peer", 1, "libomp")], "steps": 2, "late": []}))

    def test_settings_that_nobody_reads_do_not_change_the_size_of_the_environment(self):
        sizes = [sum(map(len, column[0])) for column in (pages.OFF, pages.AS_OFF)]
        self.assertEqual(*sizes)


class IlanKernels(unittest.TestCase):
    BY_KERNEL = {
        "even": {"Vicino runtime": [10.5] * 3, "Vicino static": [10.0] * 3, "libomp guided": [12.0] * 3,
                 "Vicino taskloop": [8.0] * 3, "libomp taskloop": [12.0] * 3},
        "steep": {"Vicino runtime": [16.0] * 3, "Vicino static": [30.0] * 3, "libomp guided": [20.0] * 3,
                  "Vicino taskloop": [20.0] * 3, "libomp taskloop": [18.0] * 3},
    }
    CONTENDED = {"atomics": {"serial": [10.0] * 3, "Vicino runtime": [10.4] * 3,
                             "Vicino taskloop": [30.0] * 3, "libomp static": [40.0] * 3}}

    def test_the_best_fixed_schedule_is_neither_a_taskloop_nor_the_tuner_and_of_any_runtime(self):
        self.assertEqual(ilan_report.best_fixed(self.BY_KERNEL["even"]), "Vicino static")
        self.assertEqual(ilan_report.best_fixed(self.BY_KERNEL["steep"]), "libomp guided")
        self.assertIsNone(ilan_report.best_fixed({"Vicino runtime": [1.0], "serial": [0.5]}))

    def test_a_row_over_one_is_a_speed(self):
        text = whole(ilan_report.loops("", self.BY_KERNEL))
        self.assertIn("Vicino runtime over the best fixed schedule: 1.09 times as fast in the geometric "
                      "mean of 2 kernels, 0.95 at least (even).", text)
        self.assertIn("| even | Vicino static | 10.0 (0.00) | 10.5 (0.00) | 1.05 [1.05, 1.05] |", text)

    def test_taskloops_are_compared_with_the_peers_taskloops(self):
        text = whole(ilan_report.taskloops("", self.BY_KERNEL))
        self.assertIn("Vicino's taskloops over libomp's: 1.16 times as fast in the geometric mean of 2 "
                      "kernels, 0.90 at least (steep).", text)
        self.assertIn("| steep | 18.0 (0.00) | 20.0 (0.00) | 1.11 [1.11, 1.11] |", text)

    def test_contended_loops_are_compared_with_the_serial_form(self):
        text = whole(ilan_report.contended("", self.CONTENDED))
        self.assertIn("Vicino runtime: 1.04 times as long as the serial form at most (atomics).", text)
        self.assertIn("Vicino taskloop: 3.00 times as long", text)
        self.assertNotIn("libomp static: ", text)

    def test_a_kernel_that_only_one_runtime_has_ended_is_in_no_mean(self):
        late = {**self.BY_KERNEL, "late": {"Vicino taskloop": [1.0] * 3, "Vicino runtime": [1.0] * 3}}
        self.assertIn("geometric mean of 2 kernels", whole(ilan_report.taskloops("", late)))
        self.assertIn("geometric mean of 2 kernels", whole(ilan_report.loops("", late)))

    def test_only_the_tuner_has_rows_for_loops_that_nothing_is_set_for(self):
        rows = {(cell.runtime, kernel): [(name, settings) for name, _, settings in ilan.rows_of(kernel, cell)]
                for kernel in ("cg", "atomics")
                for cell in (cells.Cell("clang", cells.OURS), cells.Cell("gcc", "libgomp"))}
        unset = [name for name, settings in rows[cells.OURS, "cg"] if not settings]
        self.assertEqual(unset, ["taskloop", "runtime", "auto"])
        self.assertEqual([name for name, settings in rows["libgomp", "cg"] if not settings], ["taskloop"])
        self.assertEqual(rows["libgomp", "atomics"], [("taskloop", {}), ("static", {"OMP_SCHEDULE": "static"})])
        self.assertEqual(len(rows[cells.OURS, "atomics"]), 3)

    def test_a_report_has_all_parts_and_counts_the_disturbed(self):
        data = {"samples": {2: {"clang": {
            kernel: {row: {"ns": ns, "others": [0.0, 0.0, 0.2]} for row, ns in by_row.items()}
            for kernel, by_row in {**self.BY_KERNEL, **self.CONTENDED}.items()}}},
            "sizes": {"even": 5, "steep": 6, "atomics": 7}, "steps": 200, "rounds": 3,
            "late": ["even, gcc libgomp guided, 2 threads"]}
        text = whole(ilan.report(data))
        for title in ("Taskloops, 2 threads, clang", "Loops, 2 threads, clang",
                      "Slower with more threads, 2 threads, clang"):
            self.assertIn(f"### {title}", text)
        self.assertIn("than at their best: 14 of 42. They are", text)
        for line in ("Vicino taskloop over the peer's | 1.16; 0.90 (steep) |",
                     "Vicino runtime over the best fixed schedule | 1.09; 0.95 (even) |",
                     "Vicino runtime over the best fixed schedule chosen apart | 1.09; 0.95 (even) |",
                     "Vicino runtime over serial, slower with more threads | 0.96; 0.96 (atomics) |"):
            self.assertIn(f"| {line}", text)
        self.assertNotIn("Vicino auto", text)
        self.assertIn("No end within 120 s: even, gcc libgomp guided, 2 threads.", text)
        self.assertNotIn("atomics", text[text.index("### Loops,"):text.index("### Slower")])


def graph_lines(coarse_to_ns, backend="graph", serial=8.0):
    """What a program of bench/graphs prints: each operation takes `serial` without a graph."""
    every = {operation: [serial, serial] for operation in graphs_report.MEASURED}
    yield {"kind": "serial", "rows": 1000, "edges": 2700, "bytes": 80, "sweep": 5.0, "steps": 2, **every}
    for coarse, ns in coarse_to_ns.items():
        yield {"kind": "graph", "backend": backend, "coarse": coarse, "units": 10, "unit_edges": 9,
               "coarsening": 50.0, "explanation": "chosen: C\n" if coarse == "automatic" else "",
               **{operation: [ns, ns] for operation in graphs_report.MEASURED}}


class Graphs(unittest.TestCase):
    OURS = graphs.BackEnd("Vicino graph", "vicino", cells.Cell("gcc", cells.OURS), True)
    PEER = graphs.BackEnd("oneTBB task_group", "tbb_groups", cells.Cell("gcc", "oneTBB"), False)

    def setUp(self):
        self.data = {"samples": {}, "empty": {}, "bytes": {}, "late": [],
                     "strings": [*graphs_report.SHOWN, "automatic"],
                     "memory": {2: {"cube:10": {0: {"triad": 10.0, "sum": 20.0}}}}}
        job = graphs.Job("matrix", ("cube:10", 0), self.OURS, 2)
        strings = {"": 16.0, "F(32)": 10.0, "D(400)": 8.0, "CD(4)": 4.0, "automatic": 5.0}
        graphs.keep(self.data, job, list(graph_lines(strings)), 0.0)
        peers = list(graph_lines({"": 80.0, "CD(4)": 6.4}))
        graphs.keep(self.data, job._replace(backend=self.PEER), peers, 0.0)
        for backend, run in ((self.OURS, 51.0), (self.PEER, 501.0)):
            graphs.keep(self.data, graphs.Job("empty", "chain", backend, 2),
                        [{"kind": "loop", "run": [1.0, 1.0]},
                         {"kind": "empty", "tasks": 10, "run": [run, run]}], 0.0)

    def test_speed_is_the_serial_time_of_the_same_round_over_the_graphs(self):
        text = whole(graphs.report(self.data))
        self.assertIn("| cube:10, ILU(0) | 8.00 | 0.50 (0.00) | 0.80 (0.00) | 1.00 (0.00) | 2.00 (0.00) | "
                      "1.60 (0.00) | CD(4): 2.00 |", text)
        self.assertIn("| cube:10, ILU(0) | 0.10 (0.00) | 1.25 (0.00) |", text)

    def test_summary_compares_automatic_with_the_best_string_and_that_with_the_peers(self):
        self.assertIn("| Vicino graph, 2 threads, factorisation | 2.00; 2.00 (cube:10, ILU(0)) | "
                      "1.60; 1.60 (cube:10, ILU(0)) | 0.80; 0.80 (cube:10, ILU(0)) | "
                      "1.60; 1.60 (cube:10, ILU(0)) |", whole(graphs.report(self.data)))

    def test_automatic_is_never_the_best_string(self):
        by_coarse = self.data["samples"][2]["cube:10"][0]["Vicino graph"]
        for times in by_coarse["automatic"]["ns"].values():
            times[:] = [1.0, 1.0]
        self.assertEqual(graphs_report.best_string(by_coarse, "factor"), "CD(4)")

    def test_both_solves_are_added_round_by_round(self):
        sample = self.data["samples"][2]["cube:10"][0]["Vicino graph"]["CD(4)"]
        sample["ns"]["forward"][:] = [1.0, 3.0]
        self.assertEqual(graphs_report.times(sample, "ns", graphs_report.BOTH), [5.0, 7.0])

    def test_the_bound_is_that_of_the_faster_loop(self):
        # 80 bytes at 20 bytes a nanosecond take 4; the serial solves 16, the automatic graph's 10.
        self.assertIn("| cube:10, ILU(0) | 0 | 10.0; 20.0 | 4.00 | 10.0 | 4.00 | 1.60 | no |",
                      whole(graphs.report(self.data)))
        for operation in ("forward", "backward"):
            self.data["samples"][2]["cube:10"][0]["Vicino graph"]["automatic"]["ns"][operation][:] = [4.0, 4.0]
        self.assertNotIn("Not bound by memory", whole(graphs.report(self.data)))

    def test_slow_solves_are_named_unless_the_memory_binds_them(self):
        for sample in self.data["samples"][2]["cube:10"][0]["Vicino graph"].values():
            for operation in ("forward", "backward"):
                sample["ns"][operation][:] = [5.0, 5.0]
        self.assertIn("times as fast as the serial loops on 2 threads: cube:10, ILU(0) (1.60).\n",
                      whole(graphs.report(self.data)))
        self.data["memory"][2]["cube:10"][0]["sum"] = 10.0    # 8 ns of the 10
        self.assertIn("| 1.60 | yes |", whole(graphs.report(self.data)))
        self.assertNotIn("Not bound by memory", whole(graphs.report(self.data)))

    def test_systems_without_peers_have_no_row_of_theirs(self):
        job = graphs.Job("matrix", ("spe10@metis", 1), self.OURS, 2)
        graphs.keep(self.data, job, list(graph_lines({"": 16.0, "CD(4)": 4.0})), 0.0)
        table = str(graphs_report.peers_table("", self.data["samples"][2], "factor"))
        self.assertIn("| cube:10, ILU(0) |", table)
        self.assertNotIn("spe10", table)

    def test_managing_a_task_is_what_the_empty_loop_does_not_take(self):
        self.assertIn("| chain | 5.00 (0.00) | 50.0 (0.00) | 0.10 |", whole(graphs.report(self.data)))

    def test_a_build_without_automatic_says_so(self):
        self.data["strings"].remove("automatic")
        self.assertIn("`automatic` is not in this build", whole(graphs.report(self.data)))

    def test_late_jobs_are_named(self):
        self.data["late"].append(graphs.name_of(graphs.Job("matrix", ("cube:10", 1), self.PEER, 1)))
        self.assertIn(f"No end within {graphs.TIMEOUT} s: oneTBB task_group, cube:10, ILU(1), 1 thread.",
                      whole(graphs.report(self.data)))


class Crowded(unittest.TestCase):
    OURS, PEER = cells.Cell("clang", cells.OURS), cells.Cell("gcc", "libgomp")

    def setUp(self):
        def sample(*wall, cpu=0.3):
            return {"wall": list(wall), "cpu": [cpu] * len(wall), "disturbed": [0.0] * len(wall)}

        # The work takes 0.3 s of CPU time with clang and 0.4 s with gcc.
        alone = {1: {"serial clang": sample(9.0), "serial gcc": sample(9.0, cpu=0.4)}}
        self.data = {"cores": 2, "late": [], "no quota": "", "no clients": "", "samples": {
            "alone": {"loop-20us": alone, "tasks-2us": alone},
            "copies": {
                "loop-20us": {4: {"Vicino clang": sample(1.2, 1.5, 1.2, cpu=2.4),
                                  "Vicino clang passive": sample(0.6), "libgomp": sample(4.0),
                                  "libgomp passive": sample(0.8)}},
                "tasks-2us": {4: {"Vicino clang": sample(0.66), "Vicino clang passive": sample(0.22),
                                  "libgomp": sample(0.8)}}},
            "beside": {"loop-20us": {1: {"Vicino clang": sample(0.45)}}},
            "quota": {"loop-10us": {1: {"serial clang": sample(0.6), "Vicino clang": sample(1.2, cpu=0.9),
                                        "serial gcc": sample(0.5), "by hand, yield": sample(1.1, cpu=0.6)}}}}}

    def test_least_time_is_the_work_of_all_copies_over_the_cores(self):
        text = whole(crowded_report.parts(self.data))
        self.assertIn("| Vicino clang | 2.00 (0.25) | 2.00 |", text)  # 0.6 s, 1.2 s of CPU time
        self.assertIn("| libgomp passive | 1.00 | 0.19 |", text)  # 0.8 s, 1.6 s

    def test_beside_others_a_program_has_the_share_of_its_threads(self):
        self.assertAlmostEqual(crowded_report.share(2, 1), 4 / 3)
        self.assertAlmostEqual(crowded_report.walls(self.data, "beside", "loop-20us", 1, "Vicino clang")[0], 2)

    def test_beside_others_of_less_weight_a_program_has_more(self):
        def least(others):
            return crowded_report.least(self.data, "low", "loop-20us", others, "clang")
        self.assertAlmostEqual(least("0, wakes"), 0.15)  # both cores
        self.assertAlmostEqual(least("0, endless"), 0.3)
        self.assertAlmostEqual(least("a tenth, 15 ms"), 0.15 * 1.05)
        self.assertLess(least("19, 3 ms"), 0.153)
        self.assertLess(least("10, endless"), least("5, endless"))
        samples = self.data["samples"]["copies"]["loop-20us"][4]
        self.data["samples"]["low"] = {"loop-20us": {kind: {
            "Vicino clang": samples["Vicino clang passive"], "libgomp": samples["libgomp passive"]}
            for kind in ("19, endless", "0, wakes")}}
        self.data["late"] = [["low", "loop-20us", "0, wakes", "libgomp"]]
        lines = str(crowded_report.beside_low(self.data, "loop-20us")).split("\n")
        self.assertIn("| nice, other work | Vicino clang | libgomp | Vicino clang over the best peer |", lines)
        self.assertIn("| 0, wakes | 4.00 | 4.00 | 1.00 |", lines)  # 0.6 s for 0.15, 0.8 s for 0.2
        self.assertTrue(whole(crowded_report.parts(self.data)))

    def test_under_a_quota_wall_times_are_compared(self):
        self.assertIn("| Vicino clang | 2.00 | 3.00 |",
                      str(crowded_report.of_case("", self.data, "quota", "loop-10us")))

    def test_what_is_written_by_hand_is_last_and_no_rival(self):
        lines = str(crowded_report.of_case("", self.data, "quota", "loop-10us")).split("\n")
        self.assertEqual([line for line in lines if line][-1], "| by hand, yield | 2.20 | 2.00 |")
        self.assertIn("| Vicino clang, quota | 2.00 (loop-10us) |  |  |  |", whole(crowded_report.parts(self.data)))
        self.assertNotIn("by hand, yield, quota", whole(crowded_report.parts(self.data)))

    def test_summary_has_the_worst_case_against_each(self):
        self.assertIn("| Vicino clang, 4 at once | 2.00 (loop-20us) | 3.00 (tasks-2us) |  | 2.00 (loop-20us) |",
                      whole(crowded_report.parts(self.data)))

    def test_figures_of_cases_are_data(self):
        titles = [part.title for part in crowded_report.parts(self.data) if isinstance(part, page.Rows)]
        self.assertEqual(titles, ["loop-20us, copies at once", "tasks-2us, copies at once",
                                  "loop-20us, beside endless processes", "loop-10us, under a quota of one core"])

    def test_what_was_stopped_is_not_left_out(self):
        self.data["late"] = [["copies", "loop-20us", 4, "libgomp active"]]
        self.assertIn("| libgomp active | over 12 |  |", whole(crowded_report.parts(self.data)))

    def test_only_peers_may_be_hopeless(self):
        def job(cell, policy=""):
            return crowded.Job("copies", "loop-20us", crowded.Row(cell, policy), cell, 4)

        self.data["samples"]["copies"]["loop-20us"][4]["Vicino clang"]["wall"] = [9.0]
        self.assertTrue(crowded.is_hopeless(self.data, job(self.PEER)))
        self.assertFalse(crowded.is_hopeless(self.data, job(self.PEER, "passive")))
        self.assertFalse(crowded.is_hopeless(self.data, job(self.OURS)))
        self.data["late"] = [["copies", "loop-20us", 4, "Vicino clang"]]
        self.assertTrue(crowded.is_hopeless(self.data, job(self.OURS)))

    def test_clients_are_copies_of_one_compiler(self):
        samples = self.data["samples"]
        samples["alone"]["lightgbm"] = {1: {"serial gcc": samples["alone"]["loop-20us"][1]["serial gcc"]}}
        samples["clients"] = {"lightgbm": {4: {"Vicino gcc": samples["copies"]["loop-20us"][4]["Vicino clang"]}}}
        text = whole(crowded_report.parts(self.data))
        self.assertIn("| Vicino gcc | 1.50 (0.19) | 1.50 |", text)  # 1.2 s for 0.8 s, 2.4 s of CPU time for 1.6 s
        self.assertIn("| Vicino gcc, 4 clients at once | 1.50 (lightgbm) |", text)
        self.assertFalse(crowded.is_measured("copies", crowded.Row(self.PEER, crowded.ONE_THREAD), 4))
        self.assertTrue(crowded.is_measured("clients", crowded.Row(self.PEER, crowded.ONE_THREAD), 4))
        for cell, policies in ((self.PEER, ["", "passive", "dynamic"]), (self.OURS, [])):
            self.assertEqual([p for p in crowded.POLICIES if crowded.is_measured("clients", crowded.Row(cell, p), 4)],
                             policies)

    def test_clients_run_where_they_are_named(self):
        def parts(*only):
            return crowded.parts_of(set(only))

        self.assertEqual(parts(), [part for part in crowded.PARTS if part not in crowded.OF_CLIENTS])
        self.assertEqual(sorted({kind.command for kind in crowded_report.LOW.values()}), sorted(crowded.KINDS))
        self.assertEqual(parts("lightgbm"), ["clients", "leaders"])
        self.assertEqual(parts("clients"), ["clients"])
        self.assertNotIn("clients", parts("loop-20us"))

    def test_active_is_measured_where_ours_is_alone(self):
        def measured(cell, part, others):
            return [p for p in crowded.POLICIES if crowded.is_measured(part, crowded.Row(cell, p), others)]

        self.assertEqual(measured(self.OURS, "copies", 1), ["", "passive", "active", "dynamic"])
        self.assertEqual(measured(self.OURS, "copies", 2), ["", "passive", "dynamic"])
        self.assertEqual(measured(self.PEER, "copies", 1), ["", "passive", "dynamic"])
        self.assertEqual(measured(self.OURS, "noticed", 1), ["", "passive", "active"])
        self.assertEqual(measured(self.PEER, "noticed", 1), [""])


class Noticed(unittest.TestCase):
    def test_curves_begin_with_their_events(self):
        pace = {"start_ns": 5e6, "regions": list(range(1000))}
        self.assertEqual([curve[:2] for curve in crowded.curves(pace, [5_000_000, 105_400_000])], [[0, 1], [100, 101]])
        self.assertEqual(len(crowded.curves(pace, [5_000_000])[0]), crowded.PHASE_MS)

    def test_lateness_is_when_the_rate_changes(self):
        def changes_after(ms, before=4, after=10):
            return [[before] * ms + [after] * (crowded.PHASE_MS - ms)] * 3

        for ms in (0, 7, 20, 60):
            self.assertAlmostEqual(crowded_report.lateness(changes_after(ms), 4), ms)
            self.assertAlmostEqual(crowded_report.lateness(changes_after(ms, before=10, after=4), 10), ms)

    def test_no_change_is_not_called_late(self):
        stays = [[3] * crowded.PHASE_MS] * 3
        self.assertEqual(crowded_report.told(stays, 2, 10), "not within 100 ms")
        self.assertEqual(crowded_report.told(stays, 3, 3.1), "the rates are alike")
        self.assertEqual(crowded_report.told(stays, 10, 2), "0 [0, 0]")

    def test_the_interval_holds_it_where_time_slices_disturb(self):
        rng = random.Random(5)
        curves = [[rng.choice((0, 8 if ms < 20 else 20)) for ms in range(crowded.PHASE_MS)] for _ in range(50)]
        found = crowded_report.told(curves, 4, 10)
        late, low, high = map(int, re.findall(r"-?\d+", found))
        self.assertLess(low, 20)
        self.assertGreater(high, 20)
        self.assertLess(abs(late - 20), 5)


class Copies(unittest.TestCase):
    """A bench of scripts, whose copies get the options of bench/crowded/copy.hpp."""

    READY = "import os, sys; os.write(int(sys.argv[2]), b'.'); os.read(int(sys.argv[4]), 1); "

    class Bench:
        @staticmethod
        def environment(_cell, _threads):
            return dict(os.environ)

    def crowd(self, script):
        return copies.Crowd(self.Bench, "cell", [sys.executable, "-S", "-c", script], 3)

    def test_none_goes_on_before_all_are_let_go(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.crowd(f"{self.READY} open(f'{folder}/{{os.getpid()}}', 'w'); print('{{}}')") as crowd:
                time.sleep(0.2)
                self.assertEqual(os.listdir(folder), [])
                crowd.go()
                self.assertEqual(crowd.results(20), [[{}]] * 3)
            self.assertEqual(len(os.listdir(folder)), 3)

    def test_a_copy_that_is_never_ready_ends_it(self):
        start = time.monotonic()
        with self.crowd("import sys; sys.exit('broken')") as crowd:
            crowd.go()
            with self.assertRaisesRegex(cells.Refused, "status 1: broken"):
                crowd.results(20)
        self.assertLess(time.monotonic() - start, 20)

    def test_a_copy_that_does_not_end_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            script = f"open(f'{folder}/{{os.getpid()}}', 'w'); import time; time.sleep(600)"
            with self.crowd(self.READY + script) as crowd:
                crowd.go()
                while len(os.listdir(folder)) < 3:
                    time.sleep(0.02)
                self.assertRaises(cells.TimedOut, crowd.results, 0.2)
            for pid in os.listdir(folder):
                self.assertRaises(ProcessLookupError, os.kill, int(pid), 0)

    @staticmethod
    def fields(pid):
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()

    def test_endless_processes_run_stop_and_are_gone(self):
        def state(pid):
            return self.fields(pid)[0]

        with copies.Endless(2) as endless:
            for change, expected in ((endless.stop, "T"), (endless.run, "R")):
                change()
                for _ in range(200):
                    if states := {state(pid) for pid in endless.pids()} == {expected}:
                        break
                    time.sleep(0.02)
                self.assertTrue(states)
            pids = endless.pids()
        for pid in pids:
            self.assertRaises(ProcessLookupError, os.kill, pid, 0)

    def test_the_time_of_their_children_is_known(self):
        before = os.times().children_user + os.times().children_system
        with copies.Endless(1, nice=19) as endless:
            self.assertEqual(os.getpriority(os.PRIO_PROCESS, endless.pids()[0]), 19)
        with copies.Endless(1, crowded.KINDS["15 ms"]) as endless:
            for _ in range(600):  # beside heavy load it takes longer
                ticks = self.fields(endless.pids()[0])[13:15]  # of children that have ended
                if sum(map(int, ticks)) > 3:
                    break
                time.sleep(0.1)
        self.assertGreater(os.times().children_user + os.times().children_system, before + 0.02)


class Page(unittest.TestCase):
    def test_keeps_the_fixed_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n", encoding="utf-8")
            page.rewrite(path, "new")
            page.rewrite(path, "newer")
            text = path.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n"))
        self.assertIn("newer", text)
        self.assertNotIn("old", text)

    def test_tables_go_beside_the_page_and_come_back(self):
        parts = ["told", page.Rows("a table", ["", "ns"], [["x", 1], ["y", "2 µs"]]),
                 page.Rows("shown", ["", "ns"], [["z", 3]], shown=True)]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(f"{page.BEGIN}\n{page.END}\n", encoding="utf-8")
            page.write(path, parts)
            text = path.read_text(encoding="utf-8")
            self.assertEqual(page.kept(path), [page.Rows("a table", ["", "ns"], [["x", "1"], ["y", "2 µs"]]),
                                               page.Rows("shown", ["", "ns"], [["z", "3"]])])
            self.assertIn("which `bench/run --show` prints: a table.", path.read_text(encoding="utf-8"))
            self.assertEqual(page.measured_of(path), page.whole(["told", parts[2]]).strip())
            self.assertIn("| y | 2 µs |", page.show(path, ["TABLE"]))
            self.assertNotIn("| z |", page.show(path, ["TABLE"]))
            self.assertEqual(page.show(path, ["table", "shown"]), "")
            with self.assertRaises(ValueError):
                page.write(path, [*parts, parts[1]])
        self.assertIn("told", text)
        self.assertIn("| z | 3 |", text)
        self.assertNotIn("| x | 1 |", text)
        self.assertIn("`bench/run --show` prints: a table.", text)

    def test_refuses_a_page_without_marks(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".md") as file:
            with self.assertRaises(ValueError):
                page.rewrite(pathlib.Path(file.name), "new")


class Badge(unittest.TestCase):
    QUIET = {"others": 0.019, "steal": 0.0}
    FACTS = {"date": "2026-11-29 10:00 UTC", "processor": "one", "cores": 2, "virtual": True, "kernel": "Linux", "load": 3.0,
             "compilers": {}, "runtimes": {"libomp": "libomp5 1+g1234567", "Vicino": "Vicino 0.1.0+g591ecdd70cc4"}, "settings": {}}

    def first_line(self, noise, facts=FACTS):
        return page.preamble(facts, noise, "5 to 7").partition("\n")[0]

    def test_it_says_what_when_and_from_what(self):
        self.assertEqual(self.first_line(self.QUIET),
                         "> **measured** · 2026-11-29 10:00 UTC · commit 591ecdd70cc4 · rounds: 5 to 7")
        self.assertEqual(page.badge("virtual", "", "", 0),
                         "> **virtual** · date not recorded · commit not recorded · rounds: not recorded\n")
        with self.assertRaises(ValueError):
            page.badge("guessed", "", "", 1)

    def test_a_busy_machine_is_a_rehearsal(self):
        for noise in ({"others": 0.02, "steal": 0}, {"others": 0, "steal": 0.05}, self.QUIET | {"slowed": 0.1}):
            self.assertIn("**rehearsal**", self.first_line(noise))

    def test_how_much_the_cores_were_slowed(self):
        times = iter([0.0, 2.0, 10.0, 13.0, 20.0, 22.0, 30.0, 33.0])
        before = os.sched_getaffinity(0)
        with unittest.mock.patch("time.thread_time", lambda: next(times)), \
             unittest.mock.patch("os.sched_getaffinity", lambda _: {0, 1}), \
             unittest.mock.patch("os.sched_setaffinity", lambda _, cpus: None):
            self.assertAlmostEqual(machine.slowed(0), 0.25)
        machine.slowed(0)
        self.assertEqual(os.sched_getaffinity(0), before)
        text = page.preamble(self.FACTS, self.QUIET | {"slowed": 0.25}, "5")
        self.assertIn("- the same work took longer than at its best, in the mean: 25%\n", text)

    def test_a_library_that_does_not_say_its_commit(self):
        for runtimes in ({}, {"Vicino": "libvicino.so.0.1.0"}, {"Vicino": "Vicino 0.1.0+unknown"}):
            self.assertIn("commit not recorded", self.first_line(self.QUIET, self.FACTS | {"runtimes": runtimes}))

    def test_it_waits_for_a_quiet_machine_and_says_why_it_does_not_measure(self):
        said = []
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
            try:
                shares = machine.wait_for_quiet(1 / 600, said.append, look_s=0.3)
            finally:
                busy.kill()
        self.assertFalse(machine.is_quiet(shares))
        with self.assertRaisesRegex(SystemExit, r"loops cannot be measured here .*: others use \d+\.\d% of the CPUs"):
            command.expect_quiet(shares, "loops")
        command.expect_quiet(self.QUIET, "loops")

    def test_one_value_has_no_interval(self):
        self.assertEqual(page.timed_ratio([2.0], [1.0, 1.0]), "2.00")
        self.assertEqual(page.timed_ratio([2.0, 2.0], [1.0]), "2.00")
        self.assertEqual(page.timed_ratio([2.0, 2.0], [1.0, 1.0]), "2.00 [2.00, 2.00]")
        self.assertEqual((page.timed([12.0]), page.median([12.0]), page.timed([]), page.timed(None)), ("12.0", "12.0", "", ""))
        self.assertEqual(page.timed([12.0, 14.0]), "13.0 (1.00)")


class Rounds(unittest.TestCase):
    def test_every_job_once_a_round(self):
        progress = command.Progress()
        ran = list(cells.interleaved("abc", 0, 4, progress))
        self.assertEqual(progress.rounds, [4])
        for number in range(4):
            self.assertEqual(sorted(job for n, job in ran if n == number), ["a", "b", "c"])
        self.assertEqual(len(ran), 12)

    @staticmethod
    def once(job):
        if job == "late":
            raise cells.TimedOut(job)
        return job.upper()

    def test_what_is_late_or_hopeless_is_not_repeated(self):
        late = []
        ran = list(cells.measured(("a", "late", "hopeless"), (0, 3, command.Progress()), self.once, late,
                                  is_hopeless=lambda job: job == "hopeless"))
        self.assertEqual(sorted((number, job, found) for number, job, found, _ in ran),
                         [(0, "a", "A"), (0, "hopeless", "HOPELESS"), (1, "a", "A"), (2, "a", "A")])
        self.assertEqual(late, ["late"])

    def test_where_nothing_may_be_late_it_ends(self):
        with self.assertRaises(cells.TimedOut):
            list(cells.measured(("a", "late"), (0, 1, command.Progress()), self.once, None))


class Quota(unittest.TestCase):
    def test_group_is_gone_after_a_failure(self):
        before = self.groups()
        try:
            with cgroup.cpu_quota(1):
                self.assertNotEqual(self.groups(), before)
                raise KeyError
        except cgroup.NoQuota as reason:
            self.skipTest(str(reason))
        except KeyError:
            pass
        self.assertEqual(self.groups(), before)

    def test_group_is_gone_after_a_kill(self):
        script = ("from report.cgroup import cpu_quota\nimport subprocess\n"
                  "with cpu_quota(1) as join:\n"
                  "    sleep = subprocess.Popen(['sleep', '60'], preexec_fn=join)\n"
                  "    print(flush=True)\n    sleep.wait()")
        before = self.groups()
        bench = pathlib.Path(__file__).resolve().parents[1]
        with subprocess.Popen([sys.executable, "-c", script], cwd=bench, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            if not child.stdout.readline():
                self.skipTest(child.stderr.read().strip().splitlines()[-1])
            self.assertNotEqual(self.groups(), before)
            child.kill()
        for _ in range(100):
            if self.groups() == before:
                return
            time.sleep(0.05)
        self.fail("the group is still there")

    @staticmethod
    def groups():
        return sorted(pathlib.Path("/sys/fs/cgroup").rglob("vicino-bench-*"))


if __name__ == "__main__":
    unittest.main()
