"""Tables and verdicts of programs whose arrays one thread fills: samples as suites/pages.py has them."""

import collections
import statistics

from report import cells, page

# Programs to which a placement is worth something, and those to which none is.
GAIN = ("ndarray", "radix", "spmv", "stencil", "triad")
NO_GAIN = ("fresh", "patterns", "small")

AGAIN = "off again"

# What is compared: a title, the programs (None: all), the numerator, the denominator, and the most that is due.
# The denominator "interleaved" is the better peer's.
Limit = collections.namedtuple("Limit", "title programs of over most")
LIMITS = (Limit("filled by one thread, over parallel first touch", GAIN, "auto", "first touch", 1.15),
          Limit("the same with the profile of an earlier run", GAIN, "profile", "first touch", 1.05),
          Limit("filled by one thread, over the better peer interleaved", GAIN, "auto", "interleaved", 1.0),
          Limit("filled by all threads, over off", None, "first touch auto", "first touch", 1.01),
          Limit("short-lived, small or of two patterns, over off", NO_GAIN, "auto", "off", 1.01))
NOISE = Limit("off, over off: another sample of the same", None, AGAIN, "off", 1.01)


def is_ours(sample):
    return sample["runtime"] not in cells.PEERS


def by_case(samples, key="sum_ns"):
    """{(machine, program, runtime, compiler): {column: {(bound, seed): value}}}, of Vicino's; the peers' columns
    are in each, as the least of their values."""
    found, peers = {}, {}
    for sample in samples:
        at = (sample["bound"], sample["seed"])
        if is_ours(sample):
            case = (sample["machine"], sample["program"], sample["runtime"], sample["compiler"])
            found.setdefault(case, {}).setdefault(sample["column"], {})[at] = sample[key]
        else:
            column = peers.setdefault((sample["machine"], sample["program"]), {}).setdefault(sample["column"], {})
            column[at] = min(sample[key], column.get(at, sample[key]))
    for (machine, program, *_), columns in found.items():
        columns |= peers.get((machine, program), {})
    return found


def ratios(columns, limit):
    """{(bound, seed): ratio} of the samples that both columns have."""
    of, over = columns.get(limit.of, {}), columns.get(limit.over, {})
    return {at: of[at] / over[at] for at in of if at in over}


def judged(found):
    """The greatest of the bounds' medians over the seeds: what is held against a limit."""
    by_bound = {}
    for (bound, _), ratio in found.items():
        by_bound.setdefault(bound, []).append(ratio)
    return max(map(statistics.median, by_bound.values()))


def is_of(limit, program):
    return limit.programs is None or program in limit.programs


def held(cases, limit):
    """{case: {(bound, seed): ratio}} of the cases that a limit is about."""
    found = {case: ratios(columns, limit) for case, columns in cases.items() if is_of(limit, case[1])}
    return {case: values for case, values in found.items() if values}


def name_of(case, runtimes):
    machine, program, runtime, compiler = case
    return f"{program}, {machine}, {compiler}" + (f", {runtime}" if len(runtimes) > 1 else "")


def verdicts(cases):
    """A table: of each limit, how many cases keep it, and the worst."""
    runtimes = {case[2] for case in cases}
    rows = []
    for limit in (*LIMITS, NOISE):
        if found := {case: judged(values) for case, values in held(cases, limit).items()}:
            worst = max(found, key=found.get)
            kept = sum(ratio <= limit.most for ratio in found.values())
            rows.append([limit.title, f"{limit.most:.2f}", f"{statistics.geometric_mean(found.values()):.3f}",
                         f"{found[worst]:.3f} ({name_of(worst, runtimes)})", f"{kept} of {len(found)}",
                         "" if limit is NOISE else "holds" if kept == len(found) else "does not hold"])
    return page.table(["time of the steps", "at most", "mean", "worst", "cases within it", "verdict"], rows)


def span(values):
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{middle:.2f} ({low:.2f} to {high:.2f})"


def of_column(columns, name, show):
    values = list(columns.get(name, {}).values())
    return show(statistics.median(values)) if values else ""


TIMES = ("off", "auto", "profile", "first touch", "first touch auto", "interleaved", "peer")


def of_machine(samples, machine):
    """A row for each program and compiler: medians over all samples, and the ratios."""
    cases = {case: columns for case, columns in by_case(samples).items() if case[0] == machine}
    local = by_case([sample for sample in samples if sample["local"] is not None], "local")
    runtimes = {case[2] for case in cases}
    head = ["program", *TIMES, *(f"{limit.of} / {limit.over}" for limit in (*LIMITS, NOISE)), "local: off", "auto", "first touch"]
    rows = [[name_of(case, runtimes).replace(f", {machine}", ""),
             *(of_column(columns, name, page.duration) for name in TIMES),
             *(span(list(values.values())) if is_of(limit, case[1]) and (values := ratios(columns, limit)) else ""
               for limit in (*LIMITS, NOISE)),
             *(of_column(local.get(case, {}), name, "{:.0%}".format) for name in ("off", "auto", "first touch"))]
            for case, columns in sorted(cases.items())]
    return page.Rows(f"{machine}: time of all steps, model's clock", head, rows, shown=True)


def other_times(samples, machine, key, what):
    cases = {case: columns for case, columns in by_case(samples, key).items() if case[0] == machine}
    runtimes = {case[2] for case in cases}
    return page.Rows(f"{machine}: {what}", ["program", *TIMES],
                     [[name_of(case, runtimes).replace(f", {machine}", ""),
                       *(of_column(columns, name, page.duration) for name in TIMES)]
                      for case, columns in sorted(cases.items())])


def parts(data):
    samples = data["samples"]
    machines = list(dict.fromkeys(sample["machine"] for sample in samples))
    seeds, bounds = (", ".join(map(str, sorted({sample[key] for sample in samples}))) for key in ("seed", "bound"))
    others = (("run_ns", "the whole run"), ("median_ns", "the median of a step"),
              ("last_quarter_ns", "the median of a step of the last quarter"))
    told = sorted({line for sample in samples for line in sample["told"]})
    return [f"{data['steps']} steps; seeds: {seeds}; the model's numbers: {bounds}.\n",
            "### Verdicts\n", verdicts(by_case(samples)),
            *(of_machine(samples, machine) for machine in machines),
            *(other_times(samples, machine, key, what) for machine in machines for key, what in others),
            *(["Said by runtimes: " + "; ".join(f"`{line}`" for line in told) + "\n"] if told else []),
            *(f"No end within the time limit: {job}.\n" for job in data["late"])]
