#!/usr/bin/env python3
"""Checks the layers of src/: what includes what, how much a header brings, that it compiles alone, and which
layer's objects define and use which symbols.

    check_layers.py [--src DIR] [--objects DIR] [--cache FILE] [--compiler CXX [-- FLAGS...]]

The order, and how large a circle may be, are read from src/README.md, so the page that people read is the
one that is checked. No header may bring more than MOST_INCLUDED others into a file, directly or not: of those
that the product is built from, so the model checker's and the simulator's sides of the seam are not counted.
Modules (a header and its source) of different layers may not include each other in a circle, and of one layer
no more than the page says; the page may not say more than there are, so the numbers only fall. A header
compiles alone when it can be the first include of a file, twice; that is checked only with --compiler. The
cache holds digests of what compiled before: the compiler, its flags, the header and all that it includes from
src/. An unchanged tree costs no compilation.

An include tells nothing of a function that a lower layer declares and a higher one defines, nor of one that a
lower layer declares for itself. The symbols of the objects do, with --objects, the folder of CMake's that has
them: each layer has the namespace of its name, and what is in it is defined by no other layer, and used by none
below.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

LAYER = re.compile(r"^\d+\. `(\w+)`", re.MULTILINE)
CIRCLES = re.compile(r"^Largest circles: ([^.]*)\.", re.MULTILINE)
CIRCLE = re.compile(r"`(\w+)` (\d+)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.MULTILINE)

# A mangled name in a namespace of `vicino`: of a function or variable, of its guard, of a type's tables.
OURS = re.compile(r"_Z(?:[A-Z]{2})?Z?N[rVKRO]*6vicino(\d+)(\w+)")

MOST_INCLUDED = 44

# The sides of the seam that are not the product's, and what chooses each.
OTHER_SIDES = {"plat/model/": "-DVICINO_PLAT_MODEL", "plat/sim/": "-DVICINO_PLAT_SIM"}

# What other layers may include of the seam. The second is the product's alone.
SEAM = {"plat/plat.hpp", "plat/lost_time.hpp"}

# What belongs below the seam: a file that uses these directly cannot run under the model checker
# or in the simulator. The layers from `site` on may block: they start and end operating-system threads.
BELOW_THE_SEAM = {"atomic", "chrono", "linux/futex.h", "random"}
BLOCKING = {"mutex", "shared_mutex", "condition_variable", "semaphore", "barrier", "latch"}
FORBIDDEN = {"sync": BELOW_THE_SEAM | BLOCKING, "loop": BELOW_THE_SEAM | BLOCKING,
             "task": BELOW_THE_SEAM | BLOCKING, "site": BELOW_THE_SEAM, "team": BELOW_THE_SEAM,
             "tasking": BELOW_THE_SEAM, "region": BELOW_THE_SEAM, "graph": BELOW_THE_SEAM | BLOCKING}


def read_layers(readme):
    layers = LAYER.findall(readme.read_text())
    if len(layers) < 2 or len(set(layers)) != len(layers):
        raise SystemExit(f"{readme}: expected a numbered list of distinct `layers`")
    return layers


def read_circles(readme):
    """Of how many modules the largest circle of a layer is."""
    found = CIRCLES.search(readme.read_text())
    return {layer: int(most) for layer, most in CIRCLE.findall(found[1])} if found else {}


class Tree:
    """The sources below one folder and the includes between them."""

    def __init__(self, src):
        self.src = src
        self.layers = read_layers(src / "README.md")
        self.largest_circles = read_circles(src / "README.md")
        files = sorted(p for p in src.rglob("*") if p.suffix in {".hpp", ".h", ".cpp", ".S", ".inc"})
        self.includes = {p.relative_to(src).as_posix(): self._parse(p) for p in files}

    @staticmethod
    def _parse(path):
        text = path.read_text()
        return [(text.count("\n", 0, m.start()) + 1, m[1] == '"', m[2])
                for m in INCLUDE.finditer(text)]

    def headers(self):
        return [f for f in self.includes if f.endswith((".hpp", ".h"))]

    def violations(self):
        for file, includes in self.includes.items():
            layer = file.split("/")[0]
            if layer not in self.layers:
                yield f"{file}: folder '{layer}' is not in the list of src/README.md"
                continue
            for line, quoted, target in includes:
                wrong = self._wrong(file, layer, quoted, target)
                if wrong:
                    yield f"{file}:{line}: {wrong}"
        for header in self.headers():
            brings = sum(not f.startswith(tuple(OTHER_SIDES)) for f in self.closure(header)) - 1
            if brings > MOST_INCLUDED:
                yield f"{header}: brings {brings} headers with it, and may bring {MOST_INCLUDED}"
        yield from self._wrong_circles()

    def _wrong_circles(self):
        largest = dict.fromkeys(self.layers, ())
        for circle in self.circles():
            layer, *others = {module.split("/")[0] for module in circle}
            if others:
                yield f"these modules include each other in a circle: {', '.join(circle)}"
            elif layer in largest:
                largest[layer] = max(largest[layer], circle, key=len)
        for layer, circle in largest.items():
            most = self.largest_circles.get(layer, 0)
            if len(circle) > most:
                yield (f"{len(circle)} modules of '{layer}' include each other in a circle, and {most} may: "
                       f"{', '.join(circle)}")
            elif len(circle) < most:
                yield (f"src/README.md: the largest circle of '{layer}' has {len(circle)} modules, so write "
                       f"{len(circle)} instead of {most}")

    def _wrong(self, file, layer, quoted, target):
        if not quoted:
            if target in FORBIDDEN.get(layer, ()):
                return f"<{target}> is below the seam: use plat/plat.hpp"
            return None
        other = target.split("/")[0]
        if target.startswith("vicino/"):
            return None  # the installed API, which includes nothing of src/
        if target not in self.includes:
            return f'"{target}" is no file of src/; paths start at src/'
        if self.layers.index(other) > self.layers.index(layer):
            return f"layer '{layer}' includes '{target}' of the higher layer '{other}'"
        if other == "plat" != layer and target not in SEAM:
            return f'"{target}" is one side of the seam: include plat/plat.hpp'
        return None

    def modules(self):
        """Which modules each module includes; a header and its source are one."""
        graph = {}
        for file, includes in self.includes.items():
            module = file.rsplit(".", 1)[0]
            others = (target.rsplit(".", 1)[0] for _, _, target in includes if target in self.includes)
            graph.setdefault(module, set()).update(other for other in others if other != module)
        return graph

    def circles(self):
        """Sets of modules of which each reaches each other."""
        graph = self.modules()
        reach = {}
        for module in graph:
            seen, todo = set(), [module]
            while todo:
                new = graph.get(todo.pop(), set()) - seen
                seen |= new
                todo += new
            reach[module] = seen
        found = {tuple(sorted({module} | {other for other in reach[module] if module in reach.get(other, ())}))
                 for module in graph}
        return sorted(circle for circle in found if len(circle) > 1)

    def closure(self, file):
        seen, todo = set(), [file]
        while todo:
            f = todo.pop()
            if f in self.includes and f not in seen:
                seen.add(f)
                todo += [target for _, _, target in self.includes[f]]
        return sorted(seen)

    def digest(self, header, command):
        h = hashlib.sha256("\0".join(command).encode())
        for f in self.closure(header):
            h.update(f.encode() + (self.src / f).read_bytes())
        return h.hexdigest()


def read_symbols(tree, folder):
    """(source, symbol, nm's letter for it) of all objects in the folder that have a source."""
    objects = {path: "/".join(path.relative_to(folder).parts[1:])[:-len(".o")] for path in folder.rglob("*.o")}
    objects = {str(path): source for path, source in objects.items() if source in tree.includes}
    if not objects:
        raise SystemExit(f"{folder}: no objects of src/; build them first")
    run = subprocess.run(["nm", "-A", "-P", *sorted(objects)], text=True, capture_output=True, check=True)
    for line in run.stdout.splitlines():
        path, rest = line.split(": ", 1)
        symbol, letter = rest.split(" ")[:2]
        yield objects[path], symbol, letter


def wrong_symbols(tree, folder):
    for source, symbol, letter in read_symbols(tree, folder):
        name = OURS.match(symbol)
        layer = name and name[2][:int(name[1])]
        if layer not in tree.layers:
            continue
        higher = tree.layers.index(layer) - tree.layers.index(source.split("/")[0])
        if letter == "U" and higher > 0:
            yield f"{source}: uses {readable(symbol)} of the higher layer '{layer}'"
        elif letter.isupper() and letter not in "UVW" and higher != 0:
            yield f"{source}: defines {readable(symbol)}, which is in the namespace of the layer '{layer}'"


def readable(symbol):
    return subprocess.run(["c++filt", symbol], text=True, capture_output=True, check=True).stdout.strip()


def compiles_alone(tree, header, command):
    # The text comes from standard input, because compilers warn about `#pragma once` in a main file.
    defines = [define for side, define in OTHER_SIDES.items() if header.startswith(side)]
    text = f'#include "{header}"\n#include "{header}"\n'
    run = subprocess.run([*command, *defines, "-fsyntax-only", "-I", str(tree.src), "-x", "c++", "-"],
                         input=text, text=True, capture_output=True, check=False)
    return None if run.returncode == 0 else f"{header}: does not compile alone\n{run.stderr}"


def check_headers(tree, command, cache):
    known = set(cache.read_text().split()) if cache and cache.exists() else set()
    digests = {h: tree.digest(h, command) for h in tree.headers()}
    todo = [h for h, digest in digests.items() if digest not in known]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(todo, pool.map(lambda h: compiles_alone(tree, h, command), todo)))
    if cache:
        cache.write_text("".join(f"{d}\n" for h, d in digests.items() if not found.get(h)))
    return [message for message in found.values() if message], len(todo)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--src", type=Path, default=Path(__file__).resolve().parent.parent / "src")
    parser.add_argument("--objects", type=Path, help="folder that CMake builds the objects of src/ in")
    parser.add_argument("--cache", type=Path, help="file that remembers what compiled")
    parser.add_argument("--compiler", help="compile each header alone with this")
    parser.add_argument("flags", nargs="*", help="flags of the compiler, after --")
    args = parser.parse_args(argv)

    tree = Tree(args.src)
    problems, compiled = list(tree.violations()), 0
    if args.objects:
        problems += wrong_symbols(tree, args.objects)
    if args.compiler:
        alone, compiled = check_headers(tree, [args.compiler, *args.flags], args.cache)
        problems += alone
    for problem in problems:
        print(problem)
    print(f"{len(tree.includes)} files, {len(tree.layers)} layers, {compiled} headers compiled, "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
