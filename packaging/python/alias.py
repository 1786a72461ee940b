"""A small library that is another name of a library.

Why    A wheel is a zip file, in which nothing can have two names. But a program that needs libomp.so.5 or libiomp5.so
       is to find Vicino there, once per process, and two copies of Vicino would be two runtimes.
How    The file has a soname, needs the library, and defines nothing. So the loader maps the library, if it has not yet,
       and finds each function there. It has all versions that the library defines, because the loader asks the file
       of the soname for them and reports those that are missing.
       The library is looked for beside the file first, before LD_LIBRARY_PATH, which DT_RPATH does.
Bytes  They are written here and not by a linker, so that one machine makes the wheels of all processors.
"""
import dataclasses
import itertools
import pathlib
import struct

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
SECTION = struct.Struct("<IIQQQQIIQQ")
ENTRY = struct.Struct("<QQ")            # of the dynamic section
VERSION = struct.Struct("<HHHHIII")     # a version that is defined
VERSION_NAME = struct.Struct("<II")

LOAD, DYNAMIC, STACK = 1, 2, 0x6474E551
NEEDED, HASH, STRTAB, SYMTAB, STRSZ, SYMENT, SONAME, RPATH = 1, 4, 5, 6, 10, 11, 14, 15
VERSYM, FLAGS_1, VERDEF, VERDEFNUM = 0x6FFFFFF0, 0x6FFFFFFB, 0x6FFFFFFC, 0x6FFFFFFD
NODELETE = 8
READ, WRITE = 4, 2
PAGE = 0x10000  # the largest that Linux has on x86-64 and Arm
SYMBOL_SIZE = 24


@dataclasses.dataclass
class Library:
    machine: int     # ELF's number of the processor
    versions: list   # the names of the versions that it defines

    def __init__(self, file):
        data = pathlib.Path(file).read_bytes()
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{file}: no library of a processor with 64 bits, lowest byte first")
        header = HEADER.unpack_from(data)
        self.machine, segments, count = header[2], header[5], header[10]
        loaded, dynamic = [], {}
        for number in range(count):
            kind, _, offset, address, _, size, _, _ = SEGMENT.unpack_from(data, segments + number * SEGMENT.size)
            if kind == LOAD:
                loaded.append((address, size, offset))
            elif kind == DYNAMIC:
                dynamic = dict(ENTRY.iter_unpack(data[offset:offset + size]))

        def place(tag):
            return next(dynamic[tag] - address + offset for address, size, offset in loaded
                        if 0 <= dynamic[tag] - address < size)

        self.versions = []
        at = place(VERDEF) if VERDEF in dynamic else 0
        for number in range(dynamic.get(VERDEFNUM, 0)):
            _, _, _, _, _, name, following = VERSION.unpack_from(data, at)
            begin = place(STRTAB) + VERSION_NAME.unpack_from(data, at + name)[0]
            if number > 0:  # the first is the file's own name
                self.versions.append(data[begin:data.index(0, begin)].decode())
            at += following


def _hash(name):
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        value = (value ^ (value >> 24 & 0xF0)) & 0x0FFFFFFF
    return value


def _versions(names, text):
    size = VERSION.size + VERSION_NAME.size
    parts = []
    for number, name in enumerate(names, 1):
        last = number == len(names)
        parts.append(VERSION.pack(1, 1 if number == 1 else 0, number, 1, _hash(name), VERSION.size,
                                  0 if last else size) + VERSION_NAME.pack(text[name], 0))
    return b"".join(parts)


def alias(soname, beside, library):
    """The bytes of a file that is another name, `soname`, of the library whose file beside it is named `beside`.
    Without `beside` nothing is found by it, but its versions."""
    names = [soname, *library.versions]
    sections = ["", ".hash", ".dynsym", ".dynstr", ".gnu.version", ".gnu.version_d", ".dynamic", ".shstrtab"]
    words = list(dict.fromkeys([*names, *([beside, "$ORIGIN"] if beside else [])]))
    text = dict(zip(words, itertools.accumulate((len(word) + 1 for word in words), initial=1)))
    strings = b"\0" + b"".join(word.encode() + b"\0" for word in words)
    contents = {
        ".hash": struct.pack("<4I", 1, 1, 0, 0),
        ".dynsym": bytes(SYMBOL_SIZE),  # the one that every table begins with
        ".dynstr": strings,
        ".gnu.version": bytes(2),
        ".gnu.version_d": _versions(names, text),
    }
    places, at = {}, HEADER.size + 3 * SEGMENT.size
    for name, content in contents.items():
        places[name] = at
        at += -(-len(content) // 8) * 8
    dynamic = b"".join(ENTRY.pack(*entry) for entry in (
        *([(NEEDED, text[beside]), (RPATH, text["$ORIGIN"])] if beside else []), (SONAME, text[soname]),
        (HASH, places[".hash"]), (STRTAB, places[".dynstr"]), (SYMTAB, places[".dynsym"]),
        (STRSZ, len(strings)), (SYMENT, SYMBOL_SIZE), (VERSYM, places[".gnu.version"]),
        (VERDEF, places[".gnu.version_d"]), (VERDEFNUM, len(names)), (FLAGS_1, NODELETE), (0, 0)))
    places[".dynamic"], contents[".dynamic"] = at, dynamic
    end = at + len(dynamic)  # of what is mapped
    titles = "\0".join(sections).encode() + b"\0"
    places[".shstrtab"], contents[".shstrtab"] = end, titles
    table = -(-(end + len(titles)) // 8) * 8

    file = bytearray(table)
    HEADER.pack_into(file, 0, b"\x7fELF\x02\x01\x01".ljust(16, b"\0"), 3, library.machine, 1, 0, HEADER.size, table, 0,
                     HEADER.size, SEGMENT.size, 3, SECTION.size, len(sections), len(sections) - 1)
    for number, segment in enumerate((
            (LOAD, READ | WRITE, 0, 0, 0, end, end, PAGE),  # the loader writes into the dynamic section
            (DYNAMIC, READ | WRITE, at, at, at, len(dynamic), len(dynamic), 8),
            (STACK, READ | WRITE, 0, 0, 0, 0, 0, 16))):
        SEGMENT.pack_into(file, HEADER.size + number * SEGMENT.size, *segment)
    for name, content in contents.items():
        file[places[name]:places[name] + len(content)] = content
    link = {name: sections.index(".dynstr") for name in (".dynsym", ".gnu.version_d", ".dynamic")}
    link.update({name: sections.index(".dynsym") for name in (".hash", ".gnu.version")})
    # type, whether it is mapped, its `info`, the size of its entries
    kinds = {".hash": (5, 2, 0, 4), ".dynsym": (11, 2, 1, SYMBOL_SIZE), ".dynstr": (3, 2, 0, 0),
             ".gnu.version": (0x6FFFFFFF, 2, 0, 2), ".gnu.version_d": (0x6FFFFFFD, 2, len(names), 0),
             ".dynamic": (6, 3, 0, ENTRY.size), ".shstrtab": (3, 0, 0, 0)}
    headers = [bytes(SECTION.size)]
    for name in sections[1:]:
        kind, flags, info, entry = kinds[name]
        headers.append(SECTION.pack(titles.index(name.encode() + b"\0"), kind, flags, places[name] if flags else 0,
                                    places[name], len(contents[name]), link.get(name, 0), info, 8 if entry or flags else 1,
                                    entry))
    return bytes(file) + b"".join(headers)
