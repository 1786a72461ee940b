#!/usr/bin/env python3
"""manifest.py LIBRARY SYMBOLS [TIER...]: the library exports exactly what symbols.txt lists, and no
function of the named tiers is still a stub.

A stub has the versions under which programs ask for it, all of them hidden, and no default version.

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


def stubs(rows: list[Symbol], found: list[Export]) -> list[Symbol]:
    """The rows that the library has only as hidden versions; see make_stubs.py."""
    have = {export.name for export in found}
    return [row for row in rows if row.kind == "func" and row.versioned_name() not in have
            and have.intersection(row.stub_names())]


def compare(rows: list[Symbol], found: list[Export]) -> list[str]:
    """One line for every difference."""
    unfinished_rows = stubs(rows, found)
    want = {name: row.kind for row in rows
            for name in (row.stub_names() if row in unfinished_rows else [row.versioned_name()])}
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


def unfinished(rows: list[Symbol], found: list[Export], tiers: list[str]) -> list[str]:
    return [f"still a stub: {row.name} of tier {row.tier}" for row in stubs(rows, found) if row.tier in tiers]


def main() -> int:
    rows, found = read_symbols(Path(sys.argv[2])), exports(Path(sys.argv[1]))
    problems = compare(rows, found) + unfinished(rows, found, sys.argv[3:])
    print("\n".join(problems) or f"{len(rows)} symbols as listed, {len(stubs(rows, found))} still stubs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
