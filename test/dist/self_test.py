"""packaging/portable.py finds what keeps a file from running elsewhere, and packaging/dist packs the same bytes twice."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "packaging"))

import portable  # noqa: E402


def load(name):
    """A script without a suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(REPOSITORY / "packaging" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Work(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)


class Portable(Work):
    def faults(self, source, *flags):
        """Of a library of that source, without the folder."""
        file = self.work / "libtried.so"
        subprocess.run(["gcc-12", "-shared", "-fPIC", "-x", "c", "-", "-o", file, *flags], input=source, text=True, check=True)
        found, count = portable.check(self.work)
        self.assertEqual(count, 1)
        return [fault.removeprefix(f"{file}: ") for fault in found]

    def test_a_good_file(self):
        self.assertEqual(self.faults("#include <stdlib.h>\nint tried(void) { return abs(1); }", "-s"), [])

    def test_a_function_of_a_newer_c_library(self):
        source = "#include <stdlib.h>\nunsigned tried(void) { return arc4random(); }"
        self.assertEqual(self.faults(source, "-s"), ["needs GLIBC_2.36"])

    def test_another_library(self):
        self.assertEqual(self.faults("int tried;", "-s", "-Wl,--no-as-needed", "-lstdc++")[0], "needs libstdc++.so.6")

    def test_a_search_path(self):
        self.assertEqual(self.faults("int tried;", "-s", "-Wl,-rpath,/opt"), ["has DT_RUNPATH"])

    def test_packed_relocations(self):
        found = self.faults("int one; int* tried[] = {&one, &one};", "-s", "-Wl,-Bsymbolic", "-Wl,-z,pack-relative-relocs")
        self.assertEqual(found[0], "has DT_RELR")

    def test_symbols(self):
        self.assertEqual(self.faults("int tried;"), ["is not stripped"])

    def test_an_executable_stack(self):
        self.assertEqual(self.faults("int tried;", "-s", "-Wl,-z,execstack"), ["has an executable stack"])


class Packed(Work):
    def test_two_times_the_same_bytes(self):
        dist = load("dist")
        digests = []
        for turn in range(2):
            tree = self.work / f"tree{turn}"
            names = ["b", "a/c"] if turn else ["a/c", "b"]
            for name in names:
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_text(name)
                os.utime(tree / name, (turn, turn))
            os.link(tree / "b", tree / "z")
            (tree / "link").symlink_to("b")
            output = self.work / f"output{turn}"
            output.mkdir()
            file = dist.tarball(tree, "name", output, 1_000_000_000)
            digests.append(file.read_bytes())
        self.assertEqual(digests[0], digests[1])
        with tarfile.open(file) as packed:
            members = {member.name: member for member in packed}
        self.assertEqual(set(members), {"name", "name/a", "name/a/c", "name/b", "name/link", "name/z"})
        self.assertTrue(members["name/z"].islnk())
        self.assertTrue(all(member.mtime == 1_000_000_000 for member in members.values()))


if __name__ == "__main__":
    unittest.main()
