#!/usr/bin/env python3
"""The tarball and the wheel of `make dist`, used in Debian releases from glibc 2.31 to today's.

    dist_test.py ROOT --dist FOLDER [TEST...]     one root: bullseye, bookworm, trixie, sid

Makes the files in FOLDER and the root, and has inside.py run in it as an ordinary user without a network. Then the
self test once more, where nothing in /tmp may be executed.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path[:0] = [str(REPOSITORY / "test/compilers")]

import roots  # noqa: E402

PACKAGES = ("gcc", "libc6-dev", "gfortran", "clang", "libomp-dev", "python3", "python3-pip", "python3-venv",
            "python3-sklearn", "tesseract-ocr", "tesseract-ocr-eng", "python3-pil", "fonts-dejavu-core")
ROOTS = {name: roots.Root(f"user-{name}", (), PACKAGES, release=name)
         for name in ("bullseye", "bookworm", "trixie", "sid")}
NOBODY = "65534"
UNAVAILABLE = 3  # packaging/dist's status


def as_a_user(*command, before=""):
    """No network and no rights, after a line that still has both."""
    user = f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups"
    return ["unshare", "--net", "sh", "-ec", f'{before}\nexec {user} "$@"', "sh", *map(str, command)]


def dist(folder):
    """The tarball unpacked, the tarball and the wheel, made new if anything changed."""
    status = subprocess.run([REPOSITORY / "packaging/dist", "x86_64", "--output", folder], check=False).returncode
    if status == UNAVAILABLE:
        raise roots.Unavailable("packaging/dist has no compiler")
    if status:
        sys.exit("packaging/dist failed")
    tarball, wheel = [next(folder.glob(pattern)).resolve() for pattern in ("*-linux-x86_64.tar.xz", "*_x86_64.whl")]
    unpacked = folder / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(tarball) as packed:
        packed.extractall(unpacked)
    return next(unpacked.iterdir()).resolve(), tarball, wheel


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("root", choices=ROOTS)
    parser.add_argument("--dist", type=pathlib.Path, default=REPOSITORY / "dist")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    try:
        folder = roots.ensure(ROOTS[options.root])
        files = dist(options.dist)
        inside = ["python3", HERE / "inside.py", *files]
        statuses = []
        for before, tests in (("", options.tests), ("mount -o remount,noexec /tmp", ["Tarball.test_selftest"])):
            command = roots.entering(folder, as_a_user(*inside, *tests, before=before), read=[HERE, options.dist])
            statuses.append(subprocess.run(command, check=False).returncode)
    except roots.Unavailable as reason:
        print(reason)
        return roots.SKIPPED
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
