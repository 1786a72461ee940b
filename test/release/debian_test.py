"""The packages of `make deb`, in Debian 12 and 13: installed, used and removed.

    debian_test.py BUILD

Builds the packages, which lintian has to like, and has inside.py use them in each root, as they are and without a
network. A root is the same afterwards: what is written goes to a file system of its own, which is gone at the end.
"""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(sys.argv.pop()).resolve()
sys.path[:0] = [str(ROOT / "test/compilers"), str(ROOT / "test/dist")]

import dist_test  # noqa: E402
import roots  # noqa: E402

RELEASES = ("bookworm", "trixie")
# A root with a layer above it that is forgotten. The folders of the packages and of this test are in it.
ENTER = """
layer=$1/tmp root=$2; shift 2
mount -t tmpfs tmpfs "$layer"
mkdir "$layer/new" "$layer/work" "$layer/all"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$layer/new,workdir=$layer/work" "$layer/all"
for name in proc dev; do mount --rbind "/$name" "$layer/all/$name"; done
mkdir "$layer/all/here"
cp "$@" "$layer/all/here"
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \\
  unshare --net chroot "$layer/all" python3 /here/inside.py
"""


def use(release, packages):
    """The status of inside.py."""
    folder = roots.ensure(dist_test.ROOTS[release])
    layer = BUILD / "test/release/layer"
    shutil.rmtree(layer, ignore_errors=True)
    (layer / "tmp").mkdir(parents=True)
    print(f"--- {release}", flush=True)
    command = [*roots.may_enter(), "sh", "-ec", ENTER, "sh", layer, folder, HERE / "inside.py", HERE / "team.c", *packages]
    return subprocess.run([str(word) for word in command], check=False).returncode


def main():
    debs = BUILD / "test/release/debs"
    shutil.rmtree(debs, ignore_errors=True)
    try:
        roots.may_enter()
        if not all(shutil.which(tool) for tool in ("dpkg-buildpackage", "dh", "lintian")):
            raise roots.Unavailable("needs debhelper and lintian: scripts/need release")
        subprocess.run([ROOT / "packaging/deb", "--output", debs], check=True)
        return max(use(release, sorted(debs.glob("*.deb"))) for release in RELEASES)
    except roots.Unavailable as reason:
        print(reason)
        return roots.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
