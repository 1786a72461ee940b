import xtb
from program import Program

INPUT = """
&GLOBAL
  PROJECT water
  RUN_TYPE ENERGY
&END GLOBAL
&FORCE_EVAL
  METHOD QS
  &DFT
    BASIS_SET_FILE_NAME BASIS_MOLOPT
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 120
    &END MGRID
    &SCF
      EPS_SCF 1.0E-9
      MAX_SCF @steps@
      &OT
      &END OT
    &END SCF
    &XC
      &XC_FUNCTIONAL PADE
      &END XC_FUNCTIONAL
    &END XC
  &END DFT
  &SUBSYS
    &CELL
      ABC 8.0 8.0 8.0
    &END CELL
    &TOPOLOGY
      COORD_FILE_NAME water.xyz
      COORD_FILE_FORMAT XYZ
    &END TOPOLOGY
    &KIND H
      BASIS_SET SZV-MOLOPT-GTH
      POTENTIAL GTH-PADE-q1
    &END KIND
    &KIND O
      BASIS_SET SZV-MOLOPT-GTH
      POTENTIAL GTH-PADE-q6
    &END KIND
  &END SUBSYS
&END FORCE_EVAL
"""

PROGRAM = Program(
    about="CP2K: steps of a density functional calculation of water",
    debian="cp2k cp2k-data libopenblas0-openmp",
    sizes={"molecules": (4, 2), "steps": (4, 2)},
    make=xtb.make,
    files={"water.inp": INPUT},
    command="cp2k.psmp -i water.inp",
    keep=r"ENERGY\|",
    relative=1e-6,
    env={"CP2K_DATA_DIR": "/usr/share/cp2k"},
    seconds=3,
)
