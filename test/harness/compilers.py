"""The compilers: how a family's commands are named, and which of its versions a condition means.

A compiler is a family and a version: gcc-12, clang-19, gfortran-16, flang-23. A condition is a family, which
means all of its versions, or a family and a sign and a number: gcc-12, clang<21, flang>20.
"""
import os
import pathlib
import re
import shutil

from harness import processor

C_FAMILY = ["-Wall", "-Wextra", "-Wno-unknown-pragmas"]
OPTIONS = {".c": ["-std=gnu11", *C_FAMILY], ".cpp": ["-std=c++20", *C_FAMILY], ".f90": []}
FAMILIES = {".c": ("clang", "gcc"), ".cpp": ("clang", "gcc"), ".f90": ("flang", "gfortran")}
# What this machine builds its programs with, and what `make test-all` builds those of test/omp with besides.
HERE = ("clang-19", "gcc-12", "flang-19", "gfortran-12")
LATER = ("clang-22", "flang-22")
CONDITION = re.compile(r"(gcc|clang|gfortran|flang)(?:([-<>])(\d+))?")
FIRST_WITHOUT_OFFLOADERS = 11  # earlier ones of Debian do not link a target region unless they are installed
LAST_FLANG_NEW = 19  # later versions have dropped the `new` in the command's name


def split(compiler):
    """('clang', 19) of clang-19."""
    match = CONDITION.fullmatch(compiler)
    if not match or match[2] != "-":
        raise ValueError(f"no compiler: '{compiler}' (clang-19, for example)")
    return match[1], int(match[3])


def is_condition(word):
    return CONDITION.fullmatch(word) is not None


def meets(compiler, condition):
    family, version = split(compiler)
    wanted, sign, number = CONDITION.fullmatch(condition).groups()
    if family != wanted or sign is None:
        return family == wanted
    return {"-": version == int(number), "<": version < int(number), ">": version > int(number)}[sign]


def of_language(suffix, among=HERE):
    return [compiler for compiler in among if split(compiler)[0] in FAMILIES[suffix]]


def command(compiler, suffix):
    """The compiler's name as a command, and the options that every program of a language gets."""
    family, version = split(compiler)
    if family not in FAMILIES[suffix]:
        raise ValueError(f"{compiler} builds no file '*{suffix}'")
    name = {"gcc": "g++", "clang": "clang++"}[family] if suffix == ".cpp" else family
    if family == "flang" and version <= LAST_FLANG_NEW:
        name = "flang-new"
    more = ["-Wall"] if family == "gfortran" else []
    if family in ("gcc", "gfortran") and version < FIRST_WITHOUT_OFFLOADERS:
        more.append("-foffload=disable")
    if family == "flang" and version > LAST_FLANG_NEW:  # by itself it takes programs for those of OpenMP 3.1
        more = ["-fopenmp-version=52"]
    return [*processor.compiler(f"{name}-{version}", family), *OPTIONS[suffix], *more, *openmp(compiler)]


def unpacked(compiler):
    """Where scripts/llvm_openmp puts the headers of a version that is installed without them."""
    version = split(compiler)[1]
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / f"vicino/unpacked/libomp-{version}-dev/usr/lib/llvm-{version}/lib"


def openmp(compiler):
    family, version = split(compiler)
    if family not in ("clang", "flang"):
        return []
    if processor.is_emulated():  # the headers serve all processors
        return [f"-L{processor.unpacked()}/llvm-{version}/lib"]
    folder = unpacked(compiler)
    if not folder.exists():
        return []
    headers = [f"-isystem{folder}/clang/{version}/include"] if family == "clang" else []  # flang has its own
    return [*headers, f"-L{folder}"]


def is_here(compiler, suffix):
    if processor.is_emulated() and split(compiler)[0] == "flang":
        return False  # its library is here for this machine's processor alone
    found = shutil.which(command(compiler, suffix)[0])
    if found is None or compiler not in LATER:
        return found is not None
    installed = pathlib.Path(found).resolve().parents[1] / "lib/libomp.so"
    return installed.exists() or unpacked(compiler).exists()
