"""What the module `vicino` does: `import vicino`, info(), preload(), `python -m vicino`, kernel().

    module_test.py BUILD FIXTURES
"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "trace"))

from installed import FIXTURES, Installed, environment, run  # noqa: E402
from trace_file import Trace  # noqa: E402

MANGLED = "libgomp-a34b3233.so.1"
NAMES = ("libgomp.so.1", "libgomp.so.1.0.0", "libomp.so", "libomp.so.5", "libiomp5.so")
CLIENT = f"ctypes.CDLL({str(FIXTURES)!r} + '/client-of-%s.so')"
OTHER = 77  # threads of the fixtures' runtime
TELL = "import json, vicino; print(json.dumps(vicino.info()))"


class Case(Installed):
    def told(self, code, *before, status=0, **settings):
        return run(self.python, *before, "-c", code, status=status, **settings)

    def info(self, code="", *before, **settings):
        """What info() says in the end."""
        return json.loads(self.told(f"{code}\n{TELL}", *before, **settings).stdout.splitlines()[-1])


class Region(Case):
    """Parts of a program, by name."""

    CODE = (f"import vicino, ctypes; c = {CLIENT % MANGLED}\n"
            "with vicino.region('outer part'):\n"
            "  c.team(2)\n"
            "  try:\n"
            "    with vicino.region('fails'): raise KeyError\n"
            "  except KeyError: pass\n"
            "  @vicino.region('decorated')\n"
            "  def decorated(): return c.team(3)\n"
            "  print(decorated(), decorated())\n")

    def test_a_trace_has_it(self):
        file = self.work / "python.pftrace"
        self.assertEqual(self.told(self.CODE, VICINO_TRACE=str(file)).stdout, "3 3\n")
        trace = Trace.of(file)
        self.assertEqual(trace.faults(), [])
        self.assertEqual([len(trace.spans(name)) for name in ("outer part", "fails", "decorated")], [1, 1, 2])
        [outer] = trace.spans("outer part")
        for inner in trace.spans("decorated"):
            self.assertLess(outer.begin, inner.begin)
            self.assertLess(inner.end, outer.end)

    def test_without_a_trace_and_without_vicino(self):
        self.assertEqual(self.told(self.CODE).stdout, "3 3\n")
        late = f"import ctypes; {CLIENT % MANGLED}.team(1)\n" + self.CODE
        self.assertEqual(self.told(late).stdout, "1 1\n")

    def test_names(self):
        for name, says in (("1", "TypeError: vicino.region(): a name is a str, not 1"),
                           ("''", "ValueError: vicino.region(): '' is no name"),
                           ("'a\\0b'", "ValueError: vicino.region(): 'a\\x00b' is no name")):
            with self.subTest(name):
                self.assertIn(says, self.told(f"import vicino; vicino.region({name})", status=1).stderr)


class Import(Case):
    def test_libraries_that_are_loaded_later_call_vicino(self):
        for name in (MANGLED, *NAMES):
            with self.subTest(name):
                code = f"import vicino, ctypes; c = {CLIENT % name}; print(c.most_threads(), c.team(3))"
                self.assertEqual(self.told(code, OMP_NUM_THREADS="5").stdout, "5 3\n")

    def test_a_replaced_name_brings_no_other_runtime(self):
        for name in NAMES:
            with self.subTest(name):
                found = self.info(f"import vicino, ctypes; c = {CLIENT % name}; c.team(2)")
                self.assertEqual([one["path"] for one in found["runtimes"]], [self.library])
                self.assertEqual(found["reached"], [f"{FIXTURES}/client-of-{name}.so"])

    def test_a_path_with_another_runtime_does_not_matter(self):
        """As the modules of a cluster set it."""
        for name in NAMES:
            found = self.info(f"import vicino, ctypes; c = {CLIENT % name}; c.team(2)", LD_LIBRARY_PATH=str(FIXTURES))
            self.assertEqual([one["path"] for one in found["runtimes"]], [self.library], name)

    def test_too_late(self):
        """Vicino stays out, and one sentence says which runtime was first."""
        code = f"import ctypes; c = {CLIENT % MANGLED}\n{{}}import vicino\nprint(c.team(2))"
        done = self.told(code.format(""))
        self.assertEqual(done.stdout, "1\n")
        self.assertRegex(done.stderr, rf"^<string>:2: VicinoWarning: `import vicino` came too late: \S+/{MANGLED} is "
                                      r"loaded already, .*`python -m vicino`\n")
        found = self.info(f"import ctypes; c = {CLIENT % MANGLED}; c.team(2)")
        self.assertEqual((found["how"], found["library"], found["threads"]), ("", None, None))
        self.assertIn("too late", found["why"])
        self.assertEqual(found["runtimes"],
                         [{"path": f"{FIXTURES}/{MANGLED}", "vicino": False, "threads": OTHER}])
        self.assertEqual(found["elsewhere"], [{"library": f"{FIXTURES}/client-of-{MANGLED}.so",
                                               "runtime": f"{FIXTURES}/{MANGLED}"}])

    def test_a_vicino_that_a_library_brought_is_the_one(self):
        """There are not two."""
        lib = self.tree / "lib/libvicino.so"
        found = self.info(f"import ctypes; ctypes.CDLL({str(lib)!r}, mode=0); import vicino\n"
                          f"c = {CLIENT % MANGLED}; assert c.team(3) == 3")
        self.assertEqual([one["path"] for one in found["runtimes"] if one["vicino"]], [str(lib.resolve())])

    def test_where_it_cannot_be(self):
        """A warning that says why, and the program goes on."""
        copy = self.work / "copies"
        shutil.copytree(self.package, copy / "vicino")
        library = copy / "vicino/_tree/lib/vicino/replace/libgomp.so.1"
        cases = {
            "import os; os.confstr = lambda name: None": "GNU C library, 2.28 or newer, and this system has another one",
            "import os; os.confstr = lambda name: 'glibc 2.17'": "glibc 2.28 or newer, and this system has 2.17",
            "import sys; sys.platform = 'darwin'": "runs on Linux, and this is darwin",
            f"f = open({str(library)!r}, 'r+b'); f.seek(18); f.write(bytes([243, 0])); f.close()":
                "this wheel is for processor 243, and this machine is",
            f"import os; os.remove({str(library)!r})": f"the package is incomplete: {library} is missing",
        }
        for code, said in cases.items():
            with self.subTest(said):
                done = self.told(f"{code}\nimport vicino; print(vicino.info()['how'] or 'not')", PYTHONPATH=str(copy))
                self.assertEqual(done.stdout, "not\n")
                self.assertIn(said, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_an_option_of_the_loader_is_told_of(self):
        """A library with RTLD_DEEPBIND calls its own copy."""
        deep = f"import os; c = ctypes.CDLL({str(FIXTURES)!r} + '/client-of-{MANGLED}.so', mode=os.RTLD_DEEPBIND)"
        found = self.info(f"import vicino, ctypes; {deep}; c.team(2)")
        self.assertEqual((found["how"], found["reached"]), ("imported", []))
        self.assertEqual(found["elsewhere"], [{"library": f"{FIXTURES}/client-of-{MANGLED}.so",
                                               "runtime": f"{FIXTURES}/{MANGLED}"}])


class Info(Case):
    LAZY = f"ctypes.CDLL(None).dlopen(b'{FIXTURES}/client-of-{MANGLED}.so', os.RTLD_LAZY)"  # ctypes itself asks for all

    def test_imported(self):
        found = self.info(f"import vicino, ctypes; c = {CLIENT % MANGLED}; c.team(2)", OMP_NUM_THREADS="3")
        runtimes = sorted(found.pop("runtimes"), key=lambda one: one["vicino"])
        self.assertEqual(runtimes, [{"path": f"{FIXTURES}/{MANGLED}", "vicino": False, "threads": OTHER},
                                    {"path": self.library, "vicino": True, "threads": 3}])
        version = found.pop("version")
        self.assertEqual(found, {"library": self.library, "how": "imported", "why": "", "threads": 3,
                                 "reached": [f"{FIXTURES}/client-of-{MANGLED}.so"], "elsewhere": [], "not_yet": []})
        self.assertRegex(version, r"^\d+\.\d+\.\d+")

    def test_before_the_first_call(self):
        """The loader has not looked the functions up yet."""
        found = self.info(f"import vicino, os, ctypes; {self.LAZY}")
        self.assertEqual((found["reached"], found["not_yet"]), ([], [f"{FIXTURES}/client-of-{MANGLED}.so"]))

    def test_preloaded(self):
        found = self.info(f"import ctypes; c = {CLIENT % 'libomp.so'}; c.team(2)", "-m", "vicino")
        self.assertEqual((found["how"], found["library"]), ("preloaded", self.library))
        self.assertTrue(all(one["vicino"] for one in found["runtimes"]), found)
        self.assertEqual(found["reached"], [f"{FIXTURES}/client-of-libomp.so.so"])


class Main(Case):
    SHOW = "import os, sys, vicino\nprint(vicino.info()['how'], os.getpid(), sys.argv)\n"

    def shows(self, *words, **settings):
        started = subprocess.Popen([str(word) for word in (self.python, *words)], text=True, stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, env=environment(**settings), cwd=self.work)
        how, process, argv = started.communicate(timeout=60)[0].split(" ", 2)
        self.assertEqual((how, int(process), started.returncode), ("preloaded", started.pid, 0))
        return argv.rstrip("\n")

    def test_what_it_runs(self):
        file = self.script(self.SHOW)
        self.assertEqual(self.shows("-m", "vicino", file, "a", "--b"), f"['{file}', 'a', '--b']")
        self.assertEqual(self.shows("-m", "vicino", "-c", self.SHOW, "x y"), "['-c', 'x y']")
        self.assertEqual(self.shows("-m", "vicino", "-m", "script", "-m", "vicino", "-v"),
                         f"['{file}', '-m', 'vicino', '-v']")

    def test_options_of_python_and_of_vicino(self):
        code = "import sys, os; print(sys.flags.optimize, sys.flags.isolated, sys.flags.dev_mode, {'a': 1}, " \
               "os.environ.get('OMP_NUM_THREADS'), sys.argv)"
        for module in (("-Im", "vicino"), ("-I", "-m", "vicino"), ("-Imvicino",)):
            done = run(self.python, "-O", "-X", "dev", *module, "--threads=3", "-c", code, "b")
            self.assertEqual(done.stdout, "1 1 True {'a': 1} 3 ['-c', 'b']\n", module)
        done = run(self.python, "-m", "vicino", "--threads", "3", "--explain", "-c", code, "b")
        self.assertIn(" 3 ['-c', 'b']\n", done.stdout)
        told = run(self.venv / "bin/vicino", "run", "--help").stdout.partition("Examples:")[0]
        known = run(self.python, "-c", "from vicino import __main__; print(*__main__.TAKE_A_VALUE)").stdout
        self.assertEqual(set(re.findall(r"(--[\w-]+) [A-Z]", told)), set(known.split()))
        done = run(self.python, "-m", "vicino", "--threads=none", "-c", code, status=125)
        self.assertIn("none", done.stderr)

    def test_input_status_and_help(self):
        self.assertEqual(run(self.python, "-m", "vicino", "-", "b", input="import sys; print(sys.argv)").stdout,
                         "['-', 'b']\n")
        self.assertEqual(run(self.python, "-m", "vicino", input="print(6 * 7)").stdout, "42\n")
        run(self.python, "-m", "vicino", "-c", "raise SystemExit(9)", status=9)
        done = run(self.python, "-m", "vicino", "--threads=2", "doctor", "--json", status=2)
        self.assertEqual(done.stderr, "vicino: no file is called 'doctor'; a command of Vicino's is called without "
                                      "python: vicino doctor --json\n")
        self.assertIn("usage: python", run(self.python, "-m", "vicino", "--help").stdout)
        self.assertRegex(run(self.python, "-m", "vicino", "--version").stdout, r"^vicino \d+\.\d+\.\d+\n$")

    def test_a_library_that_is_there_already_is_no_matter(self):
        """It is gone after the start, and so there is no warning either."""
        self.script(f"import ctypes; {CLIENT % MANGLED}\n", "early/sitecustomize.py")
        done = run(self.python, "-m", "vicino", "-c", "print(1)", PYTHONPATH=str(self.work / "early"))
        self.assertEqual((done.stdout, done.stderr), ("1\n", ""))


class Preload(Case):
    SHOW = "import os, sys, vicino\nprint('begin', os.getpid(), flush=True)\nsaid = vicino.preload()\n" \
           "print(vicino.info()['how'], os.getpid(), sys.argv, said)\n"
    DONE = "the program is on Vicino already"

    def test_begins_again_once(self):
        file = self.script(self.SHOW)
        for words, argv in (((file, "a b", "-m"), [str(file), "a b", "-m"]), (("-c", self.SHOW, "c"), ["-c", "c"]),
                            (("-X", "dev", "-m", "script", "d"), [str(file), "d"])):
            lines = run(self.python, *words, cwd=self.work).stdout.splitlines()
            process = lines[0].split()[1]
            self.assertEqual(lines, [f"begin {process}", f"begin {process}",
                                     f"preloaded {process} {argv} {self.DONE}"])

    def test_what_was_loaded_before_does_not_matter(self):
        code = f"import ctypes, warnings; c = {CLIENT % MANGLED}; c.team(2)\nwarnings.simplefilter('ignore')\n" \
               f"import vicino; vicino.preload(); print(c.team(2))"
        self.assertEqual(self.told(code).stdout, "2\n")

    def test_no_endless_loop(self):
        """A Vicino that cannot be preloaded: the command runs the program without."""
        copy = self.work / "loop"
        shutil.copytree(self.package, copy / "vicino")
        command = copy / "vicino/_tree/bin/vicino"
        command.write_text('#!/bin/sh\nshift 2\nexec "$@"\n', encoding="utf-8")
        done = run(self.python, "-c", self.SHOW, PYTHONPATH=str(copy))
        self.assertEqual(done.stdout.count("begin"), 2)
        self.assertIn("has been started again under `vicino run`, and Vicino was not loaded", done.stderr)
        self.assertIn("imported", done.stdout)

    def refuses(self, done, why):
        self.assertIn("VicinoWarning: vicino.preload(): ", done.stderr)
        self.assertIn(why, done.stderr)
        self.assertIn("imported", done.stdout)

    def test_what_cannot_begin_again(self):
        cases = {
            "import sys, types; sys.modules['ipykernel'] = types.ModuleType('ipykernel')":
                "choose the kernel that vicino.kernel() installs",
            "import sys; sys.frozen = True": "this is a frozen program",
            "import sys; sys.ps1 = '> '": "start the session by `python -m vicino`",
            "import sys; sys.executable = '/bin/true'": "Python is a part of another program",
            "import sys; sys.executable = ''": "Python is a part of another program",
            "import threading, time; threading.Thread(target=time.sleep, args=(1,)).start()":
                "before they are started",
            "import sys, types; sys.modules['mpi4py.MPI'] = types.ModuleType('MPI')": "MPI has been initialised",
            "import vicino, os\nif os.fork(): os._exit(os.waitstatus_to_exitcode(os.wait()[1]))": "call vicino.preload() in the parent",
        }
        for code, why in cases.items():
            with self.subTest(why):
                self.refuses(self.told(f"{code}\n{self.SHOW}"), why)
        self.refuses(run(self.python, "-", input=self.SHOW), "comes from standard input")
        self.refuses(run(self.python, input=self.SHOW), "comes from standard input")

    def test_children_of_multiprocessing(self):
        """They run the program's first lines again, or go on in the middle; they are never started again."""
        for method in ("spawn", "fork", "forkserver"):
            file = self.script("import multiprocessing, os, warnings\nimport vicino\n{}\n"
                               "def work(n): return vicino.preload() if n else ''\n"
                               "if __name__ == '__main__':\n"
                               f"    with multiprocessing.get_context('{method}').Pool(1) as pool:\n"
                               "        print(pool.map(work, [1])[0])\n".format("warnings.simplefilter('ignore')"))
            self.assertIn("this is a child of a Python program", run(self.python, file).stdout, method)
            self.assertEqual(run(self.python, "-m", "vicino", file).stdout, f"{self.DONE}\n", method)


class Kernel(Case):
    def test_where_it_goes(self):
        home = {"HOME": str(self.work / "home")}
        for words, settings, place in (
                ((), home, self.venv / "share/jupyter"),
                (("--sys-prefix",), home, self.venv / "share/jupyter"),
                (("--user",), home, self.work / "home/.local/share/jupyter"),
                (("--user",), {**home, "XDG_DATA_HOME": str(self.work / "xdg")}, self.work / "xdg/jupyter"),
                (("--user",), {**home, "JUPYTER_DATA_DIR": str(self.work / "data")}, self.work / "data"),
                (("--prefix", self.work / "p", "--name", "Mine"), home, self.work / "p/share/jupyter")):
            name = "mine" if "Mine" in words else "vicino"
            folder = place / "kernels" / name
            done = run(self.venv / "bin/vicino-kernel", *words, **settings)
            self.assertEqual(done.stdout, f"installed {folder}\n")
            self.assertIn("needs the package ipykernel", done.stderr)
            found = json.loads((folder / "kernel.json").read_text(encoding="utf-8"))
            self.assertEqual((found["display_name"], found["language"]), ("Python (Vicino)", "python"))
            self.assertEqual(found["argv"][0], str(self.python))
            done = run(self.venv / "bin/vicino-kernel", *words, "--remove", **settings)
            self.assertEqual(done.stdout, f"removed {folder}\n")
            self.assertFalse(folder.exists())

    def test_it_runs_on_vicino(self):
        """A module of the name of ipykernel's stands for it."""
        folder = self.told("import vicino; print(vicino.kernel(sys_prefix=True, display_name='P'))").stdout.strip()
        with open(f"{folder}/kernel.json", encoding="utf-8") as file:
            words = json.load(file)["argv"]
        self.script("import sys, vicino; print(vicino.info()['how'], sys.argv[1:])\n", "fake/ipykernel_launcher.py")
        words = [word.format(connection_file="/tmp/a b.json") for word in words]
        self.assertEqual(run(*words, PYTHONPATH=str(self.work / "fake")).stdout, "preloaded ['-f', '/tmp/a b.json']\n")
        self.told("import vicino; vicino.kernel(remove=True)")

    def test_bad_words(self):
        kernel = self.venv / "bin/vicino-kernel"
        self.assertIn("name='../x': letters, digits,", run(kernel, "--name", "../x", status=1).stderr)
        self.assertIn("not allowed with", run(kernel, "--user", "--sys-prefix", status=2).stderr)
        self.assertRegex(run(kernel, "--name", "none", "--remove", status=1).stderr, r"^vicino-kernel: .*none")
        done = self.told("import vicino; vicino.kernel(user=True, prefix='/x')", status=1)
        self.assertTrue(re.search("ValueError: only one of user, prefix and sys_prefix", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
