"""Packages of programs: which are missing, how apt and pip install them, which versions are shown."""

import hashlib
import os
import shutil
import subprocess
import sys


class Unavailable(Exception):
    """The program cannot be installed here: it is skipped, by name."""


def version(package):
    """The version of an installed Debian package; an empty text if it is not installed."""
    done = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", package], text=True,
                          capture_output=True, check=False) if shutil.which("dpkg-query") else None
    status, _, found = done.stdout.partition(" ") if done else ("", "", "")
    return found if status == "installed" else ""


def missing(program):
    return [package for package in program.debian.split() if not version(package)]


def _apt(*arguments):
    root = [] if os.geteuid() == 0 else ["sudo"]
    command = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=600"]
    return subprocess.run([*command, *arguments], stdout=subprocess.DEVNULL, check=False).returncode == 0


def _apt_install(packages, recommends):
    kept = [] if recommends else ["--no-install-recommends"]
    return not packages or _apt("install", "-y", *kept, *packages)


def install(programs, say):
    """Installs the Debian packages of all programs at once if that works, else those of each by itself."""
    wanted = [program for program in programs.values() if missing(program)]
    if not wanted or not shutil.which("apt-get"):
        return
    say("installing " + " ".join(sorted({package for program in wanted for package in missing(program)})))
    _apt("update")
    together = {package for program in wanted if not program.recommends for package in missing(program)}
    if not _apt_install(sorted(together), False):
        say("not all of them can be installed: one program at a time")
    for program in wanted:
        _apt_install(missing(program), program.recommends)


def python_of(program, folder):
    """A Python that has the program's packages of PyPI, made once for each list of packages."""
    pins = program.pypi.split()
    if not pins:
        return sys.executable
    place = folder / f"{pins[0].split('==')[0]}-{hashlib.sha256(program.pypi.encode()).hexdigest()[:8]}"
    python, whole = place / "bin/python", place / "whole"
    if not whole.exists():
        raise Unavailable("its PyPI packages are not installed")
    return python


def install_python(program, folder):
    try:
        return python_of(program, folder)
    except Unavailable:
        pass
    pins = program.pypi.split()
    place = folder / f"{pins[0].split('==')[0]}-{hashlib.sha256(program.pypi.encode()).hexdigest()[:8]}"
    shutil.rmtree(place, ignore_errors=True)
    for command in ([sys.executable, "-m", "venv", place],
                    [place / "bin/python", "-m", "pip", "install", "--quiet", "--no-deps",
                     "--disable-pip-version-check", "--only-binary", ":all:", *pins]):
        if subprocess.run(command, check=False).returncode:
            shutil.rmtree(place, ignore_errors=True)
            raise Unavailable(f"pip cannot install {program.pypi}")
    (place / "whole").touch()
    return python_of(program, folder)


def shown(program):
    """The version that the table shows."""
    if program.pypi:
        return program.pypi.split()[0].replace("==", " ") + " (PyPI)"
    first = program.debian.split()[0]
    return f"{first} {version(first)}"
