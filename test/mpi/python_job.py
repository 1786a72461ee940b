"""Rank k is late by k times 20 ms, five times; then an allreduce of numpy-like memory."""
import array
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD
for _ in range(5):
    time.sleep(0.02 * comm.rank)
    comm.Barrier()
ones, sums = array.array("d", [1.0] * 4), array.array("d", [0.0] * 4)
for _ in range(3):
    comm.Allreduce(ones, sums)
assert list(sums) == [comm.size] * 4
