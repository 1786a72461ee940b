#!/usr/bin/env python3
"""Makes the recorded machines of this folder with hwloc's own tools (Debian: hwloc-nox).

    make.py [--out DIR] [NAME...]

Each machine is a synthetic topology of hwloc's, to which the CPU's name, distances, kinds of cores and
kinds of memory are added. Nothing is copied from a real machine, so sizes are round numbers and there
are no serial numbers, host names or kernel versions in the files.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

CACHES = "l1d:1(size=32KiB)"


def package_distances(packages, nodes_each, local, near, far):
    """Firmware's distances of `packages` with `nodes_each` nodes: to itself, its package, the others."""
    nodes = range(packages * nodes_each)
    return [[local if a == b else near if a // nodes_each == b // nodes_each else far
             for b in nodes] for a in nodes]


def ladder_distances(rungs):
    """Nodes 2r and 2r+1 are a rung, and each is linked to its like on the next rung: 6 per hop."""
    nodes = range(2 * rungs)
    return [[10 + 6 * (abs(a // 2 - b // 2) + (a % 2 != b % 2)) for b in nodes] for a in nodes]


def numbers(sequence):
    return ",".join(str(n) for n in sequence)


# The kernel gives second hardware threads numbers after all first ones.
def second_threads_last(cores, threads):
    return numbers(core + cores * thread for core in range(cores) for thread in range(threads))


# 4 modules of one big core with 2 threads (CPUs 0-7), then 2 modules of 4 small cores (8-15). hwloc's
# synthetic topologies are regular, so each module first gets 4 cores of 2 threads; what is too many
# has numbers from 16 on and is taken away.
def hybrid_numbers():
    cpus, spare = [], 16
    for module in range(6):
        for core in range(4):
            big = module < 4 and core == 0
            kept = 2 if big else 1 if module >= 4 else 0
            first = module * 2 if big else 8 + (module - 4) * 4 + core
            for thread in range(2):
                if thread < kept:
                    cpus.append(first + thread)
                else:
                    cpus.append(spare)
                    spare += 1
    return numbers(cpus)


MACHINES = {
    "epyc-9354-2x32-nps4": dict(
        cpu="AMD EPYC 9354 32-Core Processor",
        synthetic=f"pack:2 group:4 [numa(memory=96GiB)] l3:2(size=32MiB) l2:4(size=1MiB) {CACHES} core:1 pu:1",
        distances=package_distances(2, 4, 10, 12, 32)),
    "epyc-7713-64": dict(
        cpu="AMD EPYC 7713 64-Core Processor",
        synthetic=f"pack:1 [numa(memory=256GiB)] l3:8(size=32MiB) l2:8(size=512KiB) {CACHES} core:1 pu:1"),
    "xeon-8160-2x24": dict(
        cpu="Intel(R) Xeon(R) Platinum 8160 CPU @ 2.10GHz",
        synthetic="pack:2 [numa(memory=96GiB)] l3:1(size=33MiB) l2:24(size=1MiB) "
                  f"{CACHES} core:1 pu:2(indexes={second_threads_last(48, 2)})",
        distances=package_distances(2, 1, 10, 21, 21)),
    "knl-7250-68x4-flat": dict(
        cpu="Intel(R) Xeon Phi(TM) CPU 7250 @ 1.40GHz",
        synthetic="pack:1 [numa(memory=96GiB)] [numa(memory=16GiB)] l2:34(size=1MiB) core:2 "
                  f"l1d:1(size=32KiB) pu:4(indexes={second_threads_last(68, 4)})",
        distances=[[10, 31], [31, 10]],
        memory={1: "MCDRAM"}),
    "opteron-8x2-ladder": dict(
        cpu="Dual-Core AMD Opteron(tm) Processor 8218",
        synthetic="pack:8 [numa(memory=8GiB)] l2:2(size=1MiB) l1d:1(size=64KiB) core:1 pu:1",
        distances=ladder_distances(4)),
    "plain-2x4": dict(
        cpu="Two packages of four cores",
        synthetic=f"pack:2 [numa(memory=16GiB)] l3:1(size=8MiB) l2:4(size=256KiB) {CACHES} core:1 pu:1",
        distances=package_distances(2, 1, 10, 21, 21)),
    "hybrid-4p8e": dict(
        cpu="A laptop with 4 big and 8 small cores",
        synthetic="pack:1 [numa(memory=16GiB)] l3:1(size=18MiB) l2:6(size=2MiB) core:4 "
                  f"pu:2(indexes={hybrid_numbers()})",
        keep=range(16),
        kinds=[("0x0000ff00", 0, "IntelAtom"), ("0x000000ff", 1, "IntelCore")]),
    "single-core": dict(
        cpu="One core",
        synthetic=f"pack:1 [numa(memory=2GiB)] l3:1(size=16MiB) l2:1(size=512KiB) {CACHES} core:1 pu:1"),
}


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def annotate(file, location, *annotation):
    run("hwloc-annotate", file, file, location, *annotation)


def add_distances(file, matrix):
    # 5: written by the operating system, and latencies (HWLOC_DISTANCES_KIND_*).
    lines = ["name=NUMALatency", "5", str(len(matrix))]
    lines += [f"numa:{n}" for n in range(len(matrix))]
    lines += [str(value) for row in matrix for value in row]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as spec:
        spec.write("\n".join(lines) + "\n")
        spec.flush()
        annotate(file, "root", "distances", spec.name)


def make(name, folder):
    machine = MACHINES[name]
    file = str(folder / f"{name}.xml")
    pathlib.Path(file).unlink(missing_ok=True)
    keep = []
    if "keep" in machine:
        keep = ["--restrict", hex(sum(1 << cpu for cpu in machine["keep"]))]
    run("lstopo-no-graphics", "--input", machine["synthetic"], *keep, "--of", "xml", file)
    annotate(file, "package:all", "info", "CPUModel", machine["cpu"])
    for node, sort in machine.get("memory", {}).items():
        annotate(file, f"numa:{node}", "subtype", sort)
    for cpus, efficiency, kind in machine.get("kinds", []):
        annotate(file, "root", "cpukind", cpus, str(efficiency), "0", "CoreType", kind)
    if "distances" in machine:
        add_distances(file, machine["distances"])
    anonymise(pathlib.Path(file))


def anonymise(path):
    """Takes out what tells of the machine and the program that made the file."""
    made_by = r'^ *<info name="(hwlocVersion|ProcessName|SyntheticDescription|HostName)".*\n'
    path.write_text(re.sub(made_by, "", path.read_text(), flags=re.MULTILINE))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    parser.add_argument("name", nargs="*", default=list(MACHINES))
    options = parser.parse_args()
    for name in options.name:
        make(name, options.out)


if __name__ == "__main__":
    main()
