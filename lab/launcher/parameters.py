"""The model's numbers: read from locality/parameters.toml, changed by the machine, --bound and --set."""

import dataclasses
import tomllib
from pathlib import Path

from .failure import LabError

FILE = Path(__file__).resolve().parents[1] / "locality" / "parameters.toml"
SEEDED = "quantum"          # the number that --seed changes: another interleaving of the CPUs
BOUNDS = ("value", "low", "high")
NOISE = "noise"             # NOISE=NAME among the changes stands for that noise's numbers


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    value: int
    low: int
    high: int
    unit: str
    about: str
    source: str


@dataclasses.dataclass(frozen=True)
class Noise:
    name: str
    about: str
    source: str
    numbers: dict  # {parameter: {"value": n, "low": n, "high": n}}


def _tables(kind, make):
    try:
        with open(FILE, "rb") as file:
            return [make(**table) for table in tomllib.load(file)[kind]]
    except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"{FILE}: {error}") from None


def noises():
    return {noise.name: noise for noise in _tables(NOISE, lambda name, about, source, **numbers:
                                                   Noise(name, about, source, numbers))}


def known(machine=None):
    """All parameters; with a machine, as that machine has them."""
    found = _tables("parameter", Parameter)
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


def _noise(name, bound):
    found = noises()
    if name not in found:
        raise LabError(f"--noise '{name}': accepted: {' '.join(found)}")
    return {parameter: number[bound] for parameter, number in found[name].numbers.items()}


def chosen(machine, bound, changes, seed):
    """{name: number} of all parameters: the machine's value, low or high, after the NAME=VALUE texts of
    --set and the seed."""
    values = {parameter.name: getattr(parameter, bound) for parameter in known(machine)}
    for text in changes:
        name, _, value = text.partition("=")
        if name == NOISE:
            values |= _noise(value, bound)
            continue
        if name not in values:
            raise LabError(f"--set '{text}': unknown parameter '{name}'; known: {' '.join(values)}")
        values[name] = _number(name, value)
    values[SEEDED] += seed
    return values
