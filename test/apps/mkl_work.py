"""Multiplies integer matrices by MKL's threaded dgemm and checks each element exactly."""

import ctypes
import sys
from pathlib import Path

INTEL_THREADING = 0
ROW_MAJOR, NO_TRANSPOSE = 101, 111

mkl = ctypes.CDLL(str(Path(sys.prefix) / "lib" / "libmkl_rt.so.2"))
mkl.MKL_Set_Threading_Layer(INTEL_THREADING)
mkl.MKL_Set_Dynamic(0)  # as many threads as asked for, however few cores there are
mkl.MKL_Set_Num_Threads(int(sys.argv[1]))

n = 240
Matrix = ctypes.c_double * (n * n)
a = [(i * 7) % 11 - 5 for i in range(n * n)]
b = [(i * 5) % 13 - 6 for i in range(n * n)]
c = Matrix()
for _ in range(20):
    mkl.cblas_dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, ctypes.c_double(1), Matrix(*a), n,
                    Matrix(*b), n, ctypes.c_double(0), c, n)

columns = [b[j::n] for j in range(n)]
for i in range(n):
    row = a[i * n:(i + 1) * n]
    for j in range(n):
        assert c[i * n + j] == sum(x * y for x, y in zip(row, columns[j])), (i, j)
print("threads", mkl.MKL_Get_Max_Threads())
