"""What travels into the guest: the command, the files that it needs to start, and those asked for.

Files keep their paths, and the symbolic links on the way to them, so that a program finds in the guest
what it found here, under the same names.
"""

import os
import shutil
import struct
from pathlib import Path

from .archive import Archive
from .failure import LabError
from .processor import X86_64

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
TRAVELS = ("OMP_", "KMP_", "GOMP_", "VICINO_")
TRAVELS_TOO = ("LD_LIBRARY_PATH", "LD_PRELOAD", "TZ", "LANG", "LC_ALL")
PT_DYNAMIC, PT_INTERP = 2, 3


class NotFound(Exception):
    """The command is not on this machine."""


def environment(extra):
    """The command's variables: settings of OpenMP and of the loader from here, and NAME=VALUE texts."""
    variables = {"PATH": PATH, "HOME": "/tmp"}
    variables |= {name: value for name, value in os.environ.items()
                  if name.startswith(TRAVELS) or name in TRAVELS_TOO}
    for text in extra:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise LabError(f"--env '{text}' is not NAME=VALUE")
        variables[name] = value
    return variables


def find_command(name):
    """The path of the program that a shell here would run."""
    if "/" in name:
        path = os.path.join(os.getcwd(), name)
        if not os.path.isfile(path):
            raise NotFound(name)
        return path
    path = shutil.which(name)
    if path is None:
        raise NotFound(name)
    return os.path.abspath(path)


def _loader_and_kind(data):
    """(the ELF interpreter or None, whether anything is to be linked) of an ELF file's bytes."""
    if data[:6] != b"\x7fELF\x02\x01":
        return None, False
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    loader, dynamic = None, False
    for index in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, start + index * size)
        dynamic = dynamic or kind == PT_DYNAMIC
        if kind == PT_INTERP:
            loader = data[offset:offset + length].rstrip(b"\0").decode()
    return loader, dynamic


class Cargo:
    def __init__(self, variables, processor=X86_64):
        self.archive = Archive()
        self._processor = processor
        self._variables = variables
        self._done = set()
        for folder in ("dev", "proc", "sys", "tmp", "lab"):
            self.archive.folder(folder)

    def add(self, path):
        """Adds a file with all its libraries and its script's interpreter, or a folder with its contents."""
        path = os.path.abspath(path)
        if path in self._done:
            return
        self._done.add(path)
        real = self._mirror(path)
        if os.path.isdir(real):
            for name in sorted(os.listdir(real)):
                if os.path.exists(os.path.join(path, name)):
                    self.add(os.path.join(path, name))
        elif os.path.isfile(real):
            self._add_file(path, real)

    def add_folder(self, path):
        """Adds the folder without its contents."""
        self._mirror(os.path.abspath(path))

    def _mirror(self, path, links=40):
        """Puts folders and links on the way to path into the archive. Returns where they lead."""
        if links == 0:
            raise LabError(f"{path}: too many symbolic links")
        reached = "/"
        parts = path.strip("/").split("/")
        for position, part in enumerate(parts):
            reached = os.path.join(reached, part)
            if os.path.islink(reached):
                target = os.readlink(reached)
                self.archive.link(reached, target)
                rest = os.path.join(os.path.dirname(reached), target, *parts[position + 1:])
                return self._mirror(os.path.normpath(rest), links - 1)
            if os.path.isdir(reached):
                self.archive.folder(reached)
        return reached

    def _add_file(self, path, real):
        if real in self.archive:
            return
        data = Path(real).read_bytes()
        self.archive.file(real, data, os.stat(real).st_mode & 0o7777)
        if data.startswith(b"#!"):
            self._add_interpreter(data)
        loader, dynamic = _loader_and_kind(data)
        if loader or dynamic:
            self._add_closure(path, loader or self._processor.loader)

    def _add_interpreter(self, data):
        """An interpreter that is missing here is missing in the guest, too."""
        words = os.fsdecode(data.split(b"\n", 1)[0][2:]).split()
        if words and os.path.isfile(words[0]):
            self.add(words[0])
            if os.path.basename(words[0]) == "env" and (found := shutil.which(words[-1])):
                self.add(found)

    def _add_closure(self, path, loader):
        self._add_loader(loader)
        own = {name: self._variables[name] for name in ("LD_LIBRARY_PATH", "LD_PRELOAD") if name in self._variables}
        for library in self._processor.list_libraries(path, loader, own):
            if not library.startswith("/"):
                continue
            self.add(library)
            # glibc loads it by itself when a thread exits or is cancelled.
            unwinder = os.path.join(os.path.dirname(library), "libgcc_s.so.1")
            if os.path.basename(library) == "libc.so.6" and os.path.exists(unwinder):
                self.add(unwinder)


    def _add_loader(self, loader):
        here = self._processor.loader_here(loader)
        if here != loader:      # of a C library that lies in a folder of its own
            real = self._mirror(os.path.dirname(loader))
            self.archive.file(os.path.join(real, os.path.basename(loader)), Path(here).read_bytes(), 0o755)
            return
        self.add(loader)
        if os.path.exists("/etc/ld.so.cache"):
            self.add("/etc/ld.so.cache")      # the guest's loader looks where this machine's does


def pack(command, variables, files, cpus, settings, armed, init, processor=X86_64):
    """The archive of a run: the guest's init, the files that travel, and init's instructions."""
    program = find_command(command[0])
    cargo = Cargo(variables, processor)
    archive = cargo.archive
    archive.file("init", init, 0o755)
    cargo.add_folder(os.getcwd())
    cargo.add(program)
    for argument in command[1:]:
        if os.path.isfile(argument):
            cargo.add(argument)
    for name in files:
        if not os.path.exists(name):
            raise LabError(f"--file '{name}' does not exist")
        cargo.add(name)
    if library_path := processor.library_path(variables.get("LD_LIBRARY_PATH")):
        variables = variables | {"LD_LIBRARY_PATH": library_path}
    strings = {
        "program": [program], "cwd": [os.getcwd()], "argv": command,
        "env": [f"{name}={value}" for name, value in variables.items()],
    }
    for name, values in strings.items():
        archive.file(f"lab/{name}", b"".join(os.fsencode(value) + b"\0" for value in values))
    archive.file("lab/cpus", str(cpus).encode())
    archive.file("lab/settings", "".join(f"{path}={value}\n" for path, value in settings).encode())
    if armed:
        archive.file("lab/arm", b"")
    return archive
