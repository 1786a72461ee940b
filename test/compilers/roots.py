#!/usr/bin/env python3
"""Roots of other Debian releases, with their compilers.

    roots.py NAME [COMMAND...]     makes the root if it is not there, and runs a command in it

A root is made by debootstrap from the mirror that this machine's apt uses, with package lists of its own: nothing
of the machine's own packages changes. It stays in ${XDG_CACHE_HOME:-~/.cache}/vicino/roots/NAME; delete it for a
new one. It is made under another name and renamed at the end, so that a root that exists is whole.
"""
import contextlib
import dataclasses
import fcntl
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "test/conformance"))

import mirror  # noqa: E402
from mirror import Unavailable  # noqa: E402

SKIPPED = 77  # the exit status that CTest takes for a skipped test
GIGABYTES = 6  # that making a root needs at most; it keeps some four
STAMP = "vicino-packages"  # in the root: what was asked for, then what was missing in the release


@dataclasses.dataclass(frozen=True)
class Root:
    """`unpacked`: packages of which only the files are there, since they exclude others that are installed.
    Each version of libomp-*-dev does, although only the compiler of its version looks into its folder."""
    name: str
    compilers: tuple
    packages: tuple
    unpacked: tuple = ()
    # Older than this machine: Vicino's library, which is built here, does not load there, and its compilers do
    # not know all that the programs use.
    is_older: bool = False
    release: str = ""  # of Debian, if the root has another name

    @property
    def wanted(self):
        return " ".join([*self.packages, "unpacked:", *self.unpacked]) + "\n"


def gcc(*versions):
    return tuple(f"{part}-{version}" for version in versions for part in ("gcc", "g++"))


TOOLS = ("python3", "libhwloc15")  # for the harness, and for recorded machines
ROOTS = {root.name: root for root in (
    Root("bullseye", ("gcc-10", "gfortran-10", "clang-11", "clang-13"),
         (*gcc(10), "gfortran-10", "clang-11", "clang-13", "libomp-13-dev", *TOOLS),
         ("libomp-11-dev", "libomp5-11"), is_older=True),
    Root("trixie", ("gcc-14", "gfortran-14", "clang-19", "clang-22", "flang-19", "flang-22"),
         (*gcc(14), "gfortran-14", "clang-19", "clang-22", "flang-19", "flang-22", "libomp-22-dev", *TOOLS),
         ("libomp-19-dev",)),
    Root("sid", ("gcc-13", "gcc-14", "gcc-15", "gcc-16", "gfortran-16", "clang-21", "clang-23", "flang-21", "flang-23"),
         (*gcc(13, 14, 15, 16), "gfortran-16", "clang-21", "clang-23", "flang-21", "flang-23", "libomp-23-dev",
          "llvm-23-tools", "python3-psutil", *TOOLS), ("libomp-21-dev",)),
)}


def cache():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "vicino"


def needs(command, package):
    """The path of a command that only root may have in its PATH."""
    found = shutil.which(command, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if found is None:
        raise Unavailable(f"'{command}' is missing: install {package} (scripts/need compilers)")
    return found


def proxy():
    """apt's proxy, for debootstrap, which does not ask apt."""
    said = subprocess.run(["apt-config", "shell", "http_proxy", "Acquire::http::Proxy"], check=True,
                          capture_output=True, text=True).stdout
    return dict(word.split("=", 1) for word in shlex.split(said))


def making(root, folder, address):
    """The shell commands that make a root. A mirror that stands still is good enough: its lists may be too old
    for apt."""
    apt = "apt-get -q -o Acquire::Check-Valid-Until=no -o APT::Sandbox::User=root"
    inside = f"""
        set -eu
        {apt} update
        : > /{STAMP}.missing
        known() {{
          for package; do
            if apt-cache madison "$package" | grep -q .; then echo "$package"; else echo "$package" >> /{STAMP}.missing; fi
          done
        }}
        {apt} install -y --no-install-recommends $(known {" ".join(root.packages)})
        cd /tmp
        for package in $(known {" ".join(root.unpacked)}); do
          {apt} download "$package"
          dpkg-deb --extract "$package"_*.deb /
          rm "$package"_*.deb
        done
        apt-get clean
        rm -rf /var/lib/apt/lists/* /usr/share/doc /usr/share/man /usr/share/locale
    """
    return f"""
        set -eu
        {needs("debootstrap", "debootstrap")} --variant=minbase {root.release or root.name} {shlex.quote(str(folder))} {shlex.quote(address)}
        chroot {shlex.quote(str(folder))} sh -c {shlex.quote(inside)}
    """


def may_enter():
    if os.geteuid() != 0:
        raise Unavailable("only root may make and enter another root")
    unshare = needs("unshare", "util-linux")
    if subprocess.run([unshare, "--mount", "true"], capture_output=True, check=False).returncode:
        raise Unavailable("this machine lets nobody mount anything ('unshare --mount' fails)")
    return [unshare, "--mount", "--propagation", "private"]


def make(root, folder):
    """Makes the root in a new folder. What it mounts is gone when it ends, however it ends."""
    if shutil.disk_usage(folder.parent).free < GIGABYTES << 30:
        raise Unavailable(f"{folder.parent} has less than {GIGABYTES} GB left")
    script = making(root, folder, mirror.of_releases(mirror.indices()))
    log = folder.with_name(f"{root.name}.log")
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive",
                   **{name: text for name, text in os.environ.items() if name.endswith("_proxy")}, **proxy()}
    print(f"roots: making {root.name}, some gigabytes, once ({log})", file=sys.stderr, flush=True)
    with open(log, "w") as output:
        status = subprocess.run([*may_enter(), "sh", "-c", script], env=environment, check=False,
                                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT).returncode
    if status:
        lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        raise Unavailable(f"the root {root.name} cannot be made: {' / '.join(lines[-2:])}")
    missing = (folder / f"{STAMP}.missing").read_text().split()
    (folder / STAMP).write_text(root.wanted + "".join(f"missing: {package}\n" for package in missing))


def is_good(root, folder):
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text().startswith(root.wanted)


@contextlib.contextmanager
def locked(file):
    with open(file, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def ensure(root):
    """The folder of the root, which is made if it is missing or was made with other packages."""
    folders = cache() / "roots"
    folder, unfinished = folders / root.name, folders / f"{root.name}.unfinished"
    folders.mkdir(parents=True, exist_ok=True)
    with locked(folders / f"{root.name}.lock"):
        if not is_good(root, folder):
            may_enter()
            shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was ended
            try:
                make(root, unfinished)
                shutil.rmtree(folder, ignore_errors=True)
                os.rename(unfinished, folder)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def entering(folder, command, read=(), write=(), environment=None):
    """The command line that runs a command in the root. The folders `read` and `write` are there under their own
    names, the others are the root's and cannot be changed; /tmp is empty. What is mounted is gone at the end."""
    root = shlex.quote(str(folder))
    lines = [f"mount --bind {root} {root}", f"mount -t tmpfs tmpfs {root}/tmp"]
    lines += [f"mount --rbind /{name} {root}/{name}" for name in ("proc", "sys", "dev")]
    # A folder inside another one comes later, so that it is not hidden by it.
    for path in sorted({pathlib.Path(path).resolve() for path in (*read, *write)}):
        inside = shlex.quote(f"{folder}{path}")
        lines += [f"mkdir -p {inside}", f"mount --bind {shlex.quote(str(path))} {inside}"]
        if path not in {pathlib.Path(kept).resolve() for kept in write}:
            lines.append(f"mount -o remount,bind,ro {inside}")
    here = shlex.quote(f'cd {shlex.quote(os.getcwd())} 2>/dev/null || cd /; exec "$@"')
    lines += [f"mount -o remount,bind,ro {root}", f'exec chroot {root} sh -c {here} sh "$@"']
    settings = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8",
                "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(cache().parent), **(environment or {})}
    return [*may_enter(), "env", "-i", *(f"{name}={text}" for name, text in settings.items()),
            "sh", "-ec", "\n".join(lines), "sh", *map(str, command)]


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ROOTS:
        sys.exit(f"usage: roots.py NAME [COMMAND...]; the names: {' '.join(ROOTS)}")
    try:
        folder = ensure(ROOTS[sys.argv[1]])
        if command := sys.argv[2:]:
            return subprocess.run(entering(folder, command, read=[REPOSITORY]), check=False).returncode
        print(folder)
    except Unavailable as reason:
        print(reason)
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
