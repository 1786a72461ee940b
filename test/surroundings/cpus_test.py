"""The affinity mask and OMP_THREAD_LIMIT bound the default team. The number of processors follows the mask."""
import os
import unittest

from surroundings import Case


class Cpus(Case):
    def setUp(self):
        self.cpus = sorted(os.sched_getaffinity(0))

    def on(self, cpus):
        return {"join": lambda: os.sched_setaffinity(0, cpus)}

    def test_one_thread_for_each_cpu_of_the_mask(self):
        for count in {1, min(2, len(self.cpus)), len(self.cpus)}:
            with self.subTest(count=count):
                self.assertEqual(self.sizes(0, **self.on(self.cpus[-count:])), [count])

    def test_mask_does_not_bind_what_is_asked_for(self):
        self.assertEqual(self.sizes(0, 3, OMP_NUM_THREADS=5, **self.on(self.cpus[:1])), [5, 3])

    def test_thread_limit(self):
        self.assertEqual(self.sizes(0, 4, OMP_THREAD_LIMIT=1), [1, 1])
        self.assertEqual(self.sizes(0, 8, 2, OMP_THREAD_LIMIT=3, OMP_NUM_THREADS=5), [3, 3, 2])

    def test_places_outside_the_mask_are_dropped(self):
        if len(self.cpus) < 2:
            self.skipTest("one CPU")
        first, last = self.cpus[0], self.cpus[-1]
        output, error = self.run_on_vicino("team", 2, OMP_PLACES=f"{{{first}}},{{{last}}}",
                                           **self.on([first]))
        self.assertEqual(output.split(), ["2"])
        self.assertIn("OMP_PLACES", error)

    def test_the_number_of_processors_follows_the_mask(self):
        if len(self.cpus) < 2:
            self.skipTest("one CPU")
        for settings in ({}, {"OMP_PROC_BIND": "close", "OMP_PLACES": "threads"}, {"OMP_PROC_BIND": "false"},
                         {"OMP_PROC_BIND": "spread"}, {"OMP_NUM_THREADS": 3}):
            with self.subTest(settings=settings):
                self.run_on_vicino("procs", len(self.cpus), **settings)
        rank = {"OMPI_COMM_WORLD_LOCAL_RANK": 0, "OMPI_COMM_WORLD_LOCAL_SIZE": 2}
        self.run_on_vicino("procs", (len(self.cpus) + 1) // 2, **rank)


if __name__ == "__main__":
    unittest.main(verbosity=2)
