from program import Program

PROGRAM = Program(
    about="GROMACS: molecular dynamics of water with particle-mesh Ewald",
    debian="gromacs gromacs-data",
    sizes={"steps": (300, 20), "nm": (3.0, 2.5)},
    files={
        "topol.top": """
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spc.itp"
[ system ]
Water
[ molecules ]
""",
        "settle.mdp": """
integrator = steep
nsteps = 100
emtol = 500
cutoff-scheme = Verlet
coulombtype = PME
""",
        "move.mdp": """
integrator = md
dt = 0.002
nsteps = @steps@
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
gen-vel = yes
gen-temp = 300
gen-seed = 17
nstlog = 100
nstenergy = 10
""",
    },
    prepare="""
exec 2>log
gmx -nobackup solvate -cs spc216.gro -box @nm@ @nm@ @nm@ -p topol.top -o box.gro
gmx -nobackup grompp -f settle.mdp -c box.gro -p topol.top -o settle.tpr
gmx -nobackup mdrun -ntmpi 1 -deffnm settle
gmx -nobackup grompp -f move.mdp -c settle.gro -p topol.top -o move.tpr
""",
    command="gmx -nobackup mdrun -ntmpi 1 -s move.tpr -deffnm move -noconfout",
    writes="move.log",
    # The result is the log's mean energies: molecular dynamics is chaotic, but means stay together.
    result="sed '1,/A V E R A G E S/d' move.log | awk 'energies-- == 1 { print $4, $5 } /Potential/ && !seen++ { energies = 1 }'",
    relative=0.005,
    seconds=2,
)
