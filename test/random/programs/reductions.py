"""Reductions: operators, types, and what a program does with them."""
from . import models
from .base import WORD, Expression, Node, mix

# Operator: what an expression is turned into first, how C adds it, how it is computed.
OPERATORS = {
    "+": ("{x}", "{r} += {x};", lambda a, b: a + b),
    "*": ("(({x}) | 1)", "{r} *= {x};", lambda a, b: a * b),
    "^": ("{x}", "{r} ^= {x};", lambda a, b: a ^ b),
    "|": ("(({x}) & 0x1248)", "{r} |= {x};", lambda a, b: a | b),
    "&": ("(({x}) | 0xf0)", "{r} &= {x};", lambda a, b: a & b),
    "max": ("{x}", "if ({r} < {x}) {r} = {x};", max),
    "min": ("{x}", "if ({r} > {x}) {r} = {x};", min),
}
PREPARE = {"*": lambda x: x | 1, "|": lambda x: x & 0x1248, "&": lambda x: x | 0xF0}
TYPES = {"word": WORD, "unsigned": (1 << 32) - 1, "unsigned short": (1 << 16) - 1, "unsigned char": 255}


class Reduction:
    """One variable that a construct reduces: a number, a user's own type, or an array."""

    def __init__(self, draw, is_task=False):
        self.name = f"r{draw.number()}"
        self.kind = draw.choice(["number"] * 5 + ["pair", "array", "real"])
        self.type = draw.choice(["word", "word", "unsigned", "unsigned short", "unsigned char"])
        self.op = draw.choice(list(OPERATORS)) if self.kind == "number" else "+"
        self.start = 1 + draw.below(100)
        self.is_task = is_task

    @property
    def clause(self):
        item = {"pair": f"pair: {self.name}", "array": f"+: {self.name}[0:3]"}.get(
            self.kind, f"{self.op}: {self.name}")
        return f"({'task, ' if self.is_task else ''}{item})"

    @property
    def in_clause(self):
        return f"in_reduction{self.clause.replace('task, ', '')}"

    def declare(self, out):
        out.declare({"pair": f"struct Pair {self.name} = {{{self.start}, {self.start}}};",
                  "array": f"word {self.name}[3] = {{{self.start}, 0, 0}};",
                  "real": f"double {self.name} = {self.start};"}.get(
                      self.kind, f"{self.type} {self.name} = {self.start};"))

    def add(self, out, cell):
        """Writes that the value is added to a sum."""
        value = {"pair": f"mix({self.name}.sum) + mix(~{self.name}.bits)",
                 "array": f"mix({self.name}[0]) + mix({self.name}[1] + 1) + mix({self.name}[2] + 2)"}.get(
                     self.kind, f"mix((word){self.name})")
        out.line(f"add({cell}, {value});")

    def contribute(self, out, expression):
        if self.kind == "pair":
            out.line(f"{self.name}.sum += {expression};")
            out.line(f"{self.name}.bits ^= {expression};")
        elif self.kind == "array":
            out.line(f"{self.name}[({expression}) % 3] += {expression};")
        elif self.kind == "real":
            out.line(f"{self.name} += (double)(({expression}) & 255);")
        else:
            x = f"({self.type}){OPERATORS[self.op][0].format(x=f'({expression})')}"
            out.line(OPERATORS[self.op][1].format(r=self.name, x=x))

    # The interpretation: a list of words.
    def fresh(self):
        return {"pair": [self.start, self.start], "array": [self.start, 0, 0]}.get(self.kind, [self.start])

    def join(self, holder, x):
        if self.kind == "pair":
            holder[:] = [holder[0] + x & WORD, holder[1] ^ x]
        elif self.kind == "array":
            holder[x % 3] = holder[x % 3] + x & WORD
        elif self.kind == "real":
            holder[0] += x & 255
        else:
            mask = TYPES[self.type]
            holder[0] = OPERATORS[self.op][2](holder[0], PREPARE.get(self.op, lambda x: x)(x) & mask) & mask

    def total(self, holder):
        if self.kind == "pair":
            return mix(holder[0]) + mix(~holder[1])
        if self.kind == "array":
            return mix(holder[0]) + mix(holder[1] + 1) + mix(holder[2] + 2)
        return mix(holder[0])


class Contribution(models.Contribution, Node):
    """Adds to the private copy of a reduction around it."""

    def __init__(self, draw, context):
        super().__init__(draw)
        self.reduction = draw.choice(context.reductions)
        self.expression = Expression.draw(draw, context)

    def write(self, out):
        self.reduction.contribute(out, self.expression)
