import random

from program import Program


def make(folder, size):
    """Writes reads of a random genome, with the errors of a sequencing machine."""
    rng = random.Random(17)
    genome = "".join(rng.choices("ACGT", k=size["genome"]))
    with open(folder / "reads.fa", "w", encoding="utf-8") as reads:
        for number in range(size["genome"] // 6):
            at = rng.randrange(len(genome) - 150)
            read = "".join(rng.choice("ACGT") if rng.random() < 0.003 else c for c in genome[at:at + 150])
            reads.write(f">{number}\n{read}\n")


PROGRAM = Program(
    about="megahit: a genome assembled from reads",
    debian="megahit",
    sizes={"genome": (12_000, 5_000)},
    make=make,
    command="sh -c 'rm -rf out; megahit --k-list 21,41 -r reads.fa -o out'",
    writes="out",
    result="grep -v '>' out/final.contigs.fa | sort",
    seconds=1.5,
)
