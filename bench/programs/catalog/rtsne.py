from program import Program

PROGRAM = Program(
    about="R Rtsne: an embedding of clusters, with all threads",
    debian="r-cran-rtsne r-base-core",
    sizes={"points": (800, 300)},
    files={"work.R": """
library(Rtsne)
set.seed(17)
n <- @points@
points <- matrix(rnorm(n * 10), n) + 4 * rep(1:4, length.out = n)
found <- Rtsne(points, max_iter = 250, num_threads = 0, pca = FALSE)
# Threads add up forces in a different order, and the map is chaotic: so only its quality is compared.
cat(nrow(found$Y), sprintf("%.6f", tail(found$itercosts, 1)), "\\n")
"""},
    command="Rscript --vanilla work.R",
    relative=0.02,
)
