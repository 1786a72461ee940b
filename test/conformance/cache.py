"""cache.py: where fetched sources and compiled test programs stay between runs."""
import fcntl
import hashlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def root() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "vicino" / "conformance"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def compiler_folder(suite: str, *compilers: str) -> Path:
    """One folder per exact version of the compilers, for programs are kept for one version only."""
    banners = [subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True)
               .stdout.splitlines()[0] for compiler in compilers]
    key = hashlib.sha256("\n".join(banners).encode()).hexdigest()[:12]
    folder = root() / f"{suite}-{key}"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds a lock, because two runs at once would overwrite each other's programs."""
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
