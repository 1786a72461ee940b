"""All claims of the five papers in one page, docs/papers.md, from what the other studies and bench/graphs found.

Nothing is run. `studies/run STUDY --write` makes this page, too.
"""

import dataclasses
import re

from papers import deviations, ilan, taggre as taggre_tables, worksharing
from report import command, page

PAGE = command.ROOT / "docs/papers.md"
TARGETS, PICTURES = (), ()
STUDIES = command.ROOT / "studies"
GRAPHS = command.ROOT / "bench/graphs/performance.md"
HEAD = ["no.", "the paper says", "machine", "here", "verdict", "Vicino by default"]
NOT_RUN, NO_FIGURE, THE_SAME = "not run", "the paper gives no figure", "the same"
# What was tried beside a claim, to see why it fails: it is no claim of the paper, and is not counted.
EXPERIMENT, OURS = "Experiment: ", ("with as much work in an iteration", "as on BFS Pow")
# How verdicts begin, and what they are counted as.
COUNTED = (("reproduced, not at both bounds", "in part"), ("reproduced in order", "reproduced"), ("reproduced", "reproduced"),
           ("within", "reproduced"), ("same order", "reproduced"), ("same sign", "in part"), ("in most", "in part"),
           ("about equal", "in part"), ("no sign", "in part"), ("not reproduced", "not reproduced"),
           ("other order", "not reproduced"), (NOT_RUN, "not run or without a figure"), (NO_FIGURE, "not run or without a figure"),
           ("calibration", "not run or without a figure"))
COLUMNS = ("reproduced", "in part", "not reproduced", "not run or without a figure")


# How a paper's rows are read, by its letter.
READ = {"I": "Here: the time of LLVM's taskloops over that of ILAN's.",
        "N": "Speed-ups are over `static` on two threads; *p_q* is how many threads share a deque, *K_update* how many takes come "
             "between two adaptations, *ε* how far from the mean a thread is slow or fast.",
        "D": "*Placed*: threads bound by priority. Here: how like the paper's order ours is, from 1 for the same to -1 for its reverse.",
        "S": "`uSched`, `vSched`: static and dynamic, the fraction by a model; `callsite`, `full`: these by the slack of MPI calls. Two "
             "figures are gains over static.",
        "M": "Here: how many times as fast as static, and the order's Kendall's τ.",
        "T": "Three ranges are speeds over the serial loops with CD(4), F(32) and none, for six systems; \"of its last column\" is our "
             "speed-up over the paper's."}


@dataclasses.dataclass(frozen=True)
class Paper:
    letter: str
    title: str
    source: str     # the page with the details, from docs/
    badge: str
    rows: list      # without numbers

    def numbered(self):
        return [[f"{self.letter}{number}", *row] for number, row in enumerate(self.rows, 1)]


def add_options(_parser):
    pass


def tables(path):
    """[(what stands above it, head, rows)] of a page's measured part."""
    text = "\n" + page.measured_of(path)
    found = []
    for match in re.finditer(r"\n(\|.*\|)\n\|[-:| ]+\|\n((?:\|.*\|(?:\n|$))+)", text):
        above = re.findall(r"^(?:##+ (.*))$", text[:match.start()], re.MULTILINE)
        lines = [cells(line) for line in [match[1], *match[2].strip().split("\n")]]
        found.append((above[-1] if above else "", lines[0], lines[1:]))
    return found


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(path, title, first=""):
    """The head and rows of the table below this heading, whose first column has this name."""
    for above, head, rows in tables(path):
        if above.startswith(title) and head[0].startswith(first):
            return head, rows
    raise ValueError(f"{path} has no table below '{title}' that begins with '{first}'")


def badge(path, below=""):
    """The badge of a page, or of its part below a heading."""
    text = page.measured_of(path)
    if below:
        _, found, text = text.partition(f"## {below}")
        if not found:
            raise ValueError(f"{path} has no part '{below}'")
    return re.search(r"^> \*\*.*$", text, re.MULTILINE)[0] + "\n"


# iCh and NiCh

MACHINES = {"7713, 64": "EPYC 7713, 64", "2 x 8160, 48": "two Xeon 8160, 48", "2 x 8160, 96": "two Xeon 8160, 96",
            "KNL, 68": "KNL 7250, 68", "KNL, 136": "KNL 7250, 136", "KNL": "KNL 7250, 136"}
PROGRAMS = ("Syn Uni", "Syn Exp Inc", "Syn Exp Dec", "Tri", "BFS Uni", "BFS Pow", "Kmeans", "LavaMD", "Path", "LUD")
OWN = {"ich": "ich, Vicino's", "nich": "nich, Vicino's", "dynamic": "dynamic, Vicino's"}
SETTINGS = {"p_q": "half a cache group, 2 to 8 threads", "K_update": "as many as the group has threads", "larger ε": "ε = 0.33",
            "ε of": "ε = 0.33"}


def nich():
    path = STUDIES / "loops/results.md"
    _, claims = table(path, "The paper's claims")
    rows, last = [], ""
    for _, sentence, machine, here, verdict in claims:
        if sentence.startswith("the same"):
            sentence = last + sentence.removeprefix("the same")
        else:
            last = sentence
        told = f"{EXPERIMENT}{sentence}" if any(words in sentence for words in OURS) else sentence
        rows.append([told, machine, here, verdict, default_of(path, sentence, machine)])
    return Paper("N", "iCh and NiCh", "../studies/loops/results.md", badge(path), rows)


def default_of(path, sentence, machine):
    """The speed-ups of Vicino's schedules without a preset, or what a parameter is."""
    for begin, text in SETTINGS.items():
        if begin in sentence:
            return text
    if machine not in MACHINES:
        return ""
    names = [name for name in PROGRAMS if sentence.startswith(name)] or [name for name in PROGRAMS if name.split()[0] == sentence.split()[0].rstrip(":")]
    if "as much work" in sentence or "long iterations" in sentence:
        names = [f"{name}, long" for name in names]
    head, rows = table(path, MACHINES[machine])
    return "; ".join(speeds(head, row, len(names) > 1) for row in rows if row[0] in names)


def speeds(head, row, named):
    found = [f"`{name}` {value}" for name, column in OWN.items() if (value := row[head.index(column)])]
    return (f"{row[0]}: " if named else "") + ", ".join(found)


# ILAN

ILAN_MACHINE = "two EPYC 9354, 64"


def ilan_paper():
    path = STUDIES / "papers/results.md"
    head, rows = table(path, "ILAN", "speed over")
    at = {name: head.index(name) for name in head}
    found = []
    for row in rows:
        kernel = row[0].partition(" (")[0]
        paper, here = row[at["paper"]], row[at["here, second run"]]
        found.append([f"{kernel}: {paper} times as fast as LLVM's taskloops" if paper else f"{kernel}: a bar of figure 2, without a number",
                      ILAN_MACHINE, here, row[at["verdict"]] or NO_FIGURE, THE_SAME])
        if paper := row[at["paper, without moldability"]]:
            here = row[at["here, without"]]
            found.append([f"{kernel}, without moldability: {paper}", ILAN_MACHINE, here,
                          ilan.verdict(float(paper), [float(one) for one in re.findall(r"[\d.]+", here)]), "with it: as above"])
    for sentence, part in ((deviations.CLAIM, "ILAN's deviations"), ("Less time for scheduling than LLVM's in 4 of 7 (figure 5)", ""),
                           (worksharing.CLAIM, "ILAN against worksharing")):
        here, verdict = conclusion(path, part) if part else ("", NOT_RUN)
        found.append([sentence, ILAN_MACHINE, here, verdict, THE_SAME if here else ""])
    return Paper("I", "ILAN", "../studies/papers/results.md#ilan-taskloops-on-two-epyc-9354-64-threads", badge_of_rows(head, rows), found)


def conclusion(path, part):
    """What the last row of this part's table says, and its verdict; of a part that is not on the page, that it was not run."""
    rows = next((rows for above, _, rows in tables(path) if above.startswith(part)), None)
    return (rows[-1][0], rows[-1][-1]) if rows else ("", NOT_RUN)


def badge_of_rows(head, rows):
    """Each row of ILAN's table says when it was made, and with which seeds and bounds."""
    made = [re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", row[head.index("made")]) for row in rows]
    times = sorted(time for found in made for time in found)
    commits = sorted({commit for row in rows for commit in re.findall(r"\b[0-9a-f]{7,}\b", row[head.index("made")])})
    samples = {len(seeds.split(",")) * len(bounds.split(",")) for row in rows
               for seeds, found, bounds in [row[head.index("seeds; the model's numbers")].partition("; ")] if found}
    return page.badge("modelled", f"{times[0]} to {times[-1]} UTC", ", ".join(commits), command.from_to(samples))


# DFWSPT and DFWSRPT

def dfwspt():
    path, part = STUDIES / "papers/results.md", "Task schedulers on a Sun X4600 M2"
    head, rows = next((head, rows) for above, head, rows in tables(path) if above == part and "dfwsrpt, placed" in head)
    own = {row[0]: row[head.index("dfwsrpt, placed")] for row in rows}
    _, ranks = next((head, rows) for above, head, rows in tables(path) if above == part and "the paper's order" in head)
    found = [[f"{kernel.removesuffix('-untied')}: {order}", "Sun X4600 M2, 16", f"Kendall's τ {tau}", verdict,
              f"`dfwsrpt`, placed: {own[kernel]} times work-first"] for kernel, order, tau, verdict in ranks]
    if not any(row[0].startswith("floorplan") for row in found):
        found.append(["Floorplan: Cilk and work-first 3 % faster with placement", "Sun X4600 M2, 16", "", NOT_RUN, ""])
    return Paper("D", "DFWSPT and DFWSRPT", "../studies/papers/results.md#task-schedulers-on-a-sun-x4600-m2", badge(path, part), found)


# Static and dynamic loops

def nodes():
    path = STUDIES / "cluster/results.md"
    shares = {title: rows[-1][-1] for above, _, rows in tables(path) if above.startswith("Figure 6, ")
              for title in [above.removeprefix("Figure 6, ").partition(":")[0]]}

    def default(sentence):
        return next(f"`dynamic` (shares): {gain} % over static" for title, gain in shares.items() if sentence.startswith(title))

    machine = "1024 nodes of 16 cores"
    _, gains = table(path, "Against the paper", "gain")
    _, order = table(path, "Against the paper", "the paper's order")
    found = [[f"{sentence} by {paper} %", machine, f"{here} %", verdict.replace("**", ""), default(sentence)] for sentence, paper, here, verdict in gains]
    found += [[sentence, machine, f"{first} %, {second} %", verdict.replace("**", ""), default(sentence)] for sentence, first, second, verdict in order]
    return Paper("S", "Static and dynamic loops, on a cluster", "../studies/cluster/results.md", badge(path), found)


def one_node():
    path, part = STUDIES / "papers/results.md", "Static fractions on 16 cores"
    head, rows = table(path, part)
    at = {name: head.index(name) for name in head if name}
    order = at["the paper's order"]
    found = [[f"{row[0]}: {row[order]}", "16 cores",
              f"over static: mixed {row[at['mixed']]}, vsched {row[at['vsched']]}, guided {row[at['guided']]}; τ {row[at['τ']]}",
              row[at["verdict"]], "`runtime`: the tuner's choice"] for row in rows]
    for sentence, machine in (("Dense LU (CALU): mixed 34 % faster than MKL, 30 % than PLASMA", "Westmere"),
                              ("NAS: mixed ahead of static, most on CG (tables 1, 2)", "Westmere and BG/Q, 16 cores")):
        found.append([sentence, machine, "", NOT_RUN, ""])
    return Paper("M", "Static and dynamic loops, in a node", "../studies/papers/results.md#static-fractions-on-16-cores", badge(path, part), found)


# Taggre and Nas

CUBE = (("ILU(0)", 2970000), ("ILU(1)", 5910300), ("ILU(2)", 10761498))
MEASURED = "{}, [measured](../bench/graphs/performance.md)"
SYSTEMS = [f"{matrix}, {fill}" for matrix in ("cube:100", "spe10") for fill, _ in CUBE]


def taggre():
    kept = {part.title: part for part in page.kept(GRAPHS)}
    coarse = {row[0]: row for row in kept["Coarsening"].rows}
    head = kept["Coarsening"].head
    edges = [int(coarse[f"cube:100, {fill}, CD(4)"][head.index("edges")]) for fill, _ in CUBE]
    left = int(coarse["cube:100, ILU(0), CD(4)"][head.index("aggregates")])
    found = [["Cube_100 has 2,970,000, 5,910,300 and 10,761,498 edges (table II)", MEASURED.format("any"), ", ".join(f"{one:,}" for one in edges),
              "reproduced" if edges == [paper for _, paper in CUBE] else "not reproduced", THE_SAME],
             ["CD(4) makes 2,500 tasks of Cube_100, ILU(0)", MEASURED.format("any"), f"{left:,}", "reproduced" if left == 2500 else "not reproduced", THE_SAME],
             speed("Factorisation, natural order: CD(4) before F(32) before none (table III)", kept["Factorisation, 2 threads, Vicino graph"]),
             speed("Triangular solves, natural order: the same order (table VII)", kept["Forward and backward solve, 2 threads, Vicino graph"])]
    _, rows = table(STUDIES / "papers/results.md", "Taggre and Nas", taggre_tables.VERDICTS)
    return Paper("T", "Taggre and Nas", "../studies/papers/results.md#taggre-and-nas-on-two-xeon-x5570",
                 badge(STUDIES / "papers/results.md", "Taggre and Nas"), found + [[f"Table {sentence}", "two Xeon X5570", here, verdict, "`automatic`"] for sentence, here, verdict in rows])


def speed(sentence, rows):
    def of(column):
        return [float(next(row for row in rows.rows if row[0] == system)[rows.head.index(column)].split()[0]) for system in SYSTEMS]

    none, front, coarse, automatic = map(of, ("none", "F(32)", "CD(4)", "automatic"))
    right = sum(a < b < c for a, b, c in zip(none, front, coarse))
    first = sum(c > max(a, b) for a, b, c in zip(none, front, coarse))
    verdict = "reproduced in order" if right == len(SYSTEMS) else "same sign" if first == len(SYSTEMS) else "not reproduced"
    return [sentence, MEASURED.format("two cores"), f"{span(coarse)}, {span(front)}, {span(none)}; CD(4) is first in {first} of {len(SYSTEMS)}", verdict,
            f"`automatic` {span(automatic)}"]


def span(values):
    return f"{min(values):.2f} to {max(values):.2f}"


def papers():
    return [ilan_paper(), nich(), dfwspt(), nodes(), one_node(), taggre()]


def column_of(verdict):
    for begin, column in COUNTED:
        if verdict.startswith(begin):
            return column
    raise ValueError(f"a verdict {verdict!r}")


def summary(all_papers):
    def line(title, rows):
        counts = [sum(column_of(row[3]) == column for row in rows) for column in COLUMNS]
        return f"- {title}: {len(rows)} claims, " + ", ".join(f"{count} {column}" for count, column in zip(counts, COLUMNS)) + "\n"

    claims = [[row for row in paper.rows if not row[0].startswith(EXPERIMENT)] for paper in all_papers]
    return (line("all", [row for rows in claims for row in rows])
            + "".join(line(f"[{paper.title}](#{anchor(paper)})", rows) for paper, rows in zip(all_papers, claims)))


def anchor(paper):
    return re.sub(r"[^\w -]", "", paper.title.lower()).replace(" ", "-")


def text():
    found = papers()
    parts = [summary(found)]
    for paper in found:
        parts += [f"## {paper.title}\n", paper.badge, f"Details: [{paper.source.partition('#')[0].removeprefix('../')}]({paper.source}). {READ[paper.letter]}\n",
                  page.table(HEAD, paper.numbered()).replace("--:", "---", len(HEAD) - 1)]
    return "\n".join(parts)


def parts(_options):
    return [text()]


def refresh():
    page.rewrite(PAGE, text())
