"""numba: parallel loops on its layer `omp`."""

PINS = ("numba==0.60.0", "llvmlite==0.43.0")
ENVIRONMENT = {"NUMBA_THREADING_LAYER": "omp"}
# Each element of the field is one thread's and exact; the sum adds up in the order of the threads.
RELATIVE = 1e-12
# numba's own check ends a forked child at its first parallel loop, whatever the runtime is.
REFUSES_FORK = "Terminating: fork() called from a process already using GNU OpenMP"


def work():
    import hashlib

    import numba
    import numpy as np

    @numba.njit(parallel=True)
    def smooth(field, other, steps):
        total = 0.0
        for _ in range(steps):
            for i in numba.prange(1, field.shape[0] - 1):
                for j in range(1, field.shape[1] - 1):
                    other[i, j] = (field[i - 1, j] + field[i + 1, j] + field[i, j - 1] + field[i, j + 1]) / 4
            field, other = other, field
        for i in numba.prange(field.shape[0]):
            total += field[i].sum()
        return field, total

    field = np.random.default_rng(17).random((400, 400))
    field, total = smooth(field, field.copy(), 100)
    return [f"{numba.threading_layer()} {hashlib.sha256(field.tobytes()).hexdigest()} {total:.17e}"]
