"""PySCF: energies of a water molecule by Hartree-Fock and density functional theory."""

PINS = ("pyscf==2.7.0", "h5py==3.12.1")
# Threads add their parts of the Fock matrix in the order in which they come, and the iteration stops when
# the energy changes by less than 1e-10 Hartree of 76.
RELATIVE = 1e-10


def work():
    from pyscf import dft, gto, scf

    water = gto.M(atom="O 0 0 0; H 0 -0.757 0.587; H 0 0.757 0.587", basis="cc-pvtz", verbose=0)
    hartree_fock = scf.RHF(water)
    functional = dft.RKS(water, xc="pbe0")
    lines = []
    for name, method in (("RHF", hartree_fock), ("PBE0", functional)):
        method.conv_tol = 1e-10
        energy = method.kernel()
        lines.append(f"{name} {method.converged} {energy:.12f}")
    return lines
