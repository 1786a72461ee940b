"""Packages of programs: which are missing, how apt and pip install them, which versions are shown."""

import fcntl
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


def python_with(place, *pins):
    """A Python in the folder `place` that has these packages of PyPI, too. What is missing is installed, by one
    process at a time; packages that are not named are not installed."""
    python, whole = _python(place, pins)
    if whole.exists():
        return python
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{place}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            _pip(python, place, pins)
            whole.touch()
    return python


def _python(place, pins):
    """The Python, and the file that exists if it has the packages."""
    return place / "bin/python", place / f"whole-{hashlib.sha256(' '.join(pins).encode()).hexdigest()[:8]}"


def _pip(python, place, pins):
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check",
               "--only-binary", ":all:", *pins]
    if not any(place.glob("whole-*")):  # an interrupted one may be there
        _do([sys.executable, "-m", "venv", "--clear", place], "no virtual environment can be made")
    _do(install, f"pip cannot install {' '.join(pins)}")


def _do(command, why_not):
    done = subprocess.run(command, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        told = done.stderr.strip().split("\n")[-1]
        raise Unavailable(f"{why_not}: {told}" if told else why_not)


def python_of(program, folder):
    """A Python that has the program's packages of PyPI."""
    pins = program.pypi.split()
    if not pins:
        return sys.executable
    python, whole = _python(_place(pins, folder), pins)
    if not whole.exists():
        raise Unavailable("its PyPI packages are not installed")
    return python


def install_python(program, folder):
    pins = program.pypi.split()
    return python_with(_place(pins, folder), *pins) if pins else sys.executable


def _place(pins, folder):
    return folder / f"{pins[0].split('==')[0]}-{hashlib.sha256(' '.join(pins).encode()).hexdigest()[:8]}"


def shown(program):
    """The version that the table shows."""
    if program.pypi:
        return program.pypi.split()[0].replace("==", " ") + " (PyPI)"
    first = program.debian.split()[0]
    return f"{first} {version(first)}"
