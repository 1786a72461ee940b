"""Markdown tables; a page whose measured part is replaced while the fixed text stays; and the file beside it.

A report is a list of parts. Texts are for the page, which a person reads. Rows are data: they go into a JSON file
beside the page, one table a line, with the cells as they are shown. show() prints them, and pictures are made of them.
"""

import dataclasses
import json
import statistics

from report import machine, stats

BEGIN = "<!-- measured: written by the benchmark, do not edit -->"
HIDDEN = "Tables in ["
END = "<!-- end of measured -->"

# What a badge calls figures (docs/glossary.md). `measured` and `rehearsal` are times of a machine, the latter of one that was
# not quiet (machine.QUIET), or of which that is not known; `modelled` are programs in guests whose clock follows a model;
# `virtual` is what was computed without running a program.
KINDS = ("measured", "rehearsal", "modelled", "virtual")
UNKNOWN = "not recorded"


def badge(kind, date, commit, rounds):
    """The first line of figures: what they are, and when, from which commit and from how many rounds."""
    if kind not in KINDS:
        raise ValueError(f"a badge {kind!r}; there are {', '.join(KINDS)}")
    return f"> **{kind}** · {date or f'date {UNKNOWN}'} · commit {commit or UNKNOWN} · rounds: {rounds or UNKNOWN}\n"


def kind_of_time(noise):
    """Of times that a machine took, by what disturbed it meanwhile (machine.is_quiet)."""
    return "measured" if machine.is_quiet(noise) else "rehearsal"


def table(head, rows):
    """The first column is text; the others are figures and are aligned to the right."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


@dataclasses.dataclass(frozen=True)
class Rows:
    """A table that is data. It is on the page only if it is `shown`."""

    title: str
    head: list
    rows: list
    shown: bool = False

    def __str__(self):
        return f"### {self.title}\n\n{table(self.head, self.rows)}"


def whole(parts):
    """All parts as one text, for a terminal."""
    return "\n".join(map(str, parts))


def figure(value):
    """The value with about three significant digits."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def duration(ns):
    if ns < 1e4:
        return figure(ns)
    return f"{figure(ns / 1e3)} µs" if ns < 1e7 else f"{figure(ns / 1e6)} ms"


def ratio(r, digits=2):
    """With its interval, if there is one: one value on a side has none."""
    interval = f" [{r['low']:.{digits}f}, {r['high']:.{digits}f}]" if "low" in r else ""
    return f"{r['ratio']:.{digits}f}{interval}"


def with_spread(values, form):
    """The median and behind it the spread, each as `form` writes it; one value has no spread, none is an empty text."""
    if len(values) < 2:
        return form(values[0]) if values else ""
    return f"{form(stats.median(values))} ({form(stats.spread(values))})"


def timed(values):
    """The median and the spread of times in ns; an empty text without times."""
    return with_spread(values or [], duration)


def timed_ratio(values, reference):
    """Of two samples, if both are there."""
    return ratio(stats.ratio(values, [reference])) if values and reference else ""


def median(values):
    return with_spread(values or [], figure)


def team(threads):
    return f"{threads} thread{'s' if threads != 1 else ''}"


def mean_and_least(found):
    """Of {case: how many times as fast}."""
    if not found:
        return ""
    worst = min(found, key=found.get)
    return f"{statistics.geometric_mean(found.values()):.2f}; {found[worst]:.2f} ({worst})"


def verdict(subject, reference, found):
    """The same of kernels as a sentence."""
    if not found:
        return ""
    worst = min(found, key=found.get)
    return (f"{subject} over {reference}: {statistics.geometric_mean(found.values()):.2f} times as fast in the "
            f"geometric mean of {len(found)} kernel{'s' if len(found) != 1 else ''}, {found[worst]:.2f} at least "
            f"({worst}).\n")


def rewrite(path, measured):
    head, _, tail = _parts(path)
    path.write_text(f"{head}{BEGIN}\n\n{measured.strip()}\n\n{END}{tail}", encoding="utf-8")


def write(path, parts):
    """The page's measured part, and the tables beside it."""
    tables = [part for part in parts if isinstance(part, Rows)]
    if len({part.title for part in tables}) < len(tables):
        raise ValueError(f"two tables of {path} have one title")
    shown = [part for part in parts if isinstance(part, str) or part.shown]
    if hidden := [part.title for part in tables if not part.shown]:
        data = data_of(path).name
        shown.append(f"{HIDDEN}{data}]({data}), which `bench/run --show` prints: {'; '.join(hidden)}.\n")
    rewrite(path, whole(shown))
    if tables:
        keep(path, tables)


def data_of(path):
    """The file beside a page."""
    return path.with_suffix(".json")


def keep(path, tables):
    lines = [f"{json.dumps(part.title, ensure_ascii=False)}: "
             + json.dumps({"head": list(map(str, part.head)), "rows": [list(map(str, row)) for row in part.rows]},
                          ensure_ascii=False, separators=(",", ":")) for part in tables]
    data_of(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def kept(path):
    """The tables beside a page."""
    found = json.loads(data_of(path).read_text(encoding="utf-8"))
    return [Rows(title, by["head"], by["rows"]) for title, by in found.items()]


def show(path, words=()):
    """The tables beside a page whose titles have all these words."""
    return whole([part for part in kept(path) if all(word.lower() in part.title.lower() for word in words)])


def measured_of(path):
    """The page's measured part as it is, but for the line that write() adds about tables beside the page."""
    return _parts(path)[1].partition(f"\n{HIDDEN}")[0].strip()


def _parts(path):
    head, found, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    measured, ended, tail = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"{path} lacks the marks between which figures go")
    return head, measured, tail


def preamble(facts, noise, rounds, settings=""):
    """The badge, and the machine. The load average is that of the minute before, when what is measured was built."""
    cores = f"{facts['cores']} cores" + (" of a virtual machine" if facts["virtual"] else "")
    rows = [
        ("machine", f"{facts['processor']}, {cores}, {facts['kernel']}"),
        ("load average at start", f"{facts['load']:.2f}"),
        ("CPU time taken by others, meanwhile", f"{noise['others']:.1%}"),
        ("CPU time withheld by the hypervisor", f"{noise['steal']:.1%}"),
        *([("the same work took longer than at its best, in the mean", f"{noise['slowed']:.0%}")] if "slowed" in noise else []),
        *((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
        *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()),
        ("settings", settings or " ".join(f"{k}={v}" for k, v in facts["settings"].items()) or
         "none but OMP_NUM_THREADS"),
    ]
    return (badge(kind_of_time(noise), facts["date"], machine.commit(facts["runtimes"]), rounds) + "\n"
            + "".join(f"- {name}: {value}\n" for name, value in rows))
