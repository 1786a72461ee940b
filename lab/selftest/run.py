#!/usr/bin/env python3
"""run.py --lab PATH --machine NAME [--build DIR]: the lab's counts against known answers.

Runs known.c in one guest and compares every counter of every region with the value that follows from the
model's rules (locality/memory.hpp) and its parameters. All counters of data and the stalls of each CPU are
exact: a counter that is not named below must be zero. Instructions may exceed the programs' own by the few
of the block that holds the mark (locality/counters.hpp counts whole blocks). The kernel's instructions are
not known, but a CPU's cycles must be its instructions, the kernel's instructions and the stalls. Bandwidth
has no limit and misses do not overlap, so that stalls are products of a number of lines and a latency;
test/lab/timed_test.py is about the rest. Where the guest's pages lie is not known: on a machine whose sets
do not fit a page, caches have the model's own sizes here, by the same rules.

The distances are read in the guest, so that a machine fails too if the guest's kernel sees it in another
way than the plugin. The exit status is 0 or 1; each expectation that was not met is a line of output.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from launcher import machine, parameters as model  # noqa: E402

LINE, PAGE = 64, 4096
LINES_OF_PAGE = PAGE // LINE
MOVES = 64                      # lines that an exchange hands over: one page
BLOCK = 16                      # instructions of the blocks with the marks
PAUSES, NO_ACCESSES = 100, 1000
IN_ORDER = {"bw_mc": 0, "bw_link": 0, "bw_group": 0, "mlp": 0, "cpi": 100}
CACHES = ("l2_bytes", "l2_ways", "l3_bytes", "l3_ways")


class Failure(Exception):
    pass


def default_parameters(name):
    return model.chosen(machine.load(name), "value", (), 0)


def changes(parameters):
    """What the self-test runs with instead."""
    if sets_of_l2(parameters) <= LINES_OF_PAGE:
        return IN_ORDER
    own = {parameter.name: parameter.value for parameter in model.known()}
    return IN_ORDER | {name: own[name] for name in CACHES}


def sets_of_l2(parameters):
    return parameters["l2_bytes"] // LINE // parameters["l2_ways"]


class Sizes:
    """How many pages each program takes, so that hits and misses do not depend on where pages lie."""

    def __init__(self, parameters):
        if sets_of_l2(parameters) > LINES_OF_PAGE:
            raise Failure(f"the self-test needs an L2 whose sets fit a page: l2_bytes "
                          f"{parameters['l2_bytes']} with l2_ways {parameters['l2_ways']}")
        self.l2 = parameters["l2_bytes"] // PAGE        # each page has equally many lines of each set
        self.l3 = min(parameters["l3_ways"], parameters["l3_bytes"] // PAGE)
        if self.l2 < 1 or self.l3 <= self.l2:
            raise Failure(f"the self-test needs an L3 that holds more pages than an L2, wherever they lie: "
                          f"{self.l3} and {self.l2} pages")
        self.l3_lines = parameters["l3_bytes"] // LINE
        self.stream = 4 * parameters["l3_bytes"] // PAGE
        self.stream_lines = self.stream * LINES_OF_PAGE


class Guest:
    """The machine as the guest's kernel described it."""

    def __init__(self, seen, parameters):
        self.cpus, self.nodes, self.parameters = seen["cpus"], seen["nodes"], parameters

    def package_of_node(self, node):
        """A node without CPUs is in the package of the nearest one with CPUs."""
        distances = [int(text) for text in self.nodes[node]["distances"].split()]
        nearest = min(self.cpus, key=lambda cpu: distances[cpu["node"]])
        return nearest["package"]

    def memory(self, cpu, home):
        """The counter and the latency of a line from the home node."""
        node = self.cpus[cpu]["node"]
        if node == home:
            return "local", self.parameters["lat_local"]
        if self.cpus[cpu]["package"] == self.package_of_node(home):
            return "same_package", self.parameters["lat_same_package"]
        by_hops = self.parameters["lat_local"] + self._hops(node, home) * self.parameters["lat_hop"]
        return "other_package", by_hops if self.parameters["lat_hop"] else self.parameters["lat_other_package"]

    def _hops(self, node, other):
        return int(self.nodes[node]["distances"].split()[other]) - 10

    def writeback(self, cpu, home):
        """The counter of a write-back from a CPU's L3: the node of the group's first CPU decides."""
        first = self.cpus[cpu]["l3"]
        return "writebacks_local" if self.cpus[first]["node"] == home else "writebacks_remote"

    def transfer(self, cpu, other):
        """The counter and the latency of a transfer between two L3s; None inside one."""
        this, that = self.cpus[cpu], self.cpus[other]
        if this["l3"] == that["l3"]:
            return None
        if this["package"] == that["package"]:
            return "transfers_same_package", self.parameters["lat_transfer_same"]
        hops = self._hops(this["node"], that["node"]) * self.parameters["lat_hop"]
        return "transfers_other_package", self.parameters["lat_transfer_other"] + hops


class Expected:
    """What a region's counters must be: a method for each test of known.c."""

    def __init__(self, guest, parameters, sizes):
        self.guest, self.parameters, self.sizes = guest, parameters, sizes

    def of(self, region):
        return getattr(self, region["test"])(region)

    def _from_memory(self, region, lines, **more):
        counter, latency = self.guest.memory(region["cpu"], region["home"])
        return {"l2_misses": lines, counter: lines,
                "stall_cycles": lines * latency, **more}

    def nothing(self, _):
        return {"places": 0}

    def no_accesses(self, _):
        return {"places": NO_ACCESSES}

    def pauses(self, _):
        return {"places": PAUSES, "stall_cycles": PAUSES * self.parameters["lat_pause"]}

    def fits_l2(self, region):
        lines = self.sizes.l2 * LINES_OF_PAGE
        return self._from_memory(region, lines, places=2 * lines, loads=2 * lines)

    def fits_l3(self, region):
        lines = self.sizes.l3 * LINES_OF_PAGE
        counts = self._from_memory(region, lines, places=2 * lines, loads=2 * lines, l3_hits=lines)
        counts["l2_misses"] += lines
        counts["stall_cycles"] += lines * self.parameters["lat_l3"]
        return counts

    def across_lines(self, region):
        lines = 2 * LINES_OF_PAGE
        return self._from_memory(region, lines, places=lines - 1, loads=lines - 1)

    def wide_loads(self, region):
        loads = PAGE // 16
        return self._from_memory(region, LINES_OF_PAGE, places=loads, loads=2 * loads)

    def updates(self, region):
        lines = LINES_OF_PAGE
        counts = self._from_memory(region, lines, places=lines, loads=lines, stores=lines)
        counts["stall_cycles"] += lines * self.parameters["lat_atomic"]
        return counts

    def clean_updates(self, region):
        return self._clean(region, LINES_OF_PAGE)

    def _stream(self, region, kind, written_back):
        lines = 2 * self.sizes.stream_lines
        back = self.guest.writeback(region["cpu"], region["home"])
        return self._from_memory(region, lines, places=2 * lines, **{kind: 2 * lines, back: written_back})

    def stream_loads(self, region):
        return self._stream(region, "loads", 0)

    def stream_stores(self, region):
        """All modified lines are written back but those that the L3 still holds."""
        return self._stream(region, "stores", 2 * self.sizes.stream_lines - self.sizes.l3_lines)

    def clean(self, region):
        """The rest of the modified lines is written back."""
        return self._clean(region, self.sizes.l3_lines)

    def _clean(self, region, written_back):
        lines = self.sizes.stream_lines
        back = self.guest.writeback(region["cpu"], region["home"])
        return self._from_memory(region, lines, places=lines, loads=lines, **{back: written_back})

    def first_stores(self, region):
        return self._from_memory(region, MOVES, places=MOVES, stores=MOVES)

    def _taken(self, region, kind):
        """Modified lines of another CPU, from its L3 or from the L3 that both share."""
        counter, latency = self.guest.transfer(region["cpu"], region["from"]) or \
            ("l3_hits", self.parameters["lat_transfer_group"])
        return {"places": MOVES, kind: MOVES, "l2_misses": MOVES, counter: MOVES,
                "stall_cycles": MOVES * latency}

    def take_by_load(self, region):
        """A load from another L3 also writes the line back to memory."""
        counts = self._taken(region, "loads")
        if self.guest.transfer(region["cpu"], region["from"]):
            counts[self.guest.writeback(region["from"], region["home"])] = MOVES
        return counts

    def own_by_store(self, region):
        counts = {"places": MOVES, "stores": MOVES}
        if transfer := self.guest.transfer(region["cpu"], region["from"]):
            counts |= {"upgrades": MOVES, "stall_cycles": MOVES * transfer[1]}
        return counts

    def take_by_store(self, region):
        return self._taken(region, "stores")

    def moved(self, region):
        """A load from node `start` and, after the move, one from the same address on the home node."""
        start = next(i for i, node in enumerate(self.guest.nodes) if node["memory"])
        counts = {"places": 0, "loads": 2, "l2_misses": 2, "stall_cycles": 0}
        for home in (start, region["home"]):
            counter, latency = self.guest.memory(region["cpu"], home)
            counts[counter] = counts.get(counter, 0) + 1
            counts["stall_cycles"] += latency
        return counts


NOT_KNOWN = {"cpu", "node", "insns", "kernel_insns", "cycles"}


def differences(where, counts, expected):
    """A line for each counter that is not as expected."""
    lines = [f"{where}: {name} is {counts[name]}, expected {expected.get(name, 0)}"
             for name in counts if name not in NOT_KNOWN and counts[name] != expected.get(name, 0)]
    parts = counts["insns"] + counts["kernel_insns"] + counts["stall_cycles"]
    if counts["cycles"] != parts:
        lines.append(f"{where}: cycles is {counts['cycles']}, expected {parts}: instructions and stalls")
    return lines


def check_region(plan, region, expected, quantum):
    what = f"{plan['test']} by CPU {plan['cpu']}, memory of node {plan['home']}"
    if plan["from"] >= 0:
        what += f", lines of CPU {plan['from']}"
    lines = []
    places = expected.pop("places", 0)
    for cpu, counts in enumerate(region["cpus"]):
        lines += differences(f"{what}: CPU {cpu}", counts, expected if cpu == plan["cpu"] else {})
    lines += differences(f"{what}: all CPUs", region["totals"], expected)
    insns = region["totals"]["insns"]
    if not 4 * places <= insns <= 4 * places + BLOCK:
        lines.append(f"{what}: insns is {insns}, expected {4 * places} to {4 * places + BLOCK}")
    if not region["stopped"]:
        lines.append(f"{what}: the region did not stop")
    # The CPU's clock may have been behind the foremost one when the region began: lockstep.hpp, L3.
    least = counts_of(region, plan["cpu"], "insns", "stall_cycles") - 2 * quantum
    if region["machine_cycles"] < least:
        lines.append(f"{what}: machine_cycles is {region['machine_cycles']}, expected {least} or more")
    return lines


def counts_of(region, cpu, *names):
    return sum(region["cpus"][cpu][name] for name in names)


def run(options, changed, sizes):
    """Runs known.c: what it said about the machine and its regions, and what was counted."""
    variables = os.environ | {"LAB_SELFTEST_INSIDE": "1"}   # no self-test before the self-test
    build = ["--build", options.build] if options.build else []
    settings = [word for name, value in changed.items() for word in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory(prefix="lab-selftest.") as folder:
        result = Path(folder, "result.json")
        ended = subprocess.run(
            [options.lab, *build, "--machine", options.machine, "--locality", *settings, "--json", result,
             "--", options.known, str(sizes.l2), str(sizes.l3), str(sizes.stream)],
            env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise Failure(f"the guest ended with status {ended.returncode}\n{ended.stderr}")
        counted = json.loads(result.read_text(encoding="utf-8"))
    seen, *plan = [json.loads(line) for line in ended.stdout.splitlines()]
    return seen, plan, counted


def check(options):
    parameters = default_parameters(options.machine)
    changed = changes(parameters)
    parameters |= changed
    sizes = Sizes(parameters)
    seen, plan, counted = run(options, changed, sizes)
    if counted["parameters"] != parameters:
        return [f"the lab counted with {counted['parameters']}, expected {parameters}"]
    if len(plan) != len(counted["regions"]):
        return [f"{len(counted['regions'])} regions were counted, expected {len(plan)}"]
    expected = Expected(Guest(seen, parameters), parameters, sizes)
    lines = [line for known, region in zip(plan, counted["regions"])
             for line in check_region(known, region, expected.of(known), parameters["quantum"])]
    if not lines:
        print(f"{len(plan)} regions on machine {options.machine}: every count as expected")
    return lines


def main():
    parser = argparse.ArgumentParser(description="The lab's counts against known answers.",
                                     allow_abbrev=False)
    parser.add_argument("--lab", type=Path, default=HERE.parent / "lab", help="the launcher")
    parser.add_argument("--machine", default="4x4", help="as the launcher takes it (default: 4x4)")
    parser.add_argument("--build", type=Path, default=os.environ.get("LAB_BUILD"),
                        help="the lab's build folder (default: $LAB_BUILD, or the launcher's)")
    options = parser.parse_args()
    options.build = options.build or HERE.parents[1] / "build" / "release" / "lab"
    options.known = options.build / "selftest" / "known"
    try:
        lines = check(options)
    except Failure as failure:
        lines = [str(failure)]
    print(*(f"self-test: {line}" for line in lines), sep="\n", end="\n" if lines else "",
          file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
