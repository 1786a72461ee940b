"""With OMP_DYNAMIC=true regions leave other processes their CPUs, and get them back afterwards."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from surroundings import HERE, WORK, Case, build, cgroup, compiler
from report import copies

CPUS = len(os.sched_getaffinity(0))


@unittest.skipIf(CPUS < 2, "one CPU: each region has one thread")
class Room(Case):
    def regions(self, which, **settings):
        """(with all the threads, with fewer), beside other processes."""
        with copies.Endless(2 * CPUS):
            output, _ = self.run_on_vicino("rooms", which, CPUS, **settings)
        return tuple(int(word) for word in output.split()) if output != "-\n" else None

    def test_in_a_crowd_regions_have_fewer_threads(self):
        found = self.regions("crowd", OMP_DYNAMIC="true")
        self.assertIsNotNone(found, "no region had fewer threads")
        whole, fewer = found
        self.assertGreater(fewer, 10 * whole)

    def test_without_dyn_var_they_have_what_they_ask_for(self):
        whole, fewer = self.regions("whole")
        self.assertGreater(whole, 0)
        self.assertEqual(fewer, 0)

    def known(self, name, fewer="true"):
        """A file that says of a library whether its regions may have fewer threads."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "known.toml")
        file.write_text(f"[[module]]\nfile = '{name}'\nfewer_threads = {fewer}\n")
        return str(file)

    def test_roots_divide_the_cpus(self):
        """However many the first root has got beside other programs, the second gets no more than its part."""
        for settings in ({"OMP_DYNAMIC": "true"}, {"VICINO_CONFIG": self.known("*rooms*")}):
            with self.subTest(settings):
                output, _ = self.run_on_vicino("rooms", "roots", CPUS, **settings)
                self.assertLessEqual(int(output), CPUS // 2)

    def test_without_dyn_var_roots_have_what_they_ask_for(self):
        output, _ = self.run_on_vicino("rooms", "roots", CPUS)
        self.assertEqual(int(output), CPUS)

    def test_without_dyn_var_regions_of_a_known_library_have_fewer(self):
        found = self.regions("crowd", VICINO_CONFIG=self.known("*rooms*"))
        self.assertIsNotNone(found, "no region had fewer threads")
        whole, fewer = found
        self.assertGreater(fewer, 10 * whole)

    def test_other_libraries_have_what_they_ask_for(self):
        for settings in ({"VICINO_CONFIG": self.known("librooms.so*")},
                         {"VICINO_CONFIG": self.known("*rooms*"), "VICINO_KNOWN": "off"},
                         {"VICINO_CONFIG": self.known("*rooms*", fewer="false")},
                         {"VICINO_CONFIG": self.known("librooms.so*"), "VICINO_KNOWN": "random"},
                         {"VICINO_CONFIG": self.known("*rooms*", fewer="false"), "VICINO_KNOWN": "random",
                          "OMP_DYNAMIC": "true"}):
            with self.subTest(settings):
                whole, fewer = self.regions("whole", **settings)
                self.assertGreater(whole, 0)
                self.assertEqual(fewer, 0)

    def test_a_library_at_the_address_of_another_is_looked_up(self):
        """One may have fewer threads, and the next, at its address after it was unloaded, may not."""
        file = build.build(HERE / "plugin.c", compiler(), ["-shared", "-fPIC"], WORK / "surroundings")
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("known.so", "other.so")]
            for name in names:
                shutil.copy(file, name)
            output, _ = self.run_on_vicino("reload", *names, VICINO_KNOWN="random",
                                           VICINO_CONFIG=self.known("known.so"))
        (address, known), (same, other) = (line.split() for line in output.splitlines())
        self.assertEqual(address, same)
        self.assertLess(int(known), 8)
        self.assertEqual(int(other), 8)

    def test_roots_that_left_a_region_by_their_end_lead_no_more(self):
        # Beside a quota other processes' threads do not count.
        with self.in_group(cgroup.cpu_quota(CPUS - 0.5)) as join:
            output, _ = self.run_on_vicino("rooms", "left", CPUS, join=join, OMP_DYNAMIC="true")
        self.assertEqual(int(output), CPUS)

    def test_random_numbers_try_whatever_may_have_fewer(self):
        for settings in ({"VICINO_CONFIG": self.known("*rooms*")}, {"OMP_DYNAMIC": "true"}):
            with self.subTest(settings):
                whole, fewer = self.regions("whole", **settings, VICINO_KNOWN="random")
                self.assertGreater(whole, 0)
                self.assertGreater(fewer, 0)

    def test_bound_teams_stay_whole(self):
        whole, fewer = self.regions("whole", OMP_DYNAMIC="true", OMP_PROC_BIND="true")
        self.assertGreater(whole, 0)
        self.assertEqual(fewer, 0)

    def test_after_the_crowd_they_have_all(self):
        command, environment = self.command("rooms", "back", CPUS, OMP_DYNAMIC="true")
        with copies.Endless(2 * CPUS) as crowd, \
                subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
            self.assertEqual(running.stdout.readline(), "narrow\n")
            crowd.stop()
            ended = running.stdout.readline()
        if ended == "busy\n":
            self.skipTest("the machine was never quiet")
        self.assertEqual(ended, "whole\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
