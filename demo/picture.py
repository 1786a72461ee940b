#!/usr/bin/env python3
"""Programs on Vicino against their own runtimes, as one picture that follows the reader's colours, light or dark.

    picture.py                          writes demo/programs.svg, of the table in bench/programs/results.md
    picture.py REPORT NAME UNIT FILE SENTENCE...
                                        puts the rows of the demo's table, which table.py takes, on top of a page that
                                        `vicino report --html` has written

A row has a mark at the ratio of the two times (above 1 Vicino is faster) and a line for the 95 % interval. Programs that
showed no difference have one row together in programs.svg.
"""

import html
import json
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "programs" / "results.md"
PICTURE = Path(__file__).with_name("programs.svg")

# Near those of Okabe and Ito, as in tools/vicino/page/page.css; marks differ in shape, too.
STYLE = """
svg.rows{--g:#fff;--t:#1b2026;--s:#55606c;--l:#d9dee4;--f:#1f6fb5;--w:#d55e00;font:13px system-ui,"Segoe UI","DejaVu Sans",sans-serif}
@media(prefers-color-scheme:dark){svg.rows{--g:#14171b;--t:#e7eaee;--s:#a2acb8;--l:#333a43;--f:#56a3e6;--w:#e8741a}}
.rows .ground{fill:var(--g)}.rows text{fill:var(--t)}.rows .soft{fill:var(--s)}.rows .grid{stroke:var(--l)}
.rows .one{stroke:var(--s);stroke-width:1.5}
.rows .faster{fill:var(--f);stroke:var(--f)}.rows .slower{fill:var(--w);stroke:var(--w)}.rows .same{fill:var(--g);stroke:var(--s)}
"""
WIDTH, LEFT, ROW, TOP, BOTTOM = 760, 190, 20, 34, 34
LETTER = 7.5  # of a text, about
TICKS = (0.5, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100)


@dataclass
class Row:
    name: str
    kind: str       # faster, slower, same
    ratios: list    # (low, estimate, high); several in a row of many; none if one side never ended
    text: str = ""  # at the right; else the ratio


def kind_of(low, high):
    return "faster" if low > 1 else "slower" if high < 1 else "same"


def mark(kind, x, y):
    if kind == "slower":
        return f'<path class="slower" d="M{x:.1f} {y - 5}l5 5-5 5-5-5z"/>'
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y}" r="4.5"/>'


def svg(rows, title, description):
    """The picture. At least one row has a ratio."""
    numbers = [one for row in rows for ratio in row.ratios for one in ratio]
    low, high = min(0.9, *numbers), max(1.5, *numbers) * 1.05
    # Texts stand behind the longest lines.
    right = 16 + LETTER * max(len(row.text or "16.8") for row in rows if row.ratios)
    scale = (WIDTH - LEFT - right) / math.log(high / low)

    def at(ratio):
        return LEFT + scale * math.log(ratio / low)

    height = TOP + ROW * len(rows) + BOTTOM
    parts = [f'<svg class="rows" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" '
             f'aria-label="{html.escape(title)}">',
             f"<title>{html.escape(title)}</title><desc>{html.escape(description)}</desc><style>{STYLE}</style>",
             f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
             f'<text x="{at(1) + 8:.1f}" y="18">times as fast on Vicino as on the program\'s own runtime</text>']
    below = TOP + ROW * len(rows)
    last = -math.inf
    for tick in (tick for tick in TICKS if low <= tick <= high):
        x = at(tick)
        parts.append(f'<path class="{"one" if tick == 1 else "grid"}" d="M{x:.1f} {TOP - 6}V{below}"/>')
        if tick == 1 or x - last > 28 and abs(x - at(1)) > 28:
            parts.append(f'<text class="soft" text-anchor="middle" x="{x:.1f}" y="{below + 18}">{tick:g}</text>')
            last = x
    for number, row in enumerate(rows):
        y = TOP + ROW * number + ROW // 2
        parts.append(f'<text text-anchor="end" x="{LEFT - 12}" y="{y + 4}">{html.escape(row.name)}</text>')
        for lowest, ratio, highest in row.ratios:
            parts.append(f'<path class="{row.kind}" stroke-width="2" d="M{at(lowest):.1f} {y}H{at(highest):.1f}"/>'
                         + mark(row.kind, at(ratio), y))
        text = row.text or (f"{row.ratios[0][1]:.3g}" if len(row.ratios) == 1 else "")
        end = max((at(highest) for _, _, highest in row.ratios), default=at(1))
        parts.append(f'<text x="{end + 9:.1f}" y="{y + 4}">{html.escape(text)}</text>')
    return "\n".join([*parts, "</svg>"])


def programs():
    """The rows of results.md: what differs, most first; the others in one row."""
    found = re.findall(r"^\| (\w+) \|.*\| ([\d.]+) \[([\d.]+), ([\d.]+)\] \|.*\| (\**)(faster|slower|no difference seen)\5 \|$",
                       RESULTS.read_text(encoding="utf-8"), re.MULTILINE)
    rows = [(name.replace("_", " "), verdict, (float(low), float(ratio), float(high)))
            for name, ratio, low, high, _, verdict in found]
    rows.sort(key=lambda row: -row[2][1])
    same = [ratio for _, verdict, ratio in rows if verdict.startswith("no")]
    faster, slower = ([Row(name, verdict, [ratio]) for name, verdict, ratio in rows if verdict == wanted]
                      for wanted in ("faster", "slower"))
    return faster + [Row(f"{len(same)} programs", "same", same, "no difference seen")] + slower


def programs_svg():
    rows = programs()
    count = {kind: sum(len(row.ratios) for row in rows if row.kind == kind) for kind in ("faster", "same", "slower")}
    title = f"{sum(count.values())} programs on Vicino and on their own runtimes"
    return svg(rows, title, f"{count['faster']} programs were faster on Vicino, {count['same']} showed no difference, and "
               f"{count['slower']} were slower: " + "; ".join(
                   f"{row.name} {row.ratios[0][1]:.3g}" for row in rows if row.kind != "same")) + "\n"


def of_demo(arguments):
    rows = []
    for name, unit, file, _ in zip(*[iter(arguments)] * 4):
        compared = json.loads(Path(file).read_text(encoding="utf-8"))
        if "left_out" in compared:
            rows.append(Row(name, "same", [], f"left out: {compared['left_out']}"))
            continue
        if "own" in compared:
            told = ["hangs" if compared[side] is None else f"{compared[side]:.3g} s" for side in ("own", "vicino")]
            rows.append(Row(name, "same", [], f"{told[0]} on its own runtime, {told[1]} on Vicino"))
            continue
        ratio = compared["ratio"]
        low, high = ratio.get("low", ratio["estimate"]), ratio.get("high", ratio["estimate"])
        own, ours = (f"{compared[side]['median']:.4g}" for side in ("base", "candidate"))
        rows.append(Row(name, kind_of(low, high), [(low, ratio["estimate"], high)],
                        f"{ratio['estimate']:.3g} ({own} \N{RIGHTWARDS ARROW} {ours} {unit})"))
    return rows


def put_on(page, arguments):
    """The rows before the report's verdict."""
    text = page.read_text(encoding="utf-8")
    sentences = "".join(f"<li>{html.escape(name)}: {html.escape(sentence)}</li>\n"
                        for name, _, _, sentence in zip(*[iter(arguments)] * 4) if sentence)
    section = ('<section aria-labelledby="demo">\n<h2 id="demo">Programs of the demo</h2>\n<p class="note">Each on its own runtime '
               "and on Vicino, with 95 % intervals; below is what the threads of one of them did.</p>\n"
               f'<figure class="scroll">{svg(of_demo(arguments), "Programs of the demo", "The table that the demo prints.")}</figure>'
               f"\n<ul>\n{sentences}</ul>\n</section>\n")
    head, main, rest = text.partition("<main>\n")
    if not main:
        sys.exit(f"{page} is no page of vicino report")
    page.write_text(head + main + section + rest, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        put_on(Path(sys.argv[1]), sys.argv[2:])
    else:
        PICTURE.write_text(programs_svg(), encoding="utf-8")
