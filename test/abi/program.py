"""program.py: builds a test program with a user's compiler and runs it in a known environment."""
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402


def run(*command: str | Path) -> None:
    subprocess.run(list(map(str, command)), check=True)


def compile_unit(compiler: str, source: Path, unit: Path, *flags: str | Path) -> None:
    run(compiler, "-O2", "-fopenmp", *flags, "-c", source, "-o", unit)


def link_with(compiler: str, library: Path, unit: Path, program: Path) -> None:
    """Links without -fopenmp, which would add the compiler's own runtime."""
    run(compiler, unit, library, f"-Wl,-rpath,{library.parent}", "-o", program)


def execute(program: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Runs the program with none of the caller's settings of a runtime or of the dynamic linker."""
    return subprocess.run([program, *arguments], env=clean_environment("HWLOC_", "LD_") | variables,
                          capture_output=True, text=True, timeout=60)
