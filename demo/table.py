"""One table of several comparisons, with a sentence for each.

    table.py NAME UNIT FILE SENTENCE [NAME UNIT FILE SENTENCE]...

FILE: from vicino compare --json FILE, from after_fork.py or four_nodes.py; a sentence may be empty
"""

import json
import sys
from pathlib import Path

HEADER = ("program", "own runtime", "", "Vicino", "", "ratio", "95 % interval", "verdict")


def ended(seconds):
    return "hangs" if seconds is None else f"{seconds:.4g} s"


def row(name, unit, comparison):
    if "left_out" in comparison:
        return (name, "", "", "", "", "", "", "left out")
    if "own" in comparison:
        better = "better" if comparison["own"] is None else "not compared"
        return (name, "libgomp", ended(comparison["own"]), "libvicino", ended(comparison["vicino"]), "", "", better)
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
    rows = list(zip(*[iter(arguments)] * 4))
    print(table([HEADER, *(row(name, unit, json.loads(Path(file).read_text())) for name, unit, file, _ in rows)]))
    print("\nMedians; the ratio is that of the pairs, above 1 where Vicino is better.")
    for name, _, file, sentence in rows:
        left_out = json.loads(Path(file).read_text()).get("left_out")
        if left_out or sentence:
            print(f"  {name}: {left_out or sentence}")


if __name__ == "__main__":
    main(sys.argv[1:])
