#!/usr/bin/env python3
"""make_stubs.py SYMBOLS OUT: a C file with a weak definition of every symbol of symbols.txt.

A function's stub ends the program with its name; an object's is its true value. What src/abi/**.cpp
defines is strong and wins at the link, so nobody prunes a list as the runtime grows.
C rather than assembly: it is the same on every architecture. The stubs' true signatures do not
matter, as they read no argument and do not return.
"""
import sys
from pathlib import Path

from symbols import Symbol, read_symbols

HEAD = """\
/* Generated from symbols.txt by make_stubs.py. */
#include <stdint.h>
_Noreturn void vicino_unimplemented(const char *name);
#define WEAK __attribute__((weak, visibility("default")))
#define STUB(function, symbol) WEAK void function(void) { vicino_unimplemented(symbol); }
#define VERSIONED(function, symbol) __asm__(".symver " #function ", " symbol ", remove");
#define CONSTANT(object, value) WEAK const uintptr_t object = value;
"""


def definition(symbol: Symbol) -> str:
    if symbol.kind == "object":
        return f"CONSTANT({symbol.name}, {symbol.value})"
    if symbol.version == "-":
        return f'STUB({symbol.name}, "{symbol.name}")'
    # The function's name is removed from the object, so it only must be unique in this file.
    function = f"stub_{symbol.name}_{symbol.version.strip('@').replace('.', '_')}"
    return f'STUB({function}, "{symbol.name}") VERSIONED({function}, "{symbol.versioned_name()}")'


def main() -> None:
    source, out = map(Path, sys.argv[1:])
    out.write_text(HEAD + "".join(definition(symbol) + "\n" for symbol in read_symbols(source)))


if __name__ == "__main__":
    main()
