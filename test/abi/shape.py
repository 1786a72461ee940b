#!/usr/bin/env python3
"""shape.py LIBRARY: what the library drags into a process, beside its symbols."""
import re
import sys
from pathlib import Path

from elf import dynamic_section, output

# A C++ runtime of ours would meet the program's own, of another age; hwloc is C.
ALLOWED = re.compile(r"lib(c|m|hwloc)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+")


def problems(library: Path) -> list[str]:
    tags = dynamic_section(library)
    needed = [re.search(r"\[(.*)\]", value)[1] for value in tags.get("NEEDED", [])]
    found = [f"needs {name}" for name in needed if not ALLOWED.fullmatch(name)]
    # Workers outlive a dlclose(): the code under them must stay.
    if "NODELETE" not in " ".join(tags.get("FLAGS_1", [])):
        found.append("lacks -z nodelete")
    if "TEXTREL" in tags:
        found.append("has text relocations")
    # One assembly file without a .note.GNU-stack makes the stack of every program executable.
    segments = output("readelf", "-lW", library)
    if re.search(r"GNU_STACK.*\bRWE\b", segments):
        found.append("asks for an executable stack")
    return found


def main() -> int:
    found = problems(Path(sys.argv[1]))
    print("\n".join(found) or "shape as it should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
