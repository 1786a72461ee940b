"""The time of each construct on each runtime, and Vicino's ratio to the better peer."""

import collections

from report import cells, page, stats

TITLE = "Overhead of constructs"
# Another core cannot answer sooner than this: a faster figure is a bug in the benchmark.
LOCKSTEP_FLOOR_NS = 10
NO_RUNTIME = {"line"}  # shown, but not judged
LOCKSTEP = {"line", "parallel", "parallel_for", "for", "dynamic_loop", "barrier", "single", "copyprivate",
            "sections", "parallel_reduction", "for_reduction", "for_reduction_3"}


def run(bench, options, seconds, progress):
    """{"units": {construct: unit}, "samples": {threads: {cell: {"others": [share by round],
    "ns": {construct: [by round]}}}}}"""
    units = {}
    samples = {threads: {str(cell): {"others": [], "ns": collections.defaultdict(list)}
                         for cell in bench.cells(control=True)} for threads in options.threads}
    jobs = [(cell, threads) for cell in bench.cells(control=True) for threads in options.threads]
    for _, (cell, threads), lines, others in cells.measured(
            jobs, (seconds, 3, progress), lambda job: measure(bench, *job, options.only, options.ms), None):
        found = samples[threads][str(cell)]
        found["others"].append(others)
        for line in lines:
            check_physics(cell, threads, line)
            units[line["construct"]] = line["unit"]
            found["ns"][line["construct"]].append(line["ns"])
    return {"units": units, "samples": samples}


def measure(bench, cell, threads, only, ms, timeout=120, settings=None):
    command = [bench.program("micro", cell), "--runtime", bench.file(cell), "--ms", str(ms)]
    lines = bench.run(cell, command + (["--only", only] if only else []), threads, timeout,
                      settings=settings)
    return [line for line in lines if line["kind"] == "time"]


def check_physics(cell, threads, line):
    if threads > 1 and line["construct"] in LOCKSTEP and line["ns"] < LOCKSTEP_FLOOR_NS:
        raise cells.Refused(f"{cell}: {line['construct']} in {line['ns']:.1f} ns on {threads} "
                            "threads: nothing crosses cores that fast")


def ratios(by_cell, construct):
    """{"clang": …, "gcc": …, "all": …}: Vicino over the better peer, with one compiler's program or (all)
    with the better of both compilers'."""
    def of(keep):
        return [by_cell[name][construct] for name in by_cell
                if keep(*name.split(" ", 1)) and by_cell[name].get(construct)]

    result = {}
    for compiler in ("clang", "gcc"):
        ours = of(lambda c, r: c == compiler and r == cells.OURS)
        peers = of(lambda c, r: c == compiler and r in cells.PEERS)
        if ours and peers:
            result[compiler] = stats.ratio(ours[0], peers)
    ours = of(lambda _, r: r == cells.OURS)
    peers = of(lambda _, r: r in cells.PEERS)
    if ours and peers:
        result["all"] = stats.ratio(min(ours, key=stats.median), peers)
    return result


def control(by_cell):
    """libomp over its own copy: the method's result where there is no difference."""
    first, second = by_cell.get("clang libomp"), by_cell.get(f"clang {cells.CONTROL}")
    if not first or not second:
        return None
    found = {c: stats.ratio(second[c], [first[c]]) for c in first if second.get(c)}
    worst = max(found, key=lambda c: abs(found[c]["ratio"] - 1))
    return {"constructs": len(found), "worst": worst, **found[worst],
            "seen": sum("low" in r and not r["low"] <= 1 <= r["high"] for r in found.values())}


def report(data):
    parts = [part for threads, by_cell in sorted(data["samples"].items())
             for part in _one(threads, {name: _quiet(found) for name, found in by_cell.items()}, data["units"])]
    shares = [s for by in data["samples"].values() for found in by.values() for s in found["others"]]
    busy = sum(share > 0.05 for share in shares)
    return [*parts, f"In {busy} of {len(shares)} processes others used more than 5 % of the CPUs; the quietest are "
                    "reported.\n"]


def _quiet(found):
    return {construct: stats.quietest(ns, found["others"]) for construct, ns in found["ns"].items()}


def _one(threads, by_cell, units):
    names = [n for n in by_cell if not n.endswith(cells.CONTROL)]
    names.sort(key=lambda n: (n.split()[0], n.endswith(cells.OURS), n))
    found = {c: {} if c in NO_RUNTIME else ratios(by_cell, c) for c in units}
    columns = [k for k in ("clang", "gcc", "all") if any(k in r for r in found.values())]
    rows = []
    for construct in units:
        times = [page.timed(by_cell[name].get(construct)) for name in names]
        marks = [page.ratio(found[construct][k]) if k in found[construct] else "" for k in columns]
        rows.append([f"{construct}: {units[construct]}", *times, *marks])
    counts = [len(values) for by in by_cell.values() for values in by.values()]
    title = f"Constructs, {page.team(threads)}"
    return [f"### {title}, {min(counts, default=0)} to {max(counts, default=0)} processes each\n",
            page.Rows(title, ["ns", *names, *(f"ratio, {k}" for k in columns)], rows),
            verdict(found, columns) + _control_line(by_cell)]


def verdict(found, columns):
    text = ""
    for column in columns:
        known = {c: r[column] for c, r in found.items() if column in r}
        above = sorted((c for c in known if known[c]["ratio"] > 1.1),
                       key=lambda c: -known[c]["ratio"])
        even = sum(r["ratio"] <= 1.0 for r in known.values())
        text += (f"- {column}: {even} of {len(known)} at or below 1.00, "
                 f"{len(known) - even - len(above)} up to 1.10, {len(above)} above"
                 + "".join(f"{', ' if i else ': '}{c} ({known[c]['ratio']:.2f})" for i, c in enumerate(above)) + ".\n")
    return text


def _control_line(by_cell):
    c = control(by_cell)
    if c is None:
        return ""
    return (f"- control, libomp against a copy of itself: the ratio farthest from 1 is "
            f"{page.ratio(c)} ({c['worst']}); {c['seen']} of {c['constructs']} intervals miss 1, "
            f"about {0.05 * c['constructs']:.0f} are expected to by chance.\n")
