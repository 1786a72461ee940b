"""symbols.py: reads symbols.txt, for the build and for the tests that check the library against it."""
from pathlib import Path
from typing import NamedTuple


class Symbol(NamedTuple):
    name: str
    family: str
    tier: str
    kind: str
    version: str
    value: str = ""

    def versioned_name(self) -> str:
        """The name as `nm --with-symbol-versions` prints it."""
        return self.name if self.version == "-" else self.name + self.version


def read_symbols(path: Path) -> list[Symbol]:
    lines = (line.split("#")[0].split() for line in path.read_text().splitlines())
    return [Symbol(*fields) for fields in lines if fields]
