"""Draws speed-up over threads from what run.py hands in: {"teams": […], "drawn": {kernel: {curve: […]}}}."""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "papers"  # the same figures give the same file
from matplotlib import pyplot  # noqa: E402


def main():
    data = json.load(sys.stdin)
    figure, panels = pyplot.subplots(1, len(data["drawn"]), figsize=(10, 4.4), sharey=True, squeeze=False,
                                     layout="constrained")
    for panel, (kernel, curves) in zip(panels[0], data["drawn"].items()):
        panel.plot(data["teams"], data["teams"], color="0.7", linewidth=0.8, label="linear")
        for mark, (name, speeds) in zip("so^Dv", curves.items()):
            known = [(threads, speed) for threads, speed in zip(data["teams"], speeds) if speed]
            panel.plot(*zip(*known), label=name, marker=mark, markersize=4, linewidth=1.2)
        panel.set_xticks(data["teams"])
        panel.set_xlabel("threads")
        panel.set_title(kernel)
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("speed-up")
    panels[0][0].legend(fontsize="small")
    figure.suptitle("A model, not a measurement: task kernels on a Sun X4600 M2")
    pyplot.savefig(sys.argv[1], metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
