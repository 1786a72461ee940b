#!/usr/bin/env python3
"""nodes_test.py LIBRARY GCC: a program that needs any version node of vicino.map starts, and one that needs another
does not.

For each node, a stand-in for the runtime of a release to come has one function under that node, and one that Vicino
has. The program is linked with the stand-in, needs the node for both, and calls the second.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from program import execute, run

MAP = Path(__file__).resolve().parents[2] / "src/abi/vicino.map"
UNKNOWN = "GOMP_99.0"
RELEASED = {  # of libgomp 16 and libomp 23
    "VERSION", "OMP_1.0", "OMP_2.0", "OMP_3.0", "OMP_3.1", "OMP_4.0", "OMP_4.5", "OMP_5.0", "OMP_5.0.1", "OMP_5.0.2",
    "OMP_5.1", "OMP_5.1.1", "OMP_5.2", "OMP_6.0", "GOMP_1.0", "GOMP_2.0", "GOMP_3.0", "GOMP_4.0", "GOMP_4.0.1",
    "GOMP_4.5", "GOMP_5.0", "GOMP_5.0.1", "GOMP_5.1", "GOMP_5.1.1", "GOMP_5.1.2", "GOMP_5.1.3", "GOMP_6.0",
    "GOMP_6.0.1", "OACC_2.0", "OACC_2.0.1", "OACC_2.5", "OACC_2.5.1", "OACC_2.6", "OACC_2.6.1", "GOACC_2.0",
    "GOACC_2.0.1", "GOACC_2.0.2"}
STANDIN = "int omp_get_num_threads(void) { return 7; }\n"
PROGRAM = """
int omp_get_num_threads(void);
int main(void) { return omp_get_num_threads() == 1 ? 0 : 1; }
"""


def status_with(node: str, library: Path, compiler: str, folder: Path) -> subprocess.CompletedProcess:
    (folder / "node.map").write_text(f"{node} {{ omp_get_num_threads; }};\n")
    standin, program = folder / "libgomp.so.1", folder / f"needs-{node}"
    run(compiler, "-shared", "-fPIC", folder / "standin.c", "-o", standin, "-Wl,-soname,libgomp.so.1",
        f"-Wl,--version-script={folder / 'node.map'}")
    run(compiler, folder / "program.c", "-o", program, standin)
    standin.unlink()
    standin.symlink_to(library)
    ended = execute(program, LD_LIBRARY_PATH=str(folder))
    standin.unlink()
    return ended


def main() -> int:
    library, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    nodes = re.findall(r"^([A-Z]+(?:_[\d.]+)?) \{", MAP.read_text(), re.MULTILINE)
    found = [f"{node} is not declared" for node in sorted(RELEASED - set(nodes))]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "standin.c").write_text(STANDIN)
        (folder / "program.c").write_text(PROGRAM)
        for node in nodes:
            ended = status_with(node, library, compiler, folder)
            if ended.returncode or ended.stderr:
                found.append(f"{node}: status {ended.returncode}, {ended.stderr.strip()}")
        ended = status_with(UNKNOWN, library, compiler, folder)
        if UNKNOWN not in ended.stderr:
            found.append(f"a program that needs {UNKNOWN} starts")
    print("\n".join(found) or f"{len(nodes)} nodes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
