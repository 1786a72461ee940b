from program import Program

PROGRAM = Program(
    about="R mclapply: forked children that use data.table, as their parent did before",
    debian="r-cran-data.table r-base-core",
    sizes={"rows": (1_000_000, 100_000)},
    files={"work.R": """
suppressMessages({library(data.table); library(parallel)})
set.seed(17)
n <- @rows@
rows <- data.table(id = sample(1000L, n, TRUE), value = runif(n))
before <- rows[, .(sum = sum(value)), keyby = id]
parts <- mclapply(1:8, function(part) rows[id %% 8L == part - 1L, .(sum = sum(value)), keyby = id],
                  mc.cores = 2)
after <- rbindlist(parts)[order(id)]
cat(nrow(after), sprintf("%.12g", sum(after$sum * after$id)), all.equal(before$sum, after$sum), "\\n")
"""},
    command="Rscript --vanilla work.R",
    relative=1e-9,
)
