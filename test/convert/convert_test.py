"""`vicino convert`: what it changes, what it refuses, and that it changes nothing else in a file.

A case in the folder `cases` says behind a directive why it is refused: `// refused: text` for both
forms, `// refused (taskloop): text` for one. CASE.FORM.diff shows what is converted.

    convert_test.py PATH_OF_VICINO
"""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

VICINO = Path(sys.argv.pop()).resolve()
HERE = Path(__file__).resolve().parent
CASES = HERE / "cases"
COMPILERS = {".c": ("clang-19", "gcc-12"), ".cpp": ("clang++-19", "g++-12")}
FORMS = {"runtime": (), "taskloop": ("--to", "taskloop"), "runtime-all": ("--all",),
         "taskloop-all": ("--to", "taskloop", "--all")}
LOOP = "#pragma omp parallel for\nfor (int i = 0; i < 9; ++i) a[i] = i;\n"
PROGRAM = "void f(int* a) {\n" + LOOP + "}\n"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          check=False, timeout=300, **options)


def refused(said):
    """(line, reason) of each refusal that was printed."""
    found = re.findall(r"^\S+?:(\d+): not converted: (.*)$", said, re.MULTILINE)
    return [(int(line), reason) for line, reason in found]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)

    def convert(self, *words, status=0, **options):
        options.setdefault("cwd", self.work)
        done = run(VICINO, "convert", *words, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def write(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


class Golden(Case):
    def cases(self):
        for path in sorted(CASES.iterdir()):
            if path.suffix in COMPILERS:
                for form, options in FORMS.items():
                    if path.with_suffix(f".{form}.diff").exists():
                        yield path, form, options

    def test_diffs(self):
        seen = 0
        for path, form, options in self.cases():
            with self.subTest(case=path.name, form=form):
                done = run(VICINO, "convert", *options, path.name, cwd=CASES)
                expected = path.with_suffix(f".{form}.diff").read_bytes().decode()
                self.assertEqual(done.stdout, expected)
            seen += 1
        self.assertGreaterEqual(seen, 12)

    def test_refusals(self):
        mark = re.compile(r"// refused(?: \((\w+)\))?: (.*)")
        for path, form, options in self.cases():
            expected = []
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = mark.search(line)
                if found and (found[1] is None or form.startswith(found[1])):
                    expected.append((number, found[2]))
            done = run(VICINO, "convert", *options, path.name, cwd=CASES)
            with self.subTest(case=path.name, form=form):
                said = refused(done.stderr)
                self.assertEqual([line for line, _ in said], [line for line, _ in expected])
                for (line, reason), (_, part) in zip(said, expected):
                    # Where there are two reasons, the taskloop's own, for `nowait`, comes first.
                    if not (form.startswith("taskloop") and reason.startswith("nowait: what")):
                        self.assertIn(part, reason, f"line {line}")
                self.assertEqual(done.returncode, 3 if expected else 0)

    def test_results_compile_and_stay(self):
        for path, form, options in self.cases():
            copy = self.write(path.name, path.read_bytes())
            run(VICINO, "convert", "--in-place", *options, copy)
            for compiler in COMPILERS[path.suffix]:
                with self.subTest(case=path.name, form=form, compiler=compiler):
                    done = run(compiler, "-fopenmp", "-w", "-c", copy, "-o", self.work / "out.o")
                    self.assertEqual(done.returncode, 0, done.stderr)
            with self.subTest(case=path.name, form=form, what="converted again"):
                once = copy.read_bytes()
                again = run(VICINO, "convert", "--in-place", "--diff", *options, copy)
                self.assertEqual((copy.read_bytes(), again.stdout), (once, ""))

    def test_a_diff_is_a_patch(self):
        for path, form, options in self.cases():
            with self.subTest(case=path.name, form=form):
                copy = self.write(path.name, path.read_bytes())
                diff = self.work / "patch"
                diff.write_text(run(VICINO, "convert", *options, path.name, cwd=self.work).stdout)
                run(VICINO, "convert", "--in-place", *options, copy)
                by_convert = copy.read_bytes()
                self.write(path.name, path.read_bytes())
                done = run("git", "apply", "--whitespace=nowarn", "-p1", diff, cwd=self.work)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(copy.read_bytes(), by_convert)


class Bytes(Case):
    """All text besides the directive stays as it is."""

    def test_stays(self):
        for name, text in {
            "crlf": PROGRAM.replace("\n", "\r\n").encode(),
            "mixed": PROGRAM.encode().replace(b"for\n", b"for\r\n", 1),
            "no newline at the end": PROGRAM.rstrip().encode(),
            "tabs and blanks": PROGRAM.replace("for (", "\t for  (\t").encode() + b" \t\n\n\n",
            "byte order mark": b"\xef\xbb\xbf" + PROGRAM.encode(),
            "latin 1": b"/* caf\xe9 \xff */\n" + PROGRAM.encode(),
            "form feed": b"\x0c\n" + PROGRAM.encode() + b"\x0c",
            "continued crlf": PROGRAM.replace("for\n", "\\\r\n  for\r\n", 1).encode(),
        }.items():
            with self.subTest(name):
                file = self.write("a.c", text)
                self.convert("--in-place", file)
                at = text.index(b"for") + 3
                expected = text[:at] + b" schedule(runtime)" + text[at:]
                self.assertEqual(file.read_bytes(), expected)

    def test_a_second_directive_ends_its_line_as_the_first(self):
        text = b"void f(int* a) {\r\n#pragma omp parallel\r\n\t#pragma omp for\r\n" \
               b"for (int i = 0; i < 9; ++i) a[0] = i;\r\n}\r\n"
        file = self.write("a.c", text)
        self.convert("--in-place", "--to", "taskloop", file)
        expected = text.replace(b"\t#pragma omp for\r\n",
                                b"\t#pragma omp single\r\n\t#pragma omp taskloop\r\n")
        self.assertEqual(file.read_bytes(), expected)

    def test_more_directives_behind_a_byte_order_mark(self):
        text = b"\xef\xbb\xbf  #pragma omp parallel for\n"
        file = self.write("part.h", text + b"for (int i = 0; i < 9; ++i) a[i] = i;\n")
        source = self.write("a.c", b"void f(int* a) {\n" + file.read_bytes()[3:] + b"}\n")
        self.convert("--in-place", "--to", "taskloop", source)
        self.assertEqual(source.read_bytes().count(b"\n  #pragma omp "), 3)

    def test_diff_without_a_newline_at_the_end(self):
        text = "void f(int* a) {\nfor (;;)\n#pragma omp parallel for\nfor (int i = 0; i < 9; ++i) a[i] = i;}"
        self.write("a.c", text)
        done = self.convert("a.c")
        self.assertEqual(done.stdout.splitlines()[-4:],
                         ["-#pragma omp parallel for", "+#pragma omp parallel for schedule(runtime)",
                          " for (int i = 0; i < 9; ++i) a[i] = i;}", "\\ No newline at end of file"])


class Files(Case):
    def test_without_in_place_nothing_is_written(self):
        file = self.write("a.c", PROGRAM)
        before = file.stat()
        self.assertIn("+#pragma omp parallel for schedule(runtime)", self.convert(file).stdout)
        self.assertEqual((file.read_text(), file.stat().st_mtime_ns), (PROGRAM, before.st_mtime_ns))

    def test_in_place_keeps_mode_and_links_and_leaves_nothing(self):
        file = self.write("real/a.c", PROGRAM)
        file.chmod(0o751)
        link = self.work / "link.c"
        link.symlink_to("real/a.c")
        inode = file.stat().st_ino
        done = self.convert("--in-place", link, file)
        self.assertEqual(done.stdout, "")
        self.assertIn("1 loop converted, 0 not", done.stderr)
        self.assertTrue(link.is_symlink())
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o751)
        self.assertEqual(file.read_text().count("schedule(runtime)"), 1)
        self.assertNotEqual(file.stat().st_ino, inode)  # renamed over, not written into
        self.assertEqual(sorted(p.name for p in self.work.rglob("*")), ["a.c", "link.c", "real"])

    def test_in_place_under_each_name_of_a_file(self):
        file = self.write("a.c", PROGRAM)
        other = self.work / "b.c"
        other.hardlink_to(file)
        self.convert("--in-place", file)
        self.assertIn("schedule(runtime)", file.read_text())
        self.assertTrue(other.samefile(file))
        self.assertEqual(sorted(p.name for p in self.work.rglob("*")), ["a.c", "b.c"])

    def test_a_file_without_changes_is_not_written(self):
        file = self.write("a.c", "void f(void) {}\n")
        inode = file.stat().st_ino
        self.convert("--in-place", file)
        self.assertEqual(file.stat().st_ino, inode)

    @unittest.skipIf(os.geteuid() == 0 and not shutil.which("setpriv"), "root may write everywhere")
    def test_a_folder_that_cannot_be_written(self):
        self.work.chmod(0o755)
        file = self.write("closed/a.c", PROGRAM)
        file.parent.chmod(0o555)
        self.addCleanup(file.parent.chmod, 0o755)
        command = [VICINO, "convert", "--in-place", file]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=65534", "--clear-groups", *command]
        done = run(*command, cwd="/")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("cannot write beside", done.stderr)
        self.assertEqual(file.read_text(), PROGRAM)

    def test_a_diff_that_cannot_be_written(self):
        file = self.write("a.c", PROGRAM)
        for where, why in ((">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")):
            done = run("sh", "-c", f'exec "$0" convert "$1" {where}', VICINO, file)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(f"standard output: cannot be written\n  {why}", done.stderr)

    def test_flags(self):
        self.write("include/part.h", "#define LAST 9\n")
        text = '#include "part.h"\n#ifdef ON\n' + PROGRAM.replace("9", "LAST") + "#endif\n"
        file = self.write("a.c", text)
        self.convert("a.c", "--in-place", "--", "-Iinclude", "-DON")
        self.assertEqual(file.read_text(), text.replace("parallel for", "parallel for schedule(runtime)"))

    def test_database(self):
        self.write("include/part.h", "#define LAST 9\n")
        file = self.write("src/a.c", '#include "part.h"\n' + PROGRAM.replace("9", "LAST"))
        command = "gcc-12 -fopenmp -Wall -fno-such-flag-in-clang -I ../include -O2 -o a.o -c a.c"
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": str(file.parent), "file": "a.c", "command": command}]))
        self.convert("-p", "build", "--in-place", file)
        self.assertIn("schedule(runtime)", file.read_text())
        # A file that the database does not name is read like the most similar file.
        other = self.write("src/b.c", file.read_text().replace(" schedule(runtime)", ""))
        self.convert("-p", "build", "--in-place", other)
        self.assertEqual(other.read_text(), file.read_text())
        self.write("build/compile_commands.json", "not JSON")
        done = self.convert("-p", "build", file, status=4)
        self.assertIn("has no compile_commands.json that can be read", done.stderr)

    def test_what_cannot_be_parsed_is_left(self):
        bad = self.write("bad.c", PROGRAM + "nonsense here;\n")
        good = self.write("good.c", PROGRAM)
        done = self.convert("--in-place", "bad.c", "good.c", "missing.c", ".", status=4)
        self.assertEqual(bad.read_text(), PROGRAM + "nonsense here;\n")
        self.assertIn("schedule(runtime)", good.read_text())
        self.assertIn("bad.c: not converted: clang cannot parse it\n"
                      "  bad.c:5:1: error: unknown type name 'nonsense'", done.stderr)
        self.assertIn("missing.c: cannot be read", done.stderr)
        self.assertIn(".: cannot be read\n  it is a folder", done.stderr)
        done = self.convert("good.c", "--", "-fno-such", status=4)
        self.assertIn("unknown argument: '-fno-such'", done.stderr)


    def test_one_that_cannot_be_read_keeps_no_other(self):
        (self.work / "loop.c").symlink_to("loop.c")
        long = "x" * 300 + ".c"
        hidden = self.write("hidden.c", PROGRAM)
        hidden.chmod(0)
        refused_by_all = os.geteuid() != 0
        good = self.write("good.c", PROGRAM)
        done = self.convert("--in-place", "loop.c", long, "hidden.c", "/dev/null", "good.c", status=4)
        self.assertIn("schedule(runtime)", good.read_text())
        self.assertIn("loop.c: cannot be read\n  Too many levels of symbolic links\n", done.stderr)
        self.assertIn(f"{long}: cannot be read\n  File name too long\n", done.stderr)
        self.assertIn("/dev/null: cannot be read\n  it is not a regular file\n", done.stderr)
        if refused_by_all:
            self.assertIn("hidden.c: cannot be read\n  Permission denied\n", done.stderr)

    def test_a_name_that_does_not_tell_the_language(self):
        self.write("body.txt", PROGRAM)
        done = self.convert("body.txt", status=4)
        self.assertIn("body.txt: not converted: clang cannot parse it\n"
                      "  its name does not tell the language, C or C++", done.stderr)
        self.convert("--in-place", "body.txt", "--", "-x", "c")

    def test_patches_of_files_with_other_names(self):
        for name in ("with blanks.c", str(self.work / "absolute.c")):
            for command in (("git", "apply", "-p1"), ("patch", "-p1", "-i")):
                with self.subTest(name=name, command=command):
                    file = self.write(name, PROGRAM)
                    self.write("patch.diff", self.convert("--diff", name).stdout)
                    done = run(*command, "patch.diff", cwd=self.work)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("schedule(runtime)", file.read_text())

    def test_what_would_not_compile_is_not_written(self):
        """A fault that shows only in the result is found, because the result is parsed, too."""
        text = PROGRAM + '_Static_assert(__LINE__ == 5, "lines have moved");\n'
        file = self.write("a.c", text)
        other = self.write("b.c", PROGRAM)
        done = self.convert("--in-place", "--to", "taskloop", file, other, status=4)
        self.assertEqual(file.read_text(), text)
        self.assertIn("clang rejects the result\n  ", done.stderr)
        self.assertIn("lines have moved", done.stderr)
        self.assertIn("taskloop", other.read_text())
        self.convert("--in-place", file)  # this form replaces one line by one line


class Headers(Case):
    def setUp(self):
        super().setUp()
        self.header = self.write("part.h", "static inline\n" + PROGRAM)
        self.source = self.write("a.c", '#include "part.h"\nvoid g(int* a) { f(a); }\n')

    def test_that_was_named(self):
        self.convert("--in-place", "a.c", "part.h")
        self.assertIn("parallel for schedule(runtime)", self.header.read_text())

    def test_that_was_not_named(self):
        done = self.convert("--in-place", "a.c", status=3)
        self.assertIn("part.h:3: not converted: it is in a file that was not named", done.stderr)
        self.assertNotIn("schedule", self.header.read_text())

    def test_of_the_system(self):
        self.write("a.c", '#include <part.h>\nvoid g(int* a) { f(a); }\n')
        done = self.convert("a.c", "--", f"-isystem{self.work}", status=3)
        self.assertIn("part.h:3: not converted: it is in a system header", done.stderr)

    def test_that_needs_what_stands_before_it(self):
        """The header cannot be parsed alone and need not be: a file that includes it is parsed."""
        self.write("part.h", PROGRAM.replace("9", "LAST"))
        self.write("a.c", '#define LAST 9\n#include "part.h"\n')
        self.convert("--in-place", "part.h", "a.c")
        self.assertIn("parallel for schedule(runtime)", self.header.read_text())
        self.write("part.h", PROGRAM.replace("9", "LAST"))
        self.convert("--in-place", "part.h", status=4)

    def test_that_two_files_see_differently(self):
        self.write("part.h", f"static inline void f(int* a) {{\n#ifdef A\n{LOOP}#else\n{LOOP}#endif\n"
                   f"#ifdef B\n{LOOP}#endif\n}}\n")
        self.write("a.c", '#define A\n#include "part.h"\n')
        self.write("b.c", '#include "part.h"\n')
        done = self.convert("--in-place", "a.c", "part.h", "b.c", status=3)
        self.assertEqual(self.header.read_text().count("schedule(runtime)"), 2)
        self.assertEqual(refused(done.stderr), [(10, "it is in code that an #if leaves out")])

    def test_that_one_file_refuses(self):
        """The clause is a macro in one of the files."""
        self.write("part.h", "static inline\n" + PROGRAM.replace("parallel for", "parallel for nothing"))
        self.write("a.c", '#define nothing\n#include "part.h"\n')
        done = self.convert("--in-place", "a.c", "part.h", status=3)
        self.assertIn("'nothing' in its directive is a macro", done.stderr)


class Program(Case):
    """The files of one program are examined together."""

    ORPHAN = "void part(int* a) {\n#pragma omp for nowait\nfor (int i = 0; i < 9; ++i) a[i] = i;\n}\n"
    CALLER = "void part(int*);\nvoid g(int* a) {\n#pragma omp parallel\n{\npart(a);\n" \
             "#pragma omp for\nfor (int i = 0; i < 9; ++i) a[i] += i;\n}\n}\n"

    def test_loops_of_two_files(self):
        self.write("a.c", self.ORPHAN)
        self.write("b.c", self.CALLER)
        done = self.convert("b.c", "a.c", status=3)
        self.assertIn("b.c:6: not converted: no barrier separates it from the nowait loop at a.c:2",
                      done.stderr)
        self.assertEqual(done.stdout, "")

    def test_static_by_name_under_all(self):
        text = self.CALLER.replace("part(a);", self.ORPHAN[19:-2].replace("nowait", "schedule(static) nowait"))
        self.write("a.c", text)
        done = self.convert("--all", "a.c", status=3)
        self.assertEqual(len(refused(done.stderr)), 2)
        self.write("a.c", text.replace("static", "guided"))
        self.assertEqual(self.convert("--all", "a.c").stdout.count("+#pragma"), 2)


@unittest.skipIf(os.environ.get("VICINO_CONVERT_RUNS") == "no", "the library has a sanitizer")
class Answers(Case):
    """A converted program gives the same answers, by both compilers, under its new schedules."""

    def built(self, compiler, *options):
        source = self.write("program.c", (HERE / "program.c").read_bytes())
        if options:
            done = run(VICINO, "convert", "--in-place", *options, source)
            self.assertEqual(done.returncode, 3, done.stderr)  # two dependent loops are not changed
        program = self.work / "program"
        done = run(compiler, "-O1", "-fopenmp", source, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def output(self, program, *arguments, **variables):
        env = {**os.environ, "OMP_NUM_THREADS": "4", **variables}
        done = run(VICINO, "run", program, *arguments, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_same_answers(self):
        for compiler in COMPILERS[".c"]:
            expected = self.output(self.built(compiler))
            self.assertEqual(expected.count("\n"), 3)
            for options in (("--to", "runtime"), ("--all",), ("--to", "taskloop")):
                program = self.built(compiler, *options)
                for schedule in ("dynamic", "guided,3", "static,7"):
                    with self.subTest(compiler=compiler, options=options, schedule=schedule):
                        self.assertEqual(self.output(program, OMP_SCHEDULE=schedule), expected)

    def test_the_schedule_is_taken(self):
        for compiler in COMPILERS[".c"]:
            with self.subTest(compiler=compiler):
                before = self.output(self.built(compiler), "map", OMP_SCHEDULE="static,1")
                self.assertEqual(before, "0 0 0 1 1 1 2 2 2 3 3 3 \n")
                after = self.output(self.built(compiler, "--to", "runtime"), "map", OMP_SCHEDULE="static,1")
                self.assertEqual(after, "0 1 2 3 0 1 2 3 0 1 2 3 \n")


class Mistakes(Case):
    def test_each_is_named_with_what_is_right(self):
        for command, texts in (
            ((), ("no file",)),
            (("--to", "tasks", "a.c"), ("--to", "'tasks'", "runtime or taskloop")),
            (("-p", "nowhere", "a.c"), ("'nowhere'", "compile_commands.json")),
            (("--inplace", "a.c"), ("'--inplace'",)),
        ):
            with self.subTest(command=command):
                done = self.convert(*command, status=2)
                for text in texts:
                    self.assertIn(text, done.stderr)

    def test_without_its_other_half(self):
        alone = self.work / "bin" / "vicino"
        alone.parent.mkdir()
        shutil.copy(VICINO, alone)
        done = run(alone, "convert", "a.c")
        self.assertEqual(done.returncode, 2)
        self.assertIn("built without libclang", done.stderr)


if __name__ == "__main__":
    unittest.main()
