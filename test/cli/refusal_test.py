"""Programs and systems that Vicino does not suit: `vicino run` and `vicino compare` say why in one sentence, and the
program runs as it would without them."""

import os
import shutil
import struct
import subprocess
import unittest

from command import APP, STATIC_APP, VICINO, Case

GCC = "gcc-12"
MACHINE = slice(18, 20)  # of an ELF file's header
ENDS_BY_ITSELF = "int main(void) { return 7; }\n"
ENDS_AFTER_A_REGION = "static int sink;\nint main(void) {\n#pragma omp parallel\n  sink = 1;\n  return 7;\n}\n"

# A static program of 32 bits that ends with status 7: _exit(7) by int 0x80.
CODE = bytes.fromhex("b801000000" "bb07000000" "cd80")
PROGRAM_OF_32_BITS = (
    struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 3, 1, 0x8048054, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    + struct.pack("<8I", 1, 0, 0x8048000, 0x8048000, 84 + len(CODE), 84 + len(CODE), 5, 4096) + CODE)


def loader_of(program):
    """The path of the dynamic loader that a program names."""
    shown = subprocess.run(["readelf", "-l", program], capture_output=True, text=True, check=True).stdout
    return shown.split("program interpreter: ")[1].split("]")[0]


class Programs(Case):
    def setUp(self):
        super().setUp()
        self.own = self.work / "own"
        self.compile(ENDS_BY_ITSELF, self.own)

    def compile(self, text, to, *flags):
        source = self.work / "source.c"
        source.write_text(text, encoding="utf-8")
        subprocess.run([GCC, source, "-o", to, *flags], check=True)

    def file(self, name, contents):
        path = self.work / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        path.chmod(0o755)
        return path

    def with_loader(self, loader):
        """A program that another loader starts, which may be any copy of the system's."""
        program = self.work / "program"
        self.compile(ENDS_BY_ITSELF, program, f"-Wl,--dynamic-linker={loader}")
        return program

    def expect(self, program, reason, status=7):
        """Under `run` one sentence and the program's own end, under `compare` one sentence."""
        done = self.run_vicino("run", program)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        said = done.stderr.splitlines()
        self.assertIn(f"'{program}' keeps its own OpenMP runtime: {reason}", said[0])
        self.assertEqual(len(said), 1 if status < 125 else 2, done.stderr)
        return said

    def expect_no_comparison(self, program, reason):
        done = self.run_vicino("compare", "--pairs", "1", "--", program)
        self.assertEqual((done.returncode, done.stdout), (6, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(f"'{program}' cannot be run on Vicino: {reason}", done.stderr)


class Refused(Programs):
    def test_static(self):
        for flags in (), ("-s",):
            with self.subTest(flags=flags):
                program = self.work / "program"
                self.compile(ENDS_AFTER_A_REGION, program, "-static", "-fopenmp", *flags)
                self.expect(program, "it is statically linked")
                self.expect_no_comparison(program, "it is statically linked")

    def test_static_without_a_runtime(self):
        """It keeps none, so `run` has nothing to tell."""
        program = self.work / "program"
        self.compile(ENDS_BY_ITSELF, program, "-static")
        done = self.run_vicino("run", program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "", ""))
        self.expect_no_comparison(program, "it is statically linked")

    @unittest.skipUnless(os.geteuid() == 0, "takes another user's program")
    def test_set_user_id(self):
        os.chown(self.own, 1, 1)
        self.own.chmod(0o4755)
        self.work.chmod(0o755)
        self.expect(self.own, "it runs with another user's or added privileges")
        self.expect_no_comparison(self.own, "it runs with another user's or added privileges")

    def test_32_bits(self):
        program = self.file("program", PROGRAM_OF_32_BITS)
        try:
            subprocess.run([program], check=False)
        except OSError:
            self.skipTest("this kernel runs no programs of 32 bits")
        self.expect(program, "it is a 32-bit program")
        self.expect_no_comparison(program, "it is a 32-bit program")

    def test_another_processor(self):
        contents = bytearray(self.own.read_bytes())
        contents[MACHINE] = struct.pack("<H", 22)  # s390, which the kernel does not start
        contents[5] = 2  # big-endian
        contents[MACHINE] = struct.pack(">H", 22)
        program = self.file("program", bytes(contents))
        reason = "it is built for s390x, and Vicino for "
        said = self.expect(program, reason, status=126)
        self.assertRegex(said[1], "cannot run '.*': Exec format error")
        self.expect_no_comparison(program, reason)

    def test_musl(self):
        loader = self.work / "ld-musl-x.so.1"
        shutil.copy(os.path.realpath(loader_of(self.own)), loader)
        program = self.with_loader(loader)
        self.expect(program, "it uses the C library musl")
        self.expect_no_comparison(program, "it uses the C library musl")

    def test_a_musl_program_gets_no_library(self):
        loader = self.work / "ld-musl-x.so.1"
        shutil.copy(os.path.realpath(loader_of(self.own)), loader)
        program = self.work / "program"
        self.compile('#include <stdlib.h>\nint main(void) { return getenv("LD_PRELOAD") != NULL; }\n', program,
                     f"-Wl,--dynamic-linker={loader}")
        self.assertEqual(self.run_vicino("run", program).returncode, 0)
        self.assertEqual(self.run_vicino("run", "--env", "LD_PRELOAD=", program).returncode, 1)

    def test_a_missing_loader(self):
        program = self.with_loader("/no/such/ld-musl-x.so.1")
        said = self.expect(program, "it uses the C library musl", status=127)
        self.assertIn("its interpreter '/no/such/ld-musl-x.so.1' is missing", said[1])

    def library_for_glibc(self, version):
        """A library that needs this version of glibc, and says so as compiled ones do."""
        folder = self.work / "future"
        folder.mkdir(exist_ok=True)
        (folder / "map").write_text(f"{version} {{ future; }};\n")
        self.compile("int future(void) { return 0; }\n", folder / "libc.so.6", "-shared", "-nostdlib",
                     "-Wl,-soname,libc.so.6", f"-Wl,--version-script={folder / 'map'}")
        self.compile("int future(void);\nint vicino_version(void) { return future(); }\n",
                     folder / "libvicino.so", "-shared", "-fPIC", "-nostdlib", folder / "libc.so.6")
        self.env["VICINO_LIBRARY"] = str(folder / "libvicino.so")
        return folder

    def test_an_old_system(self):
        self.library_for_glibc("GLIBC_9.99")
        for command, status in ((("run",), 125), (("compare", "--pairs", "1", "--"), 2)):
            done = self.run_vicino(*command, self.own)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (status, 1), done.stderr)
            self.assertRegex(done.stderr, "libvicino.so' needs glibc 9.99 or newer, and this system has 2[.]")

    def test_a_program_that_brings_an_old_glibc(self):
        folder = self.library_for_glibc("GLIBC_2.3")  # the C library of the program's loader, older than all
        del self.env["VICINO_LIBRARY"]
        loader = folder / "ld-linux-x.so.2"
        shutil.copy(os.path.realpath(loader_of(self.own)), loader)
        program = self.with_loader(loader)
        if not (VICINO.parent.parent / "lib" / "libvicino.so").exists():
            self.skipTest("the library is not built here")
        self.expect(program, "it brings glibc 2.3, and Vicino needs 2.")

    def test_no_library(self):
        cases = [(self.file("text", "no library"), "is not a library"),
                 (self.file("short", b"\x7fELF"), "is not a library"),
                 (self.file("old", PROGRAM_OF_32_BITS), "is a library for x86, and this command is for ")]
        for library, reason in cases:
            self.env["VICINO_LIBRARY"] = str(library)
            done = self.run_vicino("run", self.own)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (125, 1), done.stderr)
            self.assertIn(f"'{library}' {reason}", done.stderr)


class Scripts(Programs):
    def test_of_a_static_interpreter(self):
        """What such a script starts runs on Vicino, and may be compared."""
        script = self.file("script", f"#!{STATIC_APP} id\n")
        done = self.run_vicino("run", script)
        self.assertIn(f"keeps its own OpenMP runtime: its interpreter '{STATIC_APP}' is statically linked; "
                      "programs that it starts run on Vicino", done.stderr)
        compared = self.run_vicino("compare", "--pairs", "1", "--", script)
        self.assertNotIn("statically", compared.stderr)

    def test_of_a_32_bit_interpreter(self):
        interpreter = self.file("interpreter", PROGRAM_OF_32_BITS)
        script = self.file("script", f"#! {interpreter} -x\n")
        try:
            subprocess.run([script], check=False)
        except OSError:
            self.skipTest("this kernel runs no programs of 32 bits")
        self.expect(script, f"its interpreter '{interpreter}' is a 32-bit program")
        self.expect_no_comparison(script, f"its interpreter '{interpreter}' is a 32-bit program")

    def test_that_env_looks_up(self):
        folder = self.work / "bin"
        folder.mkdir()
        interpreter = self.file("bin/other", PROGRAM_OF_32_BITS)
        script = self.file("script", "#!/usr/bin/env -S A=1 other -y\n")
        self.env["PATH"] = f"{folder}:{self.env['PATH']}"
        self.assertIn(f"its interpreter '{interpreter}' is a 32-bit program",
                      self.run_vicino("run", script).stderr)

    def test_of_scripts(self):
        interpreter = self.file("interpreter", PROGRAM_OF_32_BITS)
        inner = self.file("inner", f"#!{interpreter}\n")
        outer = self.file("outer", f"#!{inner}\n")
        self.assertIn(f"its interpreter '{interpreter}' is", self.run_vicino("run", outer).stderr)
        endless = self.file("endless", "#!{}\n".format(self.work / "endless"))
        self.assertEqual(self.run_vicino("run", endless).returncode, 126)

    def test_others_are_not_warned_of(self):
        script = self.file("script", f"#!/bin/sh\nexec {APP} id\n")
        done = self.run_vicino("run", script)
        self.assertEqual((done.stdout, done.stderr), ("first line\n2\n", ""))

    def test_without_a_first_line(self):
        """The kernel does not know it, and the shell runs it, on Vicino."""
        script = self.file("script", f"exec {APP} id\n")
        done = self.run_vicino("run", script)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "first line\n2\n", ""))


if __name__ == "__main__":
    unittest.main()
