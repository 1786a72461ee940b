"""packaging/abi/check: it passes on the library, and finds what programs of the last release would miss.

    abi_test.py LIBRARY
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(sys.argv.pop()).resolve()
SKIPPED = 77


def check(*options):
    return subprocess.run([ROOT / "packaging/abi/check", *options], text=True, capture_output=True, check=False)


class Abi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)

    def with_names(self, old, new):
        """The library with another text, of the same length, in its table of names."""
        content = LIBRARY.read_bytes()
        self.assertEqual(len(old), len(new))
        self.assertIn(b"\0" + old + b"\0", content)
        changed = self.work / "libvicino.so"
        changed.write_bytes(content.replace(b"\0" + old + b"\0", b"\0" + new + b"\0"))
        return changed

    def with_header(self, name, pattern, replacement):
        headers = pathlib.Path(tempfile.mkdtemp(dir=self.work)) / "include"
        shutil.copytree(ROOT / "include", headers)
        text, count = re.subn(pattern, replacement, (headers / name).read_text(), count=1)
        self.assertEqual(count, 1)
        (headers / name).write_text(text)
        return headers

    def finds(self, what, *options):
        done = check(*options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, what)

    def test_the_library_serves_programs_of_the_last_release(self):
        done = check("--library", LIBRARY)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_symbol_that_is_gone(self):
        for name in (b"GOMP_parallel", b"__kmpc_fork_call", b"vicino_lend_until"):
            with self.subTest(name=name):
                self.finds(rf"func {name.decode()}: gone", "--library", self.with_names(name, name[:-1] + b"X"))

    def test_a_version_node_that_is_gone(self):
        self.finds("node GOMP_5.1.3: gone", "--library", self.with_names(b"GOMP_5.1.3", b"GOMP_5.1.X"))

    def test_another_soname(self):
        self.finds("soname libvicino.so.0: gone", "--library", self.with_names(b"libvicino.so.0", b"libvicino.so.1"))

    def test_another_type(self):
        for name, pattern, replacement in (
                ("vicino/version.h", r"\Z", ""),  # nothing: no difference
                ("vicino/vicino.h", r"const char\* vicino_version\(void\)", "int vicino_version(void)"),
                ("vicino/lend.h", r"(int vicino_lend_until\(.*)\);", r"\1, int more);"),
                ("vicino/loop.h", r"(typedef struct vicino_loop_options \{)", r"\1 int before;")):
            with self.subTest(name=name):
                headers = self.with_header(name, pattern, replacement)
                done = check("--library", LIBRARY, "--headers", headers)
                self.assertEqual(done.returncode, int(replacement != ""), done.stdout + done.stderr)


if __name__ == "__main__":
    if not shutil.which("abidw") or os.uname().machine != "x86_64":
        print("needs abidw on x86_64: scripts/need release")
        sys.exit(SKIPPED)
    unittest.main()
