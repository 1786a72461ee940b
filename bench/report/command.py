"""What the commands bench/run, bench/programs/run and studies/run share: values of options, progress, the bench."""

import argparse
import contextlib
import pathlib
import signal
import subprocess
import sys
import tempfile

from report import cells, machine

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = {"clang": "clang++-19", "gcc": "g++-12"}


def comma_list(text):
    return [part for part in text.split(",") if part]


def words_of(known):
    """The type of an option: a list of words, each of which is known."""
    def words(text):
        if unknown := set(comma_list(text)) - set(known):
            raise argparse.ArgumentTypeError(f"no '{min(unknown)}'; known: {', '.join(known)}")
        return comma_list(text)
    return words


def seeds(text):
    if not all(part.isdecimal() for part in comma_list(text)):
        raise argparse.ArgumentTypeError(f"'{text}': whole numbers from 0, with commas between")
    return [int(part) for part in comma_list(text)]


def counts(text):
    words = comma_list(text)
    if not words or not all(word.isdecimal() and 1 <= int(word) <= 1000 for word in words):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of whole numbers from 1 to 1000, as 4,8")
    return [int(word) for word in words]


def positive(text):
    with contextlib.suppress(ValueError):
        if 0 < float(text) < 1e9:
            return float(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds above 0, as 60")


def pair(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def add_build(parser):
    parser.add_argument("--build", type=lambda path: pathlib.Path(path).resolve(), default=ROOT / "build/release",
                        help="where programs and libvicino.so were built (build/release)")
    parser.add_argument("--built", action="store_true", help="do not build what is measured: it is there")


def build(options, targets):
    if targets and not options.built:
        subprocess.run(["cmake", "--build", options.build, "--target", *targets], check=True, stdout=sys.stderr)


def written_by(build):
    """For the badge of a page whose programs contain parts of Vicino and do not load it."""
    version = (build / "vicino-version.txt").read_text(encoding="utf-8").strip()
    return {"date": machine.date(), "commit": machine.commit_in(version)}


class Progress:
    """Shows how far something is, on a terminal; `rounds` has how many rounds each call of cells.interleaved() made."""

    def __init__(self, what=""):
        self.what, self.rounds = what, []

    def __call__(self, text):
        if sys.stderr.isatty():
            print(f"\r\033[K{self.what}{text}", end="", file=sys.stderr, flush=True)


def from_to(counts):
    """How many rounds, as text."""
    low, high = min(counts, default=0), max(counts, default=0)
    return f"{low} to {high}" if low != high else f"{low or ''}"


def add_quiet(parser):
    parser.add_argument("--quiet", type=positive, default=0, metavar="MINUTES",
                        help="wait so long for a machine that others leave alone, and write no page if they do not")


def wait_for_quiet(options, what):
    """Ends the command if --quiet was given and the machine does not become quiet in that time."""
    if options.quiet:
        expect_quiet(machine.wait_for_quiet(options.quiet, lambda text: print(f"{what} {text}", file=sys.stderr, flush=True)), what)


def expect_quiet(shares, what):
    if not machine.is_quiet(shares):
        sys.exit(f"{what} cannot be measured here and is not written: {machine.disturbed(shares)}")


def facts(bench, settings, **renamed):
    """machine.facts of a bench; `renamed`: versions that no package tells."""
    found = machine.facts({c: COMPILERS[c] for c in bench.compilers}, bench.runtimes, settings)
    found["runtimes"] |= {name: version for name, version in renamed.items() if name in bench.runtimes}
    return found


@contextlib.contextmanager
def bench_of(options, extra=(), runtimes=(), settings=(), intel=None):
    """The bench of a build. A process that it refuses ends the command."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that processes, groups and files are removed
    with tempfile.TemporaryDirectory() as scratch:
        bench = cells.Bench(options.build / "bench", options.build / "lib/libvicino.so", dict(extra), runtimes,
                            dict(settings), scratch, intel)
        if not bench.compilers:
            sys.exit(f"no programs in {options.build}/bench: build the target bench_programs")
        if cells.OURS not in bench.runtimes:
            print(f"no libvicino.so in {options.build}/lib: peers only", file=sys.stderr)
        try:
            yield bench
        except (cells.Refused, cells.TimedOut) as why:
            sys.exit(f"\nrefused: {why}")
