#!/usr/bin/env python3
"""gcc_suite.py: libgomp's run tests, built by gcc-12, on a runtime of choice.

Programs are compiled once and kept; they do not depend on the runtime, which takes libgomp's place
when they start. Fortran tests are run at -O2 only: gcc's own harness tortures the code generator
with more levels, and that is not what is tested here.
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

COMPILERS = {"c": "gcc-12", "c++": "g++-12", "fortran": "gfortran-12"}
FOLDERS = {"libgomp.c": ["c"], "libgomp.c-c++-common": ["c", "c++"], "libgomp.c++": ["c++"],
           "libgomp.fortran": ["fortran"]}
# The C files among the Fortran tests are parts of those.
SUFFIXES = {"c": {".c"}, "c++": {".c", ".C"},
            "fortran": {".f", ".F", ".f90", ".F90", ".f95", ".f03"}}


class Test(NamedTuple):
    name: str
    command: list[str]  # without -o
    directives: dejagnu.Directives


def discover(source: Path) -> list[Test]:
    tests = []
    for folder, languages in FOLDERS.items():
        root = source / "libgomp/testsuite" / folder
        for path in sorted(root.rglob("*")):
            tests += [make_test(source, path, language, len(languages) > 1)
                      for language in languages if path.suffix in SUFFIXES[language]]
    return tests


def make_test(source: Path, path: Path, language: str, shared: bool) -> Test:
    suite = source / "libgomp/testsuite"
    found = dejagnu.read(path.read_text(errors="replace"), language)
    includes = [path.parent, source / "libgomp", source / "libgomp/config/posix",
                source / "include"]
    command = [COMPILERS[language], "-fopenmp", "-foffload=disable",
               *(f"-I{folder}" for folder in includes)]
    # The common tests are .c files for both languages.
    command += ["-x", "c++"] if shared and language == "c++" else []
    command += [str(path), *(str(path.parent / extra) for extra in found.extra_sources)]
    command += ["-x", "none"] if shared and language == "c++" else []
    command += [*found.flags, "-lm"]
    name = str(path.relative_to(suite)) + (":c++" if shared and language == "c++" else "")
    return Test(name, command, found)


class Built(NamedTuple):
    program: Path
    symbols: list[str]
    error: str  # empty if the program exists


def build(test: Test, folder: Path) -> Built:
    """Compiles unless the same command was run before."""
    stem = test.name.replace("/", "__")
    program, record = folder / stem, folder / f"{stem}.json"
    if record.exists():
        kept = json.loads(record.read_text())
        if kept["command"] == test.command:
            return Built(program, kept["symbols"], kept["error"])
    with tempfile.TemporaryDirectory() as modules:  # Fortran writes .mod files where it stands
        ended = process.run([*test.command, "-w", "-o", str(program)], 300,
                            process.clean_environment(), Path(modules))
    error = "" if ended.status == 0 else ended.output[-400:] or "compiler timed out"
    symbols = [] if error else tiers.needed_symbols(program)
    record.write_text(json.dumps({"command": test.command, "symbols": symbols, "error": error}))
    return Built(program, symbols, error)


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
    if wanted.output and not re.search(wanted.output, ended.output):
        return "FAIL", "output differs"
    return "PASS", ""


def choose(tests: list[Test], chosen: Namespace) -> list[Test]:
    tests = [test for test in tests if re.search(chosen.match, test.name)]
    if chosen.slice == "quick":
        tests = [test for test in tests if options.sampled(test.name)]
    return [test for test in tests if not test.directives.skip]


def build_all(tests: list[Test], jobs: int) -> dict[str, Built]:
    folder = cache.compiler_folder("gcc", *COMPILERS.values())
    with cache.locked(folder), ThreadPoolExecutor(jobs) as pool:
        built = pool.map(lambda test: build(test, folder), tests)
        return {test.name: program for test, program in zip(tests, built)}


def execute_all(tests: list[Test], built: dict[str, Built], chosen: Namespace) -> list[Result]:
    by_name = {test.name: test for test in tests}
    with tempfile.TemporaryDirectory() as place:
        settings = runtimes.environment(chosen.runtime, chosen.library, Path(place))

        def run(name: str) -> Result:
            return execute(by_name[name], built[name], settings, chosen.timeout)

        with ThreadPoolExecutor(chosen.jobs) as pool:
            results = list(pool.map(run, by_name))
        return report.with_second_chance("gcc", chosen.runtime, results,
                                         lambda failed: list(map(run, failed)))


def main() -> int:
    chosen = options.parse(__doc__, ["vicino", "libgomp", "libomp", "nothing"])
    tests = choose(discover(sources.fetch("gcc-12")), chosen)
    built = build_all(tests, chosen.jobs)
    if chosen.slice != "all":
        tests = [test for test in tests if tiers.tier(built[test.name].symbols) == "a"]
    results = execute_all(tests, built, chosen)
    return report.finish("gcc", chosen.runtime, results, chosen.out,
                         whole=chosen.slice == "all" and not chosen.match)


if __name__ == "__main__":
    sys.exit(main())
