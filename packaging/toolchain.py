"""The compiler of the dist build: zig's, from PyPI, which brings the C library's names as of any version, and its
own C++ library, for any processor. And gcc's, for the programs that must have gcc's entry points.

Everything lies below one folder; what is there already is used again."""
import pathlib
import shutil
import stat
import subprocess
import sys

ZIG = "ziglang==0.17.1"
GLIBC = "2.28"  # RHEL, Rocky and AlmaLinux 8, Debian 10, Ubuntu 20.04; manylinux_2_28
CPUS = ("x86_64", "aarch64")
# Below the system's include folder: of Debian's libfmt-dev, libcli11-dev, libtomlplusplus-dev, nlohmann-json3-dev,
# libprotozero-dev, libhwloc-dev and libmetis-dev. What hwloc's configuration says holds for each 64-bit Linux.
HEADERS = ("fmt", "CLI", "toml++", "nlohmann", "protozero", "hwloc/*.h", "hwloc.h", "metis.h", "*-linux-gnu/hwloc/autogen")
SYSTEM = pathlib.Path("/usr/include")


class Unavailable(Exception):
    """A tool cannot be had here; the text says which and why."""


def run(*command, **how):
    subprocess.run([str(word) for word in command], check=True, **how)


def zig(folder):
    """The path of the program `zig`, in a virtual environment below the folder."""
    place = folder / "zig-venv"
    program = place / "bin/python"
    found = list(place.glob("lib/python3*/site-packages/ziglang/zig"))
    stamp = place / "what"
    if not (found and stamp.is_file() and stamp.read_text() == ZIG):
        shutil.rmtree(place, ignore_errors=True)
        run(sys.executable, "-m", "venv", place)
        said = subprocess.run([program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG],
                              check=False, capture_output=True, text=True)
        if said.returncode:
            raise Unavailable(f"pip cannot install {ZIG}: {said.stderr.strip().splitlines()[-1:]}")
        stamp.write_text(ZIG)
        found = list(place.glob("lib/python3*/site-packages/ziglang/zig"))
    return found[0]


def script(file, text):
    """Writes an executable file only if it changed, so that ccache and CMake see the same compiler."""
    text = f"#!/bin/sh\n{text}\n"
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)
    file.chmod(file.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def commands(folder, cpu):
    """A folder with cc, c++, ar and ranlib for the processor."""
    program = zig(folder)
    place = folder / f"zig-{cpu}"
    place.mkdir(parents=True, exist_ok=True)
    caches = f"export ZIG_GLOBAL_CACHE_DIR={folder}/zig-cache ZIG_LOCAL_CACHE_DIR={folder}/zig-cache"
    target = f"-target {cpu}-linux-gnu.{GLIBC}"
    for name in ("cc", "c++"):
        # Without these words zig keeps frame pointers (a tenth of the instructions of a region), and has undefined
        # behaviour trap in what it builds without optimisation.
        script(place / name, f'{caches}\nexec {program} {name} {target} -fomit-frame-pointer -fno-sanitize=undefined "$@"')
    for name in ("ar", "ranlib"):
        script(place / name, f'{caches}\nexec {program} {name} "$@"')
    return place


def headers(folder):
    """A folder with links to the headers of other libraries, and to nothing else of the system."""
    place = folder / "headers"
    for name in HEADERS:
        found = sorted(SYSTEM.glob(name))
        if not found:
            raise Unavailable(f"{SYSTEM / name} is missing: scripts/need build")
        for path in found:
            link = place / path.relative_to(SYSTEM).as_posix().split("-linux-gnu/")[-1]
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(path)
    return place
