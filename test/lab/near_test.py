"""Threads stay near their data where nobody has said how they are bound, and give way.

    near_test.py MACHINE NEAR CONFINE
"""

import sys
import unittest

import guest
from launcher import machine
from view import View, cpu_list

NAME, NEAR, CONFINE = sys.argv[1:]
SHAPE = machine.load(NAME)
ALL = list(range(SHAPE.cpus))
NEAR_OF = View(SHAPE).near_of
WAYS = ("pthread_create", "fork", "vfork", "posix_spawn", "posix_spawnp", "system", "popen")


def run(*words, **settings):
    """[(word, thread, CPUs)] for the lines that the program printed."""
    done = guest.lab("--machine", NAME, *(word for path in (NEAR, CONFINE, "/bin/sh") for word in ("--file", path)), "--",
                     "env", *(f"{name}={value}" for name, value in settings.items()), *words)
    assert (done.returncode, done.stderr) == (0, b""), done
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    return [(row[0], int(row[1]), [int(cpu) for cpu in row[2].split(",")] if row[2:] else None) for row in rows]


class Near(unittest.TestCase):
    def check_near(self, rows, when, cpus, widest=(0,), found=ALL):
        """The masks of a region are those of a team that is near its data on these CPUs. A few threads may
        be away from home, because a guest has more CPUs than the machine that it runs on. `widest`: the sizes that
        the largest team of late may have had. `found`: the CPUs of the machine as the process found it."""
        view = View(SHAPE, cpus)
        view.near_of = View(SHAPE, found).near_of
        masks = [mask for word, _, mask in rows if word == when]

        def fits(home, size):
            # The initial thread is held at home in the first region of these, and later may run anywhere.
            at_home = [mask == near for mask, near in zip(masks, view.near(cpus, home, len(masks), size),
                                                                strict=True)]
            away = [mask == cpus for mask in masks]
            return all(a or b for a, b in zip(at_home, away)) and sum(at_home) > len(at_home) / 2

        self.assertTrue(any(fits(home, size) for home, _ in view.groups(view.near_of) for size in widest), masks)

    def test_what_they_start_runs_anywhere(self):
        for settings in ({}, {"OMP_PROC_BIND": "close"}):
            with self.subTest(settings=settings):
                rows = run(NEAR, "children", **settings)
                bound = [mask for word, _, mask in rows if word == "before"][1:]
                self.assertTrue(all(len(mask) < len(ALL) for mask in bound))
                # They are bound again, those of vfork() from the next region on.
                self.assertEqual(bound, [mask for word, _, mask in rows if word == "after"][1:])
                started = [row for row in rows if row[0] in WAYS]
                self.assertEqual([row[:2] for row in started],
                                 [(way, thread) for thread in (0, len(ALL) - 1) for way in WAYS])
                for way, thread, mask in started:
                    self.assertEqual(mask, ALL, (way, thread))

    def test_ranks_stay_on_their_shares(self):
        """Two ranks of an MPI program that is not bound. What their threads start runs anywhere."""
        shares = []
        for rank in (0, 1):
            rows = run(NEAR, "children", OMPI_COMM_WORLD_LOCAL_SIZE=2, OMPI_COMM_WORLD_LOCAL_RANK=rank)
            before, after = ([mask for word, _, mask in rows if word == when] for when in ("before", "after"))
            share = sorted(set().union(*before))
            shares.append(share)
            self.assertEqual(len(before), len(share))
            # In the region after a vfork(), too, the initial thread is on the share.
            for mask in (*before, *after):
                self.assertLessEqual(set(mask), set(share))
            if len({View(SHAPE, share).near_of[cpu] for cpu in share}) > 1:
                self.check_near(rows, "before", share, found=share)
            for way, thread, mask in rows:
                if way in WAYS:
                    self.assertEqual(mask, ALL, (way, thread))
        self.assertEqual(sorted(shares[0] + shares[1]), ALL)
        domains = {len(cpus) for _, cpus in View(SHAPE).groups(NEAR_OF)}
        if len(domains) == 1 and len(ALL) // 2 % domains.pop() == 0:  # whole near domains
            self.assertFalse({NEAR_OF[cpu] for cpu in shares[0]} & {NEAR_OF[cpu] for cpu in shares[1]})

    def test_inner_regions_run_anywhere(self):
        rows = run(NEAR, "inner")
        self.check_near(rows, "before", ALL)
        self.assertEqual([row for row in rows if row[0] != "before"],
                         [(way, size, ALL) for size in (3, 2) for way in ("inner", *WAYS)])

    def test_the_programs_own_wishes_count(self):
        rows = run(NEAR, "changes")
        half = ALL[:len(ALL) // 2]
        self.check_near(rows, "all", ALL)
        self.check_near(rows, "half", half)
        self.check_near(rows, "again", ALL)
        self.assertEqual([mask for word, _, mask in rows if word == "own"], [[cpu] for cpu in ALL])

    def test_a_team_that_gets_fewer_threads(self):
        rows = run(NEAR, "refused", KMP_WARNINGS="off")
        for when, size in (("few", len(ALL) // 2 + 1), ("again", len(ALL) // 2 + 1), ("all", len(ALL))):
            self.assertEqual(len([row for row in rows if row[0] == when]), size)
            # The first region had asked for all, perhaps more than a second before.
            self.check_near(rows, when, ALL, widest=(0, len(ALL)))

    def test_a_control_group_that_changes(self):
        fewer, more = ALL[1:len(ALL) // 2 + 1], ALL[:-1]
        for before, after in ((more, fewer), (more, more)):
            with self.subTest(after=after):
                rows = run(CONFINE, "cpuset", cpu_list(before), NEAR, "cpuset", cpu_list(after))
                self.check_near(rows, "before", before)
                self.check_near(rows, "after", after)

    def test_a_crowded_domain_is_left_for_a_while(self):
        view = View(SHAPE)
        _, cpus = view.groups(view.near_of)[-1]
        rows = run(NEAR, "crowd", cpu_list(cpus))
        self.check_near(rows, "before", ALL)
        self.assertEqual([row[:2] for row in rows if row[0] in ("left", "back")], [("left", 1), ("back", 1)])
        self.check_near(rows, "after", ALL)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
