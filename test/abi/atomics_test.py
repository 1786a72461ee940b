#!/usr/bin/env python3
"""atomics_test.py LIBRARY CC: __atomic_load() and its like come from the library that a program was linked against.

libiomp5 exports three of libatomic's functions, so Vicino does, for programs linked against libiomp5. A program that
has libatomic must get all of them from there even if Vicino is preloaded: the locks of the two differ, and an object
that one thread loads by one and another thread exchanges by the other is torn.
"""
import re
import sys
import tempfile
from pathlib import Path

from program import execute, run

PROGRAM = """
struct object { long words[3]; } object;
int main(void) {
  struct object one = {{1, 1, 1}}, two = {{2, 2, 2}}, seen;
  __atomic_store(&object, &one, __ATOMIC_SEQ_CST);
  if (!__atomic_compare_exchange(&object, &one, &two, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
  __atomic_load(&object, &seen, __ATOMIC_SEQ_CST);
  return seen.words[2] != 2;
}
"""
NAMES = ("__atomic_load", "__atomic_store", "__atomic_compare_exchange")
# What a program is linked against in place of libiomp5.
STAND_IN = "".join(f'void stand_in{i}(void) __asm__("{name}"); void stand_in{i}(void) {{}}\n'
                   for i, name in enumerate(NAMES))


def bound(program: Path, **variables: str) -> dict[str, Path]:
    """The library in which the dynamic linker found each function."""
    ended = execute(program, LD_DEBUG="bindings", **variables)
    if ended.returncode:
        raise SystemExit(f"{program}: status {ended.returncode}\n{ended.stderr[-2000:]}")
    found = re.findall(r"binding file \S+ \[0\] to (\S+) \[0\]: normal symbol `(__atomic_\w+)'", ended.stderr)
    return {name: Path(file).resolve() for file, name in found}


def main() -> int:
    library, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as temporary:
        folder, replacement = Path(temporary), Path(temporary) / "replacement"
        replacement.mkdir()
        (replacement / "libiomp5.so").symlink_to(library)
        (folder / "program.c").write_text(PROGRAM)
        (folder / "stand_in.c").write_text(STAND_IN)
        (folder / "map").write_text("VERSION { *; };\n")
        run(compiler, "-shared", "-fPIC", f"-Wl,--version-script={folder}/map", "-Wl,-soname,libiomp5.so",
            folder / "stand_in.c", "-o", folder / "libiomp5.so")
        run(compiler, folder / "program.c", folder / "libiomp5.so", "-o", folder / "intel")
        run(compiler, folder / "program.c", "-latomic", "-o", folder / "plain")
        intel = bound(folder / "intel", LD_LIBRARY_PATH=str(replacement))
        plain = bound(folder / "plain", LD_PRELOAD=str(library))
    problems = [f"{name} of a program linked against libiomp5 is found in {intel.get(name)}"
                for name in NAMES if intel.get(name) != library]
    problems += [f"{name} of a program linked against libatomic is found in {plain.get(name)}"
                 for name in NAMES if "libatomic" not in str(plain.get(name))]
    print("\n".join(problems) or "each program has its own library's")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
