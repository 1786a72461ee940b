"""What the papers claim of their machines, run on models of these machines; its page is studies/papers/results.md.

    run papers --only ilan                      one part; with --write the page's others stay as they are
    run papers --from FILE --write              what --json wrote; makes only those runs that are not in it
    run papers --quick                          few kernels, constructs on 16 threads
    run papers --only ilan --kernels cg,ft --seeds 0,1 --bounds value,low,high
    run papers --only nich --machines 1x64,2x24 --programs lu,boxes
"""

import pathlib

from papers import constructs, deviations, handovers, ilan, loops, mixed, native, nich, paths, sweeps, taggre, tasks, worksharing
from report import cells, command, guests, page

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "results.md"
TARGETS = ("bench_programs", "bench_ilan_programs", "bench_loops_programs", "bench_tasks_programs", "bench_graphs_programs")
PICTURES = ((HERE / "picture.py", "papers-tasks.svg", tasks.CURVES_TITLE),
            (HERE / "paths_picture.py", "papers-paths.svg", paths.STEPS_TITLE))
PARTS = {"ilan": (ilan, "ILAN: taskloops on two EPYC 9354, 64 threads"),
         "worksharing": (worksharing, "ILAN against worksharing, on two EPYC 9354"),
         "deviations": (deviations, "ILAN's deviations, on two EPYC 9354"),
         "paths": (paths, "The tuner's path: what it tried for these taskloops"),
         "loops": (loops, "Loops that choose for themselves, on several nodes"),
         "nich": (nich, "iCh and NiCh: on an EPYC 7713 and on two Xeon 8160"),
         "sweeps": (sweeps, "NiCh's parameters, on an EPYC 7713"),
         "tasks": (tasks, "Task schedulers on a Sun X4600 M2"),
         "mixed": (mixed, "Static fractions on 16 cores"),
         "taggre": (taggre, "Taggre and Nas on two Xeon X5570"),
         "native": (native, "The model against a machine: schedules on two cores"),
         "constructs": (constructs.CLOSE, "Constructs on two EPYC 9354: 16 threads, close"),
         "spread": (constructs.SPREAD, "Constructs on two EPYC 9354: 16 threads, spread"),
         "constructs64": (constructs.ALL, "Constructs on two EPYC 9354: 64 threads"),
         "handovers": (handovers, "Additions to one line on two EPYC 9354")}
NOT_QUICK = ("deviations", "taggre", "spread", "constructs64", "handovers")
ON_DEMAND = ("nich", "sweeps")      # their loops are too short for the paper's claims: studies/loops has its sizes

def add_options(parser):
    parser.add_argument("--only", type=command.words_of(PARTS), metavar="A,B",
                        help=f"parts: {', '.join(PARTS)} (all but {', '.join(ON_DEMAND)})")
    parser.add_argument("--kernels", type=command.words_of(ilan.KERNELS), metavar="A,B",
                        help=f"of the parts about ILAN, paths and loops: {', '.join(ilan.KERNELS)} (all)")
    parser.add_argument("--programs", type=command.words_of(nich.PROGRAMS), metavar="A,B",
                        help=f"of nich: {', '.join(nich.PROGRAMS)} ({', '.join(nich.USUAL)})")
    parser.add_argument("--machines", type=command.words_of((*nich.THREADS, *loops.MACHINES)), metavar="A,B",
                        help=f"of nich: {', '.join(nich.THREADS)} (1x64); "
                             f"of loops: {', '.join(loops.MACHINES)} (all)")
    parser.add_argument("--seeds", type=command.seeds, default=[0], metavar="N,M", help="samples (0)")
    parser.add_argument("--bounds", type=command.words_of(("value", "low", "high")), default=["value"],
                        metavar="A,B", help="of the model's numbers: value, low, high (value)")
    guests.add_options(parser)


def complete(options):
    options.only = options.only or [name for name in PARTS
                                    if name not in ON_DEMAND and not (options.quick and name in NOT_QUICK)]
    options.kernels = options.kernels or (["ft", "matmul"] if options.quick else list(ilan.KERNELS))
    options.programs = options.programs or (["triangles"] if options.quick else list(nich.USUAL))
    options.machines = options.machines or []


def preamble(bench):
    facts = command.facts(bench, {})
    del facts["runtimes"][cells.CONTROL]
    rows = [*((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
            *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()),
            ("settings", "OMP_PROC_BIND=close OMP_PLACES=cores, unless said otherwise")]
    return "".join(f"- {name}: {value}\n" for name, value in rows)


def sections(made, options, before):
    """{title: text} of the parts that were run, each with when and how; `before`: the same of the page."""
    found = {}
    for name in options.only:
        part, title = PARTS[name]
        if hasattr(part, "joined"):     # its rows say when and how
            badge = page.badge("modelled", *["by row"] * 3)
            found[title] = f"{badge}\n{part.joined(part.text(made, options), before.get(title, ''))}"
            continue
        runs = list(part.runs(options))
        seeds = part.seeds(options) if hasattr(part, "seeds") else options.seeds
        badge = page.badge("modelled", made.when(runs), made.commits(runs), len(seeds) * len(options.bounds))
        how = f"*Seeds: {', '.join(map(str, seeds))}; the model's numbers: {', '.join(options.bounds)}.*"
        found[title] = f"{badge}\n{how}\n\n{part.text(made, options).strip()}\n"
    return found


def kept(measured):
    """{title: text} of the parts that a page has already."""
    parts = ("\n" + measured).split("\n## ")[1:]
    return {title: text.strip() + "\n" for title, _, text in (part.partition("\n") for part in parts)}


def in_order(by_title):
    return "".join(f"\n## {title}\n\n{by_title[title]}" for _, title in PARTS.values() if title in by_title)


def tables(made, options):
    """What pictures are made of; what was not made now stays."""
    drawn = [part.drawn(made, options) for name in options.only if hasattr(part := PARTS[name][0], "drawn")]
    titles = {table.title for table in drawn}
    return [*(table for table in page.kept(PAGE) if table.title not in titles), *drawn]


def parts(options):
    complete(options)
    with command.bench_of(options) as bench:
        made = guests.Guests(bench, options.build, options, command.Progress())
        runs = [run for name in options.only for run in PARTS[name][0].runs(options)]
        if options.source:
            made.load(options.source, runs)
        made.make(runs)
        if not options.write:
            return [preamble(bench) + in_order(sections(made, options, {}))]
        before = kept(page.measured_of(PAGE))
        return [preamble(bench) + in_order(before | sections(made, options, before)), *tables(made, options)]
