"""Which OpenMP runtime a program runs on, and a check that it does.

`own` is the one its compiler brings. Anything else is the path of a shared library, put in place
of every runtime's file name in a folder that the loader searches first. Programs that are linked with
Vicino itself ask for the last name.
"""
import os
import pathlib
import subprocess

from harness import processor

NAMES = ("libgomp.so.1", "libomp.so.5", "libiomp5.so", "libvicino.so.0")


class Runtime:
    def __init__(self, which, folder):
        self.library = None if which == "own" else pathlib.Path(which).resolve(strict=True)
        self.folder = None
        if self.library:
            self.folder = folder / ("instead-" + self.library.name)
            self.link()

    def link(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            link = self.folder / name
            if os.path.realpath(link) == str(self.library):
                continue
            fresh = self.folder / f"{name}.{os.getpid()}"  # other tests may be making the link now
            fresh.symlink_to(self.library)
            os.replace(fresh, link)

    def environment(self):
        if not self.folder:
            return {}
        inherited = os.environ.get("LD_LIBRARY_PATH", "")
        return {"LD_LIBRARY_PATH": f"{self.folder}:{inherited}".rstrip(":")}

    def complaint(self, binary):
        """None if `binary` loads this runtime and no other, else what it loads."""
        environment = {**os.environ, **self.environment()}
        environment.pop("QEMU_PAGESIZE", None)  # the loader lists nothing under qemu-user 7.2 with large pages
        command, environment = processor.command([*processor.listing(), str(binary)], environment)
        trace = subprocess.run(command, text=True, capture_output=True, env=environment)
        lines = [line.split() for line in trace.stdout.splitlines()]
        found = [os.path.realpath(words[2]) for words in lines
                 if len(words) > 2 and words[0].startswith(("libgomp", "libomp", "libiomp", "libvicino"))]
        if not found:
            return f"{binary} loads no OpenMP runtime"
        others = [f for f in found if self.library and f != str(self.library)]
        return f"runs on {others}, not on {self.library}" if others else None
