#!/usr/bin/env python3
"""Vicino with the compilers of other Debian releases (roots.py).

    matrix.py list [ROOT...]             the tests of the roots, as `ROOT KIND/COMPILER`
    matrix.py test ROOT KIND/COMPILER    one of them
    matrix.py all [ROOT...]              every test of the roots, or of all roots, and a summary
    options: --runtime FILE, --work DIR, --match REGEX

The kinds: `omp`, the feature programs of test/omp; `constructs`, whether docs/reference/openmp-support.md is true (constructs.py);
`random`, a few random programs; `suite`, the test suite that belongs to the compiler. They are built in the root and run there. Vicino does not load in a root that is older than
this machine: the programs of test/omp that its compilers know are built there and run here, and there are no others.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import time

import roots
from roots import REPOSITORY, SKIPPED, Unavailable

sys.path.insert(0, str(REPOSITORY / "test"))
from harness import compilers  # noqa: E402

# Each suite's script, and the source package that it reads.
SUITES = {"gcc-16": ("gcc_suite.py", "gcc-16"), "clang-23": ("llvm_suite.py", "llvm-toolchain-23")}
TEAMS = "1,2,4,8"
RANDOM_PROGRAMS = 10
SECONDS = 300  # for one run of one program, on a machine that may have other work
CONFORMANCE = REPOSITORY / "test/conformance"


def tests_of(root):
    yield from (f"omp/{compiler}" for compiler in root.compilers)
    if not root.is_older:
        yield from (f"{kind}/{compiler}" for kind in ("constructs", "random") for compiler in root.compilers)
    yield from (f"suite/{compiler}" for compiler in root.compilers if root.name == "sid" and compiler in SUITES)


class Place:
    """One root, and what a test in it reads and writes."""

    def __init__(self, root, options):
        self.root, self.folder = root, roots.ensure(root)
        self.runtime, self.work = options.runtime.resolve(strict=True), options.work.resolve() / root.name
        self.work.mkdir(parents=True, exist_ok=True)

    def has(self, compiler):
        suffix = ".f90" if compiler in compilers.of_language(".f90", [compiler]) else ".c"
        return (self.folder / "usr/bin" / compilers.command(compiler, suffix)[0]).exists()

    def run(self, *words, write=()):
        """The exit status of a script of this repository in the root."""
        command = roots.entering(self.folder, ["/usr/bin/python3", *words],
                                 read=[REPOSITORY, self.runtime.parent], write=[self.work, *write])
        return subprocess.run(command, check=False).returncode


def omp(place, compiler):
    script = REPOSITORY / "test/omp/run.py"
    options = ["--compilers", compiler, "--work", place.work]
    if place.root.is_older:
        options.append("--older")
        if compiler.startswith(("gcc", "clang")):  # which would build a program without such a construct
            options.append("--flags=-Werror=unknown-pragmas")
    running = ["all", *options, "--threads", TEAMS, "--timeout", SECONDS, "--runtime", place.runtime]
    if not place.root.is_older:
        return place.run(script, *running)
    built = place.run(script, "build", *options)
    ran = subprocess.run([str(word) for word in (sys.executable, script, *running)], check=False).returncode
    return built or ran


def constructs(place, compiler):
    return place.run(REPOSITORY / "test/compilers/constructs.py", "try", compiler, "--runtime", place.runtime,
                     "--work", place.work, "--json", place.work / f"constructs-{compiler}.json")


def random(place, compiler):
    return place.run(REPOSITORY / "test/random/random_programs.py", "--compilers", compiler, "--count",
                     RANDOM_PROGRAMS, "--timeout", SECONDS, "--reduce", 60, "--peer", "--runtime", place.runtime,
                     "--work", place.work)


def suite(place, compiler):
    script, package = SUITES[compiler]
    # The sources come by this machine's apt: the root's need not know the mirror of the sources.
    fetched = subprocess.run([sys.executable, CONFORMANCE / "sources.py", package], stdout=subprocess.DEVNULL,
                             check=False).returncode
    if fetched:
        return fetched
    return place.run(CONFORMANCE / script, "--compiler", compiler, "--slice", "all", "--timeout", SECONDS,
                     "--library", place.runtime, "--out", place.work, write=[roots.cache() / "conformance"])


def run_test(root, test, options):
    kind, _, compiler = test.partition("/")
    try:
        place = Place(root, options)
        if not place.has(compiler):
            raise Unavailable(f"{root.name} has no {compiler} (any more)")
        return {"omp": omp, "constructs": constructs, "random": random, "suite": suite}[kind](place, compiler)
    except Unavailable as reason:
        print(reason, flush=True)
        return SKIPPED


def run_all(chosen, options):
    verdicts = {}
    for root in chosen:
        for test in tests_of(root):
            if re.search(options.match, f"{root.name}/{test}"):
                start = time.monotonic()
                print(f"== {root.name}/{test}", flush=True)
                status = run_test(root, test, options)
                word = {0: "ok", SKIPPED: "skipped"}.get(status, "FAILED")
                verdicts[f"{root.name}/{test}"] = f"{word:8} {time.monotonic() - start:6.0f} s"
    print("\n".join(["", *(f"{verdict}  {name}" for name, verdict in verdicts.items())]))
    return 1 if any(verdict.startswith("FAILED") for verdict in verdicts.values()) else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("list", "test", "all"))
    parser.add_argument("names", nargs="*", metavar="ROOT")
    parser.add_argument("--runtime", type=pathlib.Path, default=REPOSITORY / "build/release/lib/libvicino.so")
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build/release/compilers")
    parser.add_argument("--match", default="")
    return parser, parser.parse_args()


def main():
    parser, options = parse()
    names = options.names[:1] if options.what == "test" else options.names or list(roots.ROOTS)
    for name in names:
        if name not in roots.ROOTS:
            parser.error(f"no root '{name}'; there are {', '.join(roots.ROOTS)}")
    chosen = [roots.ROOTS[name] for name in names]
    if options.what == "list":
        print("\n".join(f"{root.name} {test}" for root in chosen for test in tests_of(root)))
        return 0
    if options.what == "all":
        return run_all(chosen, options)
    if len(options.names) != 2 or options.names[1] not in tests_of(chosen[0]):
        parser.error(f"say a root and one of its tests (matrix.py list {' '.join(names)})")
    return run_test(chosen[0], options.names[1], options)


if __name__ == "__main__":
    sys.exit(main())
