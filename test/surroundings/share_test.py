"""Programs that are told to be one of several equal users of the machine take shares that are apart."""
import os
import resource
import subprocess
import sys
import tempfile
import unittest

from surroundings import LIBRARY, Case, environment_with, program

COMMAND = LIBRARY.parent.parent / "bin" / "vicino"
CPUS = len(os.sched_getaffinity(0))


class Share(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # So that no program beside this test takes a share.
        self.environment = environment_with({"XDG_RUNTIME_DIR": folder.name})

    def run_as(self, share, *words):
        return subprocess.run([COMMAND, "run", "--share", share, "--", *words], env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def start(self, *words):
        """A program that has a share until its input ends, and which one."""
        words = words or ("sh", "-c", "echo $VICINO_SHARE; exec cat")
        one = subprocess.Popen([COMMAND, "run", "--share", "2", "--", *words],
                               env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, one)
        return one, one.stdout.readline().strip()

    def end(self, one):
        one.stdin.close()
        one.stdout.close()
        one.wait()

    def test_each_program_takes_the_first_free_one(self):
        first, share = self.start()
        self.assertEqual(share, "0/2")
        self.assertEqual(self.start()[1], "1/2")
        done = self.run_as("2", "echo", "no")
        self.assertEqual((done.returncode, done.stdout), (125, ""))
        self.assertIn("programs that run have all 2 shares; --share 0/2 takes the first one", done.stderr)
        self.assertEqual(self.run_as("0/2", "echo", "yes").stdout, "yes\n")
        self.end(first)
        self.assertEqual(self.start()[1], "0/2")

    def test_a_killed_program_gives_its_share_back(self):
        first, share = self.start()
        self.assertEqual(share, "0/2")
        first.kill()
        first.wait()
        self.assertEqual(self.start()[1], "0/2")

    @unittest.skipIf(resource.getrlimit(resource.RLIMIT_NOFILE)[0] <= 1024, "no descriptor above 1023")
    def test_a_program_that_closes_low_descriptors_keeps_its_share(self):
        closes = "import os, sys; os.closerange(3, 1024); print(os.environ['VICINO_SHARE'], flush=True); sys.stdin.read()"
        self.assertEqual(self.start(sys.executable, "-c", closes)[1], "0/2")
        self.assertEqual(self.start()[1], "1/2")

    @unittest.skipIf(CPUS < 2, "one CPU")
    def test_the_program_has_its_part_of_the_cpus(self):
        done = self.run_as(f"1/{CPUS}", str(program("ranks")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("threads 1 procs 1\n"), done.stdout)

    def test_what_is_no_share_is_named(self):
        for wrong in ("0", "4/4", "x", "-1", "1/", ""):
            done = self.run_as(wrong, "echo", "no")
            self.assertNotEqual(done.returncode, 0, wrong)
            self.assertIn("not a positive integer, nor one share of several, as in 0/4", done.stderr, wrong)
            self.assertNotIn("no\n", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
