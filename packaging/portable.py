"""What a file must be like to run on any Linux that is not older than the C library it was built for.

    portable.py TREE    checks every ELF file below the folder; each fault is a line, and the status is then 1
"""
import pathlib
import re
import subprocess
import sys

from toolchain import GLIBC

NEWEST = tuple(map(int, GLIBC.split(".")))
# Of the C library. libhwloc and the MPI libraries are the user's own, asked for only by a module that is loaded for them.
NEEDED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1",
          "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
ALSO = {"libvicino-hwloc.so": {"libhwloc.so.15"}}
# Programs for one runtime's entry points: the self test's and the measuring kit's.
RUNTIMES = {"libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so"}


def is_elf(file):
    with open(file, "rb") as opened:
        return opened.read(4) == b"\x7fELF"


def readelf(option, file):
    return subprocess.run(["readelf", "-W", option, str(file)], check=True, capture_output=True, text=True).stdout


def faults(file):
    dynamic, versions, sections = (readelf(option, file) for option in ("-d", "-V", "-S"))
    allowed = NEEDED | ALSO.get(file.name, set()) | (RUNTIMES if "libexec" in file.parts else set())
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if name not in allowed:
            yield f"needs {name}"
    for word in ("RELR", "TEXTREL", "RPATH", "RUNPATH"):
        if f"({word})" in dynamic and not (word == "RUNPATH" and "libexec" in file.parts):  # cmake/kit.cmake
            yield f"has DT_{word}"
    for major, minor in {tuple(map(int, pair)) for pair in
                         re.findall(r"Name: GLIBC_(\d+)\.(\d+)", versions)}:
        if (major, minor) > NEWEST:
            yield f"needs GLIBC_{major}.{minor}"
    if "GLIBC_ABI" in versions:
        yield "needs a GLIBC_ABI node"
    if ".debug_info" in sections or ".symtab" in sections:
        yield "is not stripped"
    if re.search(r"GNU_STACK.*RWE", readelf("-l", file)):
        yield "has an executable stack"


def check(tree):
    """The faults of all files, each with its file; and how many files were looked at."""
    found, count = [], 0
    for file in sorted(pathlib.Path(tree).rglob("*")):
        if file.is_file() and not file.is_symlink() and is_elf(file):
            count += 1
            found += [f"{file}: {fault}" for fault in faults(file)]
    return found, count


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    found, count = check(sys.argv[1])
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{count} files, {len(found)} faults")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
