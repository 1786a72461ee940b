"""The processor that programs are built for and run on: this machine's, or one that qemu-user plays.

qemu-user runs one process: what the process starts in its place is for this machine's own processor. It has
sequential consistency where the processor has not, so it says nothing about memory orders.
"""
import os
import pathlib

HERE = os.uname().machine
KNOWN = ("aarch64",)
_chosen = HERE


def choose(name):
    """For all that this process builds and runs."""
    global _chosen  # pylint: disable=global-statement
    if name not in (HERE, *KNOWN):
        raise ValueError(f"no processor '{name}'; known: {', '.join((HERE, *KNOWN))}")
    _chosen = name


def chosen():
    return _chosen


def is_emulated():
    return _chosen != HERE


def root():
    """Where Debian has the processor's C library."""
    return pathlib.Path(f"/usr/{_chosen}-linux-gnu")


def unpacked():
    """Where scripts/arm64_packages puts what the cross compiler's packages do not have."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "vicino/unpacked/arm64/usr/lib"


def command(argv, environment):
    """How to run a program: its arguments, and the environment for them. The loader's variables are for the program
    alone, not for the emulator."""
    if not is_emulated():
        return argv, environment
    theirs = {name: value for name, value in environment.items() if name.startswith("LD_")}
    folders = [theirs.get("LD_LIBRARY_PATH"), str(unpacked() / f"{_chosen}-linux-gnu")]
    theirs["LD_LIBRARY_PATH"] = ":".join(filter(None, folders))
    words = [word for name, value in theirs.items() for word in ("-E", f"{name}={value}")]
    ours = {name: value for name, value in environment.items() if name not in theirs}
    return [f"qemu-{_chosen}", "-L", str(root()), *words, *argv], ours


def listing():
    """The command that lists what a program or a library loads."""
    return [str(root() / f"lib/ld-linux-{_chosen}.so.1"), "--list"] if is_emulated() else ["ldd"]


def compiler(name, family):
    """A compiler's command, and its options, for programs of this processor."""
    if not is_emulated():
        return [name]
    if family == "clang":
        return [name, f"--target={_chosen}-linux-gnu"]
    return [f"{_chosen}-linux-gnu-{name}"]

