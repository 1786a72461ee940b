#!/usr/bin/env python3
"""wheel.py TREE [--cpu CPU] [--output FOLDER]: a Python wheel of an installed tree (`make install PREFIX=TREE`).

The package `vicino` has the tree's files that a program needs to run, in vicino/_tree. There are no manual pages,
because pip leaves their folders behind when it removes a package. Nothing in a wheel can have two names, so the library
is one file, and its other names are small libraries (alias.py). The same tree gives the same bytes: files have one
order, and one time, SOURCE_DATE_EPOCH.
"""
import argparse
import base64
import hashlib
import io
import os
import pathlib
import re
import sys
import time
import zipfile

import alias

HERE = pathlib.Path(__file__).resolve().parent
LICENSE = HERE.parents[1] / "LICENSE"
CPUS = ("x86_64", "aarch64")
LIBRARY = pathlib.PurePosixPath("lib/vicino/replace/libgomp.so.1")
EARLIEST = 315532800  # 1980: a zip file has no earlier times
# The programs that measure and test Vicino are linked to look here for a runtime (cmake/kit.cmake), so that what a wheel
# needs is in it, which the tag promises. `vicino` has them find another one before. Only without it they come here,
# and say which function is missing: a test of Vicino must not find it by another way than the user's program.
NOTHING = pathlib.PurePosixPath("libexec/vicino/names")
# Headers and what finds them; libclang's part of `vicino convert`; and what reads recorded machines, which needs libhwloc.
LEFT_OUT = re.compile(r"include/|share/|lib/(cmake|pkgconfig|debug)/|(.*/)?\.debug/|lib/libvicino\.so|"
                      r"libexec/vicino/convert$|lib/vicino/libvicino-hwloc\.so$")

# Installers make the scripts, and know how to name an interpreter whose path is long or has a blank in it.
ENTRY_POINTS = """\
[console_scripts]
vicino = _vicino_command:main
vicino-kernel = vicino._kernel:main
"""
METADATA = """\
Metadata-Version: 2.4
Name: vicino
Version: {version}
Summary: A drop-in OpenMP runtime: libraries of Python that compute in parallel run on it as they are
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.8
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Classifier: Topic :: System :: Distributed Computing
Description-Content-Type: text/markdown

"""


def version(tree):
    text = (tree / "include/vicino/version.h").read_text(encoding="utf-8")
    return re.search(r'define VICINO_VERSION "([^"]+)"', text)[1]


def program_files(tree):
    """(name in the tree, content, whether it may be executed): what a program needs to run."""
    library = alias.Library(tree / LIBRARY)
    for name in sorted(path.name for path in (tree / LIBRARY).parent.iterdir() if path.name.startswith("lib")):
        yield str(NOTHING / name), alias.alias(name, "", library), False
        if name != LIBRARY.name:
            content = alias.alias(name, LIBRARY.name, library)
            yield str(LIBRARY.with_name(name)), content, False
            # `import vicino` loads these. Tools such as threadpoolctl take each file for a runtime that is named
            # like one, so the name is another.
            yield str(LIBRARY.with_name(f"as-{name}")), content, False
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_file() and not LEFT_OUT.match(name) and (path.parent != (tree / LIBRARY).parent
                                                              or path.name == LIBRARY.name):
            yield name, path.read_bytes(), bool(path.stat().st_mode & 0o100) and ".so" not in path.name


def contents(tree, tag):
    """(name in the wheel, content, whether it may be executed)"""
    number = version(tree)
    yield "_vicino_command.py", (HERE / "_vicino_command.py").read_bytes(), False
    for path in sorted((HERE / "vicino").glob("*.py")):
        yield f"vicino/{path.name}", path.read_bytes().replace(b"@VERSION@", number.encode()), False
    for name, content, executable in program_files(tree):
        yield f"vicino/_tree/{name}", content, executable
    info = f"vicino-{number}.dist-info"
    description = (HERE / "description.md").read_text(encoding="utf-8")
    yield f"{info}/METADATA", (METADATA.format(version=number) + description).encode(), False
    yield (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: vicino {number}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
           False)
    yield f"{info}/entry_points.txt", ENTRY_POINTS.encode(), False
    yield f"{info}/licenses/LICENSE", LICENSE.read_bytes(), False


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def write(file, files, when):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, executable in files:
            entry = zipfile.ZipInfo(name, time.gmtime(max(when, EARLIEST))[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose modes follow
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, content)


def make(tree, cpu, output, when):
    """The wheel's path. `when`: the time that all files in it have, in seconds since 1970."""
    tree, output = pathlib.Path(tree), pathlib.Path(output)
    tag = f"py3-none-manylinux_2_28_{cpu}"
    number = version(tree)
    files = list(contents(tree, tag))
    record = f"vicino-{number}.dist-info/RECORD"
    lines = [f"{name},{digest(content)},{len(content)}\n" for name, content, _ in files]
    files.append((record, "".join([*lines, f"{record},,\n"]).encode(), False))
    whole = io.BytesIO()
    write(whole, files, when)
    wheel = output / f"vicino-{number}-{tag}.whl"
    wheel.write_bytes(whole.getvalue())
    return wheel


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tree", type=pathlib.Path, metavar="TREE")
    parser.add_argument("--cpu", choices=CPUS, default=os.uname().machine)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER")
    options = parser.parse_args()
    if not (options.tree / LIBRARY).is_file():
        sys.exit(f"wheel.py: '{options.tree}' is no installed tree: it has no {LIBRARY}")
    options.output.mkdir(parents=True, exist_ok=True)
    print(make(options.tree, options.cpu, options.output, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST))))


if __name__ == "__main__":
    main()
