#!/usr/bin/env python3
"""compile_once.py COMPILER ARGUMENTS...: runs the compiler unless its output exists already.

lit keeps no build between runs, and compiling takes longer than most of LLVM's tests. The output
has a key of its inputs: the command and every file that the command names. Headers are not part of
the key: they come with the source package and the compiler, and the folder is named after the
compiler.
"""
import hashlib
import subprocess
import sys
from pathlib import Path


def key(arguments: list[str]) -> str:
    digest = hashlib.sha256("\0".join(arguments).encode())
    output = arguments[arguments.index("-o") + 1]
    for argument in arguments:
        if argument != output and Path(argument).is_file():
            digest.update(Path(argument).read_bytes())
    return digest.hexdigest()


def main() -> int:
    arguments = sys.argv[1:]
    if "-o" not in arguments:
        return subprocess.run(arguments).returncode
    output = Path(arguments[arguments.index("-o") + 1])
    stamp, wanted = Path(f"{output}.key"), key(arguments)
    if output.exists() and stamp.exists() and stamp.read_text() == wanted:
        return 0
    stamp.unlink(missing_ok=True)
    status = subprocess.run(arguments).returncode
    if status == 0:
        stamp.write_text(wanted)
    return status


if __name__ == "__main__":
    sys.exit(main())
