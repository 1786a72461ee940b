from numpy_openblas import BLAS
from program import Program

PROGRAM = Program(
    about="R mgcv: additive models by bam() with two threads and by gam()",
    debian="r-cran-mgcv r-base-core libopenblas0-openmp",
    sizes={"rows": (8_000, 2_000)},
    files={"work.R": """
suppressMessages(library(mgcv))
set.seed(17)
n <- @rows@
x <- runif(n); z <- runif(n); w <- runif(n)
y <- sin(6 * x) + z^2 * cos(4 * w) + rnorm(n) / 4
large <- bam(y ~ s(x, k = 20) + te(z, w, k = 6), discrete = TRUE, nthreads = 2)
small <- gam(y ~ s(x) + s(z) + s(w), subset = 1:1500, method = "REML", control = gam.control(nthreads = 2))
for (model in list(large, small))
  cat(sprintf("%.9e", c(deviance(model), sum(model$edf), fitted(model)[1:5])), "\\n")
"""},
    prepare=BLAS,
    command="Rscript --vanilla work.R",
    relative=1e-4,
    env={"LD_LIBRARY_PATH": "@work@/blas"},
)
