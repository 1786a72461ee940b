"""A program of bench/graphs at small sizes: the answers of its graphs equal those of the serial loops.

    graphs_test.py KERNEL COMPILER FOLDER RUNTIME WORK [--flags FLAGS] [--threads N,N]
    graphs_test.py --built PROGRAM      a peer's program, on its own runtime

The program itself compares answers, and refuses a wrong one. Here it is asked for many graphs, and what it
says about them is checked: how many edges there are, and that each graph was measured.
"""
import json
import subprocess
import sys

import checked

COARSE = ("", "S", "F(3)", "D(20)", "CD(4)", "SD(300)F(32)")
# The edges of the graph of ILU(k) for a cube of 6 x 6 x 6 cells, for k = 0, 1, 2.
EDGES = (540, 990, 1600)
SHAPES = {"chain": 2999, "square": 2 * 54 * 53, "layers": 3 * (3000 - 513), "none": 0, "cube": 3 * 14 * 14 * 13}
# (arguments, how the refusal begins)
REFUSED = [
    (("--matrix", "cube"), "not a matrix: 'cube'; accepted: cube:N or spe10:XxYxZ"),
    (("--matrix", "cube:1"), "not a value for --matrix: '1'; accepted: cube:N"),
    (("--matrix", "spe10:4x5"), "not a matrix: 'spe10:4x5'; accepted: cube:N"),
    (("--matrix", "spe10:400x500x600"), "too many cells: 'spe10:400x500x600'; accepted: cube:N"),
    (("--shape", "ring"), "no shape is called 'ring'; accepted: chain, square, layers, none, cube"),
    (("--order", "rcm"), "no order is called 'rcm'; accepted: natural, dissection"),
    (("--pages", "two"), "no place of pages is called 'two'; accepted: one, interleaved, strict, flexible, matrix"),
    (("--cpus", "1000"), "cannot have so many CPUs: '1000'; accepted: as many as the process may use"),
    (("--pages", "strict", "--coarse", "S", "--coarse", "C"), "pages are placed for one graph: 'C'; accepted: one --coarse"),
    (("--fill", "21"), "not a value for --fill: '21'; accepted: a whole number from 0 to 20"),
    (("--rounds", "0"), "not a value for --rounds: '0'; accepted: a whole number from 1 to 1000"),
    (("--steps",), "unknown argument, or one without its value: '--steps'; accepted: --matrix"),
    (("--size", "5"), "unknown argument, or one without its value: '--size'; accepted: --matrix")]
NO_GRAPH = 6  # the exit status
METIS = ["--matrix", "spe10:4x5x7", "--order", "metis"]


class Kernel(checked.Kernel):
    SECONDS = 300
    COARSE = (*COARSE, "automatic")


class Built:
    """A program of the benchmark's build."""
    COARSE = COARSE
    refusal_complaints = checked.Kernel.refusal_complaints

    def __init__(self, program):
        self.program = program

    def run(self, settings, *arguments):
        # Where there are more threads than cores, libgomp's threads would wait for milliseconds.
        environment = {**checked.clean_environment(), "OMP_WAIT_POLICY": "passive", **settings}
        return subprocess.run([self.program, *arguments], env=environment, text=True, capture_output=True,
                              timeout=Kernel.SECONDS, check=False)


def all_runs():
    """(arguments, number of edges or None)"""
    for fill, edges in enumerate(EDGES):
        yield ["--matrix", "cube:6", "--fill", str(fill)], edges
    yield ["--matrix", "spe10:4x5x7", "--fill", "1"], None
    # Another order brings other fill. A dissection of the grid in a wrong orientation would bring 660 edges.
    yield ["--matrix", "spe10:4x5x7", "--fill", "1", "--order", "dissection"], 651
    # Without fill each pair of neighbours is an edge in any order.
    yield METIS, 337
    yield ["--matrix", "cube:9", "--fill", "1", "--steps", "3"], None
    for shape, edges in SHAPES.items():
        yield ["--shape", shape, "--tasks", "3000"], edges


def fault(stdout, coarse, edges):
    lines = [json.loads(line) for line in stdout.splitlines()]
    graphs = [line for line in lines if line["kind"] in ("graph", "empty")]
    if [line["coarse"] for line in graphs] != list(coarse):
        return "not all graphs were measured"
    timed = [line for line in lines if line["kind"] in ("serial", "loop", "graph", "empty")]
    for line in timed:
        times = [line[key] for key in ("factor", "forward", "backward", "solve", "run") if key in line]
        if len(times) != (1 if line["kind"] in ("loop", "empty") else 4) or any(len(t) != 2 for t in times):
            return f"not two times for each operation: {line}"
    counted = next(line for line in lines if "edges" in line)["edges"]
    return f"{counted} edges, not {edges}" if edges not in (None, counted) else None


def complaints_of(program, threads):
    options = [word for text in program.COARSE for word in ("--coarse", text)]
    options += ["--rounds", "2", "--searches", "15"]
    for count in threads:
        for arguments, edges in all_runs():
            done = program.run({"OMP_NUM_THREADS": str(count)}, *arguments, *options)
            if arguments == METIS and done.returncode == NO_GRAPH and "metis" in done.stderr.lower():
                continue  # it is optional
            why = done.stderr if done.returncode or done.stderr else fault(done.stdout, program.COARSE, edges)
            if done.returncode or why:
                yield f"{count} threads, {' '.join(arguments)}: exit status {done.returncode}: {why}\n"
    yield from program.refusal_complaints(REFUSED)
    done = program.run({}, "--coarse", "SX")
    if done.returncode != NO_GRAPH or "coarse string 'SX': at place 2" not in done.stderr:
        yield f"--coarse SX: exit status {done.returncode}: {done.stderr}\n"


def main():
    if sys.argv[1] != "--built":
        return checked.main(__doc__, "1,2,3,7",
                            lambda options: complaints_of(Kernel(options), options.threads))
    complaints = list(complaints_of(Built(sys.argv[2]), (1, 2, 3, 7)))
    print("".join(complaints), end="")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
