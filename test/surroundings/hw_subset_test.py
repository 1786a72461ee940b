"""KMP_HW_SUBSET confines a program's threads, also where VICINO_MACHINE cannot be read, and the program's own
masks; the command says so to ranks."""
import os
import unittest

from surroundings import LIBRARY, Case, program, run_program

COMMAND = LIBRARY.parent.parent / "bin" / "vicino"
RANK = {"OMPI_COMM_WORLD_LOCAL_SIZE": 2, "OMPI_COMM_WORLD_LOCAL_RANK": 1}


class HwSubset(Case):
    def setUp(self):
        self.cpus = sorted(os.sched_getaffinity(0))
        if len(self.cpus) < 2:
            self.skipTest("one CPU")

    def masks(self, **settings):
        """The masks of the members of regions, and what the program wrote to standard error."""
        output, error = self.run_on_vicino("ranks", KMP_HW_SUBSET=":1t", **settings)
        lines = [line.split() for line in output.splitlines()[1:]]
        return {tuple(map(int, cpus)) for who, *cpus in lines if who in ("alone", "member")}, error

    def test_unbound_threads_are_on_the_subset(self):
        masks, error = self.masks()
        self.assertEqual(masks, {(self.cpus[0],)})
        self.assertEqual(error, "")

    def test_a_machine_that_cannot_be_read_changes_nothing(self):
        masks, error = self.masks(VICINO_MACHINE="/nonexistent.xml")
        self.assertEqual(masks, {(self.cpus[0],)})
        self.assertIn("/nonexistent.xml", error)

    def test_the_program_binds_to_the_subset_only(self):
        for settings, added in (({}, "0 0"), ({"KMP_HW_SUBSET": ":1t"}, "0 -2")):
            output, _ = self.run_on_vicino("masks", self.cpus[0], self.cpus[-1], **settings)
            self.assertEqual(output.split("\n")[0], added)

    def topo(self, **settings):
        output, _ = run_program(self, COMMAND, "topo", KMP_HW_SUBSET=":1t", **settings, **RANK)
        return next(line for line in output.splitlines() if line.startswith("rank ")).split(": ")[1]

    def test_the_command_tells_ranks_of_the_subset(self):
        first = self.cpus[0]
        self.assertRegex(self.topo(), r"^CPUs? [0-9,-]+, which KMP_HW_SUBSET leaves of its share( and .* quota)?$")
        self.assertEqual(self.topo(join=lambda: os.sched_setaffinity(0, [first])),
                         f"CPU {first}, which KMP_HW_SUBSET leaves of those to which it was bound when it began")
        self.assertEqual(self.topo(VICINO_RANKS="off"),
                         "all CPUs that KMP_HW_SUBSET leaves, because VICINO_RANKS is off")


if __name__ == "__main__":
    unittest.main(verbosity=2)
