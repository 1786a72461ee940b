from numpy_openblas import blas_of
from program import Program

PROGRAM = Program(
    about="NumPy on BLIS: products, a linear solve",
    debian="libblis4-openmp python3-numpy",
    sizes={"n": (1000, 100)},
    files={"work.py": """
import numpy as np

random = np.random.default_rng(17)
a, b = random.normal(size=(2, @n@, @n@))
for _ in range(5):
    product = a @ b
print("product %.9e" % np.linalg.norm(product))
print("solution %.6e" % np.linalg.norm(np.linalg.solve(a + 50 * np.eye(@n@), b)))
"""},
    prepare=blas_of("libblis4-openmp"),
    command="/usr/bin/python3 work.py",
    env={"LD_LIBRARY_PATH": "@work@/blas"},
    relative=1e-8,
)
