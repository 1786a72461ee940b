"""The memory model's numbers: read from locality/parameters.toml, changed by --set."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from .failure import LabError

FILE = Path(__file__).resolve().parents[1] / "locality" / "parameters.toml"
SEEDED = "quantum"          # the number that --seed changes: another interleaving of the CPUs


@dataclass(frozen=True)
class Parameter:
    name: str
    default: int
    unit: str
    about: str


def known():
    try:
        with open(FILE, "rb") as file:
            return [Parameter(**table) for table in tomllib.load(file)["parameter"]]
    except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"{FILE}: {error}") from None


def _number(name, text):
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise LabError(f"--set {name}={text}: '{text}' is not a whole number from 0")
    return value


def chosen(changes, seed):
    """{name: value} of all parameters, after the NAME=VALUE texts of --set and the seed."""
    values = {parameter.name: parameter.default for parameter in known()}
    for text in changes:
        name, _, value = text.partition("=")
        if name not in values:
            raise LabError(f"--set '{text}': unknown parameter '{name}'; known: {' '.join(values)}")
        values[name] = _number(name, value)
    values[SEEDED] += seed
    return values

