"""A program whose loops are taskloops, on a machine with four memory nodes: a guest of the lab (lab/README.md).

    four_nodes.py VICINO LAB PROGRAM FILE [ARGUMENT...]

VICINO: libvicino.so; LAB: the lab's build folder; FILE: gets what table.py and picture.py read. The guest's clock is that of
the machine that is modelled, so the times do not depend on what else runs here. Each of a few runs has another
interleaving of the processors; the interval goes from the smallest ratio to the largest. Without a guest FILE says why.
"""

import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MACHINE = "4x4"  # nodes and processors of each
SEEDS = 3
FETCHING = 120  # seconds: the kernel's package has some 30 MB
RUNNING = 300


class Missing(Exception):
    pass


def need_a_guest():
    """What a guest needs, but for the lab itself."""
    if shutil.which("qemu-system-x86_64") is None:
        raise Missing("QEMU is not installed; scripts/need lab does it")
    if (ROOT / "build" / "lab" / "kernel" / "vmlinux").exists():
        return
    try:
        done = subprocess.run([ROOT / "scripts" / "lab_kernel"], capture_output=True, text=True, timeout=FETCHING, check=False)
    except subprocess.TimeoutExpired:
        raise Missing(f"the guest's kernel did not come within {FETCHING} s") from None
    if done.returncode != 0:
        raise Missing(f"the guest's kernel cannot be had: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")


def ns_in_guest(lab, command, seed, *variables):
    """What the program says of its time, in the guest."""
    try:
        done = subprocess.run([ROOT / "lab" / "lab", "--build", lab, "--machine", MACHINE, "--clock", "model", "--seed", str(seed),
                               *(word for variable in variables for word in ("--env", variable)), "--", *command],
                              capture_output=True, text=True, timeout=RUNNING, check=False)
    except subprocess.TimeoutExpired:
        raise Missing(f"a guest did not end within {RUNNING} s") from None
    if done.returncode != 0:
        raise Missing(f"a guest ended with status {done.returncode}: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")
    return json.loads(done.stdout)["ns"][0]


def compare(vicino, lab, command):
    need_a_guest()
    own, ours = [], []
    for seed in range(SEEDS):
        own.append(ns_in_guest(lab, command, seed) / 1e6)
        ours.append(ns_in_guest(lab, command, seed, f"LD_PRELOAD={vicino}") / 1e6)
    ratios = [base / candidate for base, candidate in zip(own, ours)]
    low, high = min(ratios), max(ratios)
    return {"base": {"median": statistics.median(own), "runtimes": ["libomp.so"]},
            "candidate": {"median": statistics.median(ours)},
            "ratio": {"estimate": statistics.median(ratios), "low": low, "high": high},
            "verdict": "better" if low > 1 else "worse" if high < 1 else "no difference"}


def main(vicino, lab, program, file, *arguments):
    try:
        found = compare(vicino, lab, [program, *arguments])
    except Missing as missing:
        found = {"left_out": str(missing)}
        print(f"left out: {missing}")
    Path(file).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
