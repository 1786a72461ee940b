#!/usr/bin/env python3
"""manifest.py LIBRARY SYMBOLS: the library exports exactly what symbols.txt lists.

A missing symbol keeps a program from starting. A superfluous one becomes an interface that nobody meant,
or replaces a name of the program. A wrong version lets a program fall back to another runtime without a
message (see vicino.map).
"""
import sys
from pathlib import Path

from elf import Export, exports

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src/abi"))
from symbols import Symbol, read_symbols  # noqa: E402


def bare(name: str) -> str:
    return name.split("@")[0]


def compare(rows: list[Symbol], found: list[Export]) -> list[str]:
    """One line for every difference."""
    want = {row.versioned_name(): row.kind for row in rows}
    have = {export.name: export.kind for export in found}
    want_bare, have_bare = {bare(name) for name in want}, {bare(name) for name in have}
    problems = []
    for name in sorted(want.keys() - have.keys()):
        problems.append(f"{'wrong version' if bare(name) in have_bare else 'missing'}: {name}")
    for name in sorted(have.keys() - want.keys()):
        problems.append(f"{'wrong version' if bare(name) in want_bare else 'extra'}: {name}")
    for name in sorted(want.keys() & have.keys()):
        if want[name] != have[name]:
            problems.append(f"wrong kind: {name} is {have[name]}, not {want[name]}")
    names = [row.versioned_name() for row in rows]
    problems += [f"twice in the manifest: {name}" for name in sorted(set(names)) if names.count(name) > 1]
    return problems


def main() -> int:
    rows = read_symbols(Path(sys.argv[2]))
    problems = compare(rows, exports(Path(sys.argv[1])))
    print("\n".join(problems) or f"{len(rows)} symbols as listed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
