from numpy_openblas import BLAS
from program import Program

PROGRAM = Program(
    about="Octave on OpenBLAS: a linear solve, a factorisation, eigenvalues",
    debian="octave libopenblas0-openmp",
    sizes={"n": (900, 100)},
    files={"work.m": """
rand("twister", 17);
a = rand(@n@) - 0.5;
b = rand(@n@) - 0.5;
printf("%.9e\\n", norm(a * b, "fro"));
printf("%.6e\\n", norm((a + 30 * eye(@n@)) \\ b, "fro"));
printf("%.9e\\n", sum(abs(eig(a + a'))));
printf("%.9e\\n", sum(diag(chol(a * a' + eye(@n@)))));
"""},
    prepare=BLAS,
    command="octave-cli --norc --no-history work.m",
    env={"LD_LIBRARY_PATH": "@work@/blas"},
    relative=1e-8,
    seconds=1.5,
)
