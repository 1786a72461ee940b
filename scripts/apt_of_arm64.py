"""apt for packages of Debian for arm64, whatever this machine's architecture is and what is installed here."""

import subprocess
from pathlib import Path


class Unavailable(Exception):
    """apt, or a package, cannot be had; the text says why."""


def run(*command, **options):
    try:
        return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout
    except FileNotFoundError:
        raise Unavailable(f"'{command[0]}' is missing: it needs Debian") from None
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"{' '.join(map(str, command))}: {error.stderr.strip()}") from None


class Apt:
    """The system keeps its own architecture and lists: these lie in a folder."""

    def __init__(self, folder: Path):
        for name in ("lists/partial", "cache/archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        settings = {"APT::Architecture": "arm64", "APT::Architectures": "arm64", "Dir::State::Lists": folder / "lists",
                    "Dir::State::status": folder / "status", "Dir::Cache": folder / "cache"}
        self.options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        run("apt-get", *self.options, "update", "-q")

    def depends(self, package):
        return run("apt-cache", *self.options, "depends", package)

    def download(self, packages, folder):
        run("apt-get", *self.options, "download", "-q", *packages, cwd=folder)
        return sorted(folder.glob("*.deb"))
