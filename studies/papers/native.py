"""The model against the machine at hand: loops under several schedules, modelled for 1x2 and timed natively.

The guests run the same programs with the same arguments as this machine does. What is compared is the order
of schedules: seconds are not the model's business. So this part says little unless the machine has two
cores alike, and other programs leave them alone while it is timed, which is after all guests.
"""

import itertools
import statistics

from papers import orders
from report import cells, command, machine, page
from report.guests import BOUND, Run, samples, times

MODEL, THREADS = "1x2", 2
VICINO = cells.Cell("gcc", cells.OURS)
# program: (--scale, its inputs). A run takes some milliseconds, of which the native ones vary least.
PROGRAMS = {
    "triangles": (0.1, ("triangles",)),
    "synthetic": (0.1, ("synthetic-uniform", "synthetic-up", "synthetic-down")),
    "spmv": (0.05, ("spmv-uniform", "spmv-power", "spmv-arrow")),
    "lu": (0.1, ("lu",)),
    "mandelbrot": (0.05, ("mandelbrot",)),
}
SCHEDULES = {"static": "static", "cyclic": "static_chunked,1", "dynamic": "dynamic_shared,1", "guided": "guided",
             "ich": "ich", "mixed": "mixed"}
# From which ratio of native times on the model must have the same order.
APART = 1.1
# Of the native part. In a process the first run is not counted: it makes the threads.
SECONDS, ROUNDS, REPEAT = 60, 5, 8


def runs(options):
    for sample in samples(options):
        for program in PROGRAMS:
            for schedule in SCHEDULES.values():
                yield run_of(program, schedule, *sample)


def run_of(program, schedule, seed, bound):
    return Run(MODEL, VICINO, f"loops/{program}", (*arguments(program), "--repeat", "2"), settings(schedule),
               seed, bound)


def arguments(program):
    return "--scale", str(PROGRAMS[program][0]), "--no-yardstick"


def settings(schedule):
    return *BOUND, ("OMP_NUM_THREADS", str(THREADS)), ("VICINO_SCHEDULE", schedule)


def modelled(guests, options):
    """[{(input, schedule): ns}], one for each sample; None in place of ns if a run was over its time limit."""
    return [{(name, title): found and times(found, name)[-1]
             for program, (_, inputs) in PROGRAMS.items() for title, schedule in SCHEDULES.items()
             for found in [guests[run_of(program, schedule, *sample)]] for name in inputs}
            for sample in samples(options)]


def natively(bench, progress):
    """{(input, schedule): ns}, the medians of processes that took turns."""
    jobs = [(program, title) for program in PROGRAMS for title in SCHEDULES]
    taken = {}
    for _, (program, title) in cells.interleaved(jobs, SECONDS, ROUNDS, progress):
        command = [bench.program(f"loops/{program}", VICINO), *arguments(program), "--repeat", str(REPEAT)]
        lines = bench.run(VICINO, command, settings=dict(settings(SCHEDULES[title])))
        for name in PROGRAMS[program][1]:
            taken.setdefault((name, title), []).extend(times({"lines": lines}, name)[1:])
    return {key: statistics.median(found) for key, found in taken.items()}


def apart(native, name):
    """The pairs of schedules, faster first, whose native times differ by more than APART."""
    return [(fast, slow) for fast, slow in itertools.permutations(SCHEDULES, 2)
            if native[name, slow] > APART * native[name, fast]]


def text(guests, options):
    noise = machine.Noise()
    native = natively(guests.bench, guests.progress)
    facts, shares = machine.facts({}, {}, {}), noise.of_run()
    badge = page.badge(page.kind_of_time(shares), facts["date"], guests.commit, command.from_to(guests.progress.rounds))
    return (f"Native times:\n\n{badge}\n"
            f"{facts['processor']}, {facts['cores']} cores; others took {shares['others']:.0%} of the CPUs' time, the "
            f"hypervisor {shares['steal']:.0%}; the same work took {shares['slowed']:.0%} longer than at its best.\n\n"
            + tables(native, modelled(guests, options)))


def tables(native, models):
    rows, all_pairs, agreed, against = [], 0, 0, []
    for name in inputs():
        if not all(model[name, title] for model in models for title in SCHEDULES):
            rows.append([name, *["over its time limit"] * (len(SCHEDULES) - 1), "", ""])
            continue
        pairs = apart(native, name)
        right = [pair for pair in pairs if all(in_order(model, name, pair) for model in models)]
        all_pairs, agreed = all_pairs + len(pairs), agreed + len(right)
        against += [f"{name}: {fast} before {slow} ({over(native, name, slow, fast)})"
                    for fast, slow in pairs if (fast, slow) not in right]
        rows.append([name, *(f"{over(native, name, 'static', title)} / "
                             f"{orders.spread([float(over(model, name, 'static', title)) for model in models])}"
                             for title in list(SCHEDULES)[1:]), len(pairs), len(right)])
    told = page.table(["speed over static: native / modelled", *list(SCHEDULES)[1:],
                       f"pairs of schedules natively more than {APART - 1:.0%} apart", "of them in the same order"],
                      [*rows, ["all", *[""] * (len(SCHEDULES) - 1), all_pairs, agreed]])
    return told + ("\nNatively, but not in the model: " + "; ".join(against) + ".\n" if against else "")


def inputs():
    return [name for _, names in PROGRAMS.values() for name in names]


def in_order(model, name, pair):
    fast, slow = pair
    return model[name, fast] < model[name, slow]


def over(times, name, schedule, other):
    return f"{times[name, schedule] / times[name, other]:.2f}"
