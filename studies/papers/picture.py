"""Draws speed-up over threads from the rows of tasks.py: `kernel, curve` and a cell for each team."""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "papers"  # the same figures give the same file
from matplotlib import pyplot  # noqa: E402


def main():
    table, = json.load(sys.stdin).values()
    teams, drawn = list(map(int, table["head"][1:])), {}
    for name, *speeds in table["rows"]:
        kernel, _, curve = name.partition(", ")
        if not name.startswith("the paper's "):
            drawn.setdefault(kernel, {})[curve] = speeds
    figure, panels = pyplot.subplots(1, len(drawn), figsize=(10, 4.4), sharey=True, squeeze=False,
                                     layout="constrained")
    for panel, (kernel, curves) in zip(panels[0], drawn.items()):
        panel.plot(teams, teams, color="0.7", linewidth=0.8, label="linear")
        for mark, (name, speeds) in zip("so^Dv", curves.items()):
            known = [(threads, float(speed)) for threads, speed in zip(teams, speeds) if "time" not in speed]
            panel.plot(*zip(*known), label=name, marker=mark, markersize=4, linewidth=1.2)
        panel.set_xticks(teams)
        panel.set_xlabel("threads")
        panel.set_title(kernel)
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("speed-up")
    panels[0][0].legend(fontsize="small")
    figure.suptitle("A model, not a measurement: task kernels on a Sun X4600 M2")
    pyplot.savefig(sys.argv[1], metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
