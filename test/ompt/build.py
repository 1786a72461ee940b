"""build.py: builds tools and programs for the tests of OMPT."""
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

HERE = Path(__file__).resolve().parent


def run(*command: str | Path) -> None:
    subprocess.run(list(map(str, command)), check=True)


def declarations(folder: Path) -> Path:
    """A folder with nothing but omp-tools.h, which comes with clang alone."""
    resources = subprocess.run(["clang-19", "-print-resource-dir"], check=True, capture_output=True,
                               text=True).stdout.strip()
    (folder / "include").mkdir(exist_ok=True)
    link = folder / "include/omp-tools.h"
    link.unlink(missing_ok=True)
    link.symlink_to(Path(resources) / "include/omp-tools.h")
    return folder / "include"


def tool(compiler: str, source: Path, library: Path, *flags: str) -> Path:
    """A tool is built without OpenMP."""
    run(compiler, "-O1", "-shared", "-fPIC", "-pthread", f"-I{declarations(library.parent)}", *flags, source,
        "-o", library)
    return library


def program(compiler: str, source: Path, to: Path, *flags: str | Path) -> Path:
    run(compiler, "-O1", "-g", "-fopenmp", "-Wno-unknown-pragmas", *flags, source, "-o", to)
    return to


def execute(library: Path, program_and_arguments: list[str | Path],
            **variables: str) -> subprocess.CompletedProcess:
    """Runs the program on this runtime, with none of the caller's settings of a runtime."""
    environment = clean_environment("HWLOC_", "LD_", "CHECKER_")
    environment["LD_LIBRARY_PATH"] = str(replacement(library))
    return subprocess.run(list(map(str, program_and_arguments)), env=environment | variables,
                          capture_output=True, text=True, timeout=100)


def replacement(library: Path) -> Path:
    """The folder with the library under the names that compilers link."""
    return library.parent / "vicino/replace"
