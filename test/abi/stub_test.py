#!/usr/bin/env python3
"""stub_test.py LIBRARY: a call of a function that is still a stub ends the process by its name."""
import signal
import subprocess
import sys
from pathlib import Path

from elf import exports

CALL = "import ctypes, sys; getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])()"


def main() -> int:
    library = sys.argv[1]
    # A default version is what dlsym() finds; any other is out of its reach.
    stubs = [export.name.split("@")[0] for export in exports(Path(library))
             if export.weak and export.kind == "func" and "@" not in export.name]
    for name in stubs[:1] + stubs[-1:]:
        ended = subprocess.run([sys.executable, "-c", CALL, library, name], capture_output=True,
                               text=True, timeout=60)
        if ended.returncode != -signal.SIGABRT or f"called {name}," not in ended.stderr:
            print(f"{name}: status {ended.returncode}, said: {ended.stderr}")
            return 1
    print(f"{len(stubs)} stubs; called {stubs[:1] + stubs[-1:]}" if stubs else "no stubs left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
