#!/usr/bin/env python3
"""sources.py [PACKAGE...]: fetches the test suites from Debian's source packages.

We do not ship the suites (gcc's is GPL). They are fetched when they are needed, from the mirrors
that this machine's apt already uses, with package lists of our own: nothing in /etc or /var
changes. Only the folders that the suites need are kept.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import cache

# Package -> a pipeline that unpacks, and the folder that must then exist.
TAR = "tar --wildcards --no-wildcards-match-slash"
UNPACK = {
    "llvm-toolchain-19": (TAR + " -xJf {orig}.tar.xz '*/openmp'", "openmp/runtime/test"),
    # Debian's gcc is an archive inside an archive.
    "gcc-12": (TAR + " -xzOf {orig}.tar.gz '*/gcc-12*.tar.xz' | " + TAR
               + " -xJ '*/libgomp' '*/include'", "libgomp/testsuite"),
    "mpich": ("tar --wildcards -xf {orig}.tar.* '*/test/mpi'", "test/mpi"),
}


def unavailable(why: str) -> NoReturn:
    """Ends the run with the status that CTest shows as skipped: it is no failure of ours."""
    print(f"sources: {why}", file=sys.stderr)
    raise SystemExit(77)


def source_entries() -> list[str]:
    """deb-src lines for those of apt's repositories that are Debian's own."""
    if shutil.which("apt-get") is None:
        unavailable("the suites come by apt, which this machine has not")
    form = "$(CREATED_BY) $(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)"
    targets = subprocess.run(["apt-get", "indextargets", "--format", form], check=True,
                             capture_output=True, text=True).stdout.splitlines()
    entries = []
    for fields in map(str.split, targets):
        if fields[:3] == ["Packages", "Debian", "main"]:
            entries.append(f"deb-src {fields[3]} {fields[4]} main")
    if not entries:
        unavailable("apt knows no Debian repository; try apt-get update")
    return list(dict.fromkeys(entries))  # in apt's order, which is the order of preference


def apt_options(folder: Path) -> list[str]:
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "archives/partial").mkdir(parents=True)
    (folder / "sources.list").write_text("\n".join(source_entries()) + "\n")
    settings = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder,
        # Run by root, apt would download as a user who cannot write here.
        "APT::Sandbox::User": "root",
    }
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def download(package: str, folder: Path) -> Path:
    """Downloads the package and returns the path of its main archive, up to `.tar`."""
    options = apt_options(folder)
    for words in (["update"], ["--download-only", "source", package]):
        ended = subprocess.run(["apt-get", "-qq", *options, *words], cwd=folder, text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if ended.returncode:
            unavailable(f"apt-get {' '.join(words)}: {ended.stderr}")
    archive = next(folder.glob(f"{package}_*.orig.tar.*"))
    return Path(str(archive).rpartition(".tar")[0])


def fetch(package: str) -> Path:
    """Returns the unpacked folder of a package, after a download unless an earlier run did it."""
    command, proof = UNPACK[package]
    kept = cache.root() / "sources" / package
    if not (kept / proof).is_dir():
        print(f"sources: fetching {package}, some hundred megabytes, once", file=sys.stderr)
        kept.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as temporary:
            folder = Path(temporary)
            orig = download(package, folder)
            subprocess.run(["sh", "-c", command.format(orig=orig)], cwd=folder, check=True)
            unpacked = next(folder.glob(f"*/{proof}")).relative_to(folder).parts[0]
            shutil.rmtree(kept, ignore_errors=True)
            os.rename(folder / unpacked, kept)
    return kept


if __name__ == "__main__":
    for wanted in sys.argv[1:] or UNPACK:
        print(fetch(wanted))
