"""Parts of a program that different compilers have built share one runtime: its regions, its tasks, its settings and
its threads."""
import unittest

from surroundings import HERE, LIBRARY, WORK, Case, build, program, run_program, runtime

COMPILERS = ("gcc-12", "clang-19")


class Mixed(Case):
    def setUp(self):
        if not all(build.available(by, HERE / "mixed.c") for by in COMPILERS):
            self.skipTest("gcc-12 and clang-19 are not both installed")

    def started_threads(self, by, part_by):
        folder = WORK / "surroundings"
        part = build.build(HERE / "mixed_part.c", part_by, [], folder, shared=True)
        binary = program("mixed", by, [f"-L{folder}", f"-Wl,-rpath,{folder}", f"-l:{part.name}"])
        return int(run_program(self, binary, **runtime.Runtime(LIBRARY, WORK).environment())[0])

    def test_each_calls_the_other(self):
        for by, part_by in (COMPILERS, COMPILERS[::-1]):
            with self.subTest(program=by, library=part_by):
                self.assertEqual(self.started_threads(by, part_by), 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
