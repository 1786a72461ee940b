from program import Program


def blas_of(package):
    """The shell's command that makes `blas` the folder of the package's libblas.so.3."""
    return f'ln -s "$(dirname "$(dpkg -L {package} | grep /libblas.so.3)")" blas'


BLAS = blas_of("libopenblas0-openmp")

PROGRAM = Program(
    about="NumPy on OpenBLAS: products, a linear solve, eigenvalues, singular values",
    debian="python3-numpy libopenblas0-openmp",
    sizes={"n": (1000, 150)},
    files={"work.py": """
import numpy as np

random = np.random.default_rng(17)
a, b = random.normal(size=(2, @n@, @n@))
for _ in range(5):
    product = a @ b
print("product %.9e" % np.linalg.norm(product))
print("solution %.6e" % np.linalg.norm(np.linalg.solve(a + 50 * np.eye(@n@), b)))
print("eigenvalues %.9e" % np.abs(np.linalg.eigvalsh(a + a.T)).sum())
print("singular values %.9e" % np.linalg.svd(a[:, :100], compute_uv=False).sum())
small = random.normal(size=(300, 24, 24))
print("small %.9e" % sum(np.linalg.norm(m @ m.T) for m in small))
"""},
    prepare=BLAS,
    command="/usr/bin/python3 work.py",
    env={"LD_LIBRARY_PATH": "@work@/blas"},
    relative=1e-8,
)
