#!/usr/bin/env python3
"""make_constants.py SYMBOLS OUT: writes a C++ file that defines the variables of symbols.txt, with the values there."""
import sys
from pathlib import Path

from symbols import read_symbols

HEAD = """\
// Generated from symbols.txt by make_constants.py.
#include <cstdint>

extern "C" {
"""


def main() -> None:
    source, out = sys.argv[1:]
    rows = [symbol for symbol in read_symbols(Path(source)) if symbol.kind == "object"]
    Path(out).write_text(HEAD + "".join(
        f'__attribute__((visibility("default"))) extern const uintptr_t {row.name};\n'
        f"const uintptr_t {row.name} = {row.value};\n" for row in rows) + "}\n")


if __name__ == "__main__":
    main()
