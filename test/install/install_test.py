"""Installs a build into a folder and uses it like a user: CMake package, pkg-config, both compilers.

    install_test.py BUILD_DIR

The folder is moved after the installation, because no file in it may know where it was installed.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop()).resolve()
CONSUMER = Path(__file__).resolve().parent / "consumer"
COMPILERS = {"gcc": ("gcc-12", "g++-12"), "clang": ("clang-19", "clang++-19")}


def run(*command, **env):
    command = [str(part) for part in command]
    done = subprocess.run(command, env={**os.environ, **env}, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        run("cmake", "--install", BUILD, "--prefix", cls.work / "first")
        cls.prefix = cls.work / "moved" / "vicino"
        cls.prefix.parent.mkdir()
        (cls.work / "first").rename(cls.prefix)
        os.environ.pop("LD_LIBRARY_PATH", None)
        os.environ.pop("LD_PRELOAD", None)

    def runs_on_vicino(self, program):
        facts = dict(line.split(" ", 1) for line in run(program).splitlines())
        self.assertEqual((facts["sum"], facts["team"]), ("499500", "2"))
        self.assertEqual(facts["loops"], "499500 499500")
        number, plus, commit = facts["library"].partition("+")
        self.assertEqual((number, plus), (facts["headers"], "+"))
        self.assertRegex(commit, r"^(g[0-9a-f]{12}(\.dirty)?|unknown)$")
        self.assertEqual(facts["parts"], facts["headers"])
        self.assertEqual(facts["runtimes"], f"libvicino.so.{number}")

    def test_layout(self):
        lib = self.prefix / "lib"
        self.assertEqual(os.readlink(lib / "libvicino.so"), "libvicino.so.0")
        self.assertIn("SONAME               libvicino.so.0\n", run("objdump", "-p", lib / "libvicino.so"))
        for name in ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"):
            self.assertTrue((lib / "vicino/replace" / name).samefile(lib / "libvicino.so"), name)

    def test_the_library_is_stripped(self):
        self.assertLess((self.prefix / "lib" / "libvicino.so").stat().st_size, 6 << 20)

    def test_debuggers_find_the_rest(self):
        """They find it by the build id (prefix /usr) or beside the library (any other prefix)."""
        lib, kept = self.prefix / "lib", self.prefix / "lib" / "debug"
        ident = re.search(r"Build ID: (\w\w)(\w+)", run("readelf", "-n", lib / "libvicino.so"))
        self.assertTrue((kept / ".build-id" / ident[1] / f"{ident[2]}.debug").is_file())
        named = lib / "vicino" / "replace" / "libgomp.so.1"
        beside = [lib / ".debug", lib / "vicino" / "replace" / ".debug"]
        where = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
        ask = ["-ex", "info line omp_get_wtick"]  # it begins with no other function's code, in line
        for file in (lib / "libvicino.so", named):
            self.assertIn("routines.cpp", run(*where, *ask, file))
        for folder in beside:
            folder.rename(folder.with_name("hidden"))
        try:
            self.assertNotIn("routines.cpp", run(*where, *ask, named))
            by_id = ["-iex", f"set debug-file-directory {kept}"]
            self.assertIn("routines.cpp", run(*where, *by_id, *ask, named))
        finally:
            for folder in beside:
                folder.with_name("hidden").rename(folder)

    def test_a_recorded_machine_is_read_where_it_was_moved(self):
        machine = Path(__file__).resolve().parents[1] / "machines" / "plain-2x4.xml"
        self.assertIn("8 hardware threads", run(self.prefix / "bin" / "vicino", "topo", "--machine", machine))
        self.assertIn("8 hardware threads", run(self.prefix / "bin" / "vicino", "topo",
                                                VICINO_MACHINE=str(machine)))

    def test_no_file_knows_its_place(self):
        for file in self.prefix.rglob("*"):
            if file.is_file() and file.suffix in {".cmake", ".pc", ".h", ".hpp"}:
                self.assertNotIn(str(self.work), file.read_text(), file)

    @unittest.skipUnless((BUILD / "bin" / "vicino").exists(), "no command line in this build")
    def test_the_command_runs_where_it_was_moved(self):
        self.assertIn("usage", run(self.prefix / "bin" / "vicino", "--help").lower())
        self.assertTrue(list((self.prefix / "share" / "man" / "man1").glob("vicino*.1")))
        self.assertIn("\nMore: man vicino-profile-show\n", run(self.prefix / "bin" / "vicino", "profile", "show", "--help"))

    @unittest.skipUnless((BUILD / "libexec" / "vicino" / "convert").exists(), "built without libclang")
    def test_files_that_commands_name_are_there(self):
        root = Path(__file__).resolve().parents[2]
        named = set()
        for source in (*root.glob("tools/vicino/*.cpp"), *root.glob("src/region/*.cpp"), *root.glob("include/vicino/*")):
            named |= set(re.findall(r"\b(?:docs|bench)/[\w/-]+\.(?:md|json)\b", source.read_text(encoding="utf-8")))
        self.assertGreater(len(named), 10)
        for file in sorted(named):
            self.assertTrue((self.prefix / "share/doc/vicino" / file).is_file(), f"{file} is named, and not installed")

    def test_no_link_of_an_installed_page_leads_out_of_what_is_installed(self):
        pages = sorted((self.prefix / "share/doc/vicino").rglob("*.md"))
        self.assertGreater(len(pages), 100)
        for page in pages:
            prose = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", prose):
                if "://" not in link:
                    self.assertTrue((page.parent / link).exists(), f"{page}: {link}")

    def test_help_prints_installed_pages(self):
        vicino = self.prefix / "bin" / "vicino"
        listed = run(vicino, "help")
        self.assertIn("howto/slower", listed)
        self.assertNotIn("design/", listed)
        page = self.prefix / "share/doc/vicino/docs/howto/slower.md"
        for topic in ("slower", "howto/slower"):
            self.assertEqual(run(vicino, "help", topic).strip(), page.read_text(encoding="utf-8").strip())
        self.assertEqual(run(vicino, "help", "profile", "show"), run(vicino, "profile", "show", "--help"))
        refused = subprocess.run([vicino, "help", "nothing"], capture_output=True, text=True, check=False)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("'nothing' is neither a command nor a page", refused.stderr)

    def test_convert_finds_its_other_half(self):
        source = self.work / "loop.c"
        source.write_text("void f(int* a) {\n#pragma omp parallel for\n"
                          "for (int i = 0; i < 9; ++i) a[i] = i;\n}\n")
        self.assertIn("+#pragma omp parallel for schedule(runtime)",
                      run(self.prefix / "bin" / "vicino", "convert", source))

    @unittest.skipUnless((BUILD / "libexec" / "vicino" / "bench" / "micro-gcc").exists(), "built without the kit")
    def test_bench_finds_its_programs(self):
        page = self.work / "page"
        run(self.prefix / "bin" / "vicino", "bench", "--rounds", "1", "--threads", "1", "--only", "parallel_1,fib",
            "--output", page)
        text = page.with_suffix(".md").read_text(encoding="utf-8")
        for row in ("| parallel_1: ", "| fib 24 |"):
            self.assertEqual(text.count(row), 2, text)  # gcc's and clang's

    @unittest.skipUnless((BUILD / "libexec" / "vicino" / "selftest" / "selftest-gcc").exists(), "built without the kit")
    def test_selftest_finds_its_programs(self):
        said = run(self.prefix / "bin" / "vicino", "selftest", "--timeout", "110s")
        self.assertIn(f"{self.prefix}/lib/libvicino.so", said)
        self.assertRegex(said, r"All is well: \d+ checks")

    def test_doctor_finds_its_tool(self):
        """Beside itself, in the folder to which the tree was moved."""
        self.assertTrue((self.prefix / "libexec" / "vicino" / "doctor" / "libwaits.so").is_file())

    def test_find_package(self):
        for name, (cc, cxx) in COMPILERS.items():
            with self.subTest(compiler=name):
                build = self.work / f"cmake-{name}"
                run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja",
                    f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    f"-DCMAKE_C_COMPILER={cc}", f"-DCMAKE_CXX_COMPILER={cxx}")
                run("cmake", "--build", build)
                self.runs_on_vicino(build / "consumer")

    def test_pkg_config(self):
        def flags(what):
            where = str(self.prefix / "lib" / "pkgconfig")
            return run("pkg-config", what, "vicino", PKG_CONFIG_PATH=where).split()

        for name, (cc, cxx) in COMPILERS.items():
            with self.subTest(compiler=name):
                main, loops, api, program = (self.work / f"{name}-{part}"
                                             for part in ("main.o", "loops.o", "api.o", "pc"))
                run(cxx, *flags("--cflags"), "-c", CONSUMER / "main.cpp", "-o", main)
                run(cxx, *flags("--cflags"), "-c", CONSUMER / "loops.cpp", "-o", loops)
                run(cc, *flags("--cflags"), "-c", CONSUMER / "api.c", "-o", api)
                run(cxx, main, loops, api, *flags("--libs"), f"-Wl,-rpath,{self.prefix}/lib", "-o", program)
                self.runs_on_vicino(program)


if __name__ == "__main__":
    unittest.main()
