#!/usr/bin/env python3
"""offload_test.py LIBRARY COMPILER: where a program has libomptarget, the routines on devices are its own.

libomptarget comes after the OpenMP runtime in the order of search, so the runtime's routines hide those of
libomptarget and have to pass the calls on. A small library stands for it here: it has the version that
libomptarget gives its routines, and claims two devices.
"""
import sys
import tempfile
from pathlib import Path

from program import execute, run

TARGET = r"""
#include <stddef.h>
int omp_get_num_devices(void) { return 2; }
void *omp_target_alloc(size_t bytes, int device) { return (void *)(bytes + (size_t)device); }
int omp_target_is_present(const void *address, int device) { return address != NULL && device == 1; }
long omp_get_interop_int(const void *object, int property, int *code) { *code = 0; return property; }
"""
WANTED = "2 2 0 101 1 0 -5 0\n"
PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
#include <stddef.h>
extern long omp_get_interop_int(const void *object, int property, int *code);
int main(int argc, char **argv) {
  int code = 9;
  printf("%d %d %d ", omp_get_num_devices(), omp_get_initial_device(), omp_get_default_device());
  printf("%d ", (int)(size_t)omp_target_alloc(100, 1));
  printf("%d %d ", omp_target_is_present(argv, 1), omp_target_is_present(argv, 0));
  printf("%d ", (int)omp_get_interop_int(argv, -5, &code));
  printf("%d\n", code);
  return 0;
}
"""


def main() -> int:
    library, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "target.c").write_text(TARGET)
        (folder / "program.c").write_text(PROGRAM)
        (folder / "target.map").write_text("VERS1.0 { *; };\n")
        target, program = folder / "libomptarget.so", folder / "program"
        run(compiler, "-shared", "-fPIC", folder / "target.c", "-o", target,
            f"-Wl,--version-script={folder / 'target.map'}")
        # The runtime comes first, as LLVM's compilers link a program.
        run(compiler, "-fopenmp", folder / "program.c", "-o", program, "-Wl,--no-as-needed", library, target,
            f"-Wl,-rpath,{library.parent}:{folder}")
        for offload in "default", "mandatory":
            ended = execute(program, LD_PRELOAD=str(library), OMP_TARGET_OFFLOAD=offload)
            if ended.stdout != WANTED:
                found.append(f"with OMP_TARGET_OFFLOAD={offload} the program said {ended.stdout!r} and "
                             f"{ended.stderr!r}, not {WANTED!r}")
    print("\n".join(found) or "every routine is the other library's")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
