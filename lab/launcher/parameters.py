"""The model's numbers: read from locality/parameters.toml, changed by the machine, --bound and --set."""

import dataclasses
import tomllib
from pathlib import Path

from .failure import LabError

FILE = Path(__file__).resolve().parents[1] / "locality" / "parameters.toml"
SEEDED = "quantum"          # the number that --seed changes: another interleaving of the CPUs
BOUNDS = ("value", "low", "high")


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    value: int
    low: int
    high: int
    unit: str
    about: str
    source: str


def known(machine=None):
    """All parameters; with a machine, as that machine has them."""
    try:
        with open(FILE, "rb") as file:
            found = [Parameter(**table) for table in tomllib.load(file)["parameter"]]
    except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"{FILE}: {error}") from None
    own = dict(machine.parameters) if machine else {}
    if unknown := own.keys() - {parameter.name for parameter in found}:
        raise LabError(f"machine {machine.name}: unknown parameter '{min(unknown)}'; known: "
                       f"{' '.join(parameter.name for parameter in found)}")
    return [dataclasses.replace(parameter, **own.get(parameter.name, {})) for parameter in found]


def _number(name, text):
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise LabError(f"--set {name}={text}: '{text}' is not a whole number from 0")
    return value


def chosen(machine, bound, changes, seed):
    """{name: number} of all parameters: the machine's value, low or high, after the NAME=VALUE texts of
    --set and the seed."""
    values = {parameter.name: getattr(parameter, bound) for parameter in known(machine)}
    for text in changes:
        name, _, value = text.partition("=")
        if name not in values:
            raise LabError(f"--set '{text}': unknown parameter '{name}'; known: {' '.join(values)}")
        values[name] = _number(name, value)
    values[SEEDED] += seed
    return values
