"""The PMPI layer on mpi4py, as PyPI has it.

    python_test.py MPI LAYER VICINO FOLDER

Python loads the MPI in a scope of its own. The package's modules need libmpi.so.40 or libmpi.so.12; Debian's MPICH
has another name and the same binary interface.
"""
import pathlib
import subprocess
import sys
import unittest

import mpi_jobs

sys.path.append(str(mpi_jobs.HERE.parents[1] / "bench/programs"))
import packages  # noqa: E402

PIN = "mpi4py==4.1.1"
MPI = mpi_jobs.Mpi(*sys.argv[1:5])
del sys.argv[1:5]


def libraries():
    """A folder with the MPI under the name that mpi4py knows."""
    folder = MPI.work / "abi"
    if MPI.name == "mpich" and not (folder / "libmpi.so.12").exists():
        known = subprocess.run(["/sbin/ldconfig", "-p"], text=True, capture_output=True, check=True).stdout
        file = next(line.split()[-1] for line in known.splitlines() if "libmpich.so.12" in line)
        folder.mkdir(exist_ok=True)
        (folder / "libmpi.so.12").symlink_to(file)
    return folder


class Python(unittest.TestCase):
    def test_calls_are_counted_and_waiting_is_seen(self):
        job = MPI.run(2, PYTHON, mpi_jobs.HERE / "python_job.py", MPI4PY_MPIABI=MPI.name,
                      LD_LIBRARY_PATH=libraries())
        self.assertEqual(job.status, 0, job.output + job.error)
        sums = {}
        for site in job.report["sites"]:
            name = site["call"].removesuffix("_c")   # mpi4py calls MPI's functions with large counts, if it can
            calls, size = sums.get(name, (0, 0))
            sums[name] = (calls + site["calls"], size + site["bytes"])
        self.assertEqual(sums["MPI_Barrier"], (10, 0))
        self.assertEqual(sums["MPI_Allreduce"], (6, 6 * 32))
        first, second = (rank["waiting_ns"] for rank in job.report["ranks"])
        self.assertGreater(first, 50_000_000)
        self.assertLess(second, first)
        self.assertIn("Barrier", job.report["sites"][0]["place"])


if __name__ == "__main__":
    if reason := MPI.missing():
        mpi_jobs.skip(reason)
    try:
        PYTHON = packages.python_with(pathlib.Path(MPI.work) / "python", PIN)
    except packages.Unavailable as why:
        mpi_jobs.skip(why)
    unittest.main(verbosity=2)
