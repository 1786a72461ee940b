"""The model's clock and its rules of time against durations that are worked out by hand.

    timed_test.py MACHINE TIMED

Durations follow from the machine's parameters (lab/locality/*.hpp has the rules, by number). The program
measures them itself, by the guest's clock, so both the model and the clock are tried.
"""

import sys
import unittest

import guest
from launcher import machine, parameters

NAME, PROGRAM = sys.argv[1:]
MACHINE = machine.load(NAME)
P = parameters.chosen(MACHINE, "value", (), 0)
LINE = 64
LOOPS, PASSES, UPDATES, LOOKS, CHAIN, BYTES = 200_000, 500, 200, 600, 3000, 512 * 1024
SLEEPS_NS = (50_000, 20_000_000)
# CPU 0, another one of its L3 group, the first CPU of another group in its package and in another package.
CPUS = [(node, cache) for cache, (node, cpus) in enumerate(MACHINE.caches()) for _ in range(cpus)]


def first(wanted):
    return next(cpu for cpu, (node, cache) in enumerate(CPUS) if cpu and wanted(node, cache))


def package(node):
    return MACHINE.nodes[node].package


GROUP = first(lambda node, cache: cache == 0)
SAME = first(lambda node, cache: cache > 0 and package(node) == 0)
OTHER = first(lambda node, cache: package(node) != 0)
FAR_NODE, NEAR_NODE = CPUS[OTHER][0], CPUS[first(lambda node, cache: node and package(node) == 0)][0]
LATENCY = {GROUP: P["lat_transfer_group"], SAME: P["lat_transfer_same"], OTHER: P["lat_transfer_other"]}
FIRSTS = [next(cpu for cpu, at in enumerate(CPUS) if at == place) for place in sorted(set(CPUS))]


def cost(bandwidth):
    """Cycles of a line; endless without a limit."""
    return LINE * P["mhz"] / P[bandwidth] if P[bandwidth] else 0


def stream_cycles(users):
    """R8, R11: of each user, all of node 0 and its own memory. The groups of a node share their users."""
    alone = P["lat_local"] / P["mlp_stream"]
    groups = {}
    for cpu in users:
        groups.setdefault(CPUS[cpu][1], []).append(cpu)
    demand = [len(users) * cost("bw_mc") / alone] + [len(group) * cost("bw_group") / alone
                                                    for group in list(groups.values())[:1]]
    return BYTES / LINE * alone * (1 + sum(part ** 4 for part in demand)) ** 0.25


NODE_0 = [cpu for cpu, (node, _) in enumerate(CPUS) if node == 0]
STREAMS = [NODE_0[:1], NODE_0[:2], NODE_0]
COMMANDS = {
    ("loops",): ["loops", LOOPS],
    **{("sleeps", ns): ["sleeps", ns] for ns in SLEEPS_NS},
    **{("chain", node): ["chain", 0, node, CHAIN] for node in (0, NEAR_NODE, FAR_NODE)},
    **{("streams", len(users)): ["streams", 0, BYTES, *users] for users in STREAMS},
    **{("passes", cpu): ["passes", PASSES, 0, cpu] for cpu in LATENCY},
    ("alone",): ["updates", UPDATES, 0],
    **{("updates", cpu): ["updates", UPDATES, 0, cpu] for cpu in (SAME, OTHER)},
    ("looks",): ["looks", LOOKS, *FIRSTS],
}


class Timed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lines = [" ".join(map(str, (PROGRAM, *command))) for command in COMMANDS.values()]
        said = guest.outputs(NAME, PROGRAM, 0, lines)
        cls.found = {key: tuple(map(int, text.split())) for key, text in zip(COMMANDS, said)}

    def cycles(self, *key):
        """By the guest's clock, which the time-stamp counter must bear out."""
        ns, ticks = self.found[key]
        cycles = ns * P["mhz"] / 1000
        self.assertAlmostEqual(cycles, ticks, delta=0.01 * ticks + 4 * P["quantum"])
        return cycles

    def is_about(self, key, expected, share, more=0):
        with self.subTest(key):
            self.assertGreaterEqual(self.cycles(*key), expected * (1 - share))
            self.assertLessEqual(self.cycles(*key), expected * (1 + share) + more)

    def test_r1_instructions(self):
        self.is_about(("loops",), 2 * LOOPS * P["cpi"] / 100, 0.01)

    def test_c5_sleeps(self):
        for ns in SLEEPS_NS:
            with self.subTest(ns):
                self.assertGreaterEqual(self.found["sleeps", ns][0], ns)
                self.assertLess(self.found["sleeps", ns][0], ns + 10_000)

    def test_r12_a_list_is_followed_at_its_latency(self):
        for node, latency in ((0, "lat_local"), (NEAR_NODE, "lat_same_package"), (FAR_NODE, "lat_other_package")):
            self.is_about(("chain", node), CHAIN * P[latency], 0.035)

    def test_r8_and_r11_streams_share_a_memory(self):
        for users in STREAMS:
            self.is_about(("streams", len(users)), stream_cycles(users), 0.1)

    def test_r13_a_line_is_passed_to_and_fro(self):
        """Each pass takes the line and then its sharers' copies; in a group taking these costs nothing."""
        for cpu, latency in LATENCY.items():
            taken = latency * (1 if cpu == GROUP else 2)
            self.is_about(("passes", cpu), PASSES * taken, 0.03, PASSES * P["quantum"] / 2)

    def test_r13_a_locked_instruction(self):
        self.is_about(("alone",), UPDATES * (P["lat_atomic"] + 4 * P["cpi"] / 100), 0.25, 6 * P["lat_local"])

    def test_r14_updates_come_one_after_the_other(self):
        """By two CPUs: the line is taken for each, or for most, as a turn may have more than one."""
        for cpu in (SAME, OTHER):
            self.is_about(("updates", cpu), 2 * UPDATES * LATENCY[cpu], 0.35, 6 * LATENCY[cpu])

    def test_r15_stops(self):
        """Of the many short ones that --noise os has, in a long loop on each of two CPUs: they take their share."""
        every, length = (parameters.noises()["os"].numbers[f"noise_{name}"]["value"] for name in ("every", "length"))
        said = self.loops(("--noise", "os"), 40 * every * P["mhz"], (0, OTHER))
        for us in said:
            self.assertGreater(us - 40 * every, 20 * length)
            self.assertLess(us - 40 * every, 60 * length)
        self.assertNotEqual(*said)

    def test_r15_a_slow_cpu(self):
        other, slow = self.loops(("--noise", "slow"), 1000 * P["mhz"], (0, len(CPUS) - 1))
        self.assertAlmostEqual(slow / other, 1.25, delta=0.01)

    def test_an_unknown_noise(self):
        done = guest.lab("--machine", NAME, "--noise", "loud", "--", "true")
        self.assertEqual(done.returncode, 125)
        self.assertIn("'loud': accepted: os daemon slow", done.stderr.decode())

    def loops(self, options, cycles, cpus):
        """The microseconds of a loop of so many cycles on each of the CPUs."""
        count = cycles * 100 // P["cpi"] // 2
        said = guest.outputs(NAME, PROGRAM, 0, [f"{PROGRAM} loops {count} {cpu}" for cpu in cpus], options=options)
        return [int(text.split()[0]) / 1000 for text in said]

    def test_c2_time_does_not_go_back_between_cpus(self):
        self.assertEqual(self.found[("looks",)], (0, 0))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
