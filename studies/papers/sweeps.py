"""How NiCh's time depends on its parameters: p_q, threads that share a range, and K_update, takes between
adaptations. iCh is NiCh's case of both 1, with its own way to steal."""

from papers import orders
from papers.nich import THREADS, VICINO, time_of
from report import page
from report.guests import BOUND, Run, samples

MACHINE = "1x64"
# program: (--scale, its input if it has several, the kernel's name)
PROGRAMS = {"bfs": (0.05, "power", "bfs-power"), "triangles": (1, None, "triangles")}
USUAL = "nich,paper"
# schedule: by how many per cent the paper has it slower than with 4 and 4 on BFS Pow.
CASES = {f"{USUAL},update=1": "up to 37", f"{USUAL},update=8": "-8", f"{USUAL},group=1": "slower",
         f"{USUAL},group=8": "slower", "ich,paper": ""}


def runs(options):
    for sample in samples(options):
        for program in PROGRAMS:
            for schedule in (USUAL, *CASES):
                yield run_of(program, schedule, *sample)


def run_of(program, schedule, seed, bound):
    scale, one, _ = PROGRAMS[program]
    return Run(MACHINE, VICINO, f"loops/{program}",
               ("--scale", str(scale), *(("--input", one) if one else ()), "--repeat", "1", "--no-yardstick"),
               (*BOUND, ("OMP_NUM_THREADS", str(THREADS[MACHINE])), ("VICINO_SCHEDULE", schedule)), seed, bound)


def text(guests, options):
    rows = [[schedule, paper, *(slower(guests, options, program, schedule) for program in PROGRAMS)]
            for schedule, paper in CASES.items()]
    return (f"{MACHINE}, {THREADS[MACHINE]} threads, per cent slower than `{USUAL}`, which has group=4 (p_q) and "
            "update=4 (K_update)\n\n"
            + page.table(["", "paper, BFS Pow", *(name for *_, name in PROGRAMS.values())], rows))


def slower(guests, options, program, schedule):
    name, found = PROGRAMS[program][2], []
    for sample in samples(options):
        base, other = (time_of(guests, run_of(program, with_, *sample), name) for with_ in (USUAL, schedule))
        if base and other:
            found.append(100 * (other / base - 1))
    return orders.spread(found, 0) if found else "over its time limit"
