"""Tables of the programs of bench/mpi: times, and ratios of speeds with their intervals."""

from report import cells, page, stats

TITLES = {"unbound": "Default threads and settings by hand", "noise": "Under external noise",
          "uneven": "Two ranks of a core each, one with twice the work",
          "even": "Two ranks of a core each, with equal work"}
BASES = {"noise": "static", "uneven": "", "even": ""}  # the setting with which others are compared


def quiet(sample):
    return stats.quietest(sample["ns"], sample["others"], least=1)


def runtime_of(row):
    return row.partition(",")[0]


def setting_of(row):
    return row.partition(", ")[2]


def is_peer(row):
    return runtime_of(row) in cells.PEERS


def compiler_of(row):
    return cells.COMPILER_OF.get(runtime_of(row), runtime_of(row).rpartition(" ")[2])


def time_of(values):
    return f"{page.duration(stats.median(values))} ({page.figure(100 * stats.spread(values) / stats.median(values))} %)"


def speed(by_row, row, others):
    """How many times as fast as the best of the other rows, with a 95 % interval; or an empty text."""
    references = [quiet(by_row[other]) for other in others if other in by_row]
    if row not in by_row or not references:
        return ""
    slow = stats.ratio(quiet(by_row[row]), references)
    return page.ratio({"ratio": 1 / slow["ratio"], "low": 1 / slow["high"], "high": 1 / slow["low"]})


def text(data):
    parts = [f"Cores: {data['cores']}. Noise: one core is busy with another process for {data['noise']}.\n"]
    if data["unknown"]:
        parts.append(f"Not measured, because the library does not know it: {', '.join(data['unknown'])}.\n")
    for part, title in TITLES.items():
        if by_case := data["samples"].get(part):
            parts.append(f"### {title}\n\n{(unbound if part == 'unbound' else settings)(part, by_case)}")
    if data["late"]:
        parts.append("No end in time: " + "; ".join(", ".join(place) for place in data["late"]) + ".\n")
    return "\n".join(parts)


def unbound(_, by_case):
    """Programs of two compilers are not compared with each other."""
    rows = sorted({row for by_row in by_case.values() for row in by_row}, key=lambda row: (is_peer(row), row))
    ours = [row for row in rows if not is_peer(row) and not setting_of(row)]
    ratios = []
    for case, by_row in by_case.items():
        for row in [row for row in ours if row in by_row]:
            rivals = [other for other in by_row if compiler_of(other) == compiler_of(row)]
            peer = [other for other in rivals if is_peer(other) and not setting_of(other)]
            by_hand = [other for other in rivals if setting_of(other)]
            ratios.append([f"{case}, {row}", speed(by_row, row, peer), speed(by_row, row, by_hand)])
    times = [[row, *(time_of(quiet(by_row[row])) if row in by_row else "" for by_row in by_case.values())]
             for row in rows]
    head = ["speed, by default, over", "the compiler's own runtime, by default", "the best by hand"]
    return f"{page.table(head, ratios)}\n{page.table(['time (spread)', *by_case], times)}"


def settings(part, by_case):
    found = []
    for case, by_row in by_case.items():
        for row in sorted(by_row):
            base = ", ".join(word for word in (runtime_of(row), BASES[part]) if word)
            over = "" if row == base else speed(by_row, row, [base])
            found.append([f"{case}, {row}", time_of(quiet(by_row[row])), over])
    return page.table(["", "time (spread)", f"speed over {BASES[part] or 'the default'}"], found)
