"""Draws the paper's figure 6 from the page's tables: gains over static against the number of nodes."""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "figure 6"  # the same figures give the same file
from matplotlib import pyplot  # noqa: E402


def main():
    tables = json.load(sys.stdin)
    figure, panels = pyplot.subplots(1, len(tables), figsize=(11, 4.6), sharey=True, layout="constrained")
    for panel, (title, table) in zip(panels, tables.items()):
        nodes = list(map(int, table["head"][1:]))
        for mark, (strategy, *gains) in zip("so^DvPX*", table["rows"]):
            panel.plot(nodes, list(map(float, gains)), label=strategy, marker=mark, markersize=4, linewidth=1.2,
                       linestyle=":" if "Vicino" in strategy else "-")
        panel.set_xscale("log", base=2)
        panel.set_xticks(nodes, list(map(str, nodes)))
        panel.set_xlabel("nodes of 16 cores")
        panel.set_title(title.split(", ", 1)[1].split(": ")[0])
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("gain over static, %")
    panels[0].legend(fontsize="small")
    figure.suptitle("A model, not a measurement: Vicino's schedules under virtual time")
    pyplot.savefig(sys.argv[1], metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
