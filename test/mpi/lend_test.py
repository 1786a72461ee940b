"""Calls of MPI that lend cores while they wait (VICINO_LEND).

    lend_test.py MPI LAYER VICINO FOLDER [UNITTEST ARGUMENT...]
"""
import os
import shutil
import subprocess
import sys
import unittest

import mpi_jobs

MPI = mpi_jobs.Mpi(*sys.argv[1:5])
del sys.argv[1:5]
WARNING = "VICINO_LEND is true in some ranks and not in others; calls of MPI lend no cores"

NOT_IN_ALL = ("vicino: VICINO_LEND is set in this rank, and not set in others, or these do not run under Vicino; "
              "calls of MPI lend no cores\n")


# What each of these programs is compiled with.
PROGRAMS = {"C": ("lend.c",), "Fortran": ("fortran_lend.F90",), "Fortran 2008": ("fortran_lend.F90", "-DF08")}
if shutil.which("gfortran-12") is None:
    PROGRAMS = {"C": PROGRAMS["C"]}
elif MPI.name == "mpich":
    PROGRAMS["Fortran 2008"] += ("-DLARGE",)


class Lend(unittest.TestCase):
    def job(self, ranks, *arguments, language="C", **options):
        source, *flags = PROGRAMS[language]
        program = MPI.build(source, "-fopenmp", *flags)
        job = MPI.run(ranks, program, *arguments, report=False, **options)
        self.assertEqual((job.status, job.error), (0, ""), job.output + job.error)
        return job.output.split()

    def test_answers_are_right_without_lending(self):
        for language in PROGRAMS:
            for ranks in (1, 2, 4):
                self.job(ranks, language=language)

    def test_answers_are_right_whether_ranks_have_cores_of_their_own_or_not(self):
        for language in PROGRAMS:
            for ranks in (1, 2, 4):
                self.job(ranks, language=language, VICINO_LEND="true")
            # Twins, and nothing to lend.
            self.job(2, language=language, VICINO_LEND="true", OMP_PROC_BIND="true")

    def test_cores_are_lent_in_every_kind_of_call(self):
        if len(os.sched_getaffinity(0)) != 2:
            self.skipTest("not two CPUs")
        for language in PROGRAMS:
            calls = ["Recv", "Wait", "Waitall", "Waitany", "Waitsome", "Sendrecv", "Probe", "Mprobe", "Win_wait",
                     "Allreduce", "Barrier"]
            if MPI.name == "mpich" and language != "Fortran":
                calls.append("Sendrecv_c")
            for call in calls:
                with self.subTest(language=language, call=call):
                    self.assertEqual(self.job(2, call, language=language, VICINO_LEND="true")[0], "1")
            self.assertEqual(self.job(2, "Recv", language=language)[0], "0")

    def test_ranks_that_do_not_agree_lend_nothing_and_say_so_once(self):
        program = str(MPI.build("lend.c", "-fopenmp"))
        run = [str(MPI.vicino), "run", "--", program]
        command = [*MPI.launcher(), "-n", "1", "env", "VICINO_LEND=true", *run,
                   ":", "-n", "1", "env", "VICINO_LEND=false", *run]
        done = subprocess.run(command, env=MPI.environment(), text=True, capture_output=True, timeout=100,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, f"vicino: {WARNING}\n"), done.stdout)
        self.assertEqual(done.stdout.split()[0], "0")

    def test_a_rank_that_is_not_asked_or_is_without_vicino_is_left_in_peace(self):
        """Only ranks that were asked to lend compare: others would take that call for the program's."""
        program = MPI.build("some_ranks.c")
        run = [str(MPI.vicino), "run", "--", program]
        for first, second, said in ((run, [program], ""), (["env", "VICINO_LEND=true", *run], [program], NOT_IN_ALL)):
            with self.subTest(first=first[:2], second=second[:1]):
                command = map(str, [*MPI.launcher(), "-n", "1", *first, ":", "-n", "1", *second])
                done = subprocess.run(list(command), env=MPI.environment(), text=True, capture_output=True,
                                      timeout=100, stdin=subprocess.DEVNULL, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                if said:  # MPICH tells of a call that was given up, too
                    self.assertIn("1 2 3 6\n", done.stdout)
                    self.assertIn(said, done.stderr)
                else:
                    self.assertEqual((done.stdout, done.stderr), ("1 2 3 6\n", ""))

    def test_a_send_that_mpi_refuses_is_not_waited_for(self):
        program = MPI.build("refused_send.c")
        for lend in ("false", "true"):
            job = MPI.run(2, program, report=False, VICINO_LEND=lend)
            self.assertEqual((job.status, job.output.count("refused")), (0, 2), job.error)
            self.assertNotIn("not", job.output)

    def test_the_example(self):
        root = mpi_jobs.HERE.parents[1]
        library = MPI.vicino.parents[1] / "lib"
        program = MPI.build(root / "examples" / "mpi" / "lend.c", "-fopenmp", f"-I{root / 'include'}", f"-L{library}",
                            f"-Wl,-rpath,{library}", "-lvicino")
        for lend in ("false", "true"):
            job = MPI.run(2, program, 5, by="", report=False, VICINO_LEND=lend)
            self.assertEqual((job.status, job.error), (0, ""))
            self.assertTrue(job.output.startswith("3.1415926536, "), job.output)

    def test_no_file_is_left(self):
        folder = MPI.work / "lend-files"
        folder.mkdir(exist_ok=True)
        self.job(2, VICINO_LEND="true", TMPDIR=folder, XDG_RUNTIME_DIR="")
        self.assertEqual([name for name in os.listdir(folder) if name.startswith("vicino")], [])


if __name__ == "__main__":
    if MPI.missing():
        mpi_jobs.skip(MPI.missing())
    unittest.main(verbosity=2)
