#!/usr/bin/env python3
"""What the papers claim of their machines, run on models of these machines; writes docs/papers.md.

    run.py --page docs/papers.md            all parts: three quarters of an hour on two quiet cores
    run.py --only ilan                      one part, printed
    run.py --only ilan --page docs/papers.md    one part; the page's others stay as they are
    run.py --from FILE --page …             writes the page again from a file that --json wrote, and makes
                                            only those runs that are not in it
    run.py --quick                          few kernels, constructs on 16 threads, printed
    run.py --only ilan --kernels cg,ft --seeds 0,1 --bounds value,low,high
    run.py --only nich --machines 1x64,2x24 --programs lu,boxes

A wrong answer or a wrong runtime ends the run with status 1.
"""

import argparse
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import constructs  # noqa: E402
import handovers  # noqa: E402
import ilan  # noqa: E402
import loops  # noqa: E402
import mixed  # noqa: E402
import native  # noqa: E402
import nich  # noqa: E402
import paths  # noqa: E402
import sweeps  # noqa: E402
import tasks  # noqa: E402
from guests import Guests  # noqa: E402
from report import cells, machine, page, pictures  # noqa: E402

PARTS = {"ilan": (ilan, "ILAN: taskloops on two EPYC 9354, 64 threads"),
         "paths": (paths, "The tuner's path: what it tried for these taskloops"),
         "loops": (loops, "Loops that choose for themselves, on several nodes"),
         "nich": (nich, "iCh and NiCh: on an EPYC 7713 and on two Xeon 8160"),
         "sweeps": (sweeps, "NiCh's parameters, on an EPYC 7713"),
         "tasks": (tasks, "Task schedulers on a Sun X4600 M2"),
         "mixed": (mixed, "Static fractions on 16 cores"),
         "native": (native, "The model against a machine: schedules on two cores"),
         "constructs": (constructs.CLOSE, "Constructs on two EPYC 9354: 16 threads, close"),
         "spread": (constructs.SPREAD, "Constructs on two EPYC 9354: 16 threads, spread"),
         "constructs64": (constructs.ALL, "Constructs on two EPYC 9354: 64 threads"),
         "handovers": (handovers, "Additions to one line on two EPYC 9354")}
NOT_QUICK = ("sweeps", "spread", "constructs64", "handovers")
# part: (what draws it, the picture's name)
PICTURES = {"tasks": ("picture.py", "papers-tasks.svg"), "paths": ("paths_picture.py", "papers-paths.svg")}
COMPILERS = {"clang": "clang++-19", "gcc": "g++-12"}


def words_of(known):
    def words(text):
        found = [word for word in text.split(",") if word]
        if unknown := set(found) - set(known):
            raise argparse.ArgumentTypeError(f"no '{min(unknown)}'; known: {', '.join(known)}")
        return found
    return words


def seeds(text):
    if not all(part.isdecimal() for part in text.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}': whole numbers from 0, with commas between")
    return [int(part) for part in text.split(",")]


def parse():
    root = HERE.parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", type=words_of(PARTS), metavar="A,B",
                        help=f"parts: {', '.join(PARTS)} (all)")
    parser.add_argument("--kernels", type=words_of(ilan.KERNELS), metavar="A,B",
                        help=f"of ilan, paths and loops: {', '.join(ilan.KERNELS)} (all)")
    parser.add_argument("--programs", type=words_of(nich.PROGRAMS), metavar="A,B",
                        help=f"of nich: {', '.join(nich.PROGRAMS)} ({', '.join(nich.USUAL)})")
    parser.add_argument("--machines", type=words_of((*nich.THREADS, *loops.MACHINES)), metavar="A,B",
                        help=f"of nich: {', '.join(nich.THREADS)} (1x64); "
                             f"of loops: {', '.join(loops.MACHINES)} (all)")
    parser.add_argument("--quick", action="store_true", help="a part of each part")
    parser.add_argument("--seeds", type=seeds, default=[0], metavar="N,M", help="samples (0)")
    parser.add_argument("--bounds", type=words_of(("value", "low", "high")), default=["value"],
                        metavar="A,B", help="of the model's numbers: value, low, high (value)")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=2, help="guests at a time (2)")
    parser.add_argument("--time-limit", type=int, default=900, metavar="SECONDS", help="of a guest (900)")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/release",
                        help="where programs, lab and libvicino.so were built (build/release)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all results, also those so far")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE",
                        help="results of an earlier run")
    parser.add_argument("--page", type=pathlib.Path, metavar="FILE", help="page to rewrite")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER",
                        help=f"for SVG of {' and '.join(PICTURES)}, drawn by matplotlib from PyPI")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.only = options.only or [name for name in PARTS if not (options.quick and name in NOT_QUICK)]
    options.kernels = options.kernels or (["ft", "matmul"] if options.quick else list(ilan.KERNELS))
    options.programs = options.programs or (["triangles"] if options.quick else list(nich.USUAL))
    options.machines = options.machines or []
    return options


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def preamble(bench):
    runtimes = {name: file for name, file in bench.runtimes.items() if name != cells.CONTROL}
    facts = machine.facts(COMPILERS, runtimes, {})
    rows = [*((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
            *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()),
            ("settings", "OMP_PROC_BIND=close OMP_PLACES=cores, unless said otherwise")]
    return "".join(f"- {name}: {value}\n" for name, value in rows)


def sections(guests, options, before):
    """{title: text} of the parts that were run, each with when and how; `before`: the same of the page."""
    found = {}
    for name in options.only:
        part, title = PARTS[name]
        if hasattr(part, "joined"):     # its rows say when and how
            found[title] = part.joined(part.text(guests, options), before.get(title, ""))
            continue
        how = [f"made {guests.when(part.runs(options))}", f"seeds: {', '.join(map(str, options.seeds))}",
               f"the model's numbers: {', '.join(options.bounds)}"]
        found[title] = f"*{'; '.join(how)}*\n\n{part.text(guests, options).strip()}\n"
    return found


def kept(measured):
    """{title: text} of the parts that a page has already."""
    parts = ("\n" + measured).split("\n## ")[1:]
    return {title: text.strip() + "\n" for title, _, text in (part.partition("\n") for part in parts)}


def in_order(by_title):
    return "".join(f"\n## {title}\n\n{by_title[title]}" for _, title in PARTS.values() if title in by_title)


def draw(name, guests, options):
    """Without matplotlib the tables are still written."""
    script, file = PICTURES[name]
    if not (data := PARTS[name][0].drawing(guests, options)):
        return
    try:
        pictures.draw(options.build, HERE / script, options.pictures / file, data)
    except pictures.Unavailable as why:
        print(f"the picture stays as it is: {why}", file=sys.stderr)
        return
    print(f"written: {options.pictures / file}")


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="papers.") as scratch:
        bench = cells.Bench(options.build / "bench", options.build / "lib/libvicino.so", {}, (), {}, scratch)
        guests = Guests(bench, options.build, options, progress)
        runs = [run for name in options.only for run in PARTS[name][0].runs(options)]
        if options.source:
            guests.load(options.source, runs)
        try:
            guests.make(runs)
        except cells.Refused as why:
            sys.exit(f"refused: {why}")
        before = kept(page.measured_of(options.page)) if options.page else {}
        made, facts = sections(guests, options, before), preamble(bench)
    for name in PICTURES if options.pictures else ():
        if name in options.only:
            draw(name, guests, options)
    if options.page:
        page.rewrite(options.page, facts + in_order(before | made))
        print(f"written: {options.page}")
    else:
        print(facts + in_order(made))


if __name__ == "__main__":
    main()
