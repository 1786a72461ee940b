#!/usr/bin/env python3
"""make_atomics.py SYMBOLS OUT: writes the definitions of the entry points __kmpc_atomic_* in symbols.txt.

A name says all: __kmpc_atomic_TYPE_OPERATION[_TYPE of the right side][_cpt][_rev][_fp], or one of the few
other forms; _fp says that the right side is a quad. What each does is in kmpc/atomics.hpp; a name that no table
here explains is an error.
"""
import re
import sys
from pathlib import Path

from symbols import read_symbols

PREFIX = "__kmpc_atomic_"

TYPES = {"fixed1": "int8_t", "fixed2": "int16_t", "fixed4": "int32_t", "fixed8": "int64_t",
         "fixed1u": "uint8_t", "fixed2u": "uint16_t", "fixed4u": "uint32_t", "fixed8u": "uint64_t",
         "float4": "float", "float8": "double", "float10": "long double",
         "float16": "Real16",
         "cmplx4": "Complex4", "cmplx8": "Complex8", "cmplx10": "Complex10", "cmplx16": "Complex16"}
OPERATIONS = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "andb": "And", "orb": "Or",
              "xor": "Xor", "neqv": "Xor", "eqv": "Equivalent", "andl": "LogicalAnd",
              "orl": "LogicalOr", "shl": "ShiftLeft", "shr": "ShiftRight", "min": "Min", "max": "Max"}
BY_BYTES = {"1": "int8_t", "2": "int16_t", "4": "int32_t", "8": "int64_t"}

# LLVM's own code has these two, which are not made from a type and an operation, in atomics.cpp.
WRITTEN_BY_HAND = {"start", "end"}

# A captured complex number of single precision goes through a pointer, for Windows' sake.
THROUGH_POINTER = "cmplx4"

UPDATE = re.compile(rf"(?P<type>{'|'.join(TYPES)})_(?P<operation>{'|'.join(OPERATIONS)})"
                    rf"(?:_(?P<right>{'|'.join(TYPES)}))?(?P<capture>_cpt)?(?P<reversed>_rev)?(?P<quad>_fp)?")
ACCESS = re.compile(rf"(?P<type>{'|'.join(TYPES)})_(?P<access>rd|wr|swp)")
COMPARE = re.compile(r"(?P<result>bool|val)_(?P<bytes>\d+)_cas(?P<capture>_cpt)?")
GENERIC = re.compile(r"(?P<bytes>\d+)")

HEAD = """\
// Generated from symbols.txt by make_atomics.py.
#include "abi/api.hpp"
#include "abi/kmpc/atomics.hpp"
#include "abi/kmpc/ident.hpp"

using namespace vicino::kmpc;
"""


def function(result, name, parameters, body):
    return (f"VICINO_API {result} {PREFIX}{name}(const Ident*, int32_t, {parameters}) {{\n"
            f"  {body}\n}}\n")


def update(match):
    name, left = match[0], TYPES[match["type"]]
    right = "Real16" if match["quad"] else TYPES[match["right"]] if match["right"] else left
    operation = f"op::{OPERATIONS[match['operation']]}"
    if match["reversed"]:
        operation = f"op::Reversed<{operation}>"
    parameters = f"{left}* object, {right} rhs"
    if not match["capture"]:
        return function("void", name, parameters, f"update<{operation}>(object, rhs);")
    call = f"capture<{operation}>(object, rhs, flag);"
    if match["type"] == THROUGH_POINTER:
        return function("void", name, f"{parameters}, {left}* out, int flag", f"*out = {call}")
    return function(left, name, f"{parameters}, int flag", f"return {call}")


def access(match):
    name, kind = match[0], TYPES[match["type"]]
    if match["access"] == "rd":
        return function(kind, name, f"{kind}* object", "return read(object);")
    if match["access"] == "wr":
        return function("void", name, f"{kind}* object, {kind} value", "swap(object, value);")
    if match["type"] == THROUGH_POINTER:
        return function("void", name, f"{kind}* object, {kind} value, {kind}* out",
                        "*out = swap(object, value);")
    return function(kind, name, f"{kind}* object, {kind} value", "return swap(object, value);")


def compare(match):
    kind = BY_BYTES[match["bytes"]]
    parameters = f"{kind}* object, {kind} expected, {kind} desired"
    if match["capture"]:
        parameters += f", {kind}* captured"
    arguments = "object, expected, desired" + (", captured" if match["capture"] else "")
    if match["result"] == "bool":
        return function("bool", match[0], parameters, f"return compare_and_swap_bool({arguments});")
    suffix = "_value" if match["capture"] else ""
    return function(kind, match[0], parameters, f"return compare_and_swap{suffix}({arguments});")


def generic(match):
    return function("void", match[0], "void* object, void* rhs, Operation* operate",
                    f"update_by<{match['bytes']}>(object, rhs, operate);")


def definition(name):
    for pattern, write in ((UPDATE, update), (ACCESS, access), (COMPARE, compare), (GENERIC, generic)):
        if match := pattern.fullmatch(name):
            return write(match)
    raise SystemExit(f"{PREFIX}{name}: no table of make_atomics.py explains this name")


def main():
    source, out = sys.argv[1:]
    names = [symbol.name.removeprefix(PREFIX) for symbol in read_symbols(Path(source))
             if symbol.name.startswith(PREFIX)]
    Path(out).write_text(HEAD + "".join("\n" + definition(name) for name in names
                                        if name not in WRITTEN_BY_HAND))


if __name__ == "__main__":
    main()
