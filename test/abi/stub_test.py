#!/usr/bin/env python3
"""stub_test.py LIBRARY SYMBOLS GCC CLANG: what a program meets where Vicino does not define a function yet.

A program that looks for the function by dlsym() finds nothing and can go on without it, as oneTBB does. A
program that is linked against the function starts; when it calls the function, it ends with a message that
names the function and the program. Both hold under the version names of either compiler's runtime.
"""
import ctypes
import signal
import sys
import tempfile
from pathlib import Path

from elf import exports
from manifest import stubs
from program import execute, run

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src/abi"))
from symbols import Symbol, read_symbols  # noqa: E402


def found_by_dlsym(library: Path, rows: list[Symbol]) -> list[str]:
    loaded = ctypes.CDLL(str(library))
    return [f"dlsym() finds the stub of {row.name}" for row in rows if hasattr(loaded, row.name)]


def linked(library: Path, compiler: str, row: Symbol, folder: Path) -> list[str]:
    """On Vicino, runs a caller of the function that is linked against its compiler's own runtime."""
    source, program = folder / f"{row.name}.c", folder / f"{row.name}-{Path(compiler).name}"
    source.write_text(f"void {row.name}(void); int main(void) {{ {row.name}(); return 0; }}\n")
    run(compiler, "-fopenmp", "-fno-builtin", source, "-o", program)
    ended = execute(program, LD_PRELOAD=str(library))
    want = f"{program} called {row.name}, which Vicino does not implement yet"
    if ended.returncode == -signal.SIGABRT and want in ended.stderr:
        return []
    return [f"{program}: status {ended.returncode}, said: {ended.stderr}"]


def main() -> int:
    library, (gcc, clang) = Path(sys.argv[1]).resolve(), sys.argv[3:]
    missing = stubs(read_symbols(Path(sys.argv[2])), exports(library))
    found = found_by_dlsym(library, missing)
    if not found_by_dlsym(library, [Symbol("omp_get_wtime", *"-----")]):
        found.append("dlsym() does not find what is there")
    of_gcc = [row for row in missing if row.asked.split(",")[-1] != "VERSION"]
    of_clang = [row for row in missing if "VERSION" in row.asked.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        for compiler, rows in (gcc, of_gcc), (clang, of_clang):
            for row in rows[:1] + rows[-1:]:
                found += linked(library, compiler, row, Path(folder))
    print("\n".join(found) or f"{len(missing)} stubs, none that dlsym() finds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
