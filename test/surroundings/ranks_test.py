"""Ranks of an MPI program share the machine if their launcher has not bound them. The launchers'
variables are set by hand here."""
import collections
import os
import re
import unittest

from surroundings import LIBRARY, Case, cgroup, run_program

LAUNCHERS = {
    "VICINO_SHARE": lambda rank, size: {"VICINO_SHARE": f"{rank}/{size}"},
    "torchrun": lambda rank, size: {"LOCAL_WORLD_SIZE": size, "LOCAL_RANK": rank},
    "Open MPI": lambda rank, size: {"OMPI_COMM_WORLD_LOCAL_SIZE": size, "OMPI_COMM_WORLD_LOCAL_RANK": rank},
    "Hydra (MPICH, Intel MPI)": lambda rank, size: {"MPI_LOCALNRANKS": size, "MPI_LOCALRANKID": rank},
    "MVAPICH2": lambda rank, size: {"MV2_COMM_WORLD_LOCAL_SIZE": size, "MV2_COMM_WORLD_LOCAL_RANK": rank},
    "Slurm": lambda rank, size: {"SLURM_GTIDS": ",".join(str(8 + i) for i in range(size)),
                                 "SLURM_LOCALID": rank},
}
COMMAND = LIBRARY.parent.parent / "bin" / "vicino"


def open_mpi(rank, size):
    return LAUNCHERS["Open MPI"](rank, size)


class Ranks(Case):
    def setUp(self):
        self.cpus = sorted(os.sched_getaffinity(0))
        if len(self.cpus) < 2:
            self.skipTest("one CPU")
        # A rank is unbound if it has all CPUs, which a test that is bound cannot give it.
        probe = os.fork()
        if probe == 0:
            os.sched_setaffinity(0, range(4096))
            os._exit(len(os.sched_getaffinity(0)) != len(self.cpus))
        if os.waitpid(probe, 0)[1] != 0:
            self.skipTest("this test may not use all CPUs")

    def run_rank(self, **settings):
        """The threads of a team, and the masks of each sort of thread and process."""
        output, error = self.run_on_vicino("ranks", **settings)
        self.assertEqual(error, "")
        threads, procs = map(int, re.match(r"threads (\d+) procs (\d+)\n", output).groups())
        masks = collections.defaultdict(set)
        for line in output.splitlines()[1:]:
            who, *cpus = line.split()
            masks[who].add(frozenset(map(int, cpus)))
        return threads, procs, masks

    def check_alike(self, masks, members):
        """Members are on these CPUs, and what the program starts is on all of them."""
        everywhere = {frozenset(self.cpus)}
        self.assertEqual(masks["begin"], everywhere)
        self.assertEqual(masks["process"], everywhere)
        self.assertEqual(masks["thread"], everywhere)
        self.assertEqual(masks["member"], {frozenset(members)})
        self.assertEqual(masks["alone"], {frozenset(members)})

    def check_undivided(self, **settings):
        threads, procs, masks = self.run_rank(**settings)
        self.assertEqual((threads, procs), (len(self.cpus), len(self.cpus)))
        self.check_alike(masks, self.cpus)

    def test_shares_of_every_launcher_are_disjoint_and_cover_the_machine(self):
        size = len(self.cpus)
        for launcher, variables in LAUNCHERS.items():
            with self.subTest(launcher=launcher):
                used = []
                for rank in range(min(size, 4)):
                    threads, procs, masks = self.run_rank(**variables(rank, size))
                    self.assertEqual((threads, procs), (1, 1))
                    (share,) = masks["member"]
                    self.check_alike(masks, share)
                    used += share
                self.assertEqual(len(used), len(set(used)))
                if size <= 4:
                    self.assertEqual(sorted(used), self.cpus)

    def test_more_ranks_than_cpus_take_turns(self):
        size = len(self.cpus) + 1
        first, last = (self.run_rank(**open_mpi(rank, size)) for rank in (0, size - 1))
        self.assertEqual(first[:2], (1, 1))
        self.assertEqual(first[2]["member"], last[2]["member"])

    def test_one_rank_has_everything(self):
        self.check_undivided(**open_mpi(0, 1))

    def test_a_number_of_threads_is_obeyed_within_the_share(self):
        size = len(self.cpus)
        threads, procs, masks = self.run_rank(OMP_NUM_THREADS=3, **open_mpi(size - 1, size))
        self.assertEqual((threads, procs), (3, 1))
        (share,) = masks["member"]
        self.assertEqual(len(share), 1)
        self.check_alike(masks, share)

    def test_threads_are_bound_within_the_share(self):
        size = len(self.cpus)
        for rank in (0, size - 1):
            threads, _, masks = self.run_rank(OMP_PROC_BIND="close", **open_mpi(rank, size))
            self.assertEqual(threads, 1)
            (share,) = masks["member"]
            self.assertEqual(share, *self.run_rank(**open_mpi(rank, size))[2]["member"])
            self.assertEqual(masks["process"], {frozenset(self.cpus)})
            self.assertEqual(masks["thread"], {frozenset(self.cpus)})

    def test_what_the_user_says_is_stronger(self):
        self.check_undivided(VICINO_RANKS="off", **open_mpi(0, 2))
        self.check_undivided(OMP_PROC_BIND="false", **open_mpi(0, 2))
        place = ",".join(map(str, self.cpus))
        threads, _, masks = self.run_rank(OMP_PLACES=f"{{{place}}}", **open_mpi(0, 2))
        self.assertEqual(threads, len(self.cpus))
        self.assertEqual(masks["member"], {frozenset(self.cpus)})

    def test_a_bound_rank_keeps_what_it_has(self):
        own = self.cpus[-1]
        for rank in (0, 1):
            threads, procs, masks = self.run_rank(join=lambda: os.sched_setaffinity(0, [own]),
                                                  **open_mpi(rank, 2))
            self.assertEqual((threads, procs), (1, 1))
            self.assertEqual(set().union(*masks.values()), {frozenset([own])})

    def test_a_malformed_value_warns_once_and_changes_nothing(self):
        for variables, named in (
                (open_mpi(0, "two"), "OMPI_COMM_WORLD_LOCAL_SIZE='two': not a positive integer"),
                (open_mpi(2, 2), "OMPI_COMM_WORLD_LOCAL_RANK='2': not an integer from 0 to 1"),
                ({"VICINO_RANKS": "2"}, "VICINO_RANKS='2': not auto or off")):
            with self.subTest(named=named):
                output, error = self.run_on_vicino("team", 0, **variables)
                self.assertEqual(output.split(), [str(len(self.cpus))])
                self.assertIn(named, error)
                self.assertEqual(error.count("\n"), 1)
        self.assertEqual(self.run_on_vicino("team", 0, KMP_WARNINGS="false", **open_mpi(0, "two"))[1], "")

    def topo(self, **settings):
        output, _ = run_program(self, COMMAND, "topo", **settings)
        return [line for line in output.splitlines() if line.startswith("rank ")]

    def test_ranks_share_a_quota(self):
        with self.in_group(cgroup.cpu_quota(1.5)) as join:
            (line,) = self.topo(join=join, **open_mpi(0, 2))
            output, _ = run_program(self, COMMAND, "topo", join=join, **open_mpi(0, 2))
        self.assertTrue(line.endswith(" and 1/2 of the CPU quota"), line)
        self.assertIn("CPU quota: 0.75 CPUs\ndefault team: 1 thread", output)

    def test_the_command_tells_the_share_and_why(self):
        self.assertEqual(self.topo(), [])
        size = len(self.cpus)
        for launcher, variables in LAUNCHERS.items():
            (line,) = self.topo(**variables(1, size))
            (share,) = self.run_rank(**variables(1, size))[2]["member"]
            self.assertEqual(line, f"rank 1 of {size} on this machine, by {launcher}: CPU {min(share)}")
        (line,) = self.topo(VICINO_RANKS="off", **open_mpi(0, 2))
        self.assertIn("all CPUs, because VICINO_RANKS is off", line)
        (line,) = self.topo(join=lambda: os.sched_setaffinity(0, self.cpus[:1]), **open_mpi(1, 2))
        self.assertIn(f"CPU {self.cpus[0]}, to which it was bound", line)


if __name__ == "__main__":
    unittest.main(verbosity=2)
