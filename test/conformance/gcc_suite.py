#!/usr/bin/env python3
"""gcc_suite.py: runs libgomp's run tests, built by gcc, clang or flang, on a chosen runtime.

Programs are compiled once and kept. They do not depend on the runtime, which takes the place of the
compiler's own runtime when they start. Fortran tests are run at -O2 only: gcc's own harness uses
more levels to test the code generator, which is not tested here.
"""
import json
import re
import sys
import tempfile
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cache
import dejagnu
import options
import process
import report
import runtimes
import sources
import tiers
from report import Result


class Toolchain(NamedTuple):
    suite: str  # names its list of expected failures
    source: str  # the package that has the tests
    compilers: dict[str, str]  # by language
    flags: list[str]
    libraries: list[str]
    runtimes: list[str]
    # The compiler's messages when it cannot build a test for reasons other than the runtime.
    refusal: str = ""
    # The tests' options that the compiler does not know and that the tests can do without.
    dropped: str = r"(?!)"  # none


def gcc(version: int, suite: str) -> Toolchain:
    return Toolchain(suite, f"gcc-{version}",
                     {"c": f"gcc-{version}", "c++": f"g++-{version}", "fortran": f"gfortran-{version}"},
                     ["-fopenmp", "-foffload=disable"], ["-lm"],
                     ["vicino", "libgomp", "libomp", "nothing"])


TOOLCHAINS = {
    "gcc": gcc(12, "gcc"),
    "gcc-16": gcc(16, "gcc-16"),
    # gcc compiles atomic operations of odd sizes inline; clang calls libatomic.
    "clang": Toolchain("gcc-by-clang", "gcc-12", {"c": "clang-19", "c++": "clang++-19"},
                       ["-fopenmp"], ["-lm", "-latomic"], ["vicino", "libomp", "nothing"],
                       # gcc's extensions and options, clauses that clang 19 lacks or crashes at,
                       # and functions of libomptarget.
                       r"errors? generated|unknown argument|frontend command failed|"
                       r"PLEASE ATTACH THE FOLLOWING|undefined reference to `omp_target_"),
    "flang": Toolchain("gcc-by-flang", "gcc-12", {"fortran": "flang-new-19"}, ["-fopenmp"], [],
                       ["vicino", "libomp", "nothing"],
                       # What flang 19 lacks or crashes at, gcc's extensions and options, and
                       # functions of libomptarget. A long message has lost its first lines.
                       r"error: (?!linker command failed)|in the context: |diagnostic msg: |"
                       r"undefined reference to `(__tgt|omp_target)_",
                       r"-W|-std=|-pedantic|-fdump-|-fno-inline|-fcheck=|-ffree-line-length-|-m(sse|avx)"),
}
FOLDERS = {"libgomp.c": ["c"], "libgomp.c-c++-common": ["c", "c++"], "libgomp.c++": ["c++"],
           "libgomp.fortran": ["fortran"]}
# The C files among the Fortran tests are parts of Fortran tests.
SUFFIXES = {"c": {".c"}, "c++": {".c", ".C"},
            "fortran": {".f", ".F", ".f90", ".F90", ".f95", ".f03"}}


class Test(NamedTuple):
    name: str
    command: list[str]  # without -o
    directives: dejagnu.Directives
    language: str


def discover(source: Path, toolchain: Toolchain) -> list[Test]:
    tests = []
    for folder, languages in FOLDERS.items():
        root = source / "libgomp/testsuite" / folder
        for path in sorted(root.rglob("*")):
            tests += [make_test(source, path, language, len(languages) > 1, toolchain)
                      for language in languages
                      if language in toolchain.compilers and path.suffix in SUFFIXES[language]]
    return tests


def make_test(source: Path, path: Path, language: str, shared: bool,
              toolchain: Toolchain) -> Test:
    suite = source / "libgomp/testsuite"
    found = dejagnu.read(path.read_text(errors="replace"), language)
    includes = [path.parent, source / "libgomp", source / "libgomp/config/posix",
                source / "include"]
    command = [toolchain.compilers[language], *toolchain.flags,
               *(f"-I{folder}" for folder in includes)]
    # The common tests are .c files in both languages.
    command += ["-x", "c++"] if shared and language == "c++" else []
    command += [str(path), *(str(path.parent / extra) for extra in found.extra_sources)]
    command += ["-x", "none"] if shared and language == "c++" else []
    command += [flag for flag in found.flags if not re.match(toolchain.dropped, flag)]
    command += toolchain.libraries
    name = str(path.relative_to(suite)) + (":c++" if shared and language == "c++" else "")
    return Test(name, command, found, language)


class Built(NamedTuple):
    program: Path
    symbols: list[str]
    error: str  # empty if the program exists


def build(test: Test, folder: Path) -> Built:
    """Compiles the test unless an earlier run used this very command."""
    stem = test.name.replace("/", "__")
    program, record = folder / stem, folder / f"{stem}.json"
    if record.exists():
        kept = json.loads(record.read_text())
        if kept["command"] == test.command:
            return Built(program, kept["symbols"], kept["error"])
    with tempfile.TemporaryDirectory() as modules:  # Fortran compilers write .mod files to the cwd
        ended = process.run([*test.command, "-w", "-o", str(program)], 300,
                            process.clean_environment() | {"TMPDIR": modules}, Path(modules))
    error = "" if ended.status == 0 else ended.output[-400:] or "compiler timed out"
    symbols = [] if error else tiers.needed_symbols(program)
    record.write_text(json.dumps({"command": test.command, "symbols": symbols, "error": error}))
    return Built(program, symbols, error)


def refusals(tests: list[Test], built: dict[str, Built], toolchain: Toolchain) -> list[Result]:
    """The tests that only gcc can build; they say nothing about a runtime."""
    if not toolchain.refusal:
        return []
    return [Result(test.name, "SKIP", f"not for {toolchain.compilers[test.language]}")
            for test in tests if re.search(toolchain.refusal, built[test.name].error)]


def execute(test: Test, built: Built, settings: dict[str, str], timeout: float) -> Result:
    if built.error:
        return Result(test.name, "NOBUILD", built.error.splitlines()[-1])
    environment = process.clean_environment() | settings | test.directives.environment
    with tempfile.TemporaryDirectory() as cwd:
        ended = process.run([str(built.program)], timeout, environment, Path(cwd))
    verdict, why = judge(ended, test.directives)
    return Result(test.name, verdict, why, round(ended.seconds, 2), ended.output[-2000:])


def judge(ended: process.Ended, wanted: dejagnu.Directives) -> tuple[str, str]:
    if ended.status is None:
        return "TIMEOUT", ""
    if (ended.status != 0) != wanted.should_fail:
        return "FAIL", f"status {ended.status}"
    if wanted.output and not re.search(wanted.output, ended.output, re.DOTALL):  # as in Tcl
        return "FAIL", "output differs"
    return "PASS", ""


def choose(tests: list[Test], chosen: Namespace) -> list[Test]:
    tests = [test for test in tests if re.search(chosen.match, test.name)]
    if chosen.slice == "quick":
        tests = [test for test in tests if options.sampled(test.name)]
    return [test for test in tests if not test.directives.skip]


def build_all(tests: list[Test], toolchain: Toolchain, jobs: int) -> dict[str, Built]:
    folder = cache.compiler_folder(toolchain.suite, *toolchain.compilers.values())
    with cache.locked(folder), ThreadPoolExecutor(jobs) as pool:
        built = pool.map(lambda test: build(test, folder), tests)
        return {test.name: program for test, program in zip(tests, built)}


def execute_all(toolchain: Toolchain, tests: list[Test], built: dict[str, Built],
                chosen: Namespace) -> list[Result]:
    by_name = {test.name: test for test in tests}
    compiler = next(iter(toolchain.compilers.values()))
    with tempfile.TemporaryDirectory() as place:
        settings = runtimes.environment(chosen.runtime, compiler, chosen.library, Path(place))

        def run(name: str) -> Result:
            return execute(by_name[name], built[name], settings, chosen.timeout)

        with ThreadPoolExecutor(chosen.jobs) as pool:
            results = list(pool.map(run, by_name))
        return report.with_second_chance(toolchain.suite, chosen.runtime, results,
                                         lambda failed: list(map(run, failed)))


def main() -> int:
    chosen = options.parse(__doc__, {name: each.runtimes for name, each in TOOLCHAINS.items()})
    toolchain = TOOLCHAINS[chosen.compiler]
    tests = choose(discover(sources.fetch(toolchain.source), toolchain), chosen)
    built = build_all(tests, toolchain, chosen.jobs)
    last = options.LAST_TIER[chosen.slice]
    tests = [test for test in tests if tiers.within(built[test.name].symbols, last)]
    skipped = refusals(tests, built, toolchain)
    left_out = {result.test for result in skipped}
    tests = [test for test in tests if test.name not in left_out]
    results = skipped + execute_all(toolchain, tests, built, chosen)
    return report.finish(toolchain.suite, chosen.runtime, results, chosen.out)


if __name__ == "__main__":
    sys.exit(main())
