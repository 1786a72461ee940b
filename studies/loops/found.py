"""The model's rows, by what was asked."""

import statistics

TITLES = {"synthetic-uniform": "Syn Uni", "synthetic-long": "Syn Uni, long", "synthetic-up": "Syn Exp Inc",
          "synthetic-down": "Syn Exp Dec", "triangles": "Tri", "bfs-uniform": "BFS Uni", "bfs-power": "BFS Pow",
          "kmeans": "Kmeans", "boxes": "LavaMD", "pathfinder": "Path", "lu": "LUD"}
# The paper's five are the best of what it tried of each kind.
KINDS = {"static": ("static", "static_chunked,1"), "dynamic": ("libgomp-dynamic,3", "libgomp-dynamic,1"),
         "guided": ("libgomp-guided",), "ich": ("ich,paper",), "nich": ("nich,paper",),
         "ich, Vicino's": ("ich",), "nich, Vicino's": ("nich",), "dynamic, Vicino's": ("dynamic",)}
ALL = tuple(KINDS)
PAPERS, VICINOS = ALL[:5], ALL[5:]
VARIED = ("group=1", "group=2", "group=8", "update=1", "update=2", "update=8")
EPSILONS = (0.25, 0.33, 0.5)
VALUES = (1, "value")


class Found:
    def __init__(self, rows):
        self.rows = {(row["what"], row["program"], row["machine"], row["threads"], row["seed"], row["bound"],
                      row["schedule"]): row for row in rows}

    def samples(self, machine):
        """[(seed, bound)], that of the first seed and the values first."""
        known = {(seed, bound) for what, _, on, _, seed, bound, _ in self.rows if what == "speed" and on == machine}
        return sorted(known, key=lambda sample: (sample[1] != "value", sample))

    def threads(self, program, machine):
        return sorted({at for what, name, on, at, *_ in self.rows if (what, name, on) == ("speed", program, machine)})

    def times(self, program, machine, threads, sample=VALUES):
        """{schedule of the paper, or Vicino's: ns}; empty without such a run."""
        found = {}
        for kind, names in KINDS.items():
            tried = [row["ns"] for name in names
                     if (row := self.rows.get(("speed", program, machine, threads, *sample, name)))]
            if tried:
                found[kind] = min(tried)
        return found

    def ratio(self, program, machine, threads, slow, fast, sample=VALUES):
        """How many times as long `slow` takes as `fast`."""
        at = self.times(program, machine, threads, sample)
        return at[slow] / at[fast]

    def speedup(self, program, machine, threads, kind):
        """The paper's equation 10, of the values and the first seed, as text."""
        base, at = self.times(program, machine, 2), self.times(program, machine, threads)
        return f"{base['static'] / at[kind]:.2f}" if base and kind in at else ""

    def of_seeds(self, what, program, threads, schedule, machine="epyc"):
        return [row for key, row in sorted(self.rows.items(), key=lambda item: item[0][4])
                if key[:4] == (what, program, machine, threads) and key[5:] == ("value", schedule)]

    def slower(self, program, threads, schedule):
        """By how many per cent, for each seed, than with 4 and 4."""
        base = {row["seed"]: row["ns"] for row in self.of_seeds("parameters", program, threads, "nich,paper")}
        return [100 * (row["ns"] / base[row["seed"]] - 1)
                for row in self.of_seeds("parameters", program, threads, schedule)]

    def updates(self, what, program, threads, epsilon):
        """(mean, variance, range) of a deque's, each the mean over seeds; None without runs."""
        rows = self.of_seeds(what, program, threads, f"nich,paper,epsilon={epsilon}")
        return [statistics.mean(row["updates"][i] for row in rows) for i in range(3)] if rows else None

    def mean(self, what, program, threads, schedule):
        rows = self.of_seeds(what, program, threads, schedule)
        return statistics.mean(row["ns"] for row in rows) if rows else None

    def mean_updates(self, what, program, threads, schedule):
        return statistics.mean(row["updates"][0] for row in self.of_seeds(what, program, threads, schedule))
