from program import Program

PROGRAM = Program(
    about="numba: parallel loops on its OpenMP threads",
    pypi="numba==0.60.0 llvmlite==0.43.0 numpy==1.26.4",
    sizes={"side": (1500, 200)},
    files={"work.py": """
import numba
import numpy as np

@numba.njit(parallel=True)
def smooth(field, other, steps):
    for _ in range(steps):
        for i in numba.prange(1, field.shape[0] - 1):
            for j in range(1, field.shape[1] - 1):
                other[i, j] = (field[i - 1, j] + field[i + 1, j] + field[i, j - 1] + field[i, j + 1]) / 4
        field, other = other, field
    return field

field = np.random.default_rng(17).random((@side@, @side@))
field = smooth(field, field.copy(), 60)
print(numba.threading_layer(), "%.17e" % field.sum(), "%.17e" % field[5, 7])
"""},
    command="@python@ work.py",
    env={"NUMBA_THREADING_LAYER": "omp"},
    seconds=3,
)
