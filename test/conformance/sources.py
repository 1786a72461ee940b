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
from typing import NamedTuple, NoReturn

import cache
import mirror


class Package(NamedTuple):
    pipeline: str  # unpacks
    proof: str  # the folder that must then exist
    release: str = ""  # empty: those that apt is set up for


TAR = "tar --wildcards --no-wildcards-match-slash"


def llvm(release: str = "") -> Package:
    return Package(TAR + " -xJf {orig}.tar.xz '*/openmp'", "openmp/runtime/test", release)


def gcc(version: int, release: str = "") -> Package:
    """Debian's gcc is an archive inside an archive."""
    return Package(f"{TAR} -xOf {{orig}}.tar.* '*/gcc-{version}*.tar.xz' | "
                   f"{TAR} -xJ '*/libgomp' '*/include'", "libgomp/testsuite", release)


PACKAGES = {
    "llvm-toolchain-19": llvm(),
    "llvm-toolchain-23": llvm("sid"),
    "gcc-12": gcc(12),
    "gcc-16": gcc(16, "sid"),
    "mpich": Package("tar --wildcards -xf {orig}.tar.* '*/test/mpi'", "test/mpi"),
}


def unavailable(why: str) -> NoReturn:
    """Ends the run with the status that CTest shows as skipped: it is no failure of ours."""
    print(f"sources: {why}", file=sys.stderr)
    raise SystemExit(77)


def source_entries(release: str) -> list[str]:
    """Lines for the package's release, or for those of apt's repositories that are Debian's own."""
    found = mirror.indices()
    if release:
        return [f"deb-src {mirror.of_releases(found)} {release} main"]
    return list(dict.fromkeys(f"deb-src {index.address} {index.release} main" for index in found))


def apt_options(folder: Path, release: str) -> list[str]:
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "archives/partial").mkdir(parents=True)
    (folder / "sources.list").write_text("\n".join(source_entries(release)) + "\n")
    settings = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder,
        # Run by root, apt would download as a user who cannot write here.
        "APT::Sandbox::User": "root",
        # A mirror that stands still is good enough.
        "Acquire::Check-Valid-Until": "no",
    }
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def versions(package: str, options: list[str], folder: Path) -> list[str]:
    """Those that the mirror lists, the newest first. It need not have the files of all."""
    listed = subprocess.run(["apt-cache", *options, "madison", package], cwd=folder, text=True,
                            capture_output=True).stdout.splitlines()
    found = (line.split("|") for line in listed if line.endswith("Sources"))
    return list(dict.fromkeys(version.strip() for _, version, _ in found))


def download(package: str, folder: Path) -> Path:
    """Downloads the package's main archive and returns its path up to `.tar`."""
    try:
        options = apt_options(folder, PACKAGES[package].release)
    except mirror.Unavailable as reason:
        unavailable(str(reason))

    def complaint(*words: str) -> str:
        ended = subprocess.run(["apt-get", "-qq", *options, *words], cwd=folder, text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return f"apt-get {' '.join(words)}: {ended.stderr}" if ended.returncode else ""

    if why := complaint("update"):
        unavailable(why)
    complaints = [f"the mirror lists no source package {package}"]
    for version in versions(package, options, folder):
        why = complaint("--download-only", "--tar-only", "source", f"{package}={version}")
        if not why:
            archive = next(folder.glob(f"{package}_*.orig.tar.*"))
            return Path(str(archive).rpartition(".tar")[0])
        complaints.append(why)
    unavailable(complaints[-1])


def fetch(package: str) -> Path:
    """Returns the unpacked folder of a package, after a download unless an earlier run did it."""
    pipeline, proof, _ = PACKAGES[package]
    kept = cache.root() / "sources" / package
    if not (kept / proof).is_dir():
        print(f"sources: fetching {package}, some hundred megabytes, once", file=sys.stderr)
        kept.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as temporary:
            folder = Path(temporary)
            orig = download(package, folder)
            subprocess.run(["sh", "-c", pipeline.format(orig=orig)], cwd=folder, check=True)
            unpacked = next(folder.glob(f"*/{proof}")).relative_to(folder).parts[0]
            shutil.rmtree(kept, ignore_errors=True)
            os.rename(folder / unpacked, kept)
    return kept


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PACKAGES:
        print(fetch(wanted))
