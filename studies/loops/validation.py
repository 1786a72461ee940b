"""The virtual time against the lab's model, on loops that both can run: bench/loops' synthetic on all cores.

Of two runs of a process the second counts, since the first makes the threads. The lab executes the program's and the runtime's instructions one by one, with a kernel beneath; here only the
schedule's atomics and the iterations' lengths are left. Ratios between schedules are what must agree.
"""

from report import cells, command, guests, page

SCALE, TRIP, STEPS = "2", 4000, 4000     # of the program: its iterations, and their mean length
CYCLES = 2      # of a step in the lab: four instructions, half a cycle each
MACHINES = {"epyc": ("1x64", 64), "xeon": ("2x24", 48)}
INPUTS = ("up", "down")
BASE = "static_chunked,1"
SCHEDULES = (BASE, "static", "guided", "ich,paper", "nich,paper", "ich", "nich")
CELL = cells.Cell("gcc", cells.OURS)
SEEDS = range(1, 9)     # of the model: who steals what is chance, and one seed is one chance of the lab's
MOST = 10   # per cent that a ratio may differ by


def run_of(machine, name, schedule):
    lab, threads = MACHINES[machine]
    return guests.Run(lab, CELL, "loops/synthetic",
                      ("--scale", SCALE, "--input", name, "--repeat", "2", "--no-yardstick"),
                      (*guests.BOUND, ("OMP_NUM_THREADS", str(threads)), ("VICINO_SCHEDULE", schedule)))


def in_lab(options, machines):
    """{(machine, input, schedule): ns}"""
    runs = {(machine, name, schedule): run_of(machine, name, schedule)
            for machine in machines for name in INPUTS for schedule in SCHEDULES}
    with command.bench_of(options) as bench:
        made = guests.Guests(bench, options.build, options, command.Progress())
        made.make(runs.values())
        return {key: guests.times(made[run], f"synthetic-{key[1]}")[-1] for key, run in runs.items()}


def in_model(model, machine, name):
    """{schedule: ns} of the same loops, on cores that are alike and do a cycle's work in a cycle."""
    found = {}
    for seed in SEEDS:
        for row in model.output("--program", f"synthetic-{name}", "--machine", machine, "--seed", str(seed),
                                "--threads", str(MACHINES[machine][1]),
                                *(part for each in (f"exponential-trip={TRIP}", f"operation={STEPS * CYCLES / 1e5}",
                                                    "spread=0", "speed=1") for part in ("--set", each)),
                                *(part for schedule in SCHEDULES for part in ("--schedule", schedule))):
            found[row["schedule"]] = found.get(row["schedule"], 0) + row["ns"] / len(SEEDS)
    return found


def rows(options, model, machines):
    """[[machine, input, schedule, lab's ratio, model's ratio]], ratios to the cyclic schedule's time."""
    machines = [name for name in MACHINES if name in machines]
    lab = in_lab(options, machines)
    found = []
    for machine in machines:
        for name in INPUTS:
            here = in_model(model, machine, name)
            found += [[machine, name, schedule, lab[machine, name, schedule] / lab[machine, name, BASE],
                       here[schedule] / here[BASE]] for schedule in SCHEDULES[1:]]
    return found


def table(found):
    within = sum(abs(here / lab - 1) * 100 <= MOST for *_, lab, here in found)
    shown = [[f"{machine}, {MACHINES[machine][1]} threads: synthetic-{name}, {schedule}", f"{lab:.2f}", f"{here:.2f}",
              f"{100 * (here / lab - 1):+.0f}"] for machine, name, schedule, lab, here in found]
    return [page.Rows(f"Against the lab's model: time over that of {BASE}", ["", "the lab", "here", "difference, %"],
                      shown, shown=True), f"{within} of {len(found)} ratios are within {MOST} %.\n"]
