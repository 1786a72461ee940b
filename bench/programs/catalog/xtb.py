import math
import random

from program import Program


def make(folder, size):
    """Writes water molecules on a grid, turned at random."""
    rng = random.Random(17)
    atoms = []
    for place in range(size["molecules"]):
        x, y, z = (3.0 * (place // by % 3) for by in (1, 3, 9))
        angle = rng.uniform(0, 2 * math.pi)
        atoms.append(f"O {x:.6f} {y:.6f} {z:.6f}")
        for side in (-0.912, 0.912):
            atoms.append(f"H {x + 0.96 * math.cos(angle + side):.6f} {y + 0.96 * math.sin(angle + side):.6f} {z:.6f}")
    text = f"{len(atoms)}\n\n" + "\n".join(atoms) + "\n"
    (folder / "water.xyz").write_text(text, encoding="utf-8")


PROGRAM = Program(
    about="xtb: energy and forces of a cluster of water",
    debian="xtb libopenblas0-openmp",
    sizes={"molecules": (9, 4)},
    make=make,
    command="xtb water.xyz --gfn 2 --grad",
    keep="TOTAL ENERGY|HOMO-LUMO GAP",
    relative=1e-4,
    env={"OMP_STACKSIZE": "64M"},
    seconds=2,
)
