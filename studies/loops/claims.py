"""The paper's claims, as sentences and as conditions on what was found.

A condition is looked at for each sample: three seeds with the values, and one with all numbers at each bound.
"""

import dataclasses
import statistics
from typing import Callable

from loops.found import EPSILONS, PAPERS, TITLES
from papers import orders

HEAD = ["", "the paper says", "machine", "here", "verdict"]
ABOUT_EQUAL = 1.15      # the slowest over the fastest
A_LITTLE = 1.01         # what counts as slower
NO_MATTER = 5           # per cent


@dataclasses.dataclass(frozen=True)
class Claim:
    number: str
    sentence: str
    machine: str
    figure: str                 # what the numbers are
    of: Callable                # (found, sample) -> the numbers, or nothing if they were not run
    holds: Callable             # (numbers) -> whether the claim holds
    on: str = "epyc"            # whose samples


def ratios(program, machine, threads, *pairs):
    """How many times as long the first of each pair takes as the second."""
    def of(found, sample):
        at = found.times(program, machine, threads, sample)
        return [at[slow] / at[fast] for slow, fast in pairs] if at else []
    return of


def each(*parts):
    """The numbers of all parts, if all were run."""
    def of(found, sample):
        got = [part(found, sample) for part in parts]
        return [number for numbers in got for number in numbers] if all(got) else []
    return of


def width(program, machine, threads, kinds=PAPERS):
    """The slowest of these over the fastest."""
    def of(found, sample):
        at = found.times(program, machine, threads, sample)
        return [max(at[kind] for kind in kinds) / min(at[kind] for kind in kinds)] if at else []
    return of


def speedups(program, machine, *cases):
    def of(found, sample):
        base = found.times(program, machine, 2, sample)
        at = [found.times(program, machine, threads, sample) for threads, _ in cases]
        return [base["static"] / times[kind] for times, (_, kind) in zip(at, cases)] if base and all(at) else []
    return of


def gains(program, machine, few, many):
    """How many times as fast guided, iCh and NiCh are on many threads as on few."""
    def of(found, sample):
        at = [found.times(program, machine, threads, sample) for threads in (few, many)]
        return [at[0][kind] / at[1][kind] for kind in ("guided", "ich", "nich")] if all(at) else []
    return of


def near(*papers):
    """Within 15 per cent of the paper's figures."""
    return lambda numbers: all(abs(number / paper - 1) <= 0.15 for number, paper in zip(numbers, papers))


def slower_all(numbers):
    return min(numbers) > A_LITTLE


def none_faster(numbers):
    return min(numbers) > 1 / A_LITTLE


def alike(numbers):
    return max(numbers) <= ABOUT_EQUAL


def against(kind, others):
    return [(kind, other) for other in others]


OTHERS = ("static", "dynamic", "guided", "ich")
BFS = ("bfs-uniform", "bfs-power")
CLAIMS = (
    Claim("2a", "Syn Uni: all schedules do about equally well", "7713, 64", "slowest over fastest",
          width("synthetic-uniform", "epyc", 64), alike),
    Claim("2a'", "the same, with as much work in an iteration as Syn Exp has", "7713, 64", "slowest over fastest",
          width("synthetic-long", "epyc", 64), alike),
    Claim("2a''", "Syn Uni, fully used: NiCh slightly ahead of the others (long iterations)", "7713, 64",
          "static, dynamic, guided, iCh over NiCh",
          ratios("synthetic-long", "epyc", 64, *((other, "nich") for other in OTHERS)), none_faster),
    Claim("2b", "Syn Exp Inc: NiCh does worse than all others", "7713, 64", "NiCh over static, dynamic, guided, iCh",
          ratios("synthetic-up", "epyc", 64, *against("nich", OTHERS)), slower_all),
    Claim("2b'", "the same", "2 x 8160, 48", "NiCh over static, dynamic, guided, iCh",
          ratios("synthetic-up", "xeon", 48, *against("nich", OTHERS)), slower_all, "xeon"),
    Claim("2b''", "the same", "KNL, 68", "NiCh over static, dynamic, guided, iCh",
          ratios("synthetic-up", "knl", 68, *against("nich", OTHERS)), slower_all, "knl"),
    Claim("2c", "Syn Exp Dec: NiCh worse than static, dynamic and iCh", "7713, 64", "NiCh over static, dynamic, iCh",
          ratios("synthetic-down", "epyc", 64, *against("nich", ("static", "dynamic", "ich"))), slower_all),
    Claim("2c'", "Syn Exp Dec: guided worse than NiCh", "7713, 64", "guided over NiCh",
          ratios("synthetic-down", "epyc", 64, ("guided", "nich")), slower_all),
    Claim("2c''", "the same", "2 x 8160, 48", "guided over NiCh",
          ratios("synthetic-down", "xeon", 48, ("guided", "nich")), slower_all, "xeon"),
    Claim("2d", "Tri: iCh and NiCh do equally well", "7713, 64", "slower over faster",
          width("triangles", "epyc", 64, ("ich", "nich")), alike),
    Claim("2d'", "Tri: dynamic worse", "7713, 64", "dynamic over iCh, NiCh",
          ratios("triangles", "epyc", 64, *against("dynamic", ("ich", "nich"))), slower_all),
    Claim("2d''", "Tri: static slightly worse", "7713, 64", "static over iCh, NiCh",
          ratios("triangles", "epyc", 64, *against("static", ("ich", "nich"))), slower_all),
    Claim("3a", "BFS: dynamic is the worst, and may have a speed-up below 1", "7713, 64", "speed-ups of dynamic, Uni and Pow",
          each(*(speedups(program, "epyc", (64, "dynamic")) for program in BFS)), lambda at: min(at) < 1),
    Claim("3a'", "the same", "2 x 8160, 48", "speed-ups of dynamic, Uni and Pow",
          each(*(speedups(program, "xeon", (48, "dynamic")) for program in BFS)), lambda at: min(at) < 1, "xeon"),
    Claim("3b", "BFS: guided, iCh, NiCh far ahead of dynamic", "KNL, 68", "dynamic over guided, iCh, NiCh on Uni, on Pow",
          each(*(ratios(program, "knl", 68, *against("dynamic", ("guided", "ich", "nich"))) for program in BFS)),
          lambda at: min(at) > 1.5, "knl"),
    Claim("3b'", "BFS: and of static", "KNL, 68", "static over guided, iCh, NiCh on Uni, on Pow",
          each(*(ratios(program, "knl", 68, *against("static", ("guided", "ich", "nich"))) for program in BFS)),
          slower_all, "knl"),
    Claim("3b''", "BFS: guided, iCh, NiCh scale to 68 threads (more than 60 times two)", "KNL, 68",
          "speed-ups of guided, iCh, NiCh on Uni", speedups("bfs-uniform", "knl", *((68, kind) for kind in ("guided", "ich", "nich"))),
          lambda at: min(at) > 60, "knl"),
    Claim("3b+", "BFS Uni: from 68 to 136 threads guided, iCh, NiCh become 1.61, 1.51, 1.51 times as fast", "KNL",
          "times as fast", gains("bfs-uniform", "knl", 68, 136), near(1.61, 1.51, 1.51), "knl"),
    Claim("3c", "BFS Uni: NiCh and guided better than iCh at the end", "7713, 64", "iCh over guided, NiCh",
          ratios("bfs-uniform", "epyc", 64, ("ich", "guided"), ("ich", "nich")), slower_all),
    Claim("3c'", "the same", "2 x 8160, 96", "iCh over guided, NiCh",
          ratios("bfs-uniform", "xeon", 96, ("ich", "guided"), ("ich", "nich")), slower_all, "xeon"),
    Claim("3d", "BFS Uni: NiCh better than iCh above one thread for each core", "KNL, 136", "iCh over NiCh",
          ratios("bfs-uniform", "knl", 136, ("ich", "nich")), slower_all, "knl"),
    Claim("4a", "Kmeans: dynamic scales less than the others", "7713, 64", "dynamic over static, guided, iCh, NiCh",
          ratios("kmeans", "epyc", 64, *against("dynamic", ("static", "guided", "ich", "nich"))), slower_all),
    Claim("4a'", "the same", "KNL, 68", "dynamic over static, guided, iCh, NiCh",
          ratios("kmeans", "knl", 68, *against("dynamic", ("static", "guided", "ich", "nich"))), slower_all, "knl"),
    Claim("4b", "Kmeans: guided does not scale past 16 threads, iCh and NiCh keep their speed", "2 x 8160, 48",
          "speed-ups of guided on 16 and 48, iCh, NiCh on 48",
          speedups("kmeans", "xeon", (16, "guided"), (48, "guided"), (48, "ich"), (48, "nich")),
          lambda at: at[1] < 1.1 * at[0] and min(at[2:]) > at[1], "xeon"),
    Claim("4c", "Kmeans: NiCh better than iCh above one thread for each core", "2 x 8160, 96", "iCh over NiCh",
          ratios("kmeans", "xeon", 96, ("ich", "nich")), slower_all, "xeon"),
    Claim("4d", "LavaMD: all do about equally well", "7713, 64", "slowest over fastest", width("boxes", "epyc", 64), alike),
    Claim("4d'", "LavaMD: iCh slightly better than NiCh", "7713, 64", "NiCh over iCh",
          ratios("boxes", "epyc", 64, ("nich", "ich")), slower_all),
    Claim("5a", "Path: guided, iCh, NiCh ahead of dynamic", "7713, 64", "dynamic over guided, iCh, NiCh",
          ratios("pathfinder", "epyc", 64, *against("dynamic", ("guided", "ich", "nich"))), slower_all),
    Claim("5a'", "Path: and of static", "7713, 64", "static over guided, iCh, NiCh",
          ratios("pathfinder", "epyc", 64, *against("static", ("guided", "ich", "nich"))), slower_all),
    Claim("5b", "Path: NiCh better than iCh above one thread for each core", "2 x 8160, 96", "iCh over NiCh",
          ratios("pathfinder", "xeon", 96, ("ich", "nich")), slower_all, "xeon"),
    Claim("5b+", "Path: from 68 to 136 threads guided, iCh, NiCh become 1.56, 1.51, 1.49 times as fast", "KNL",
          "times as fast", gains("pathfinder", "knl", 68, 136), near(1.56, 1.51, 1.49), "knl"),
    Claim("5c", "LUD: guided, iCh, NiCh ahead of dynamic", "7713, 64", "dynamic over guided, iCh, NiCh",
          ratios("lu", "epyc", 64, *against("dynamic", ("guided", "ich", "nich"))), slower_all),
    Claim("5c'", "LUD: and of static", "7713, 64", "static over guided, iCh, NiCh",
          ratios("lu", "epyc", 64, *against("static", ("guided", "ich", "nich"))), slower_all),
    Claim("5d", "LUD: iCh better than NiCh", "KNL, 68", "NiCh over iCh", ratios("lu", "knl", 68, ("nich", "ich")), slower_all,
          "knl"),
)


def verdict(samples, holds):
    """`samples`: [(whether the numbers have the values, not a bound, numbers)]."""
    kept = [(of_values, holds(numbers)) for of_values, numbers in samples]
    if all(held for _, held in kept):
        return "reproduced"
    if all(held for of_values, held in kept if of_values):
        return "reproduced, not at both bounds"
    return "not reproduced" if not any(held for of_values, held in kept if of_values) else "no sign: it depends on the seed"


def numbers_of(samples):
    return "; ".join(orders.spread([numbers[i] for _, numbers in samples]) for i in range(len(samples[0][1])))


def rows(found):
    for claim in CLAIMS:
        samples = [(bound == "value", numbers) for seed, bound in found.samples(claim.on)
                   if (numbers := claim.of(found, (seed, bound)))]
        if samples:
            yield [claim.number, claim.sentence, claim.machine, f"{claim.figure}: {numbers_of(samples)}",
                   verdict(samples, claim.holds)]
    yield from of_parameters(found)
    yield from of_tables(found)


def of_parameters(found):
    programs = [name for name in TITLES if found.of_seeds("parameters", name, 64, "nich,paper")]
    programs = [name for name in programs if name not in ("lu", "synthetic-long")]     # the paper's figure lacks them
    if not programs:
        return
    median = {name: statistics.median(number for program in programs for threads in (16, 32, 64)
                                      for number in found.slower(program, threads, f"nich,paper,{name}"))
              for name in ("group=1", "group=2", "group=8")}
    yield ["6", "p_q = 4: in most cases no other number of threads for a deque is better", "7713, 16 to 64",
           "median per cent slower with 1, 2, 8: " + "; ".join(f"{number:.1f}" for number in median.values()),
           "reproduced" if min(median.values()) > -0.5 else "not reproduced"]
    for number, schedule, low, high, said in (("7a", "update=1", 22, 52, "K_update = 1 is up to 37 % worse than 4"),
                                              ("7b", "update=2", 1, 26, "K_update = 2 is up to 11 % worse"),
                                              ("7c", "update=8", -23, -1, "K_update = 8 is 8 % better on 64 cores")):
        for program, mark, name in (("bfs-power", "", "BFS Pow"), ("synthetic-uniform", "'", "as on BFS Pow, but of Syn Uni")):
            if program not in programs:
                continue
            at = [found.slower(program, threads, f"nich,paper,{schedule}") for threads in (16, 32, 64)]
            most = [max(each, key=abs) for each in at]
            far = max(most) if low > 0 else most[-1]
            yield [number + mark, f"{name}: {said}", "7713, 16 to 64",
                   "per cent slower on 16, 32, 64: " + "; ".join(f"{each:.1f}" for each in most),
                   "reproduced" if low <= far <= high else "same sign" if far * (low + high) > 0 and abs(far) >= 1
                   else "not reproduced"]
    for number, program in (("7d", "synthetic-down"), ("7e", "kmeans")):
        if program in programs:
            at = [max(map(abs, found.slower(program, threads, f"nich,paper,{schedule}")))
                  for threads in (16, 32, 64) for schedule in ("update=1", "update=2", "update=8")]
            yield [number, f"{TITLES[program]}: K_update does not matter much", "7713, 16 to 64",
                   f"largest difference: {max(at):.0f} %; without 1: "
                   f"{max(at[i] for i in range(len(at)) if i % 3):.0f} %",
                   "reproduced" if max(at) <= NO_MATTER else "not reproduced"]


def of_tables(found):
    programs = [name for name in TITLES if found.updates("updates", name, 64, 0.33)]
    if not programs:
        return
    worst = {}
    for program in programs:
        at = [statistics.mean(row["ns"] for row in found.of_seeds("updates", program, threads, f"nich,paper,epsilon={each}"))
              for threads in (32, 64) for each in EPSILONS]
        worst[program] = 100 * max(max(at[:3]) / min(at[:3]), max(at[3:]) / min(at[3:])) - 100
    far = [name for name in worst if worst[name] > NO_MATTER]
    yield ["7.1", "ε of 0.25, 0.33 or 0.5 makes little difference", "7713, 32 and 64",
           f"within {NO_MATTER} % in {len(worst) - len(far)} of {len(worst)}; most: "
           f"{max(worst.values()):.0f} % ({TITLES[max(worst, key=worst.get)]})",
           "reproduced" if not far else "not reproduced" if len(far) > len(worst) / 2 else "in most"]
    many = {each: sum(found.updates("updates", program, threads, each)[0] for program in programs for threads in (32, 64))
            for each in EPSILONS}
    yield ["T2a", "a larger ε has fewer updates", "7713, 32 and 64",
           "updates of a deque, all programs: " + "; ".join(f"{number:.0f}" for number in many.values()),
           "reproduced" if many[0.25] > many[0.33] > many[0.5] else "not reproduced"]
    pairs = [(found.updates("fixed", program, threads, 0.33)[0], found.updates("updates", program, threads, 0.33)[0])
             for program in programs for threads in (32, 64)]
    sums = [sum(pair[i] for pair in pairs) for i in (0, 1)]
    yield ["T2b", "frequency scaling adds hardly any updates (below 1 %)", "7713, 32 and 64",
           f"with fixed clocks {sums[0]:.0f}, with different ones {sums[1]:.0f}",
           "reproduced" if abs(sums[1] / sums[0] - 1) < 0.01 else "same sign" if abs(sums[1] / sums[0] - 1) < 0.1
           else "not reproduced"]
    regular = [found.updates("updates", program, 64, 0.33)[0] for program in ("synthetic-uniform",) if program in programs]
    if regular:
        others = [found.updates("updates", program, 64, 0.33)[0] for program in programs if not program.startswith("synthetic-")
                  or "exp" in TITLES[program].lower()]
        yield ["T2c", "Syn Uni has the fewest updates", "7713, 64", f"Syn Uni {regular[0]:.1f}, the others "
               + orders.spread(others, 1), "reproduced" if regular[0] <= min(others) else "not reproduced"]

