"""Machines: read from TOML, checked, and turned into what QEMU is told.

A machine is a list of nodes, each with its package, the CPUs below each of its L3 caches, its memory
in MiB and its row of the distance table; and the numbers of the model that differ on it. CPUs are numbered
in the order of the nodes.

QEMU's -smp describes only regular machines: all packages have the same number of dies, and all dies the
same number of cores. In the guest a die has one L3 cache. So all caches of a machine have the same number
of CPUs, all packages with CPUs have the same number of caches, and an uneven machine gets its shape by the
way its caches are dealt out to nodes.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from .failure import LabError

FOLDER = Path(__file__).resolve().parents[1] / "machines"
MIB = 1 << 20
LOCAL = 10                  # ACPI: a node's distance to itself; 255 means unreachable
MOST_CPUS, MOST_NODES = 255, 32


@dataclass(frozen=True)
class Node:
    package: int
    l3: tuple
    memory: int             # MiB
    distances: tuple

    @property
    def cpus(self):
        return sum(self.l3)


@dataclass(frozen=True)
class Machine:
    name: str
    source: str             # what load() was given
    about: str
    nodes: tuple
    parameters: tuple = ()  # (name, {"value", "low", "high", "source"}) that differ from the model's own

    @property
    def cpus(self):
        return sum(node.cpus for node in self.nodes)

    @property
    def memory(self):
        return sum(node.memory for node in self.nodes)

    def first_cpu(self, index):
        return sum(node.cpus for node in self.nodes[:index])

    def caches(self):
        """(node's number, CPUs) of each L3 cache, in order."""
        return [(index, cpus) for index, node in enumerate(self.nodes) for cpus in node.l3]

    def packages(self):
        return sorted({node.package for node in self.nodes if node.cpus})

    def qemu_arguments(self, group="dies"):
        """`group`: what QEMU calls the cores with one L3 cache."""
        caches = self.caches()
        packages = len(self.packages())
        arguments = ["-m", f"{self.memory}M", "-smp",
                     f"{self.cpus},sockets={packages},{group}={len(caches) // packages},"
                     f"cores={caches[0][1]},threads=1"]
        for index, node in enumerate(self.nodes):
            numa = f"node,nodeid={index}"
            if node.cpus:
                first = self.first_cpu(index)
                numa += f",cpus={first}-{first + node.cpus - 1}"
            if node.memory:
                arguments += ["-object", f"memory-backend-ram,id=m{index},size={node.memory}M"]
                numa += f",memdev=m{index}"
            arguments += ["-numa", numa]
        for source, node in enumerate(self.nodes):
            for target, distance in enumerate(node.distances):
                if source != target:
                    arguments += ["-numa", f"dist,src={source},dst={target},val={distance}"]
        return arguments

    def for_plugin(self):
        """The machine as the locality plugin's configuration has it."""
        cpus = [{"node": node, "package": self.nodes[node].package, "l3": cache}
                for cache, (node, count) in enumerate(self.caches()) for _ in range(count)]
        nodes = [{"package": node.package, "bytes": node.memory * MIB,
                  "ram_block": f"m{index}" if node.memory else None,
                  "distances": list(node.distances)}
                 for index, node in enumerate(self.nodes)]
        return {"cpus": cpus, "nodes": nodes}


def names():
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name):
    """The machine of that name, or of that file if it is a path that ends in .toml."""
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file():
        raise LabError(f"unknown machine '{name}'; known: {' '.join(names())}, "
                       "or the path of a file that ends in .toml")
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        return _machine(path.stem, name, data)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, _Invalid) as error:
        raise LabError(f"{path}: {error}") from None


class _Invalid(Exception):
    pass


def _need(condition, message):
    if not condition:
        raise _Invalid(message)


def _whole(value, least, most):
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _keys(table, known, where, optional=()):
    _need(isinstance(table, dict), f"{where} is not a table")
    for key in table:
        _need(key in (*known, *optional),
              f"{where} has an unknown key '{key}'; known: {' '.join((*known, *optional))}")
    for key in known:
        _need(key in table, f"{where} has no '{key}'")


def _node(index, table, count):
    where = f"node {index}"
    _keys(table, ("package", "l3", "memory", "distances"), where)
    package, l3, memory, distances = (table[key] for key in ("package", "l3", "memory", "distances"))
    _need(_whole(package, 0, MOST_NODES - 1),
          f"{where}: package {package!r} is not a number from 0 to {MOST_NODES - 1}")
    _need(isinstance(l3, list) and all(_whole(cpus, 1, MOST_CPUS) for cpus in l3),
          f"{where}: l3 {l3!r} is not a list of the CPUs below each L3 cache, each 1 or more")
    _need(_whole(memory, 0, 1 << 20),
          f"{where}: memory {memory!r} is not a number of MiB from 0 to {1 << 20}")
    _need(l3 or memory, f"{where} has neither CPUs nor memory")
    _need(isinstance(distances, list) and len(distances) == count
          and all(_whole(distance, LOCAL, 254) for distance in distances),
          f"{where}: distances {distances!r} is not a list of {count} numbers from {LOCAL} to 254")
    for target, distance in enumerate(distances):
        _need((distance == LOCAL) == (target == index),
              f"{where}: the distance to node {target} is {distance}; "
              f"{LOCAL} is a node's distance to itself, and only that")
    return Node(package, tuple(l3), memory, tuple(distances))


def _parameters(table):
    _need(isinstance(table, dict), "parameters is not a table")
    for name, own in table.items():
        where = f"parameter {name}"
        _keys(own, ("value", "low", "high", "source"), where)
        numbers = [own[key] for key in ("low", "value", "high")]
        _need(all(_whole(number, 0, 1 << 40) for number in numbers) and isinstance(own["source"], str),
              f"{where}: value, low and high are whole numbers from 0, and source is text")
    return tuple(table.items())


def _machine(name, source, data):
    _keys(data, ("about", "nodes"), "the file", optional=("parameters",))
    about, tables = data["about"], data["nodes"]
    _need(isinstance(about, str), "about is not text")
    _need(isinstance(tables, list) and 1 <= len(tables) <= MOST_NODES,
          f"nodes is not a list of 1 to {MOST_NODES} tables")
    nodes = tuple(_node(index, table, len(tables)) for index, table in enumerate(tables))
    machine = Machine(name, source, about, nodes, _parameters(data.get("parameters", {})))
    _check_shape(machine)
    return machine


def _check_shape(machine):
    nodes, caches = machine.nodes, machine.caches()
    _need(caches, "no node has CPUs")
    _need(machine.cpus <= MOST_CPUS, f"{machine.cpus} CPUs; at most {MOST_CPUS}")
    _need(nodes[0].memory, "node 0 has no memory, where the guest's kernel is loaded")
    _need(len({cpus for _, cpus in caches}) == 1,
          f"the L3 caches have {' '.join(str(cpus) for _, cpus in caches)} CPUs; all need the same number")
    # Linux numbers nodes as the firmware's table names them: those with CPUs come first.
    bare = [index for index, node in enumerate(nodes) if not node.cpus]
    _need(bare == list(range(len(nodes) - len(bare), len(nodes))),
          "nodes without CPUs must come after those with CPUs")
    packages = [nodes[index].package for index, _ in caches]
    _need(packages == sorted(packages) and machine.packages() == list(range(packages[-1] + 1)),
          "packages must be numbered from 0 in the order of the nodes")
    _need(all(node.package in packages for node in nodes), "a package has no CPUs")
    per_package = {packages.count(package) for package in machine.packages()}
    _need(len(per_package) == 1, "the packages have different numbers of L3 caches; all need the same")
