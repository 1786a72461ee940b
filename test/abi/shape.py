#!/usr/bin/env python3
"""shape.py LIBRARY: what the library brings into a process besides its symbols."""
import re
import sys
from pathlib import Path

from elf import dynamic_section, output

# A C++ runtime of Vicino's own would meet the program's, which may be of another version. Any other
# library would be loaded into processes that never call it.
ALLOWED = re.compile(r"libc\.so\.\d+|ld-linux-[\w-]+\.so\.\d+")
# Each process pays for the following as well. The constructors are those of the settings and the
# rules (which read the environment and the folder before the program can change them), with the
# profile's name and the process's number; of the fork handlers and of membarrier (see there); three
# of libstdc++; and the compiler's own.
MOST_CONSTRUCTORS = 9
MOST_LOOKUPS = 20  # symbols that are looked up by name before main()
# Relocated before main(): 2500 took some 8,000 cycles (LD_DEBUG=statistics). Each variable of the table of settings is
# three of them.
MOST_POINTERS = 2560


def cost_at_start(library: Path) -> list[str]:
    found = []
    sections = output("readelf", "-SW", library)
    size = int(re.search(r"\.init_array\s+INIT_ARRAY\s+\w+\s+\w+\s+(\w+)", sections)[1], 16)
    if size // 8 > MOST_CONSTRUCTORS:
        found.append(f"has {size // 8} constructors, more than {MOST_CONSTRUCTORS}")
    relocations = output("readelf", "-rW", library)
    lookups = len(re.findall(r"R_X86_64_(?:GLOB_DAT|64) ", relocations))
    if lookups > MOST_LOOKUPS:
        found.append(f"looks {lookups} symbols up at once, more than {MOST_LOOKUPS}")
    pointers = len(re.findall(r"R_X86_64_RELATIVE ", relocations))
    if packed := re.search(r"contains \d+ entries:\n((?:[ \w]+\n)*?)\s*(\d+) offsets", relocations):
        pointers += int(packed[2])
    if pointers > MOST_POINTERS:
        found.append(f"has {pointers} pointers to make right, more than {MOST_POINTERS}")
    return found


def problems(library: Path) -> list[str]:
    tags = dynamic_section(library)
    needed = [re.search(r"\[(.*)\]", value)[1] for value in tags.get("NEEDED", [])]
    found = [f"needs {name}" for name in needed if not ALLOWED.fullmatch(name)]
    # Workers outlive a dlclose(), so the code that they run must stay mapped.
    if "NODELETE" not in " ".join(tags.get("FLAGS_1", [])):
        found.append("lacks -z nodelete")
    if "BIND_NOW" in " ".join(tags.get("FLAGS", [])) + " ".join(tags):
        found.append("binds all functions at once")
    found += cost_at_start(library)
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
