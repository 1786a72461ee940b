"""A guest's kernel lets threads run where the machine's file and OpenMP's rules say.

    binding_test.py MACHINE WHERE CONFINE
"""

import sys
import unittest

import guest
from launcher import machine
from view import View, assign, cpu_list

CONFINE, WHERE, NAME = (sys.argv.pop() for _ in range(3))
SHAPE = machine.load(NAME)
PLACES = ("threads", "cores", "ll_caches", "numa_domains", "sockets")
BINDS = ("close", "spread", "primary")
SOME = [cpu for cpu in range(SHAPE.cpus) if cpu % 3 != 1]
MASK = f"{CONFINE} mask {cpu_list(SOME)}"
CPUSET = f"{CONFINE} cpuset {cpu_list(SOME)}"
BOTH = f"{CPUSET} {CONFINE} mask {cpu_list(SOME[1:])}"


def sizes(cpus):
    """The sizes of regions: as many threads as CPUs (0, the default), fewer, and more."""
    return [0, 2, 3, len(cpus) + 3]


class Case:
    """One run of the program, with what it printed and what it must print."""

    def __init__(self, places, bind, words="", cpus=range(SHAPE.cpus)):
        self.view, self.places, self.bind = View(SHAPE, cpus), places, bind
        settings = f"OMP_PROC_BIND={bind}" if bind else ""
        settings += f" OMP_PLACES={places}" if places else ""
        self.name = f"{settings} {words}".strip() or "nothing set"
        self.command = f"env {settings} {words} {WHERE} {' '.join(map(str, sizes(cpus)))}"
        self.said = None

    def wanted(self, home, narrow=0):
        """For each region, [(thread, place, mask)] as it must be if the program began in the domain `home`, and if the
        regions from number `narrow` on came so late that their threads are spread as if none had been larger."""
        cpus = self.view.cpus
        for number, size in enumerate(sizes(cpus)):
            threads = size or len(cpus)
            if self.bind == "false":
                yield [(thread, -1, cpus) for thread in range(threads)]
            elif not self.bind:
                # The initial thread, too, is held at home, unless all members stay where they were.
                masks = self.view.near(cpus, home, threads, widest=0 if number >= narrow else len(cpus))
                held = number >= narrow or threads >= len(cpus)
                yield [(thread, -1, mask if thread > 0 or held else cpus) for thread, mask in enumerate(masks)]
            else:
                places = self.view.places(self.places)
                on = assign(self.bind, len(places), threads)
                yield list(zip(range(threads), on, self.view.inside_nodes(places, on)))

    def wanted_from_anywhere(self):
        homes = sorted({self.view.near_of[cpu] for cpu in self.view.cpus})
        if self.bind:
            return [list(self.wanted(None))]
        return [list(self.wanted(home, narrow)) for home in homes for narrow in (1, 2, 3)]

    def regions(self):
        """For each region, [(thread, place, mask, CPUs that the thread was seen on)]."""
        regions = []
        for line in self.said.splitlines():
            words = line.split()
            if words[0] == "region":
                regions.append([])
                continue
            cpus = [[int(cpu) for cpu in words[i].split(",")] for i in (4, 6)]
            regions[-1].append((int(words[0]), int(words[2]), *cpus))
        return regions


CASES = [Case(places, bind) for places in PLACES for bind in BINDS]
CASES += [Case(None, None), Case(None, None, MASK, SOME), Case(None, None, CPUSET, SOME), Case(None, "false"),
          Case("numa_domains", "spread", MASK, SOME), Case("cores", "close", CPUSET, SOME),
          Case("ll_caches", "close", BOTH, SOME[1:])]
BORDER = "=== end of a run ==="


class Binding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        script = "".join(f"{case.command} || exit 1; echo '{BORDER}'\n" for case in CASES)
        files = [word for path in (WHERE, CONFINE, "/usr/bin/env") for word in ("--file", path)]
        run = guest.lab("--machine", NAME, *files, "--", "sh", "-c", script)
        assert (run.returncode, run.stderr) == (0, b""), run
        for case, said in zip(CASES, run.stdout.decode().split(f"{BORDER}\n")):
            case.said = said

    def test_masks(self):
        for case in CASES:
            with self.subTest(case.name):
                regions = [[row[:3] for row in region] for region in case.regions()]
                wanted = case.wanted_from_anywhere()
                if len(wanted) == 1:
                    self.assertEqual(regions, wanted[0])
                else:
                    self.assertIn(regions, wanted)

    def test_threads_run_there(self):
        for case in CASES:
            with self.subTest(case.name):
                for region in case.regions():
                    for thread, _, mask, seen in region:
                        self.assertLessEqual(set(seen), set(mask), f"thread {thread}")

    def test_bound_threads_use_the_machine(self):
        for case in CASES:
            if case.bind == "spread":
                with self.subTest(case.name):
                    used = {case.view.package_of[cpu] for row in case.regions()[0] for cpu in row[3]}
                    self.assertEqual(used, set(case.view.package_of.values()))


if __name__ == "__main__":
    unittest.main()
