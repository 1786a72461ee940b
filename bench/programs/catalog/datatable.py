from program import Program

PROGRAM = Program(
    about="R data.table: grouped means, ordering and a join",
    debian="r-cran-data.table r-base-core",
    sizes={"rows": (2_000_000, 200_000)},
    files={"work.R": """
suppressMessages(library(data.table))
set.seed(17)
n <- @rows@
rows <- data.table(id = sample(n %/% 50L, n, TRUE), group = sample(letters, n, TRUE), value = runif(n))
means <- rows[, .(mean = mean(value), sum = sum(value), n = .N), by = .(id, group)]
setorder(means, -mean, id, group)
joined <- rows[means[1:1000], on = .(id, group), nomatch = NULL]
cat(nrow(means), nrow(joined), sprintf("%.12g", c(sum(means$mean * seq_len(nrow(means)) / n), sum(joined$value))), "\\n")
print(head(means, 20), digits = 7)
"""},
    command="Rscript --vanilla work.R",
    relative=1e-9,
    in_make_test=True,
    known=("data_table",),
)
