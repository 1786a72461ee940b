"""Where the memory accesses of loops go, counted in guests with many NUMA nodes.

    run locality --check                        only checks all answers, on this machine, without guests
    run locality --kernels triad --machines 4x4 --seeds 1,2,3,4,5
"""

import json
import pathlib
import subprocess
import tempfile

from locality import counting, tables
from report import cells, command, guests, machine, page

PAGE = pathlib.Path(__file__).resolve().parent / "results.md"
TARGETS = ("bench_programs",)
PICTURES = ()


def add_options(parser):
    parser.add_argument("--check", action="store_true", help="answers only, on this machine")
    parser.add_argument("--machines", type=command.words_of(counting.CPUS), metavar="A,B",
                        help="of: 4x4, 8x8 (both; quick: 4x4)")
    parser.add_argument("--seeds", type=command.seeds, metavar="N,M", help="samples (1,2,3; quick: 1)")
    parser.add_argument("--kernels", type=command.comma_list, default=[], metavar="A,B",
                        help="triad, stencil, spmv, triangles (all; on 8x8 triad and spmv)")
    parser.add_argument("--runtimes", type=command.comma_list, default=["libomp", "libgomp", "vicino"],
                        metavar="A,B", help="of: libomp, libgomp, vicino (all)")
    guests.add_options(parser)


def kernels_of(program):
    """[{"kernel": …, "chunk": …, "about": …}]"""
    return cells.json_lines(subprocess.run([program, "--list", "all"], text=True, capture_output=True,
                                           check=True).stdout)


def preamble(facts, data):
    def each(values):
        return ", ".join(map(str, sorted(set(values))))

    counted = data["guests"]
    quanta = each(guest["parameters"]["quantum"] for guest in counted)
    model = " ".join(f"{name}={value}" for name, value in counted[0]["parameters"].items()
                     if name != "quantum")
    rows = [
        ("machines", each(guest["machine"] for guest in counted) + " (`lab/lab --list`), emulated by QEMU"),
        ("seeds", each(guest["seed"] for guest in counted) + ", the model's clock"),
        *((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
        *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()),
        ("settings", " ".join(f"{k}={v}" for k, v in facts["settings"].items())),
        ("model", f"{model}; quantum, by seed: {quanta}"),
        *((f"kernel: {row['kernel']}, c = {row['chunk']}", row["about"]) for row in data["kernels"]),
    ]
    samples = {guest["seed"] for guest in counted}
    return (page.badge("modelled", facts["date"], machine.commit(facts["runtimes"]), len(samples)) + "\n"
            + "".join(f"- {name}: {value}\n" for name, value in rows))


def check(bench, counts):
    """Checks answers with four threads, and that wrong answers, teams and runtimes are refused."""
    counts.prepare([])
    counts.write_inputs("check", 4)
    right = pathlib.Path(counts.inputs("check")).read_bytes()
    pathlib.Path(counts.inputs("damaged")).write_bytes(right[:-8] + bytes(8))
    for cell in bench.native_cells():
        def run(inputs="check", threads="4", runtime=None, cell=cell):
            arguments = counts.arguments(cell, inputs, {"OMP_NUM_THREADS": threads}, ())
            return subprocess.run([bench.program("locality", cell), "--runtime", runtime or counts.runtime(cell),
                                   *arguments], env=bench.environment(cell), text=True, capture_output=True,
                                  timeout=120, check=False)

        done = run()
        if done.returncode:
            raise cells.Refused(f"{cell}: status {done.returncode}: {done.stderr.strip()}")
        for status, wrong in ((4, run("damaged")), (5, run(threads="3")), (3, run(runtime="/proc/self/exe"))):
            if wrong.returncode != status:
                raise cells.Refused(f"{cell}: status {wrong.returncode} where {status} was due")
        print(f"{cell}: {done.stdout.count('true')} answers right", flush=True)


def measure(bench, options, counts):
    counts.prepare(options.machines)
    listed = kernels_of(next(bench.programs.glob("locality-*")))
    counted = counts.counted()
    seen = {region["kernel"] for guest in counted for region in guest["regions"]}
    return {"facts": command.facts(bench, counting.SETTINGS), "guests": counted,
            "kernels": [row for row in listed if row["kernel"] in seen],
            "notes": [f"Run again under another seed, because the lab failed: {why}." for why in counts.again]}


def made(options):
    """What was counted; None if answers were only checked."""
    with command.bench_of(options, runtimes=options.runtimes) as bench, \
            tempfile.TemporaryDirectory(prefix="locality.") as scratch:
        counts = counting.Counts(bench, options, scratch, command.Progress())
        return check(bench, counts) if options.check else measure(bench, options, counts)


def parts(options):
    options.machines = options.machines or (["4x4"] if options.quick else list(counting.CPUS))
    options.seeds = options.seeds or ([1] if options.quick else [1, 2, 3])
    data = json.loads(options.source.read_text(encoding="utf-8")) if options.source else made(options)
    if not data:
        return None
    if options.json:
        options.json.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return [preamble(data["facts"], data), *tables.report(data["guests"], data["notes"])]
