"""Draws the paper's figure 6 from what run.py hands in: gains over static against the number of nodes."""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "figure 6"  # the same figures give the same file
from matplotlib import pyplot  # noqa: E402

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent)]  # for the page's parts
import verdicts  # noqa: E402

MARKS = dict(zip(verdicts.ALL, "so^DvPX*"))


def main():
    runs = json.load(sys.stdin)
    figure, panels = pyplot.subplots(1, len(runs), figsize=(11, 4.6), sharey=True, layout="constrained")
    for panel, (workload, rows) in zip(panels, runs.items()):
        gains = verdicts.gains(rows)
        nodes = sorted({row["nodes"] for row in rows})
        for strategy in verdicts.ALL:
            panel.plot(nodes, [100 * gains[strategy, n] for n in nodes], label=verdicts.label(strategy),
                       marker=MARKS[strategy], markersize=4, linewidth=1.2,
                       linestyle="-" if strategy in verdicts.PAPER else ":")
        panel.set_xscale("log", base=2)
        panel.set_xticks(nodes, [str(n) for n in nodes])
        panel.set_xlabel("nodes of 16 cores")
        panel.set_title(verdicts.TITLES[workload])
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("gain over static, %")
    panels[0].legend(fontsize="small")
    figure.suptitle("A model, not a measurement: Vicino's schedules under virtual time")
    pyplot.savefig(sys.argv[1], metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
