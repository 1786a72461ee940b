"""elf.py: what the tests ask about a shared library; binutils give the answers."""
import re
import subprocess
from pathlib import Path
from typing import NamedTuple


class Export(NamedTuple):
    name: str  # with its version, as `nm --with-symbol-versions` prints it
    kind: str  # func or object


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exports(library: Path) -> list[Export]:
    """The defined dynamic symbols, without the version nodes themselves (type A)."""
    found = []
    listing = output("nm", "-D", "--defined-only", "--with-symbol-versions", library)
    for line in listing.splitlines():
        _, letter, name = line.split()
        if letter != "A":
            kind = "func" if letter in "TWi" else "object"
            found.append(Export(name, kind))
    return found


def version_nodes(library: Path) -> set[str]:
    """The versions that the library declares, whether a symbol has them or not."""
    listing = output("readelf", "-VW", library).partition("Version definition section")[2]
    listing = listing.partition("Version needs section")[0]
    return set(re.findall(r"Name: (\S+)", listing))


def dynamic_section(library: Path) -> dict[str, list[str]]:
    """Tag -> values, of `readelf -d`."""
    tags: dict[str, list[str]] = {}
    for line in output("readelf", "-dW", library).splitlines():
        fields = line.split(maxsplit=2)
        if len(fields) == 3 and fields[0].startswith("0x"):
            tags.setdefault(fields[1].strip("()"), []).append(fields[2])
    return tags
