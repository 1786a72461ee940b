"""Iteration spaces of loops: types, bounds, steps and comparisons."""
from .base import Draw

RANGES = {"int": (-(1 << 31), (1 << 31) - 1), "unsigned": (0, (1 << 32) - 1),
          "long": (-(1 << 63), (1 << 63) - 1), "unsigned long": (0, (1 << 64) - 1),
          "short": (-(1 << 15), (1 << 15) - 1), "signed char": (-128, 127), "unsigned char": (0, 255)}


def literal(value, type_name):
    if value == -(1 << 63):
        return "(-9223372036854775807L - 1)"
    if value == -(1 << 31):
        return "(-2147483647 - 1)"
    suffix = {"long": "L", "unsigned long": "UL", "unsigned": "U"}.get(type_name, "")
    return f"{value}{suffix}"


class Dimension:
    """One loop. The values are start, start + step, ... `trip` of them."""

    def __init__(self, draw: Draw, most, least=0):
        self.name = f"i{draw.number()}"
        # gcc 12 counts inline chunks in the index type, which overflows if it has 8 bits, and extends the negated
        # step of a narrow unsigned type with zeros: omp/compiler_faults.hpp.
        is_gcc = draw.compiler.startswith("gcc")
        known = [name for name in RANGES if not (is_gcc and "char" in name)]
        self.type = draw.choice(["int"] * 4 + known)
        low, high = RANGES[self.type]
        self.trip = draw.choice([least, 1, 2, draw.randint(least, max(least, most)), most])
        self.trip = max(least, min(self.trip, most, 30))
        steps = [1, 1, 1, 2, 3, -1, -1, -2]
        self.step = draw.choice(steps[:5] if is_gcc and self.type == "unsigned" else steps)
        length = abs(self.step) * (self.trip + 1)
        first, last = (low, high - length) if self.step > 0 else (low + length, high)
        near = max(first, min(last, draw.randint(-20, 20)))
        self.start = draw.choice([max(first, min(last, 0)), near, near, first, last])
        if self.trip == 0:
            self.start = 1 + draw.below(20)  # at a limit of the type gcc refuses what can never hold
        self.offset = draw.below(abs(self.step))  # the bound is not always hit
        self.comparison = draw.choice(["<", "<", "<=", "!="])

    def values(self):
        return [self.start + k * self.step for k in range(self.trip)]

    def header(self, declare=True):
        up = self.step > 0
        bound = self.start + self.trip * self.step  # the first value that is not run
        comparison = self.comparison
        # gcc refuses != for types that it widens.
        if comparison == "!=" and (abs(self.step) != 1 or self.type in ("short", "signed char", "unsigned char")):
            comparison = "<"
        if comparison == "<=":
            bound -= 1 if up else -1
            if not RANGES[self.type][0] <= bound <= RANGES[self.type][1]:
                bound, comparison = bound + (1 if up else -1), "<"
        elif comparison == "<" and self.trip:
            bound -= self.offset if up else -self.offset
        if not up:
            comparison = {"<": ">", "<=": ">=", "!=": "!="}[comparison]
        step = {1: f"++{self.name}", -1: f"--{self.name}"}.get(
            self.step, f"{self.name} {'+' if up else '-'}= {abs(self.step)}")
        start = f"{self.type + ' ' if declare else ''}{self.name} = {literal(self.start, self.type)}"
        return f"for ({start}; {self.name} {comparison} {literal(bound, self.type)}; {step})"


class Space:
    """One to three collapsed loops."""

    def __init__(self, draw: Draw, most=24, collapse=True, least=0):
        count = draw.choice([1, 1, 1, 2, 2, 3]) if collapse else 1
        each = most if count == 1 else 5 if count == 2 else 3
        self.dimensions = [Dimension(draw, each, least) for _ in range(count)]

    @property
    def names(self):
        return tuple(dimension.name for dimension in self.dimensions)

    @property
    def clause(self):
        return f"collapse({len(self.dimensions)})" if len(self.dimensions) > 1 else ""

    @property
    def trip(self):
        product = 1
        for dimension in self.dimensions:
            product *= dimension.trip
        return product

    def points(self, depth=0):
        """Dictionaries of the variables' values, in the order of the sequential loops."""
        if depth == len(self.dimensions):
            yield {}
            return
        for value in self.dimensions[depth].values():
            for rest in self.points(depth + 1):
                yield {self.dimensions[depth].name: value, **rest}

    def write(self, out, write_body):
        for dimension in self.dimensions[:-1]:
            out.line(dimension.header())
        out.open(self.dimensions[-1].header() + " {")
        write_body()
        out.close()
