#!/usr/bin/env python3
"""llvm_suite.py: runs LLVM's OpenMP tests, built by clang, on a chosen runtime.

LLVM's own runner, lit, reads the RUN lines. Programs are linked against the installed libomp and
stay in the cache (compile_once.py). When they start, the runtime under test is first in
LD_LIBRARY_PATH. The tests of OMPT are among them.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import cache
import options
import process
import report
import runtimes
import sources
import tiers
from report import Result

HERE = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # it has Debian's python3-psutil, which lit's --timeout needs
SUITE = "openmp/runtime/test"


class Llvm(NamedTuple):
    version: int
    suite: str  # names its list of expected failures

    @property
    def clang(self) -> str:
        return f"clang-{self.version}"


COMPILERS = {"clang": Llvm(19, "llvm"), "clang-23": Llvm(23, "llvm-23")}
VERDICTS = {"PASS": "PASS", "XFAIL": "PASS", "FLAKYPASS": "PASS", "UNSUPPORTED": "SKIP",
            "TIMEOUT": "TIMEOUT"}


def llvm_folder(llvm: Llvm) -> Path:
    """The folder where llvm-*-tools keeps the tools FileCheck, not and lit."""
    found = shutil.which(f"FileCheck-{llvm.version}")
    if found is None:
        raise SystemExit(f"llvm_suite: install llvm-{llvm.version}-tools (scripts/need conformance)")
    return Path(found).resolve().parents[1]


def lit_script(llvm: Llvm) -> Path:
    places = (llvm_folder(llvm) / place for place in ("build/utils/lit/lit.py", "bin/lit"))
    return next(filter(Path.exists, places))


def headers(llvm: Llvm, folder: Path) -> Path:
    """A folder with only OpenMP's headers, because the other headers of clang's resource folder
    must not come before the system's."""
    resources = subprocess.run([llvm.clang, "-print-resource-dir"], check=True, capture_output=True,
                               text=True).stdout.strip()
    (folder / "include").mkdir(exist_ok=True)
    for name in ("omp.h", "ompt.h", "omp-tools.h"):
        link = folder / "include" / name
        link.unlink(missing_ok=True)
        link.symlink_to(Path(resources) / "include" / name)
    return folder / "include"


def site_config(llvm: Llvm, folder: Path, suite: Path, runtime_folder: str, only_build: bool) -> str:
    """The configuration that LLVM's own build would have written for lit."""
    compile_once = f"{PYTHON} {HERE / 'compile_once.py'}"
    settings = {
        "test_c_compiler": f"{compile_once} {llvm.clang}",
        "test_cxx_compiler": f"{compile_once} clang++-{llvm.version}",
        "test_fortran_compiler": "",  # its tests are about loop transformations
        "test_fortran_flags": "",
        "test_compiler_features": ["clang", llvm.clang],
        "test_compiler_has_omp_h": 1,
        "test_filecheck": str(llvm_folder(llvm) / "bin/FileCheck"),
        "test_not": str(llvm_folder(llvm) / "bin/not"),
        "test_openmp_flags": "-fopenmp -pthread",
        "test_extra_flags": "",
        "libomp_obj_root": str(folder / "tests"),
        "library_dir": str(runtimes.replacement_folder(runtimes.installed("libomp", llvm.clang),
                                                       folder / "link")),
        "omp_header_directory": str(headers(llvm, folder)),
        "operating_system": "Linux",
        "target_arch": "x86_64",
        "target_triple": "x86_64-pc-linux-gnu",
        "compiler_frontend_variant": "GNU",
        "compiler_simulate_id": "",
        "llvm_tools_dir": str(llvm_folder(llvm) / "bin"),
        "hwloc_library_dir": "",
        "using_hwloc": False,
        "has_ompt": True,
        "has_ompx_taskgraph": False,
        "has_omp_taskgraph_experimental": False,
        "has_libm": True,
        "has_libatomic": True,
        "is_standalone_build": True,
        "has_omit_frame_pointer_flag": True,
    }
    lines = [f"config.{name} = {value!r}" for name, value in settings.items()]
    lines += ["import lit.llvm", "lit.llvm.initialize(lit_config, config)"]
    lines += [f"lit_config.load_config(config, {str(suite / 'lit.cfg')!r})",
              f"config.test_source_root = {str(suite)!r}",
              f"config.environment['LD_LIBRARY_PATH'] = {runtime_folder!r}",
              "config.environment['OMP_NUM_THREADS'] = '4'"]
    if only_build:
        lines.append("config.substitutions = [(key, 'true' if key in "
                     "('%libomp-run', 'FileCheck', '%not') else text) "
                     "for key, text in config.substitutions]")
    return "\n".join(lines) + "\n"


class Lit:
    """lit, set up in the folder for one runtime."""

    def __init__(self, llvm: Llvm, folder: Path, suite: Path, runtime_folder: str,
                 only_build: bool = False):
        self.folder, self.script = folder, lit_script(llvm)
        (folder / "tests").mkdir(exist_ok=True)
        (folder / "lit.site.cfg").write_text(
            site_config(llvm, folder, suite, runtime_folder, only_build))

    def run(self, tests: Iterable[str], jobs: int, timeout: float) -> list[Result]:
        paths = [str(self.folder / test) for test in tests]
        if not paths:
            return []
        with tempfile.NamedTemporaryFile(suffix=".json") as results:
            # lit's exit status is not used: the list of expected failures decides what has failed.
            subprocess.run([PYTHON, self.script, "-qq", f"-j{jobs}", f"--timeout={int(timeout)}",
                            "-o", results.name, *paths], env=process.clean_environment(),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            listed = json.loads(Path(results.name).read_text())["tests"]
        return sorted(map(result, listed))


def result(entry: dict) -> Result:
    output = "\n".join(line for line in entry["output"].splitlines() if line.strip())
    verdict = VERDICTS.get(entry["code"], "FAIL")
    why = "" if verdict == entry["code"] else entry["code"]
    return Result(entry["name"].split(" :: ")[1], verdict, why, round(entry["elapsed"], 2),
                  output[-4000:])


def discover(suite: Path) -> list[str]:
    files = sorted(path for suffix in ("*.c", "*.cpp") for path in suite.rglob(suffix))
    return [str(path.relative_to(suite)) for path in files
            if "RUN:" in path.read_text(errors="replace")]


def needed(folder: Path, test: str) -> list[str] | None:
    """The symbols that a test's programs ask for, or None if the test left no program."""
    path = folder / "tests" / test
    programs = [file for file in (path.parent / "Output").glob(f"{path.name}.tmp*")
                if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
    if not programs:
        return None
    return [symbol for program in programs for symbol in tiers.needed_symbols(program)]


def up_to_tier(llvm: Llvm, last: str, folder: Path, suite: Path, tests: list[str],
               jobs: int) -> list[str]:
    """The tests that need no later tier. Builds missing programs and reads the symbols of all."""
    missing = [test for test in tests if needed(folder, test) is None]
    Lit(llvm, folder, suite, str(folder / "link"), only_build=True).run(missing, jobs, 120)
    symbols = {test: needed(folder, test) for test in tests}
    return [test for test, names in symbols.items()
            if names is not None and tiers.within(names, last)]


def main() -> int:
    chosen = options.parse(__doc__, {name: ["vicino", "libomp", "nothing"] for name in COMPILERS})
    llvm = COMPILERS[chosen.compiler]
    suite = sources.fetch(f"llvm-toolchain-{llvm.version}") / SUITE
    folder = cache.compiler_folder("llvm", llvm.clang)
    tests = [test for test in discover(suite) if re.search(chosen.match, test)]
    if chosen.slice == "quick":
        tests = [test for test in tests if options.sampled(test)]
    with cache.locked(folder), tempfile.TemporaryDirectory() as place:
        if last := options.LAST_TIER[chosen.slice]:
            tests = up_to_tier(llvm, last, folder, suite, tests, chosen.jobs)
        settings = runtimes.environment(chosen.runtime, llvm.clang, chosen.library, Path(place))
        lit = Lit(llvm, folder, suite, settings["LD_LIBRARY_PATH"])
        results = report.with_second_chance(
            llvm.suite, chosen.runtime, lit.run(tests, chosen.jobs, chosen.timeout),
            lambda failed: lit.run(failed, 1, chosen.timeout))
    return report.finish(llvm.suite, chosen.runtime, results, chosen.out)


if __name__ == "__main__":
    sys.exit(main())
