#!/usr/bin/env python3
"""start_test.py LIBRARY MODULE MACHINES CC...: the causes of the cost of a start. Nothing is timed;
the test looks at which files a process opens and maps before and after its first region.

LIBRARY is libvicino.so in a folder that is laid out as an installation, MODULE the library that reads
recorded machines, MACHINES the folder of recorded machines.
"""
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from program import compile_unit, execute, link_with, run

COMPILERS = sys.argv[4:]
LIBRARY, MODULE, MACHINES = (Path(word).resolve() for word in sys.argv[1:4])
del sys.argv[1:]
SOURCE = Path(__file__).with_name("start.c")
MACHINE = MACHINES / "plain-2x4.xml"  # it has eight CPUs
# A question may read the control group's limit; a region also reads the topology, and, if its threads lose their
# cores to other processes, how crowded the machine is.
OF_A_QUESTION = re.compile(r"/proc/self/(cgroup|mountinfo)|/sys/fs/cgroup/.*")
OF_A_REGION = re.compile(OF_A_QUESTION.pattern + r"|/sys/devices/.*|/proc/cpuinfo"
                         r"|/proc/loadavg|/proc/[0-9]+/schedstat")
OURS = re.compile(r"libvicino[.-]|ld-linux|libc\.so|libc-2|start\.(gcc|clang)")


class Start(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.programs = []
        for compiler in COMPILERS:
            name = Path(compiler).name
            unit, linked, plain = (cls.work / f"start.{name}.{kind}" for kind in ("o", "linked", "plain"))
            compile_unit(compiler, SOURCE, unit)
            link_with(compiler, LIBRARY, unit, linked)
            run(compiler, "-fopenmp", unit, "-o", plain)
            cls.programs.append((linked, plain))

    def say(self, program, step, stderr="", **variables):
        """(threads, paths opened, paths mapped)"""
        done = execute(program, step, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, stderr), done.stdout)
        words = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
        return (int(words[0][1]), [w[1] for w in words if w[0] == "opened"],
                {w[1] for w in words if w[0] == "mapped"})

    def none_of_others(self, mapped):
        self.assertTrue(any("libvicino" in path for path in mapped), mapped)
        self.assertEqual({path for path in mapped if not OURS.search(path)}, set())

    def test_linked_and_never_called(self):
        for linked, _ in self.programs:
            _, opened, mapped = self.say(linked, "none")
            self.assertEqual(opened, [])
            self.none_of_others(mapped)

    def test_what_a_program_asks_needs_no_topology(self):
        for linked, _ in self.programs:
            threads, opened, mapped = self.say(linked, "ask")
            self.assertGreater(threads, 0)
            self.assertGreater(len(opened), 0, "the program does not see what the library opens")
            self.assertEqual([path for path in opened if not OF_A_QUESTION.fullmatch(path)], [])
            self.assertLessEqual(len(opened), 24)
            self.none_of_others(mapped)

    @unittest.skipIf(Path("/sys/devices/system/node/node1").exists(), "threads have pages by node here")
    def test_a_region_of_one_thread_needs_no_topology(self):
        for linked, _ in self.programs:
            threads, opened, mapped = self.say(linked, "alone")
            self.assertEqual(threads, 1)
            self.assertEqual([path for path in opened if not OF_A_QUESTION.fullmatch(path)], [])
            self.none_of_others(mapped)
            _, opened, _ = self.say(linked, "alone", OMP_PROC_BIND="true")
            self.assertIn("/sys/devices/system/cpu/online", opened)

    def test_a_region_reads_few_files_and_loads_nothing(self):
        for linked, _ in self.programs:
            for step in ("region", "place"):
                threads, opened, mapped = self.say(linked, step)
                self.assertEqual([path for path in opened if not OF_A_REGION.fullmatch(path)], [])
                self.assertIn("/sys/devices/system/cpu/online", opened)
                # The nodes are read once; for each CPU, only the files that it has for itself are
                # read.
                self.assertLessEqual(len(opened), 50 + 8 * threads, opened)
                self.none_of_others(mapped)

    def recorded(self, program, folder):
        """Checks that a program that gets the library from `folder` reads a recorded machine."""
        threads, _, mapped = self.say(program, "region", VICINO_MACHINE=str(MACHINE),
                                      LD_LIBRARY_PATH=str(folder))
        self.assertEqual(threads, 8)
        self.assertIn(str(MODULE), mapped)

    def test_a_recorded_machine_is_read_by_a_module(self):
        replace = LIBRARY.parent / "vicino" / "replace"
        elsewhere = self.work / "elsewhere"
        elsewhere.mkdir()
        for name in ("libgomp.so.1", "libomp.so.5"):
            (elsewhere / name).symlink_to(LIBRARY)
        for linked, plain in self.programs:
            self.recorded(linked, LIBRARY.parent)
            self.recorded(plain, replace)
            self.recorded(plain, elsewhere)

    def test_a_question_is_answered_by_the_recorded_machine(self):
        for name in ("VICINO_MACHINE", "HWLOC_XMLFILE"):
            self.assertEqual(self.say(self.programs[0][0], "ask", **{name: str(MACHINE)})[0], 8)

    def without_module(self, text=None):
        """What the library says where it stands alone, or beside a file that is no module."""
        folder = Path(tempfile.mkdtemp(dir=self.work))
        shutil.copy(LIBRARY, folder / "libgomp.so.1")
        shutil.copy(LIBRARY, folder / "libomp.so.5")
        if text is not None:
            (folder / "vicino").mkdir()
            (folder / "vicino" / MODULE.name).write_text(text)
        done = execute(self.programs[0][1], "region", VICINO_MACHINE=str(MACHINE),
                       LD_LIBRARY_PATH=str(folder))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_it_says_why_the_module_is_not_used(self):
        begin = f'vicino: "{MACHINE}" is a recorded machine, which libvicino-hwloc.so reads, and that '
        end = "; the machine is taken as it is\n"
        self.assertEqual(self.without_module(), begin + "cannot be found" + end)
        said = self.without_module("no library")
        self.assertTrue(said.startswith(begin + "cannot be loaded (") and said.endswith(end), said)


if __name__ == "__main__":
    unittest.main()
