#!/usr/bin/env python3
"""peers.py: every name that the other OpenMP runtimes export is Vicino's, or is left out for a reason.

    peers.py LIBRARY PEERS              the test: compares Vicino with peers.txt
    peers.py list PEERS TAG=FILE...     writes the rows of peers.txt anew from the runtimes themselves

A name that is Vicino's must be there under each version by which a program can ask for it: without a version, while
the node of that version is declared (src/abi/vicino.map), or under the version itself. It must be a function where
the other runtimes have one, and a variable where they have a variable.

The runtimes are not on every machine, so their names are kept in peers.txt. `list` needs them: libgomp.so.1 and
libomp.so.5 of Debian's packages libgomp1 and libomp5, and libiomp5.so of PyPI's intel-openmp. It keeps the verdicts;
a new name gets "?", which the test refuses, and a name that no runtime has any more goes.
"""
import sys
from pathlib import Path
from typing import NamedTuple

from elf import Export, exports, version_nodes
from manifest import bare

VERDICTS = ("ours", "internal", "target-only")


class Row(NamedTuple):
    name: str
    kind: str
    versions: dict[str, list[str]]  # by the runtime's tag
    verdict: str
    reason: str = ""

    def text(self) -> str:
        versions = " ".join(f"{tag}:{','.join(found)}" for tag, found in self.versions.items())
        return f"{self.name} {self.kind} {versions} | {self.verdict} {self.reason}".rstrip()


def read(path: Path) -> tuple[list[str], list[Row]]:
    """The comment lines at the head, and the rows."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = []
    for line in filter(None, lines):
        if line.startswith("#"):
            continue
        left, _, right = line.partition(" | ")
        name, kind, *versions = left.split()
        verdict, _, reason = right.partition(" ")
        rows.append(Row(name, kind, {tag: found.split(",") for tag, _, found in
                                     (entry.partition(":") for entry in versions)}, verdict, reason))
    return [line for line in lines if line.startswith("#")], rows


def listed(libraries: dict[str, Path], old: list[Row]) -> list[Row]:
    known = {row.name: row for row in old}
    found: dict[str, Row] = {}
    for tag, library in libraries.items():
        for export in exports(library):
            name, _, version = export.name.partition("@")
            row = found.setdefault(name, Row(name, export.kind, {}, "?"))
            row.versions.setdefault(tag, []).append(version.lstrip("@"))
    return [row._replace(verdict=known[name].verdict, reason=known[name].reason) if name in known else row
            for name, row in sorted(found.items())]


def left_out(row: Row, have: dict[str, Export]) -> list[str]:
    """What is wrong with a row of a name that is not Vicino's."""
    if row.verdict not in VERDICTS:
        return [f"no verdict: {row.name}"]
    if not row.reason:
        return [f"left out without a reason: {row.name}"]
    return [f"{row.verdict}, but exported: {name}" for name in have if bare(name) == row.name]


def ours(row: Row, have: dict[str, Export], nodes: set[str]) -> list[str]:
    problems = []
    for version in sorted({version for found in row.versions.values() for version in found}):
        names = [f"{row.name}@{version}", f"{row.name}@@{version}"] + [row.name] * (version in nodes)
        export = next((have[name] for name in names if name in have), None)
        if export is None:
            problems.append(f"missing: {row.name}@{version}")
        elif export.kind != row.kind:
            problems.append(f"wrong kind: {row.name} is {export.kind}, not {row.kind}")
    return problems


def compare(rows: list[Row], exported: list[Export], nodes: set[str]) -> list[str]:
    """One line for every difference."""
    have = {export.name: export for export in exported}
    return [problem for row in rows
            for problem in (ours(row, have, nodes) if row.verdict == "ours" else left_out(row, have))]


def main() -> int:
    if sys.argv[1] == "list":
        peers = Path(sys.argv[2])
        head, rows = read(peers)
        libraries = {tag: Path(file) for tag, _, file in (word.partition("=") for word in sys.argv[3:])}
        peers.write_text("\n".join([*head, "", *(row.text() for row in listed(libraries, rows))]) + "\n")
        return 0
    library, peers = map(Path, sys.argv[1:])
    _, rows = read(peers)
    problems = compare(rows, exports(library), version_nodes(library))
    print("\n".join(problems) or f"{len(rows)} names of other runtimes, all accounted for")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
