"""A program that takes another one's place hands on the mask that the process was given, not its thread's place."""
import os
import unittest

from surroundings import Case

FUNCTIONS = ("execv", "execve", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve", "execveat")
BOUND = ({"OMP_PROC_BIND": "close", "OMP_PLACES": "threads"}, {"GOMP_CPU_AFFINITY": "0-1023"})


class Replace(Case):
    def check(self, function, *arguments, **settings):
        output, error = self.run_on_vicino("replace", *arguments, **settings)
        self.assertEqual(output, f"{function} {len(os.sched_getaffinity(0))}\n")
        return error

    def test_each_function(self):
        for function in FUNCTIONS:
            with self.subTest(function=function):
                self.assertEqual(self.check(function, function, "primary", **BOUND[0]), "")

    def test_wherever_it_is_called(self):
        for where in ("member", "handler", "fork", "vfork"):
            for function in ("execve", "execlp"):
                with self.subTest(where=where, function=function):
                    self.assertEqual(self.check(function, function, where, **BOUND[0]), "")

    def test_however_it_is_bound(self):
        self.check("execv", "execv", "primary", **BOUND[1])
        for bind in ("true", "spread", "primary"):
            self.assertEqual(self.check("execv", "execv", "primary", OMP_PROC_BIND=bind), "")

    def test_not_bound(self):
        self.assertEqual(self.check("execl", "execl", "primary"), "")

    def test_a_mask_of_the_programs_own_stays(self):
        for settings in ({}, *BOUND):
            with self.subTest(settings=settings):
                output, _ = self.run_on_vicino("replace", "kept", "execv", **settings)
                self.assertEqual(output, "execv 1\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
