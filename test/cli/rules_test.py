"""Rules for single loops: VICINO_CONFIG, and the example in examples/rules."""

import re
import subprocess
import unittest
from pathlib import Path

from command import VICINO
from programs import CLANG, GCC, ProgramsCase

ROOT = Path(__file__).resolve().parents[2]
LIB = VICINO.parent.parent / "lib"
EXAMPLE = ROOT / "examples" / "rules"
SOURCE = r"""
enum { kTrip = 500 };
static int seen[kTrip];
static int wrong;
static void check(void) {
  for (int i = 0; i < kTrip; ++i) wrong |= seen[i] != 1;
  for (int i = 0; i < kTrip; ++i) seen[i] = 0;
}
void by_chunks(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kTrip; ++i) ++seen[i];
  check();
}
void in_blocks(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kTrip; ++i) ++seen[i];
  check();
}
void in_turn(void) {
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < kTrip; ++i) {
#pragma omp ordered
    ++seen[i];
  }
  check();
}
int main(void) {
  for (int i = 0; i < 3; ++i) by_chunks(), in_blocks(), in_turn();
  return wrong;
}
"""
# Compilers before gcc 4.9 wrote a parallel loop like this: the caller runs the first thread's part itself.
COMBINED = r"""
#include <stdbool.h>
void GOMP_parallel_loop_dynamic_start(void (*)(void *), void *, unsigned, long, long, long, long);
bool GOMP_loop_dynamic_next(long *, long *);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_end(void);
enum { kTrip = 10000 };
static int seen[kTrip];
void work(void *unused) {
  (void)unused;
  for (long begin, end; GOMP_loop_dynamic_next(&begin, &end);)
    for (long i = begin; i < end; ++i) __atomic_fetch_add(&seen[i], 1, __ATOMIC_RELAXED);
  GOMP_loop_end_nowait();
}
int main(void) {
  const int rounds = 50;
  for (int i = 0; i < rounds; ++i) {
    GOMP_parallel_loop_dynamic_start(work, 0, 2, 0, kTrip, 1, 4);
    work(0);
    GOMP_parallel_end();
  }
  for (int i = 0; i < kTrip; ++i)
    if (seen[i] != rounds) return 1;
  return 0;
}
"""
LINE = {name: 2 + [line.startswith(f"void {name}") for line in SOURCE.splitlines()].index(True)
        for name in ("by_chunks", "in_blocks", "in_turn")}
SPACED = r"""
namespace far { namespace away {
int sum(int n) {
  int total = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : total)
  for (int i = 0; i < n; ++i) total += i;
  return total;
}
} }
int main() { return far::away::sum(100) != 4950; }
"""
BODIES = r"""
#include <vicino/loop.hpp>
static int seen[100];
static void first() { vicino::parallel_for(vicino::range(0, 100), [](int i) { ++seen[i]; }); }
namespace lab {
void second(int n) { vicino::parallel_for(vicino::range(0, n), [](int i) { ++seen[i]; }, "guided"); }
}
int main() {
  for (int i = 0; i < 5; ++i) first(), lab::second(100);
  return seen[99] != 10;
}
"""
FORTRAN = """
module grid
contains
  subroutine sweep(a)
    integer, intent(inout) :: a(:)
    integer :: i
    !$omp parallel do schedule(dynamic)
    do i = 1, size(a)
      a(i) = a(i) + 1
    end do
  end subroutine
end module
subroutine smooth(a)
  integer, intent(inout) :: a(100)
  integer :: i
  !$omp parallel do schedule(dynamic)
  do i = 1, 100
    a(i) = a(i) + 1
  end do
end subroutine
program main
  use grid
  integer :: a(100)
  a = 0
  call sweep(a)
  call smooth(a)
  if (any(a /= 2)) error stop
end program
"""
TASKLOOP = r"""
static int seen[100];
void by_tasks(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < 100; ++i) ++seen[i];
}
int main(void) {
  by_tasks();
  by_tasks();
  return seen[99] != 2;
}
"""
# Its loops are met at as many places as rules are kept for (src/site/rules.cpp), and at one more.
PLACES = 1 << 16
MANY = r"""
#include <stdio.h>
#include <vicino/loop.h>
enum { kPlaces = @PLACES@ + 1 };
static char places[kPlaces][32];
static int seen[8];
static int body(int64_t first, int64_t last, void* data) {
  for (int64_t i = first; i < last; ++i) ++seen[i];
  return 0;
}
int main(void) {
  vicino_loop_options options = {0};
  for (int i = 0; i < kPlaces + 3; ++i) {
    const int line = i < kPlaces ? i + 1 : kPlaces;
    options.site = places[line - 1];
    snprintf(places[line - 1], sizeof places[0], ";many.c;main;%d;0;;", line);
    vicino_parallel_for(0, 8, body, 0, &options);
  }
  for (int i = 0; i < 8; ++i)
    if (seen[i] != kPlaces + 3) return 1;
  return 0;
}
""".replace("@PLACES@", str(PLACES))


def rule(**keys):
    value = lambda v: str(v) if isinstance(v, int) else f"'{v}'"
    return "\n".join(["[[loop]]", *(f"{k} = {value(v)}" for k, v in keys.items()), ""])


class Rules(ProgramsCase):
    def ran(self, text, compiler=GCC, *flags, source=SOURCE, **settings):
        file = self.work / "rules.toml"
        file.write_text(text, encoding="utf-8")
        program = self.programs.build(source, compiler, *flags)
        return self.programs.run(program, VICINO_CONFIG=str(file), **settings)

    def schedules(self, done):
        """The schedules by the function, or the line, that the counts name."""
        return {re.split("[.+]", loop["loop"])[0] if ".c:" not in loop["loop"] else
                int(loop["loop"].rsplit(":", 1)[1]): loop["schedule"] for loop in done.loops}

    def test_by_function_with_every_compiler(self):
        text = rule(function="by_*", schedule="factoring")
        for compiler, flags in ((GCC, ()), (CLANG, ()), (CLANG, ("-g",))):
            with self.subTest(compiler=compiler, flags=flags):
                done = self.ran(text, compiler, *flags)
                self.assertEqual(done.stderr, "")
                name = LINE["by_chunks"] if flags else "by_chunks"
                self.assertEqual(self.schedules(done)[name], "factoring")
                others = [v for k, v in self.schedules(done).items() if k != name]
                self.assertNotIn("factoring", others)

    def test_in_cpp_as_written_or_as_linked(self):
        for function in ("far::away::sum", "far::away::sum(int)", "far::*", "_ZN3far*"):
            with self.subTest(function=function):
                file = self.work / "sum.cpp"
                file.write_text(SPACED, encoding="utf-8")
                done = self.ran(rule(function=function, schedule="trapezoid"), source=file)
                self.assertEqual([loop["schedule"] for loop in done.loops], ["trapezoid"])

    def test_in_cpp_with_lines_too(self):
        file = self.work / "sum.cpp"
        file.write_text(SPACED, encoding="utf-8")
        for function in ("far::away::sum", "far::away::sum(int)", "_ZN3far*"):
            with self.subTest(function=function):
                done = self.ran(rule(function=function, schedule="trapezoid"), CLANG, "-g", source=file)
                self.assertEqual([loop["schedule"] for loop in done.loops], ["trapezoid"])

    def test_a_body_is_of_the_function_that_has_it(self):
        file = self.work / "bodies.cpp"
        file.write_text(BODIES, encoding="utf-8")
        flags = (f"-I{ROOT}/include", f"-L{LIB}", f"-Wl,-rpath,{LIB},--no-as-needed", "-lvicino")
        for compiler in ("g++-12", "clang++-19"):
            for functions in (("first", "lab::second"), ("first()", "lab::second(int)"), ("f*t", "lab::*")):
                with self.subTest(compiler=compiler, functions=functions):
                    done = self.ran(rule(function=functions[0], schedule="factoring") +
                                    rule(function=functions[1], schedule="trapezoid"),
                                    compiler, *flags, source=file)
                    found = {loop["loop"].rpartition("::")[0]: loop["schedule"] for loop in done.loops}
                    self.assertEqual((done.stderr, found),
                                     ("", {"first()": "factoring", "lab::second(int)": "trapezoid"}))
            stripped = [self.ran("", compiler, "-s", *flags, source=file).loops for _ in range(2)]
            # A set, because the tuner may give one loop several schedules, and each has a row of its own.
            self.assertEqual(*[{loop["loop"] for loop in loops} for loops in stripped])
            self.assertRegex(stripped[0][0]["loop"], r"^program\+0x[0-9a-f]+$")

    def test_in_fortran_by_plain_names(self):
        file = self.work / "grid.f90"
        file.write_text(FORTRAN, encoding="utf-8")
        modules = ("-J", str(self.work))
        for compiler, flags in (("gfortran-12", ()), ("flang-new-19", ()), ("flang-new-19", ("-g",))):
            with self.subTest(compiler=compiler, flags=flags):
                done = self.ran(rule(function="sweep", schedule="guided") +
                                rule(function="smooth", schedule="steal"), compiler, *modules, *flags,
                                source=file)
                self.assertEqual(sorted(loop["schedule"] for loop in done.loops), ["guided", "steal"])
                self.assertEqual(done.stderr, "")
        line = 1 + FORTRAN.splitlines().index("    !$omp parallel do schedule(dynamic)")
        done = self.ran(rule(line=line, schedule="guided") + rule(file="grid.f90", schedule="steal"),
                        "flang-new-19", *modules, "-g", source=file)
        self.assertEqual(sorted(loop["schedule"] for loop in done.loops), ["dynamic", "guided"])
        self.assertIn("of flang's lines", done.stderr)
        self.assertNotIn("FIRModule", str(done.loops))

    def test_by_place(self):
        line = LINE["by_chunks"]
        for keys, found in (({"file": "loops.c", "line": line}, True), ({"line": line}, True),
                            ({"file": "oops.c"}, False), ({"file": "loops.c", "line": 1}, False),
                            ({"function": "by_chunks", "line": line}, True),
                            ({"function": "in_blocks", "line": line}, False)):
            with self.subTest(keys=keys):
                done = self.ran(rule(**keys, schedule="steal"), CLANG, "-g")
                self.assertEqual(self.schedules(done)[line] == "steal", found)
                self.assertEqual("no loop was found for this rule" in done.stderr, not found)

    def test_the_first_wins_and_is_stronger_than_the_variable(self):
        done = self.ran(rule(function="by_chunks", schedule="guided") +
                        rule(function="*", schedule="static"), VICINO_SCHEDULE="factoring")
        self.assertEqual(self.schedules(done), {"by_chunks": "guided", "in_turn": "static"})

    def test_all_threads_of_an_old_combined_loop_get_it(self):
        done = self.ran(rule(function="work", schedule="factoring"), source=COMBINED)
        self.assertEqual(self.schedules(done), {"work": "factoring"})

    def test_parameters_reach_the_loop(self):
        done = self.ran(rule(function="by_chunks", schedule="fixed_size,chunk=25"))
        [loop] = [one for one in done.loops if one["schedule"] == "fixed_size"]
        self.assertEqual((loop["chunk_min"], loop["chunk_max"], loop["chunks"]), (25, 25, 60))

    def test_a_static_loop_of_clang(self):
        done = self.ran(rule(function="in_blocks", schedule="weighted"), CLANG)
        self.assertEqual((self.schedules(done)["in_blocks"], done.stderr), ("weighted", ""))

    def test_what_a_loop_cannot_have_is_said_once(self):
        for name, compiler, why in (("in_blocks", CLANG, "it can be static, or weighted"),
                                    ("in_turn", GCC, "chunks have to come in order")):
            with self.subTest(name=name):
                # VICINO_STATS is off, because counting alone makes static loops ask the runtime.
                done = self.ran(rule(function=name, schedule="nich"), compiler,
                                VICINO_STATS="false")
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertRegex(done.stderr, rf"rules.toml:1: nich is not for the loop at {name}")
                self.assertIn(why, done.stderr)

    def test_what_is_refused_is_named_as_it_is_written(self):
        for schedule in ("static,3", "weighted, 3"):
            done = self.ran(rule(function="in_blocks", schedule=schedule), CLANG)
            self.assertIn(f"rules.toml:1: {schedule} is not for the loop at in_blocks", done.stderr)
            self.assertIn("it can be static, or weighted, without a chunk\n", done.stderr)

    def test_a_rule_behind_another_is_said_to_be(self):
        done = self.ran(rule(function="by_*", schedule="guided") +
                        rule(function="by_chunks", schedule="steal") +
                        rule(function="*", schedule="guided"))
        self.assertEqual(done.stderr.splitlines(), [
            f"vicino: VICINO_CONFIG: {self.work}/rules.toml:4: an earlier rule, in line 1, has what this "
            "rule speaks of"])

    def test_a_rule_is_not_for_a_taskloop(self):
        for compiler, flags, keys in ((GCC, (), {"function": "by_tasks"}), (CLANG, ("-g",), {"line": 6})):
            with self.subTest(compiler=compiler):
                done = self.ran(rule(**keys, schedule="guided"), compiler, *flags, source=TASKLOOP)
                self.assertEqual(done.stderr.splitlines(), [
                    f"vicino: VICINO_CONFIG: {self.work}/rules.toml:1: only a taskloop was found for this "
                    "rule, and rules are for loops"])

    def test_a_rule_for_a_loop_beyond_the_most_is_said_at_the_end(self):
        flags = (f"-I{ROOT}/include", f"-L{LIB}", f"-Wl,-rpath,{LIB},--no-as-needed", "-lvicino")
        for known in ("on", "random"):  # random: each region is looked up, as in a crowd
            with self.subTest(known):
                done = self.ran(rule(line=PLACES, schedule="guided") + rule(line=PLACES + 1, schedule="guided"), GCC,
                                *flags, source=MANY, OMP_NUM_THREADS="2", VICINO_STATS="false", VICINO_KNOWN=known)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(f"rules.toml:4: no loop was found for this rule among the first {PLACES} call sites; "
                              "those after them have no rules", done.stderr)

    def test_a_rule_without_a_loop_is_said_at_the_end(self):
        done = self.ran("\n" + rule(function="nothing", schedule="guided"))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("rules.toml:2: no loop was found for this rule", done.stderr)
        alone = self.ran(rule(function="by_chunks", schedule="guided"), OMP_NUM_THREADS="1")
        self.assertEqual(alone.stderr, "")

    def test_a_file_with_a_mistake_changes_nothing(self):
        done = self.ran(rule(function="by_chunks", schedule="guides"))
        self.assertIn("rules.toml:3: no schedule 'guides'; there are guided, ", done.stderr)
        self.assertEqual(self.schedules(done)["by_chunks"], "dynamic_shared")
        program = self.programs.build(SOURCE, GCC)
        refused = self.run_vicino("run", "--config", self.work / "rules.toml", "--", program)
        self.assertEqual((refused.returncode, refused.stdout), (125, ""))
        self.assertIn("rules.toml:3: no schedule 'guides'", refused.stderr)

    def test_a_file_that_nobody_named_is_not_read(self):
        (self.work / "vicino.toml").write_text(rule(function="*", schedule="guided"))
        program = self.programs.build(SOURCE, GCC)
        done = self.programs.run(program, cwd=self.work)
        self.assertNotIn("guided", [loop["schedule"] for loop in done.loops])

    def test_the_name_holds_when_the_program_goes_elsewhere(self):
        source = SOURCE.replace("int main(void) {", "int chdir(const char*);\n"
                                "int main(void) {\n  chdir(\"/\");")
        program = self.programs.build(source, GCC)
        (self.work / "mine.toml").write_text(rule(function="by_chunks", schedule="guided"))
        for options, settings in (((), {"VICINO_CONFIG": "mine.toml"}),
                                  (("--config", "mine.toml"), {})):
            done = self.programs.run(program, *options, cwd=self.work, **settings)
            self.assertEqual((self.schedules(done)["by_chunks"], done.stderr), ("guided", ""))

    def test_a_stripped_program_has_no_names(self):
        program = self.programs.build(SOURCE, GCC, "-s")
        (self.work / "mine.toml").write_text(rule(function="by_chunks", schedule="guided"))
        done = self.programs.run(program, "--config", "mine.toml", cwd=self.work)
        self.assertIn("no loop was found for this rule", done.stderr)


class Example(ProgramsCase):
    def test_example(self):
        for compiler, expected in ((CLANG, ["guided", "mixed", "nich"]),
                                   (GCC, ["dynamic_shared", "guided", "mixed"])):
            program = self.programs.build(EXAMPLE / "uneven.c", compiler, "-g")
            done = self.programs.run(program, "--config", str(EXAMPLE / "vicino.toml"))
            self.assertEqual(sorted(loop["schedule"] for loop in done.loops), expected)
            self.assertEqual("no loop was found" in done.stderr, compiler == GCC)
            native = subprocess.run([program], text=True, capture_output=True, check=True)
            self.assertEqual(done.stdout, native.stdout)


if __name__ == "__main__":
    unittest.main()
