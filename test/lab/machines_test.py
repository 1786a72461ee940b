"""A guest's kernel and hwloc see the machine that the file describes.

    machines_test.py MACHINE SHAPE_PROGRAM
"""

import sys
import unittest

import guest
from launcher import machine

SHAPE, NAME = sys.argv.pop(), sys.argv.pop()


def cpu_list(first, count):
    return "" if count == 0 else f"{first}" if count == 1 else f"{first}-{first + count - 1}"


def expected(shape):
    """The lines that shape.c must print, from the machine's file."""
    lines = [f"{word} {cpu_list(0, shape.cpus)}" for word in ("online", "possible")]
    cpus_of = {}
    for index, node in enumerate(shape.nodes):
        cpus_of.setdefault(node.package, []).extend(
            range(shape.first_cpu(index), shape.first_cpu(index) + node.cpus))
    lines += [f"package {cpu_list(cpus[0], len(cpus))}" for cpus in cpus_of.values()]
    first = 0
    for _, count in shape.caches():
        lines += [f"{word} {cpu_list(first, count)}" for word in ("die", "l3")]
        first += count
    for index, node in enumerate(shape.nodes):
        lines.append(f"node {index} cpus {cpu_list(shape.first_cpu(index), node.cpus)} "
                     f"memory {int(node.memory > 0)}")
        lines += [f"distance {index} {other} {value}" for other, value in enumerate(node.distances)]
    return sorted(lines)


class Machine(unittest.TestCase):
    def test_the_guest_is_what_the_file_says(self):
        run = guest.lab("--machine", NAME, "--", SHAPE)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(sorted(run.stdout.decode().splitlines()), expected(machine.load(NAME)))


if __name__ == "__main__":
    unittest.main()
