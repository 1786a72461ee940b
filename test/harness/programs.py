"""The feature programs of a folder, and what each says about how to run it.

A program may carry, in its first lines, comments of these forms:

    // test: uses SETTING...            for every run of the program
    // test: variant NAME SETTING...    one more test of the same source, named program@NAME
    // test: exit STATUS                the exit status that is right (-6: ended by signal 6)
    // test: library FILE               FILE is built as a shared library; its path is argv[1]
    // test: skip COMPILERS REASON      the program is not built with these compilers
    // test: peer COMPILERS REASON      the program fails on the compiler's own runtime;
                                        COMPILERS@NAME: in that variant alone, COMPILERS@: only
                                        outside variants
    // test: unsanitized SANITIZER REASON  not run in a build with this sanitizer
    // test: native REASON              not run under an emulator of another processor

A SETTING is NAME=value for the environment, -flag for the compiler, threads=N,N for the team
sizes, machine=NAME for a recorded machine of test/machines, or COMPILERS to restrict the test to them.
COMPILERS is a condition (compilers.py): clang, gcc-12, clang<21, flang>20. Fortran programs write `! test:`.
"""
import dataclasses
import pathlib
import re

from harness import compilers

MACHINES = pathlib.Path(__file__).resolve().parents[1] / "machines"
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
    native: str = ""

    @property
    def name(self):
        return self.source.stem + ("@" + self.variant if self.variant else "")

    def compilers(self, among=compilers.HERE):
        """Those that build the program."""
        def builds(compiler):
            chosen = not self.only or any(compilers.meets(compiler, condition) for condition in self.only)
            return chosen and not any(compilers.meets(compiler, condition) for condition in self.skipped)

        return [c for c in compilers.of_language(self.source.suffix, among) if builds(c)]

    def fails_on_peer(self, compiler):
        parts = [condition.partition("@") for condition in self.peers]
        return any(compilers.meets(compiler, condition) and (not at or variant == self.variant)
                   for condition, at, variant in parts)

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
            elif compilers.is_condition(word):
                self.only.append(word)
            else:
                raise ValueError(f"{self.source}: '{word}' is neither a setting nor a compiler")


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
        elif word == "native":
            base.native = rest
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
    sources = sorted(f for f in folder.iterdir() if f.suffix in compilers.FAMILIES)
    return [program for source in sources for program in read(source)]
