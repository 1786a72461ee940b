"""LeakSanitizer finds nothing of the runtime's in a program that loads it, forks and has threads."""
import subprocess
import unittest

from surroundings import HERE, LIBRARY, WORK, Case, build, environment_with, program, runtime

LEAK = "detected memory leaks"


class Leaks(Case):
    def setUp(self):
        if not build.available("gcc-12", HERE / "loads.c"):
            self.skipTest("no gcc-12, which brings LeakSanitizer")

    def told(self, *words, by="gcc-12", **settings):
        """What the program and its children write to standard error."""
        plugin = build.build(HERE / "plugin.c", by, ["-shared", "-fPIC"], WORK / "surroundings")
        binary = program("loads", "gcc-12", ["-fsanitize=leak", "-ldl", "-pthread"])
        variables = runtime.Runtime(LIBRARY, WORK).environment()
        done = subprocess.run([binary, plugin, *words], env=environment_with(variables | settings), text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode != 0, LEAK in done.stderr, done.stdout + done.stderr)
        return done.stderr

    def test_nothing_is_lost(self):
        for by in ("gcc-12", "clang-19"):
            if build.available(by, HERE / "plugin.c"):
                self.assertNotIn(LEAK, self.told(by=by))

    def test_nor_beside_a_report(self):
        self.assertNotIn(LEAK, self.told(VICINO_REPORT="true"))

    def test_what_the_program_loses_is_found(self):
        self.assertIn("100 byte(s) leaked in 1 allocation(s)", self.told("lose"))

    def test_a_threads_teams_take_the_order_of_their_tasks_with_them(self):
        # The vertices' memory is used again, so a checker that looks for pointers finds them. What 1000 threads lost was
        # 1.1 MB; beside other programs a thread's heap for tasks may grow by 66 KB late.
        self.assertLess(int(self.run_on_vicino("ordered")[0]), 400 * 1024)


if __name__ == "__main__":
    unittest.main(verbosity=2)
