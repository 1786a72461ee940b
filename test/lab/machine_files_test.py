"""Machine files: what is accepted, what is refused with which message, and what QEMU is told."""

import tempfile
import unittest
from pathlib import Path

import guest  # noqa: F401  (the path to the launcher)
from launcher import machine, parameters
from launcher.failure import LabError
from selftest import run as selftest

SOUND = """
about = "two nodes"
[[nodes]]
package = 0
l3 = [2, 2]
memory = 128
distances = [10, 20]
[[nodes]]
package = 1
l3 = [2, 2]
memory = 64
distances = [20, 10]
"""

OWN = """
[parameters]
mhz = { value = 2000, low = 1000, high = 3000, source = "S" }
"""

# (text that is replaced, its replacement, part of the refusal)
FAULTS = (
    ("about", "aboot", "unknown key 'aboot'"),
    ('about = "two nodes"', "", "has no 'about'"),
    ("memory = 64\n", "", "node 1 has no 'memory'"),
    ("memory = 64", "size = 64\nmemory = 64", "unknown key 'size'; known: package l3 memory distances"),
    ("memory = 64", "memory = -1", "memory -1 is not a number of MiB from 0"),
    ("memory = 64", "memory = true", "memory True is not a number of MiB"),
    ("memory = 128", "memory = 0", "node 0 has no memory"),
    ("package = 1", "package = 2", "packages must be numbered from 0"),
    ("package = 1", 'package = "1"', "package '1' is not a number"),
    ("package = 0\nl3 = [2, 2]", "package = 1\nl3 = [2, 2]", "packages must be numbered from 0"),
    ("package = 1\nl3 = [2, 2]", "package = 1\nl3 = [4]", "the L3 caches have 2 2 4 CPUs"),
    ("package = 1\nl3 = [2, 2]", "package = 1\nl3 = [2]", "different numbers of L3 caches"),
    ("package = 1\nl3 = [2, 2]", "package = 1\nl3 = [0]", "l3 [0] is not a list of the CPUs"),
    ("package = 1\nl3 = [2, 2]\nmemory = 64", "package = 0\nl3 = []\nmemory = 0",
     "node 1 has neither CPUs nor memory"),
    ("package = 1\nl3 = [2, 2]", "package = 3\nl3 = []", "a package has no CPUs"),
    ("package = 0\nl3 = [2, 2]", "package = 0\nl3 = []", "nodes without CPUs must come after"),
    ("l3 = [2, 2]", "l3 = [128, 128]", "512 CPUs; at most 255"),
    ("distances = [20, 10]", "distances = [20]", "distances [20] is not a list of 2 numbers"),
    ("distances = [20, 10]", "distances = [20, 11]", "the distance to node 1 is 11; 10 is"),
    ("distances = [20, 10]", "distances = [10, 10]", "the distance to node 0 is 10; 10 is"),
    ("distances = [20, 10]", "distances = [255, 10]", "numbers from 10 to 254"),
    ("[[nodes]]", "[nodes]", "Cannot"),
)


class MachineFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "some.toml"

    def load(self, text):
        self.path.write_text(text)
        return machine.load(str(self.path))

    def test_faults_are_named(self):
        for old, new, message in FAULTS:
            with self.subTest(new):
                self.assertIn(old, SOUND)
                with self.assertRaises(LabError) as refused:
                    self.load(SOUND.replace(old, new))
                self.assertIn(message, str(refused.exception))
                self.assertIn(str(self.path), str(refused.exception))

    def test_an_unknown_name_lists_the_known_ones(self):
        with self.assertRaises(LabError) as refused:
            machine.load("3x4")
        self.assertEqual(str(refused.exception), "unknown machine '3x4'; known: 1x16 1x2 1x4 1x64 2x24 2x4 2x4x5570 "
                         "4x4 8x2 8x8 uneven, or the path of a file that ends in .toml")

    def test_qemu_is_told_what_the_file_says(self):
        arguments = " ".join(self.load(SOUND).qemu_arguments())
        for part in ("-m 192M", "-smp 8,sockets=2,dies=2,cores=2,threads=1",
                     "-object memory-backend-ram,id=m0,size=128M",
                     "-numa node,nodeid=1,cpus=4-7,memdev=m1", "-numa dist,src=1,dst=0,val=20"):
            self.assertIn(part, arguments)

    def test_the_plugin_is_told_the_same(self):
        data = machine.load("uneven").for_plugin()
        self.assertEqual([cpu["node"] for cpu in data["cpus"]], [0, 0, 0, 0, 1, 1])
        self.assertEqual([cpu["l3"] for cpu in data["cpus"]], [0, 0, 1, 1, 2, 2])
        self.assertEqual([node["ram_block"] for node in data["nodes"]], ["m0", None, "m2"])
        self.assertEqual([node["bytes"] for node in data["nodes"]], [256 << 20, 0, 256 << 20])

    def test_the_machines_of_the_lab_are_sound(self):
        counts = {name: machine.load(name).cpus for name in machine.names()}
        self.assertEqual(counts, {"1x16": 16, "1x2": 2, "1x4": 4, "1x64": 64, "2x24": 48, "2x4": 8, "2x4x5570": 8,
                                  "4x4": 16, "8x2": 16, "8x8": 64, "uneven": 6})

    def test_the_self_test_can_count_on_each_machine(self):
        for name in machine.names():
            with self.subTest(machine=name):
                known = selftest.default_parameters(name)
                selftest.Sizes(known | selftest.changes(known))

    def test_a_value_lies_between_its_bounds_and_says_where_it_is_from(self):
        for name in (None, *machine.names()):
            for parameter in parameters.known(name and machine.load(name)):
                with self.subTest(name, parameter=parameter.name):
                    low, high = sorted((parameter.low, parameter.high))
                    self.assertTrue(low <= parameter.value <= high)
                    self.assertTrue(parameter.source)

    def test_a_machines_own_numbers_come_before_the_models(self):
        own = self.load(SOUND + OWN)
        common = {parameter.name: parameter for parameter in parameters.known()}
        chosen = {bound: parameters.chosen(own, bound, ["lat_l3=7"], 3) for bound in parameters.BOUNDS}
        self.assertEqual([chosen[bound]["mhz"] for bound in parameters.BOUNDS], [2000, 1000, 3000])
        self.assertEqual(chosen["high"]["lat_local"], common["lat_local"].high)
        self.assertEqual((chosen["low"]["lat_l3"], chosen["low"]["quantum"]), (7, common["quantum"].low + 3))

    def test_wrong_numbers_are_named(self):
        for old, new, message in (("mhz", "ghz", "unknown parameter 'ghz'; known: l2_bytes"),
                                  ("low = 1000", "low = -1", "parameter mhz: value, low and high are whole"),
                                  (', source = "S"', "", "parameter mhz has no 'source'"),
                                  ("[parameters]", "[[parameters]]", "parameters is not a table")):
            with self.subTest(new), self.assertRaises(LabError) as refused:
                parameters.chosen(self.load(SOUND + OWN.replace(old, new)), "value", [], 0)
            self.assertIn(message, str(refused.exception))


if __name__ == "__main__":
    unittest.main()
