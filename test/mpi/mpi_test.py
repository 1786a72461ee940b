"""The PMPI layer on programs whose calls, bytes and waiting times are known.

    mpi_test.py MPI LAYER VICINO FOLDER [UNITTEST ARGUMENT...]
"""
import collections
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import mpi_jobs

sys.path.append(str(mpi_jobs.HERE.parent / "trace"))
from trace_file import Trace  # noqa: E402

MPI = mpi_jobs.Mpi(*sys.argv[1:5])
del sys.argv[1:5]
RANKS = (1, 2, 4)


def triangle(n):
    return n * (n + 1) // 2


# Calls and bytes of all n ranks together, of counts.c. File_open and so on have no bytes.
def counted(n):
    def each(calls, size=0):
        return calls * n, size * n
    windows = {
        "MPI_Win_create": each(1), "MPI_Win_fence": each(2), "MPI_Win_lock": each(1), "MPI_Win_flush": each(1),
        "MPI_Win_unlock": each(1), "MPI_Win_free": each(1),
    }
    return (windows if n > 1 else {}) | {
        "MPI_Barrier": each(203), "MPI_Bcast": each(3, 2 * 40 + 24), "MPI_Reduce": each(2, 64),
        "MPI_Allreduce": each(5, 40), "MPI_Gather": each(2, 24), "MPI_Gatherv": (n, 4 * triangle(n)),
        "MPI_Scatter": each(1, 8), "MPI_Scatterv": (n, 4 * triangle(n)), "MPI_Allgather": each(1, 8),
        "MPI_Allgatherv": (n, 4 * triangle(n)), "MPI_Alltoall": each(1, 8 * n),
        "MPI_Alltoallv": each(1, 4 * triangle(n)), "MPI_Alltoallw": each(1, 4 * n),
        "MPI_Reduce_scatter": each(1, 4 * n), "MPI_Reduce_scatter_block": each(1, 8 * n),
        "MPI_Scan": each(1, 4), "MPI_Exscan": each(1, 4),
        "MPI_Sendrecv": each(1, 11), "MPI_Sendrecv_replace": each(1, 10), "MPI_Recv": each(1, 8),
        "MPI_Wait": each(1), "MPI_Ssend": each(1, 6), "MPI_Waitall": each(1), "MPI_Probe": each(1),
        "MPI_Mprobe": each(1), "MPI_Mrecv": each(1, 9), "MPI_Waitany": each(1), "MPI_Send": each(1, 6),
        "MPI_Waitsome": each(1),
        "MPI_Comm_dup": each(1), "MPI_Comm_split": each(1), "MPI_Cart_create": each(1),
        "MPI_Neighbor_alltoall": each(1, 8), "MPI_Comm_free": each(3),
        "MPI_File_open": each(1), "MPI_File_write_at_all": each(1, 16), "MPI_File_close": each(1),
    }


# The same of fortran_counts.F90.
def counted_in_fortran(n):
    def each(calls, size=0):
        return calls * n, size * n
    return {
        "MPI_Barrier": each(204), "MPI_Allreduce": each(6, 5 * 32 + 8), "MPI_Bcast": each(1, 40),
        "MPI_Gather": each(1, 12), "MPI_Alltoall": each(1, 8 * n), "MPI_Sendrecv": each(1, 44),
        "MPI_Send": each(1, 12), "MPI_Waitall": each(1), "MPI_Comm_dup": each(1), "MPI_Comm_free": each(1),
        "MPI_File_open": each(1), "MPI_File_close": each(1),
    }


class Case(unittest.TestCase):
    def job(self, ranks, program, *arguments, **options):
        """A job that must end well, with its report."""
        job = MPI.run(ranks, program, *arguments, **options)
        self.assertEqual(job.status, 0, job.output + job.error)
        if options.get("report", True):
            self.assertIsNotNone(job.report, job.error)
            self.assertEqual(len(job.report["ranks"]), ranks)
        return job

    def sums(self, job):
        sums = {}
        for site in job.report["sites"]:
            calls, size = sums.get(site["call"], (0, 0))
            sums[site["call"]] = (calls + site["calls"], size + site["bytes"])
        return sums


class Counts(Case):
    def check_counts(self, program, expected):
        with tempfile.TemporaryDirectory() as folder:
            for n in RANKS:
                with self.subTest(ranks=n):
                    job = self.job(n, program, pathlib.Path(folder) / f"{n}")
                    self.assertEqual(self.sums(job), expected(n))
                    calls = sum(calls for calls, _ in expected(n).values())
                    # Wrappers of the MPI's own Fortran library would be counted, too, but the call is here.
                    for site in job.report["sites"]:
                        self.assertTrue(site["place"].endswith(f" in {program.name}"), site)
                    self.assertEqual(sum(rank["calls"] for rank in job.report["ranks"]), calls)

    def test_c(self):
        self.check_counts(MPI.build("counts.c"), counted)

    def test_fortran(self):
        if shutil.which("gfortran-12") is None:
            self.skipTest("there is no gfortran-12")
        self.check_counts(MPI.build("fortran_counts.F90"), counted_in_fortran)

    def test_fortran_2008(self):
        if shutil.which("gfortran-12") is None:
            self.skipTest("there is no gfortran-12")
        self.check_counts(MPI.build("fortran_counts.F90", "-DF08"), counted_in_fortran)

    def test_calls_that_are_not_timed_count(self):
        calls = 20000   # pace.hpp: of calls that follow each other closely, few are timed
        job = self.job(2, MPI.build("many.c"), calls)
        self.assertEqual(self.sums(job), {"MPI_Send": (2 * calls, 48 * calls), "MPI_Recv": (2 * calls, 48 * calls),
                                          "MPI_Allreduce": (2 * calls, 16 * calls)})
        wall = sum(rank["wall_ns"] for rank in job.report["ranks"])
        inside = sum(site["ns"] for site in job.report["sites"])
        self.assertGreater(inside, 0.1 * wall)   # the program does nothing else; of those timed it is 0.03
        self.assertLess(inside, 1.2 * wall)

    def test_cxx(self):
        job = self.job(2, MPI.build("hello.cpp"))
        self.assertEqual(self.sums(job), {"MPI_Bcast": (10, 2 * (4 * 800 + 40))})
        places = sorted(site["place"].split("+")[0] for site in job.sites("MPI_Bcast"))
        self.assertIn("exchange<double>", places[0])
        self.assertIn("exchange<int>", places[1])


class Waits(Case):
    ROUNDS = 5
    LATE_NS = 20_000_000  # of rank 1; waits.c

    def check_waiting(self, how, call):
        for n in (2, 4):
            with self.subTest(ranks=n):
                job = self.check_ranks(n, how, max)
                self.assertEqual(job.report["sites"][0]["call"], call)
                self.check_paths(job, call)
                self.check_efficiencies(job.report)

    def check_ranks(self, n, how, release):
        """A job. The program says when each rank came and went: on a busy machine no sleep ends in time. `release`: the
        time before which no rank can go, from the times at which they came."""
        with tempfile.TemporaryDirectory() as folder:
            job = self.job(n, MPI.build("waits.c"), how, self.ROUNDS, folder)
            times = [list(map(int, (pathlib.Path(folder) / f"{rank}").read_text().split())) for rank in range(n)]
        released = [release(arrivals) for arrivals in zip(*(own[::2] for own in times))]
        for k, (rank, own) in enumerate(zip(job.report["ranks"], times)):
            came, went = own[::2], own[1::2]
            needed = sum(max(0, at - begin) for at, begin in zip(released, came))
            inside = sum(end - begin for begin, end in zip(came, went))
            self.assertGreater(rank["compute_ns"], 0.95 * self.ROUNDS * self.LATE_NS * k)
            self.assertGreater(rank["waiting_ns"], 0.8 * needed - 20e6, (k, job.report["ranks"]))
            self.assertLessEqual(rank["waiting_ns"], 1.001 * inside, (k, job.report["ranks"]))
            self.assertLessEqual(rank["waiting_ns"], rank["inside_ns"])
            self.assertEqual(rank["wall_ns"], rank["compute_ns"] + rank["inside_ns"])
        return job

    def check_paths(self, job, call):
        """The two paths to meet() are two sites."""
        paths = {site["from"]: site for site in job.sites(call)}
        self.assertEqual(set(paths), {"main", "meet_from_elsewhere, main"})
        for site in paths.values():
            self.assertTrue(site["place"].startswith("meet+0x"), site)
        often = paths["main"]
        self.assertEqual(often["calls"], self.ROUNDS * paths["meet_from_elsewhere, main"]["calls"])
        self.assertLess(often["waiting_ns_of_a_rank"]["max_at"], len(job.report["ranks"]) - 1)

    def check_efficiencies(self, report):
        compute = [rank["compute_ns"] for rank in report["ranks"]]
        wall = max(rank["wall_ns"] for rank in report["ranks"])
        self.assertAlmostEqual(report["load_balance"], sum(compute) / len(compute) / max(compute), places=5)
        self.assertAlmostEqual(report["communication_efficiency"], max(compute) / wall, places=5)
        self.assertAlmostEqual(report["parallel_efficiency"], sum(compute) / len(compute) / wall, places=5)

    def test_barrier(self):
        self.check_waiting("barrier", "MPI_Barrier")

    def test_allreduce(self):
        self.check_waiting("allreduce", "MPI_Allreduce")

    def test_message(self):
        job = self.check_ranks(2, "message", lambda arrivals: arrivals[-1])
        self.assertEqual(job.report["sites"][0]["call"], "MPI_Recv")

    def test_slack_is_told_after_each_call(self):
        job = self.job(2, MPI.build("slack.c", "-rdynamic"), by="preload")
        told = dict(line.split(": ") for line in job.output.splitlines())
        calls, ms = zip(*(told[rank].split(", ") for rank in ("rank 0", "rank 1")))
        self.assertEqual(calls, ("2 calls", "2 calls"))
        first, second = (int(text.split()[0]) for text in ms)
        self.assertGreater(first, 100)   # rank 1 comes 200 ms later
        self.assertLess(second, first)


class Lives(Case):
    def same(self, life, ranks=2, report=True):
        """The program ends as it does without the layer, and says the same."""
        program = MPI.build("lives.c", "-pthread")
        without = MPI.run(ranks, program, life, by="")
        job = MPI.run(ranks, program, life, report=report)
        self.assertEqual((job.status, sorted(job.output.splitlines())),
                         (without.status, sorted(without.output.splitlines())), job.error + without.error)
        return job

    def test_aborts(self):
        job = self.same("aborts")
        self.assertEqual(job.status, 7)
        self.assertIsNone(job.report)
        self.assertIn("no report of the job", job.error)

    def test_aborts_without_a_word_unless_a_report_was_asked_for(self):
        self.assertNotIn("vicino", self.same("aborts", report=False).error.replace(str(MPI.work), ""))

    def test_never_ends(self):
        self.assertIsNone(self.same("never_ends").report)

    def test_never_begins(self):
        self.assertIsNone(self.same("never_begins").report)

    def test_forks(self):
        self.assertEqual(self.sums(self.same("forks")), {"MPI_Barrier": (4, 0)})

    def test_errors_reach_the_handler_that_they_would_reach(self):
        job = self.same("errs")
        self.assertEqual(job.output, "refused 1 1\n" * 2)
        self.assertEqual(self.sums(job)["MPI_Bcast"], (4, 0))

    def test_a_call_that_was_left_by_longjmp_hides_no_other(self):
        sums = self.sums(self.same("jumps"))
        self.assertEqual(sums, {"MPI_Comm_dup": (2, 0), "MPI_Barrier": (420, 0)})

    def test_threads_at_once(self):
        job = self.same("threads")
        if job.status == 77:
            self.skipTest("this MPI does not grant MPI_THREAD_MULTIPLE")
        sums = self.sums(job)
        self.assertEqual(sums["MPI_Sendrecv"], (2 * 4 * 1000, 2 * 4 * 1000 * 8))
        self.assertEqual(sums["MPI_Bcast"], (2 * 4 * 100_000, 2 * 4 * 100_000 * 4))

    def test_begun_in_a_second_thread(self):
        job = self.same("second_thread")
        ranks = job.report["ranks"]
        self.assertGreater(ranks[0]["waiting_ns"], 40_000_000)   # rank 1 comes 100 ms later
        self.assertGreater(ranks[1]["compute_ns"], 90_000_000)

    def test_nothing_is_said_unless_asked(self):
        job = self.job(2, MPI.build("waits.c"), "barrier", 1, report=False)
        self.assertEqual((job.output, job.error), ("", ""))

    def test_the_report_as_text(self):
        program = MPI.build("waits.c")
        job = self.job(2, program, "barrier", 1, report=False, VICINO_JOB_REPORT="true")
        # A long name is cut.
        self.assertIn(f"vicino: report of a job of 2 ranks, {program}"[:60], job.error)
        self.assertEqual(job.error.count("vicino: "), 1, job.error)
        self.assertIn("MPI_Barrier at meet+0x", job.error)

    def test_a_file_that_cannot_be_written_is_named(self):
        job = self.job(1, MPI.build("waits.c"), "barrier", 1, report=False, VICINO_JOB_REPORT="/nowhere/x")
        self.assertIn("VICINO_JOB_REPORT: cannot write /nowhere/x: No such file", job.error)


class Traces(Case):
    """Each call is a span of the trace of its rank; cores that are lent are told, too."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def traces(self, ranks, program, *arguments, **settings):
        with tempfile.TemporaryDirectory() as folder:
            if not arguments:
                arguments = (self.folder / str(ranks),)  # a file that the program writes
            job = MPI.run(ranks, program, *arguments, report=False, VICINO_TRACE=f"{folder}/%p.pftrace", **settings)
            self.assertEqual(job.status, 0, job.output + job.error)
            return [Trace.of(file) for file in pathlib.Path(folder).iterdir()]

    def test_calls_and_bytes(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                traces = self.traces(ranks, MPI.build("counts.c"))
                self.assertEqual(len(traces), ranks)
                calls, sizes = collections.Counter(), collections.Counter()
                for trace in traces:
                    self.assertEqual(trace.faults(), [])
                    for span in trace.in_category("mpi"):
                        calls[span.name] += 1
                        sizes[span.name] += span.arguments["bytes"]
                        self.assertIn("+0x", span.arguments["at"])
                self.assertEqual({name: (calls[name], sizes[name]) for name in calls}, counted(ranks))

    def test_cores_that_are_lent(self):
        if len(os.sched_getaffinity(0)) != 2:
            self.skipTest("not two CPUs")
        traces = self.traces(2, MPI.build("lend.c", "-fopenmp"), "Recv", "slowly", VICINO_LEND="true")
        told = collections.Counter()
        for trace in traces:
            self.assertEqual(trace.faults(), [])
            for one in trace.instants("cores"):
                told[one.arguments["what"]] += one.arguments["cores"]
        self.assertGreater(told["lent"], 0)
        self.assertGreater(told["borrowed"], 0)
        # Some are lent until the end.
        self.assertIn(told["lent"] - told["taken back"], range(3))
        self.assertEqual(told["borrowed"], told["given back"])


class Choice(Case):
    """Which programs get the layer."""

    def preloaded(self, *command, ranks=1, **settings):
        job = self.job(ranks, *command, report=False, **settings)
        return job.output.split("preloaded ")[1].split("\n")[0].split(":")

    def host(self):
        return MPI.build("host.c", "-Wl,--as-needed")

    def plugin(self):
        return MPI.build("plugin.c", "-shared", "-fPIC", output=f"libplugin-{MPI.name}.so")

    def assert_layer(self, preloaded):
        self.assertEqual(preloaded[1:], [str(MPI.layer)])
        self.assertTrue(preloaded[0].endswith("libgomp.so.1"))

    def test_a_program_without_mpi_has_none(self):
        self.assertEqual(len(self.preloaded(self.host())), 1)

    def test_a_library_of_the_program_needs_mpi(self):
        self.plugin()
        linked = MPI.build("host.c", "-DLINKED", f"-L{MPI.work}", "-Wl,--as-needed,-rpath,$ORIGIN",
                           f"-lplugin-{MPI.name}", output=f"host-linked-{MPI.name}")
        self.assert_layer(self.preloaded(linked))
        self.assertEqual(len(self.preloaded(linked, VICINO_MPI="off")), 1)
        self.assertEqual(self.sums(self.job(2, linked)), {"MPI_Barrier": (6, 0)})

    def test_a_script_has_the_layer_of_its_launcher(self):
        show = "import os; print('preloaded', os.environ['LD_PRELOAD'])"
        self.assert_layer(self.preloaded(sys.executable, "-c", show))
        self.assert_layer(self.preloaded("sh", "-c", "echo preloaded $LD_PRELOAD"))
        self.assertEqual(len(self.preloaded("sh", "-c", "echo preloaded $LD_PRELOAD", VICINO_MPI="off")), 1)

    def test_a_plugin_with_mpi_in_a_scope_of_its_own(self):
        job = self.job(2, self.host(), self.plugin(), by="preload")
        self.assertEqual(self.sums(job), {"MPI_Barrier": (6, 0)})

    def test_a_missing_report_has_a_reason(self):
        job = self.job(1, self.host(), report=False, VICINO_JOB_REPORT="true")
        self.assertIn("there is no report of the job: ", job.error)
        self.assertIn("does not use Open MPI or MPICH", job.error)
        job = self.job(1, self.host(), report=False, VICINO_JOB_REPORT="false")
        self.assertEqual(job.error, "")


if __name__ == "__main__":
    if reason := MPI.missing():
        mpi_jobs.skip(reason)
    unittest.main(verbosity=2)
