"""The feature programs of a folder, and what each says about how to run it.

A program may carry, in its first lines, comments of these forms:

    // test: uses SETTING...            for every run of the program
    // test: variant NAME SETTING...    one more test of the same source, named program@NAME
    // test: exit STATUS                the exit status that is right (-6: ended by signal 6)
    // test: library FILE               FILE is built as a shared library; its path is argv[1]
    // test: skip COMPILER REASON       the program is not built with this compiler
    // test: peer COMPILER REASON       the program fails on the compiler's own runtime;
                                        COMPILER@NAME: in that variant alone, COMPILER@: only
                                        outside variants
    // test: unsanitized SANITIZER REASON  not run in a build with this sanitizer

A SETTING is NAME=value for the environment, -flag for the compiler, threads=N,N for the team
sizes, machine=NAME for a recorded machine of test/machines, or a compiler's name to restrict the test to
it. Fortran programs write `! test:`.
"""
import dataclasses
import pathlib
import re

LANGUAGES = {".c": ("clang-19", "gcc-12"), ".cpp": ("clang-19", "gcc-12"),
             ".f90": ("flang-19", "gfortran-12")}
MACHINES = pathlib.Path(__file__).resolve().parents[2] / "machines"
DIRECTIVE = re.compile(r"^(?://|!) test: (\w+) ?(.*)$")


@dataclasses.dataclass
class Program:
    source: pathlib.Path
    variant: str = ""
    environment: dict = dataclasses.field(default_factory=dict)
    flags: list = dataclasses.field(default_factory=list)
    only: list = dataclasses.field(default_factory=list)
    threads: list = dataclasses.field(default_factory=list)
    status: int = 0
    library: pathlib.Path = None
    skipped: dict = dataclasses.field(default_factory=dict)
    peers: dict = dataclasses.field(default_factory=dict)
    unsanitized: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        return self.source.stem + ("@" + self.variant if self.variant else "")

    @property
    def compilers(self):
        return [c for c in self.only or LANGUAGES[self.source.suffix] if c not in self.skipped]

    def fails_on_peer(self, compiler):
        return compiler in self.peers or f"{compiler}@{self.variant}" in self.peers

    def apply(self, settings):
        for word in settings.split():
            key, equals, value = word.partition("=")
            if word.startswith("-"):
                self.flags.append(word)
            elif key == "threads":
                self.threads = [int(n) for n in value.split(",")]
            elif key == "machine":
                self.environment["VICINO_MACHINE"] = str(MACHINES / f"{value}.xml")
            elif equals:
                self.environment[key] = value
            else:
                self.only.append(word)


def directives(source):
    for line in source.read_text().splitlines()[:40]:
        if match := DIRECTIVE.match(line):
            yield match.groups()


def read(source):
    """The tests of one source file: the program itself, then its variants."""
    base, variants = Program(source), []
    for word, rest in directives(source):
        first, _, reason = rest.partition(" ")
        if word == "uses":
            base.apply(rest)
        elif word == "variant":
            variants.append((first, reason))
        elif word == "exit":
            base.status = int(rest)
        elif word == "library":
            base.library = source.parent / rest
        elif word in ("skip", "peer", "unsanitized"):
            {"skip": base.skipped, "peer": base.peers,
             "unsanitized": base.unsanitized}[word][first] = reason
        else:
            raise ValueError(f"{source}: unknown directive '{word}'")
    yield base
    for name, settings in variants:
        copy = dataclasses.replace(base, variant=name, environment=dict(base.environment),
                                   flags=list(base.flags), only=[])
        copy.apply(settings)
        yield copy


def find(folder):
    sources = sorted(f for f in folder.iterdir() if f.suffix in LANGUAGES)
    return [program for source in sources for program in read(source)]
