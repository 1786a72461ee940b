"""Checks that water has the same mean energy on Vicino as on GROMACS' own runtime.

    same_energy.py VICINO MDRUN...

A runtime that computes wrong results could be fast. Molecular dynamics is chaotic, so another order of
summation may send two runs apart after some hundred steps; their mean energies stay together.
"""

import re
import subprocess
import sys

STEPS = 1000
TOLERANCE = 0.005


def mean_energy(command, log="check.log"):
    command = [*command, "-nsteps", str(STEPS), "-g", log]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}")
    with open(log, encoding="utf-8") as lines:
        averages = lines.read().partition("A V E R A G E S")[2]
    names, values = re.search(r"(\s+LJ.*Potential.*)\n(.*)", averages).groups()
    column = re.split(r"\s{2,}", names.strip()).index("Potential")
    return float(values.split()[column])


def main(vicino, *mdrun):
    own = mean_energy(mdrun)
    on_vicino = mean_energy([vicino, "run", "--", *mdrun])
    apart = abs(on_vicino / own - 1)
    print(f"mean potential over {STEPS} steps: {own:.0f} kJ/mol, on Vicino {on_vicino:.0f}, "
          f"{apart:.2%} apart")
    if not apart <= TOLERANCE:
        sys.exit(f"more than {TOLERANCE:.1%} apart: the answer is wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])
