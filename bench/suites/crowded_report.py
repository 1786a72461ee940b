"""Tables of wall times over the least time that the machine allows, and of how soon a crowd is noticed."""

import dataclasses
import random

from report import cells, page, stats

ALONE = "alone"  # the part of one copy without OpenMP; of a client, with one thread
BY_HAND = "by hand"  # threads without OpenMP
ONE_THREAD = "one thread"  # copies that are not parallel: what sharing the machine costs, and no peer's figure
OF_CLIENTS = ("clients", "leaders")
COPIED = ("copies", *OF_CLIENTS)  # the parts that do the work of so many copies at once
LIMIT = 12  # times the least time, after which a job is stopped
SOON_MS, SETTLED_MS = 100, 100  # a phase: first it changes, then it stays
SHOWN_MS = (0, 5, 10, 15, 20, 30, 50, 100)  # where the columns of a curve begin
ALIKE = 0.1  # rates of policies that differ by less do not tell which policy a runtime has


@dataclasses.dataclass(frozen=True)
class Low:
    """One process on each core beside the program: of what `command`, how nice, in a group of how many tenths of
    the program's weight (0: in no group)."""

    command: str
    nice: int = 0
    tenths: int = 0

    def weight(self, cores):
        """Of all these processes, where one of the program's threads weighs 1. The kernel gives each nice level a
        fourth more than the next, and a group's weight to all its processes together. What wakes takes next to nothing."""
        if self.command == "wakes":
            return 0.0
        return self.tenths / 10 if self.tenths else cores * 1.25 ** -self.nice


LOW = {**{f"{nice}, {command}": Low(command, nice) for nice in (19, 10, 5, 1, 0) for command in ("endless", "15 ms")},
       "19, 3 ms": Low("3 ms", 19), "0, wakes": Low("wakes"),
       "a tenth, endless": Low("endless", tenths=1), "a tenth, 15 ms": Low("15 ms", tenths=1)}


def share(cores, endless):
    """How many cores are left for a program of `cores` threads, if each thread of the machine gets the same; `endless`
    others, or as many as weigh as much as they do."""
    return cores * cores / (cores + endless)


def compiler_of(row):
    return "gcc" if row.split()[0] == "libgomp" or "gcc" in row.split() or is_yardstick(row) else "clang"


def is_peer(row):
    return row.split()[0] in cells.PEERS and not row.endswith(ONE_THREAD)


def is_yardstick(row):
    return row.startswith(BY_HAND) or row.endswith(ONE_THREAD)


def is_ours(row):
    return not (is_peer(row) or is_serial(row) or is_yardstick(row))


def is_serial(row):
    return row.split()[0] == "serial"


def serial(data, part, case, compiler):
    return data["samples"].get(part, {}).get(case, {}).get(1, {}).get(f"serial {compiler}")


def least(data, part, case, others, compiler):
    """Seconds; None where the work without OpenMP has not yet been measured."""
    if part == "quota":
        found = serial(data, part, case, compiler)
        return found and stats.median(undisturbed(found, "wall"))
    found = serial(data, ALONE, case, compiler)
    if not found:
        return None
    work = stats.median(undisturbed(found, "cpu"))
    if part in COPIED:
        return work * others / data["cores"]
    return work / share(data["cores"], LOW[others].weight(data["cores"]) if part == "low" else others)


def undisturbed(sample, what):
    return stats.quietest(sample[what], sample["disturbed"], least=1)


def walls(data, part, case, others, row):
    """Wall times over the least time, or None."""
    sample = data["samples"].get(part, {}).get(case, {}).get(others, {}).get(row)
    reference = sample and least(data, part, case, others, compiler_of(row))
    return [wall / reference for wall in undisturbed(sample, "wall")] if reference else None


def cpu(data, part, case, others, row):
    """CPU time over that of the work, the median, or None."""
    sample = data["samples"].get(part, {}).get(case, {}).get(others, {}).get(row)
    work = sample and serial(data, "quota" if part == "quota" else ALONE, case, compiler_of(row))
    if not work:
        return None
    copies = others if part in COPIED else 1
    return stats.median(undisturbed(sample, "cpu")) / stats.median(undisturbed(work, "cpu")) / copies


def in_order(rows):
    """Vicino first, then peers, the default before what is set; yardsticks are last."""
    return sorted((row for row in rows if not is_serial(row)), key=lambda row: (is_yardstick(row), is_peer(row), row))


def parts(data):
    found = [summary(data)]
    for part, title in (("copies", "copies at once"), ("clients", "copies at once"),
                        ("leaders", "threads of one process at once"), ("beside", "beside endless processes"),
                        ("quota", "under a quota of one core")):
        found += [of_case(f"{case}, {title}", data, part, case) for case in data["samples"].get(part, {})]
    found += [beside_low(data, case) for case in data["samples"].get("low", {})]
    found += [f"### {case}, a crowd that comes and goes\n\n{noticed(by_others[1])}"
              for case, by_others in data["samples"].get("noticed", {}).items()]
    if data["no quota"]:
        found.append(f"No figures under a quota: {data['no quota']}.\n")
    if data["no clients"]:
        found.append(f"No figures of clients from PyPI: {data['no clients']}.\n")
    return [part for part in found if part]


def of_case(title, data, part, case):
    by_others = data["samples"][part][case]
    late = {row for of_part, of_case, _, row in data["late"] if (of_part, of_case) == (part, case)}
    rows = in_order(late.union(*by_others.values()))
    numbers = sorted(by_others)
    heads = {"beside": "beside {}", "quota": "wall"}.get(part, "{}")

    def wall_of(number, row):
        found = walls(data, part, case, number, row)
        if found:
            return page.with_spread(found, "{:.2f}".format)
        return f"over {LIMIT}" if [part, case, number, row] in data["late"] else ""

    def cpu_of(number, row):
        found = cpu(data, part, case, number, row)
        return f"{found:.2f}" if found else ""

    head = ["", *(heads.format(n) for n in numbers), *(f"CPU, {heads.format(n)}" for n in numbers)]
    return page.Rows(title, head, [[row, *(wall_of(n, row) for n in numbers), *(cpu_of(n, row) for n in numbers)]
                                   for row in rows])


def beside_low(data, case):
    """A row for each kind of other work: the wall time of each runtime, and ours over that of the better peer."""
    by_others = data["samples"]["low"][case]
    rows = in_order(set().union(*by_others.values()))
    ours = [row for row in rows if is_ours(row)]
    lines = []
    for others in [kind for kind in LOW if kind in by_others]:
        found = {row: walls(data, "low", case, others, row) for row in rows}
        best = min((stats.median(times) for row, times in found.items() if times and is_peer(row)), default=None)
        lines.append([others, *(page.with_spread(times, "{:.2f}".format) if times else f"over {LIMIT}"
                                if ["low", case, others, row] in data["late"] else "" for row, times in found.items()),
                      *(f"{stats.median(found[row]) / best:.2f}" if best and found[row] else "" for row in ours)])
    return page.Rows(f"{case}, beside other work", ["nice, other work", *rows, *(f"{row} over the best peer" for row in ours)],
                     lines)


def summary(data):
    """The worst of all cases, for each number of copies or endless processes and each program of ours."""
    rows = []
    for part, title in (("copies", "{} at once"), ("clients", "{} clients at once"),
                        ("leaders", "{} threads of a client"), ("beside", "beside {}"),
                        ("quota", "quota")):
        by_case = data["samples"].get(part, {})
        numbers = sorted({n for by_others in by_case.values() for n in by_others})
        ours = sorted({row for by_others in by_case.values() for by_row in by_others.values() for row in by_row
                       if is_ours(row) and row.split()[-1] not in ("passive", "active")})
        for number in numbers:
            for row in ours:
                rows.append([f"{row}, {title.format(number)}",
                             *(worst(data, part, number, row, others_of) for others_of in AGAINST.values())])
    return page.table(["wall time, worst case", *AGAINST], rows) if rows else ""


AGAINST = {
    "over the least time": lambda row, by_row: None,
    "over passive": lambda row, by_row: [f"{row} passive"],
    "over active": lambda row, by_row: [f"{row} active"],
    "over the best peer in any setting": lambda row, by_row: [r for r in by_row if is_peer(r)],
}


def worst(data, part, number, row, others_of):
    found = {}
    for case, by_others in data["samples"][part].items():
        by_row = by_others.get(number, {})
        own = walls(data, part, case, number, row)
        if not own:
            continue
        rivals = others_of(row, by_row)
        if rivals is None:
            found[case] = stats.median(own)
            continue
        times = [stats.median(w) for rival in rivals if (w := walls(data, part, case, number, rival))]
        if times:
            found[case] = stats.median(own) / min(times)
    if not found:
        return ""
    case = max(found, key=found.get)
    return f"{found[case]:.2f} ({case})"


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def rate(curves, first_ms, end_ms):
    """Regions per ms between these times after the events."""
    return mean(count for curve in curves for count in curve[first_ms:end_ms])


def settled(curves):
    return rate(curves, SOON_MS, SOON_MS + SETTLED_MS)


def lateness(curves, unchanged):
    """Milliseconds after which the rate changed from `unchanged` to where it settled, as if at once.

    The regions that are missing, compared with a change at the event itself, say so. A single bin would not:
    whether a region meets a time slice of another process changes it by more than the policy does."""
    end = settled(curves)
    return SOON_MS * (end - rate(curves, 0, SOON_MS)) / (end - unchanged) if end != unchanged else 0.0


def told(curves, wrong, right, resamples=1000, seed=1):
    """How late a runtime left the rate of the wrong policy, with a 95 % interval over events."""
    if abs(right - wrong) < ALIKE * max(right, wrong):
        return "the rates are alike"
    if abs(settled(curves) - right) > abs(settled(curves) - wrong):
        return f"not within {SOON_MS} ms"
    if len(curves) < 2:
        return str(round(lateness(curves, wrong)))
    rng = random.Random(seed)
    draws = sorted(lateness(rng.choices(curves, k=len(curves)), wrong) for _ in range(resamples))
    low, high = draws[int(0.025 * resamples)], draws[int(0.975 * resamples) - 1]
    return f"{round(lateness(curves, wrong))} [{round(low)}, {round(high)}]"


def noticed(by_row):
    parts = []
    for event, title, wrong, right in (("begins", "A crowd begins", "active", "passive"),
                                       ("ends", "A crowd ends", "passive", "active")):
        rows = []
        for row in in_order(by_row):
            curves = by_row[row][event]
            rates = [settled(by_row[name][event]) for policy in (wrong, right)
                     if (name := f"{row} {policy}") in by_row]
            bins = zip(SHOWN_MS, [*SHOWN_MS[1:], SOON_MS + SETTLED_MS])
            rows.append([row, *(page.figure(rate(curves, first, end)) for first, end in bins),
                         told(curves, *rates) if len(rates) == 2 else ""])
        parts.append(page.table([f"{title}: regions per ms, after", *(f"{ms} ms" for ms in SHOWN_MS),
                                 f"left the rate of {wrong} after, ms"], rows))
    return "\n".join(parts)
