"""One table of several comparisons.

    table.py NAME UNIT FILE [NAME UNIT FILE]...     FILE: from vicino compare --json FILE
"""

import json
import sys
from pathlib import Path

HEADER = ("program", "own runtime", "", "Vicino", "", "ratio", "95 % interval", "verdict")


def row(name, unit, comparison):
    ratio = comparison["ratio"]
    interval = f"{ratio['low']:.3f} to {ratio['high']:.3f}" if "low" in ratio else "none"
    runtimes = " ".join(Path(r).name.split(".so")[0] for r in comparison["base"]["runtimes"])
    return (name, runtimes, f"{comparison['base']['median']:.4g} {unit}",
            "libvicino", f"{comparison['candidate']['median']:.4g} {unit}",
            f"{ratio['estimate']:.3f}", interval, comparison["verdict"])


def table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(r, widths)).rstrip() for r in rows)


def main(arguments):
    comparisons = [(name, unit, json.loads(Path(file).read_text()))
                   for name, unit, file in zip(*[iter(arguments)] * 3)]
    print(table([HEADER, *(row(*c) for c in comparisons)]))
    print("\nMedians; the ratio is that of the pairs, above 1 where Vicino is better.")


if __name__ == "__main__":
    main(sys.argv[1:])
