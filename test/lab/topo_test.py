"""`vicino topo` in a guest describes the machine of the file, with all CPUs and with some taken away.

    topo_test.py MACHINE VICINO CONFINE RECORD
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import guest
from launcher import machine
from view import View, cpu_list

RECORD, CONFINE, VICINO, NAME = (sys.argv.pop() for _ in range(4))
SHAPE = machine.load(NAME)
NODES = View(SHAPE).groups(View(SHAPE).node_of)

# The ways to take CPUs away: (words before the command, the CPUs left).
SOME = [cpu for cpu in range(SHAPE.cpus) if cpu % 3]
ONE_NODE = NODES[-1][1]
CASES = {
    "all CPUs": ("", range(SHAPE.cpus)),
    "a mask": (f"{CONFINE} mask {cpu_list(SOME)}", SOME),
    "a mask of one node": (f"{CONFINE} mask {cpu_list(ONE_NODE)}", ONE_NODE),
    "a cpuset": (f"{CONFINE} cpuset {cpu_list(SOME)}", SOME),
    "a mask in a cpuset": (f"{CONFINE} cpuset {cpu_list(SOME)} {CONFINE} mask {cpu_list(SOME[1:])}",
                           SOME[1:]),
}
COMMANDS = (f"{VICINO} topo", f"{VICINO} topo --priorities", RECORD)
BORDER = "=== end of an output ==="


def table(lines, first_word):
    """The rows below the line that begins with `first_word`, up to an empty line, as lists of words."""
    begin = next(i for i, line in enumerate(lines) if line.split()[:1] == [first_word]) + 1
    return [line.split() for line in lines[begin:lines.index("", begin)]]


def can_be_recorded(xml):
    """Whether hwloc recorded all nodes. It leaves out the nodes that a cpuset forbids, which for the kernel
    include those without memory, and then also the distances."""
    return len(SHAPE.nodes) == xml.count('<object type="NUMANode"')


class Topo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        script = "".join(f"{words} {command} || exit 1; echo; echo '{BORDER}'\n"
                         for words, _ in CASES.values() for command in COMMANDS)
        files = [word for path in (VICINO, CONFINE, RECORD) for word in ("--file", path)]
        run = guest.lab("--machine", NAME, *files, "--", "sh", "-c", script)
        assert (run.returncode, run.stderr) == (0, b""), run
        outputs = iter(run.stdout.decode().split(f"{BORDER}\n"))
        cls.said = {case: [next(outputs) for _ in COMMANDS] for case in CASES}

    def in_each_case(self, check):
        for case, (_, cpus) in CASES.items():
            with self.subTest(case):
                check(View(SHAPE, cpus), *self.said[case])

    def test_the_tree(self):
        def check(view, topo, _priorities, _xml):
            said = topo.splitlines()
            self.assertEqual(said[1], view.counts())
            end = said.index("", 4)
            tree = [re.sub(r"\d+ MiB", "some MiB", line.strip()) for line in said[4:end]]
            self.assertEqual(tree, [line.strip() for line in view.tree()])
        self.in_each_case(check)

    def test_memory_is_what_the_kernel_leaves_of_it(self):
        def check(_view, topo, _priorities, _xml):
            for node, said in re.findall(r"node (\d+)[,:] (\d+) MiB", topo):
                self.assertGreater(int(said), 0.7 * SHAPE.nodes[int(node)].memory)
                self.assertLessEqual(int(said), SHAPE.nodes[int(node)].memory)
        self.in_each_case(check)

    def test_distances(self):
        def check(view, topo, _priorities, _xml):
            if wanted := view.distances():
                _, *rows = table(topo.splitlines(), "distances")
                self.assertEqual([[int(word) for word in row[1:]] for row in rows], wanted)
            else:
                self.assertNotIn("distances", topo)
        self.in_each_case(check)

    def test_limits(self):
        def check(view, topo, _priorities, _xml):
            self.assertIn(f"\nusable CPUs: {cpu_list(view.cpus)}\n", topo)
            self.assertIn(f"\ndefault team: {len(view.cpus)} threads (", topo)
            self.assertEqual("not for this process" in topo, len(view.cpus) < SHAPE.cpus)
        self.in_each_case(check)

    def test_priorities(self):
        def check(view, _topo, said, _xml):
            rows = {int(row[1]): row for row in table(said.splitlines(), "core")}
            wanted = view.priorities()
            self.assertEqual(sorted(rows), sorted(wanted))
            for cpu, terms in wanted.items():
                for word, term in zip(rows[cpu][3:7], terms):
                    self.assertAlmostEqual(float(word), float(term), delta=1e-4, msg=f"CPU {cpu}")
            ranks = sorted(rows, key=lambda cpu: int(rows[cpu][7]))
            self.assertEqual(ranks, view.order())
        self.in_each_case(check)

    def test_a_recording_has_the_same_priorities(self):
        self.assertTrue(can_be_recorded(self.said["all CPUs"][2]))
        with tempfile.TemporaryDirectory() as folder:
            recorded = Path(folder) / "machine.xml"

            def check(_view, _topo, said, xml):
                if not can_be_recorded(xml):
                    return
                recorded.write_text(xml)
                here = subprocess.run([VICINO, "topo", "--priorities", "--machine", recorded],
                                      capture_output=True, text=True, check=True)
                self.assertEqual(here.stdout.strip(), said.strip())
            self.in_each_case(check)


if __name__ == "__main__":
    unittest.main()
