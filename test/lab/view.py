"""Finds from a machine's file alone what a program that may use some CPUs of the machine must see.

Nothing here is taken from Vicino's code. Places and binding follow OpenMP 5.2 (10.1.3, 21.1.6); what it
leaves open is settled as in src/topo/binding.hpp. Priorities follow the formulas of
src/topo/priorities.hpp, in exact fractions.
"""

from collections import Counter
from fractions import Fraction


def cpu_list(cpus):
    """A list of CPUs as the kernel writes it: 0-3,8."""
    runs = []
    for cpu in sorted(cpus):
        if runs and runs[-1][1] == cpu - 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(f"{first}" if first == last else f"{first}-{last}" for first, last in runs)


class View:
    def __init__(self, shape, allowed=None):
        self.shape = shape
        self.cpus = sorted(range(shape.cpus) if allowed is None else allowed)
        self.cache_of, self.node_of, self.package_of, self.near_of = {}, {}, {}, {}
        first = 0
        for cache, (node, count) in enumerate(shape.caches()):
            for cpu in range(first, first + count):
                self.cache_of[cpu] = cache
                self.node_of[cpu] = node
                self.package_of[cpu] = shape.nodes[node].package
            first += count
        # Threads stay in the cache groups, if a node has two with more than one core; else on the nodes.
        shared = [cpus for _, cpus in self.groups(self.cache_of) if len(cpus) > 1]
        nodes = Counter(self.node_of[cpus[0]] for cpus in shared)
        self.near_of = self.cache_of if max(nodes.values(), default=0) > 1 else self.node_of

    def groups(self, key, among=None):
        """The allowed CPUs grouped by key, in the order of the keys: [(key, CPUs)]."""
        groups = {}
        for cpu in self.cpus if among is None else among:
            groups.setdefault(key[cpu], []).append(cpu)
        return sorted(groups.items())

    def nodes_near(self, cpus, first, threads):
        """The node of each thread that belongs to one of the nodes of `cpus`, `first` before the others."""
        inner = dict(self.groups(self.node_of, cpus))
        far = self.shape.nodes[first].distances
        nodes = sorted(inner, key=lambda n: (n != first, far[n], self.shape.nodes[n].package !=
                                             self.shape.nodes[first].package, n))
        if threads <= len(cpus):
            return [node for node in nodes for _ in inner[node]][:threads]
        ends, before = [], 0
        for node in nodes:
            before += len(inner[node])
            ends.append((-(-before * threads // len(cpus)), node))
        return [next(node for end, node in ends if thread < end) for thread in range(threads)]

    def near(self, cpus, first, threads, widest=0):
        """The CPUs of each thread that stays near its data, if the first one begins in the near domain `first`, of
        node_of or cache_of. A team of up to `widest` threads has the first of the domains of that many."""
        inside = dict(self.groups(self.near_of, cpus))
        node_around = {domain: self.node_of[its[0]] for domain, its in self.groups(self.near_of)}
        if threads <= len(cpus):
            threads, asked = max(threads, min(widest, len(cpus))), threads
        else:
            asked = threads
        nodes = self.nodes_near(cpus, node_around[first], threads)
        masks = []
        for node, members in ((node, nodes.count(node)) for node in dict.fromkeys(nodes)):
            domains = [domain for domain in inside if node_around[domain] == node]
            if first in domains:
                domains = domains[domains.index(first):] + domains[:domains.index(first)]
            on_node = [cpu for cpu in cpus if self.node_of[cpu] == node]
            before = 0
            for domain in domains:
                its = inside[domain]
                begin, before = before, before + len(its)
                count = -(-before * members // len(on_node)) - -(-begin * members // len(on_node))
                masks += [its if len(its) > 1 else on_node] * count
        return masks[:asked]

    def inside_nodes(self, cpus, places):
        """The CPUs of each thread, given its place: the part of the place in one node."""
        masks = [None] * len(places)
        for place in set(places):
            threads = [thread for thread, its in enumerate(places) if its == place]
            nodes = self.nodes_near(cpus[place], self.node_of[cpus[place][0]], len(threads))
            for thread, node in zip(threads, nodes, strict=True):
                masks[thread] = [cpu for cpu in cpus[place] if self.node_of[cpu] == node]
        return masks

    def places(self, name):
        key = {"threads": {cpu: cpu for cpu in self.cpus}, "ll_caches": self.cache_of,
               "numa_domains": self.node_of, "sockets": self.package_of}
        key["cores"] = key["threads"]           # a core of the lab has one thread
        return [cpus for _, cpus in self.groups(key[name])]

    def tree(self):
        """Lines with the packages, the nodes in each, and the CPUs of each cache in a node."""
        lines = []
        for package, cpus in self.groups(self.package_of):
            lines.append(f"package {package}")
            for node, inner in self.groups(self.node_of, cpus):
                memory = "some MiB" if self.shape.nodes[node].memory else "no memory"
                caches = self.groups(self.cache_of, inner)
                lines += [f"node {node}, {memory}", " ".join(f"[{cpu_list(c)}]" for _, c in caches)]
        used = {self.node_of[cpu] for cpu in self.cpus}
        lines += [f"memory of node {node}: some MiB, no usable CPUs near it"
                  for node, facts in enumerate(self.shape.nodes) if facts.memory and node not in used]
        return lines

    def distances(self):
        """The table for the nodes that have allowed CPUs; empty if there is only one."""
        nodes = [node for node, _ in self.groups(self.node_of)]
        return [[self.shape.nodes[a].distances[b] for b in nodes] for a in nodes if len(nodes) > 1]

    def counts(self):
        things = (("package", self.package_of), ("node", self.node_of), ("cache group", self.cache_of))
        counts = [(len(self.groups(key)), name) for name, key in things]
        counts += [(len(self.cpus), "core"), (len(self.cpus), "hardware thread")]
        return ", ".join(f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts)

    # Priorities of cores.

    def _apart(self, a, b):
        return sum(key[a] != key[b] for key in (self.cache_of, self.node_of, self.package_of))

    def _distance(self, a, b):
        if len(self.groups(self.node_of)) == 1:
            return self._apart(a, b)
        return self.shape.nodes[self.node_of[a]].distances[self.node_of[b]]

    def priorities(self):
        """(base, V1, V2, final) for each CPU."""
        known = sorted({self._distance(a, b) for a in self.cpus for b in self.cpus})
        above = {d: known[-1] - d + 1 for d in known}
        alpha = {d: Fraction(above[d], sum(above.values())) for d in known}
        on_node = Counter(self.node_of[cpu] for cpu in self.cpus)
        base = {cpu: on_node[self.node_of[cpu]] for cpu in self.cpus}

        def over_others(cpu, worth):
            # Equal terms are counted together, because fractions for 64 x 64 CPUs take a while.
            kinds = Counter((self._distance(cpu, o), worth(o)) for o in self.cpus if o != cpu)
            return sum(alpha[d] * value * count for (d, value), count in kinds.items())

        v1 = {cpu: over_others(cpu, lambda _: 1) for cpu in self.cpus}
        v2 = {cpu: over_others(cpu, lambda o: base[o] + v1[o]) for cpu in self.cpus}
        return {cpu: (base[cpu], v1[cpu], v2[cpu], base[cpu] + v1[cpu] + v2[cpu]) for cpu in self.cpus}

    def order(self):
        final = {cpu: terms[3] for cpu, terms in self.priorities().items()}
        best = min(self.cpus, key=lambda cpu: (-final[cpu], cpu))
        others = sorted((cpu for cpu in self.cpus if cpu != best),
                        key=lambda cpu: (self._distance(best, cpu), self._apart(best, cpu),
                                         -final[cpu], cpu))
        return [best, *others]


def _parts(count, parts):
    """The sizes when `count` things are divided into `parts` parts, the larger parts first."""
    return [count // parts + (part < count % parts) for part in range(parts)]


def assign(bind, places, threads):
    """The place of each thread of a team whose primary thread is on place 0."""
    if bind == "primary":
        return [0] * threads
    if threads > places:
        return [place for place, size in enumerate(_parts(threads, places)) for _ in range(size)]
    if bind == "close":
        return list(range(threads))
    sizes = _parts(places, threads)
    return [sum(sizes[:thread]) for thread in range(threads)]
