"""mirror.py: Debian's mirrors, as this machine's apt knows them."""
import shutil
import subprocess
from typing import NamedTuple


class Unavailable(Exception):
    """Why something cannot be had from a mirror."""


class Index(NamedTuple):
    origin: str
    label: str
    component: str
    address: str
    release: str


FORM = "|".join(("$(ORIGIN)", "$(LABEL)", "$(COMPONENT)", "$(REPO_URI)", "$(RELEASE)"))


def indices() -> list[Index]:
    """Debian's own, in apt's order, which is the order of preference."""
    if shutil.which("apt-get") is None:
        raise Unavailable("it comes by apt, which this machine has not")
    listed = subprocess.run(["apt-get", "indextargets", "--format", FORM, "Created-By: Packages"],
                            check=True, capture_output=True, text=True).stdout
    return of_debian(listed)


def of_debian(listed: str) -> list[Index]:
    every = [Index(*line.split("|")) for line in listed.splitlines()]
    found = [index for index in every if (index.origin, index.component) == ("Debian", "main")]
    if not found:
        raise Unavailable("apt knows no mirror of Debian; try apt-get update")
    return found


def of_releases(found: list[Index]) -> str:
    """The mirror that has every release of Debian; the one of security updates has not."""
    for index in found:
        if index.label == "Debian":
            return index.address
    raise Unavailable("apt knows no mirror of Debian's releases")
