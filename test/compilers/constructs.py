#!/usr/bin/env python3
"""Which constructs of OpenMP a compiler compiles, and whether they run on Vicino: docs/reference/openmp-support.md.

    constructs.py try COMPILER...    prints the marks; the status is 1 if one is not the mark that is kept
    constructs.py keep FILE...       keeps marks, as `try --json FILE` has written them, and writes the page
    constructs.py check              the status is 1 if the page is not what the marks say
    options: --runtime FILE, --work DIR, --json FILE

Each program in constructs/ has one construct, and its first line says OpenMP's version and the construct's name:
`// 5.1: name`; a second one may name the test that guards it: `// test: omp/scope`. A program calls the runtime, and
returns 0 if its answer is right. The marks are in constructs/marks.json, by compiler.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys

from roots import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "test"))
from harness import build, compilers, runtime  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "constructs"
MARKS, PAGE = HERE / "marks.json", REPOSITORY / "docs/reference/openmp-support.md"
BEGIN, END = "<!-- constructs.py writes from here -->\n", "<!-- to here -->\n"
# What a compiler ignores with a warning, it does not compile.
STRICT = {"gcc": ["-Werror=unknown-pragmas"],
          "clang": ["-fopenmp-version=60", "-Werror=unknown-pragmas", "-Werror=extra-tokens",
                    "-Werror=source-uses-openmp"],
          "gfortran": [], "flang": ["-fopenmp-version=60"]}
LANGUAGES = {".c": ("gcc", "clang"), ".f90": ("gfortran", "flang")}
SECONDS = 60  # of a program, and of a compiler: clang 22 has no end with some clauses that it does not know


class Construct:
    """One construct, by its programs in one language or two."""

    def __init__(self, stem):
        self.stem, self.sources = stem, {file.suffix: file for file in sorted(HERE.glob(f"{stem}.*"))}
        text = self.sources[".c"].read_text()
        self.version, self.name = re.match(r"(?://|!) (\d\.\d): (.+)\n", text).groups()
        guard = re.search(r"^(?://|!) test: (\S+)$", text, re.MULTILINE)
        self.test = guard[1] if guard else ""


def all_constructs():
    stems = sorted({file.stem for file in HERE.iterdir() if file.suffix in LANGUAGES})
    return sorted(map(Construct, stems), key=lambda construct: (construct.version, construct.stem))


def runs(binary, on):
    environment = {"PATH": "/usr/bin:/bin", "OMP_CANCELLATION": "true", **on.environment()}
    try:
        return subprocess.run([binary], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def mark(source, compiler, options):
    family, version = compilers.split(compiler)
    flags = [flag for flag in STRICT[family] if family != "clang" or version >= 19 or "version" not in flag]
    try:
        binary = build.build(source, compiler, flags, options.work)
    except build.CompileError:
        return "no"
    on = runtime.Runtime(options.runtime, options.work)
    if complaint := on.complaint(binary):
        raise SystemExit(complaint)
    if runs(binary, on):
        return "yes"
    return "WRONG ON VICINO" if runs(binary, runtime.Runtime("own", options.work)) else "wrong"


def marks_of(compiler, options):
    family = compilers.split(compiler)[0]
    found = {}
    for construct in all_constructs():
        for suffix, source in construct.sources.items():
            if family in LANGUAGES[suffix]:
                found[construct.stem] = mark(source, compiler, options)
    return found


def kept():
    return json.loads(MARKS.read_text()) if MARKS.exists() else {}


def cell(stem, family, marks):
    """What the versions of a compiler have in common: `yes`, `no`, or the first version that has it."""
    by_version = sorted((compilers.split(compiler)[1], of[stem]) for compiler, of in marks.items()
                        if compilers.split(compiler)[0] == family and stem in of)
    if not by_version:
        return ""
    wrong = [str(version) for version, word in by_version if word not in ("yes", "no")]
    remark = f"wrong by {', '.join(wrong)}" if wrong else ""
    right = [version for version, word in by_version if word == "yes"]
    if not right:
        return remark or "no"
    first = "yes" if len(right) == len(by_version) else f"from {right[0]}"
    return f"{first}; {remark}" if remark else first


def tables(marks):
    families = [family for of in LANGUAGES.values() for family in of]
    text, version = "", None
    for construct in all_constructs():
        if construct.version != version:
            version = construct.version
            text += f"\n## {version}\n\n| construct | {' | '.join(families)} | test |\n|---|{'---|' * len(families)}---|\n"
        cells = [cell(construct.stem, family, marks) for family in families]
        text += re.sub(r"\| +(?=\|)", "| ", f"| {construct.name} | {' | '.join(cells)} | {construct.test} |\n")
    return text + "\n"


def page(marks):
    before, rest = PAGE.read_text().split(BEGIN)
    return before + BEGIN + tables(marks) + END + rest.split(END)[1]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("try", "keep", "check"))
    parser.add_argument("names", nargs="*", metavar="COMPILER or FILE")
    parser.add_argument("--runtime", type=pathlib.Path, default=REPOSITORY / "build/release/lib/libvicino.so")
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build/release/constructs")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if (options.what == "check") == bool(options.names):
        parser.error("`try` takes compilers, `keep` takes files, and `check` takes neither")
    options.work = options.work.resolve()
    return options


def check(marks):
    if PAGE.read_text() == page(marks):
        return 0
    print(f"{PAGE.relative_to(REPOSITORY)} is not what {MARKS.relative_to(REPOSITORY)} says; `constructs.py keep` writes it")
    return 1


def keep(files, marks):
    for file in files:
        marks.update(json.loads(pathlib.Path(file).read_text()))
    MARKS.write_text(json.dumps(marks, indent=1, sort_keys=True) + "\n")
    PAGE.write_text(page(marks))
    return 0


def try_out(names, marks, options):
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))  # of each child
    found = {compiler: marks_of(compiler, options) for compiler in names}
    for compiler, by_stem in found.items():
        for stem, word in by_stem.items():
            before = marks.get(compiler, {}).get(stem, "none")
            print(f"{compiler} {stem}: {word}" + (f" (kept: {before})" if word != before else ""))
    if options.json:
        options.json.write_text(json.dumps(found))
    return 0 if all(of == marks.get(compiler) for compiler, of in found.items()) else 1


def main():
    options, marks = parse(), kept()
    if options.what == "check":
        return check(marks)
    if options.what == "keep":
        return keep(options.names, marks)
    return try_out(options.names, marks, options)


if __name__ == "__main__":
    sys.exit(main())
