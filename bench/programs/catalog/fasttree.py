import random

from program import Program


def make(folder, size):
    """Writes sequences that descend from one another by mutations."""
    rng = random.Random(17)
    sequences = ["".join(rng.choices("ACGT", k=300))]
    while len(sequences) < size["sequences"]:
        parent = sequences.pop(0)
        sequences += ["".join(rng.choice("ACGT") if rng.random() < 0.06 else c for c in parent) for _ in range(2)]
    lines = [f">s{i}\n{sequence}\n" for i, sequence in enumerate(sequences)]
    (folder / "aligned.fa").write_text("".join(lines), encoding="utf-8")


PROGRAM = Program(
    about="FastTreeMP: a tree of aligned sequences",
    debian="fasttree",
    sizes={"sequences": (150, 50)},
    make=make,
    command="fasttreeMP -nt -quiet aligned.fa",
)
