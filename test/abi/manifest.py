#!/usr/bin/env python3
"""manifest.py LIBRARY SYMBOLS [TIER...]: the library exports what symbols.txt lists, nothing else;
of the tiers named, nothing is still a stub.

A missing symbol keeps a program from starting; one too many becomes an interface that nobody meant
or takes the place of a name of the program's; a wrong version lets a program fall back to another
runtime without a word (see vicino.map).
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
    problems += [f"twice in the manifest: {name}" for name in sorted(want) if names.count(name) > 1]
    return problems


def stubs(found: list[Export]) -> set[str]:
    """make_stubs.py's definitions are weak; a real one is not."""
    return {export.name for export in found if export.weak and export.kind == "func"}


def unfinished(rows: list[Symbol], found: list[Export], tiers: list[str]) -> list[str]:
    left = stubs(found)
    return [f"still a stub: {row.versioned_name()} of tier {row.tier}" for row in rows
            if row.tier in tiers and row.versioned_name() in left]


def main() -> int:
    rows, found = read_symbols(Path(sys.argv[2])), exports(Path(sys.argv[1]))
    problems = compare(rows, found) + unfinished(rows, found, sys.argv[3:])
    print("\n".join(problems) or f"{len(rows)} symbols as listed, {len(stubs(found))} still stubs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
