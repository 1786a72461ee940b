"""Draws the tuner's paths from the rows of paths.py, in the order of what was tried."""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "papers"  # the same figures give the same file
from matplotlib import pyplot  # noqa: E402

COLUMNS = 4


def main():
    table, = json.load(sys.stdin).values()
    drawn = {}
    for taskloop, label, *us, took in table["rows"]:
        time, low, high = (float(value) / 1e3 for value in us)
        drawn.setdefault(taskloop, []).append({"label": label, "time": time, "low": low, "high": high, "took": took})
    rows = -(-len(drawn) // COLUMNS)
    figure, panels = pyplot.subplots(rows, min(COLUMNS, len(drawn)), figsize=(11, 3.2 * rows), squeeze=False,
                                     layout="constrained")
    for panel in panels.flat[len(drawn):]:
        panel.set_visible(False)
    for panel, (kernel, path) in zip(panels.flat, drawn.items()):
        draw(panel, path)
        panel.set_title(kernel)
    for row in panels:
        row[0].set_ylabel("µs of an execution")
    figure.suptitle("A model, not a measurement: what the tuner tried for a taskloop, in order (filled: what it took)")
    pyplot.savefig(sys.argv[1], metadata={"Date": None, "Creator": None})


def draw(panel, path):
    places, times = range(len(path)), [tried["time"] for tried in path]
    panel.plot(places, times, color="0.7", linewidth=1, zorder=1)
    # A trial's time is the lower quartile of its samples; the interval may lie to one side of it.
    panel.vlines(places, [tried["low"] for tried in path], [tried["high"] for tried in path],
                 color="0.4", linewidth=1.2, zorder=2)
    for place, (tried, time) in enumerate(zip(path, times)):
        panel.plot([place], [time], marker="o", markersize=7, markeredgecolor="C0", linestyle="",
                   markerfacecolor="C0" if tried["took"] else "white", zorder=3)
    panel.set_xticks(places, [tried["label"] for tried in path], rotation=60, ha="right", fontsize="small")
    panel.set_ylim(0, 1.1 * max(tried["high"] for tried in path))
    panel.grid(axis="y", alpha=0.3)


if __name__ == "__main__":
    main()
