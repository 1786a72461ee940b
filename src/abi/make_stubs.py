#!/usr/bin/env python3
"""make_stubs.py NM SYMBOLS OUT OBJECT...: writes a C file that defines every symbol of symbols.txt that no
OBJECT defines.

An object is defined with its true value. A function is defined as a stub that prints its name and ends the
program, under the versions by which linked programs ask for it. Each of these versions is hidden: the dynamic
linker uses it for a reference that names the version, while dlsym(), which asks for the default version, does
not find it (vicino.map). So a program that looks for a routine learns that it is missing, and goes on without
it.

The file is C rather than assembly, because C is the same on every architecture. The stubs' true signatures do
not matter, as stubs read no argument and do not return.
"""
import subprocess
import sys
from pathlib import Path

from symbols import Symbol, read_symbols

HEAD = """\
/* Generated from symbols.txt by make_stubs.py. */
#include <stdint.h>
_Noreturn void vicino_unimplemented(const char *name, const void *caller);
#define VISIBLE __attribute__((visibility("default")))
#define STUB(function, symbol, versioned) \\
  VISIBLE void function(void) { vicino_unimplemented(symbol, __builtin_return_address(0)); } \\
  __asm__(".symver " #function ", " versioned ", remove");
#define CONSTANT(object, value) VISIBLE const uintptr_t object = value;
"""


def defined(nm: str, objects: list[str]) -> set[str]:
    """The names that the objects define, each with its version if it has one."""
    listing = subprocess.run([nm, "--defined-only", "--extern-only", "--format=posix", *objects],
                             check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in listing.splitlines() if len(line.split()) > 1}


def definition(symbol: Symbol) -> str:
    if symbol.kind == "object":
        return f"CONSTANT({symbol.name}, {symbol.value})"
    # The functions' own names are removed from the object, so they need only be unique in this file.
    return "\n".join(f'STUB(stub_{versioned.replace("@", "_").replace(".", "_")}, "{symbol.name}", "{versioned}")'
                     for versioned in symbol.stub_names())


def main() -> None:
    nm, source, out, *objects = sys.argv[1:]
    done = defined(nm, objects)
    missing = [symbol for symbol in read_symbols(Path(source)) if symbol.versioned_name() not in done]
    Path(out).write_text(HEAD + "".join(definition(symbol) + "\n" for symbol in missing))


if __name__ == "__main__":
    main()
