#!/usr/bin/env python3
"""loading_test.py LIBRARY CC...: programs of each compiler reach Vicino in each possible way.

link      the program is built against libvicino; no other runtime is in the process
folder    the program is unmodified; a folder with Vicino under the runtimes' names is searched first
preload   the program is unmodified; its own runtime is loaded too, but nothing calls it
Nothing may appear on stderr, where the dynamic linker warns about versions.
"""
import sys
import tempfile
from pathlib import Path

from program import compile_unit, execute, link_with, run

NAMES = ("libgomp.so.1", "libomp.so.5", "libiomp5.so")
SOURCE = Path(__file__).with_name("hello.c")


def build(compiler: str, library: Path, folder: Path) -> tuple[Path, Path]:
    """The program as its compiler links it, and as it is linked against Vicino alone."""
    name = Path(compiler).name
    plain, linked, unit = (folder / f"{name}.{kind}" for kind in ("plain", "linked", "o"))
    compile_unit(compiler, SOURCE, unit)
    run(compiler, "-fopenmp", unit, "-o", plain)
    link_with(compiler, library, unit, linked)
    return plain, linked


def problems(program: Path, library: Path, alone: bool, **variables: str) -> list[str]:
    ended = execute(program, **variables)
    said = dict(line.split(maxsplit=1) for line in ended.stdout.splitlines())
    loaded = [Path(line.split()[1]).resolve() for line in ended.stdout.splitlines()
              if line.startswith("loaded")]
    found = []
    if ended.returncode or ended.stderr:
        found.append(f"status {ended.returncode}, stderr: {ended.stderr.strip()}")
    if said.get("seen") != "1 1 1 1 locked 4 sum 4950":
        found.append(f"wrong answer: {said.get('seen')}")
    if said.get("version", "none") == "none":
        found.append("vicino_version is not in the process")
    if Path(said.get("calls", "nothing")).resolve() != library:
        found.append(f"calls {said.get('calls')}")
    if alone and set(loaded) != {library}:
        found.append(f"loaded {sorted(map(str, loaded))}")
    return found


def main() -> int:
    library = Path(sys.argv[1]).resolve()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        replacement = folder / "replacement"
        replacement.mkdir()
        for name in NAMES:
            (replacement / name).symlink_to(library)
        for compiler in sys.argv[2:]:
            plain, linked = build(compiler, library, folder)
            ways = {
                "link": problems(linked, library, alone=True),
                "folder": problems(plain, library, alone=True, LD_LIBRARY_PATH=str(replacement)),
                "preload": problems(plain, library, alone=False, LD_PRELOAD=str(library)),
            }
            for way, found in ways.items():
                print(f"{compiler} {way}: {'; '.join(found) or 'good'}")
                failures += bool(found)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
