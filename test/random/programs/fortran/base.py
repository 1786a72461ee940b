"""Programs in Fortran: what its compilers make of constructs in another way than C's do.

All values are integers of 8 bytes from 0 to below a prime, since Fortran's do not wrap around. A parallel region, and
an orphaned part of one, is a procedure of its own: its locals are what the threads share, and a clause names what each
has for itself.
"""
from .. import models
from ..base import Node, run_body, within

PRIME = (1 << 31) - 1
GUARDS = 4


def is_flang(draw):
    return draw.compiler.startswith("flang")


def mix(value):
    """A hash: `mix` of random.inc is the same."""
    value %= PRIME
    return (value * value + 12345 * value + 7) % PRIME


class Expression:
    """A sum of variables with factors."""

    def __init__(self, draw, context):
        names = draw.sample(context.names, min(len(context.names), draw.below(3)))
        self.constant, self.terms = 1 + draw.below(1000), [(1 + draw.below(50), name) for name in names]

    def __str__(self):
        terms = "".join(f" + {factor}_8 * {name}" for factor, name in self.terms)
        return f"modulo({self.constant}_8{terms}, prime)"

    def value(self, env):
        return (self.constant + sum(f * env.names[name] for f, name in self.terms)) % PRIME


class Out:
    """The text of one procedure; `procedures` has those that are complete."""

    def __init__(self, procedures):
        self.procedures, self.lines, self.locals, self.depth = procedures, [], [], 2
        self.storage = ""  # of what the threads share

    def line(self, text):
        self.continued("  " * self.depth, "  " * self.depth, text)

    def directive(self, text):
        self.continued("!$omp ", "!$omp& ", text)

    def continued(self, first, later, text):
        """Lines of about a hundred characters at most, as more than 132 are none of Fortran's."""
        lines = [[]]
        for word in text.split():
            if sum(map(len, lines[-1])) + len(lines[-1]) + len(word) > 90:
                lines.append([])
            lines[-1].append(word)
        for i, words in enumerate(lines):
            self.lines.append((later if i else first) + " ".join(words) + (" &" if i + 1 < len(lines) else ""))

    def construct(self, name, clauses, write_body, end=""):
        self.directive(f"{name} {clauses}")
        self.depth += 1
        write_body()
        self.depth -= 1
        self.directive(f"end {name} {end}")

    def loops(self, headers, write_body):
        for header in headers:
            self.line(header)
        self.depth += 1
        write_body()
        self.depth -= 1
        for _ in headers:
            self.line("end do")

    def block(self, head, write_body, tail):
        self.line(head)
        self.depth += 1
        write_body()
        self.depth -= 1
        self.line(tail)

    def local(self, text):
        self.locals.append(text)

    def shared(self, type_name, name):
        self.local(f"{type_name}{self.storage} :: {name}")

    def body(self, nodes):
        for node in nodes:
            node.write(self)

    def procedure(self, name, arguments, write_body):
        """Writes a procedure of its own, which gets the arguments by value."""
        inside = Out(self.procedures)
        write_body(inside)
        self.procedures.append([
            f"  recursive subroutine {name}({', '.join(arguments)})",
            *(f"    integer(8), value :: {argument}" for argument in arguments),
            *(f"    {text}" for text in inside.locals), *inside.lines,
            f"  end subroutine {name}"])

    def apart(self, name, arguments, write_body):
        """The same, and calls it here."""
        self.procedure(name, arguments, write_body)
        self.line(f"call {name}({', '.join(f'int({argument}, 8)' for argument in arguments)})")

    def scope(self, nodes, write_inside):
        """Declares what the nodes share, writes what `write_inside` writes, and settles."""
        for node in within(nodes):
            node.declare(self)
        write_inside()
        for node in within(nodes):
            node.settle(self)


def private_names(nodes):
    """The names that each thread, or task, has for itself."""
    return [name for node in within(nodes) for name in node.own_names()]


def clause(name, variables):
    return f"{name}({', '.join(variables)})" if variables else ""


class FortranNode(Node):
    mix, modulus = staticmethod(mix), PRIME

    def own_names(self):
        return []


class Add(FortranNode):
    def __init__(self, draw, context):
        super().__init__(draw)
        self.expression = Expression(draw, context)
        free = list(range(context.guard + 1, GUARDS))
        self.way = draw.choice(["update", "capture", "add"] + ["critical"] * bool(free))
        self.guard = draw.choice(free) if free else 0

    def own_names(self):
        return [f"old{self.id}"]

    def write(self, out):
        x = f"mix({self.expression})"
        out.local(f"integer(8) :: old{self.id}")
        if self.way == "add":
            out.line(f"call add({self.id}, {x})")
            return
        out.line(f"old{self.id} = {x}")
        if self.way == "update":
            out.directive("atomic update")
            out.line(f"cells({self.id}) = cells({self.id}) + old{self.id}")
        elif self.way == "capture":
            out.line(f"call capture({self.id}, old{self.id})")
        else:
            name = f"(name{self.guard})"
            out.directive("critical " + name)
            out.line(f"guarded({self.guard}) = guarded({self.guard}) + old{self.id}")
            out.directive("end critical " + name)

    def run(self, env):
        x = mix(self.expression.value(env))
        if self.way == "critical":
            env.sums.add_guarded(self.guard, x)
        else:
            env.sums.add(self.id, x)


class Let(models.Let, FortranNode):
    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.expression, self.name = Expression(draw, context), f"v{self.id}"
        self.body = body(draw, context.but(names=(*context.names, self.name), depth=context.depth + 1))

    def own_names(self):
        return [self.name]

    def write(self, out):
        out.local(f"integer(8) :: {self.name}")
        out.line(f"{self.name} = {self.expression}")
        out.body(self.body)


class Repeat(FortranNode):
    """A plain loop. Its variable is private wherever it stands in a region, without a clause."""
    simpler = {"times": 1}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.times, self.name = 2 + draw.below(4), f"k{self.id}"
        self.body = body(draw, context.but(names=(*context.names, self.name), depth=context.depth + 1,
                                           times=context.times * self.times))

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.local(f"integer(8) :: {self.name}")
        out.loops([f"do {self.name} = 1, {self.times}"], lambda: out.body(self.body))

    def run(self, env):
        for k in range(1, self.times + 1):
            run_body(self.body, env.with_names(**{self.name: k}))


class Call(models.Body, FortranNode):
    """A procedure: the constructs in it are orphans."""
    opens_scope = True

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.names = context.names
        self.body = body(draw, context.but(sharing=False, depth=context.depth + 1, reductions=()))

    def write(self, out):
        out.apart(f"orphan{self.id}", self.names, lambda inside: inside.body(self.body))


# Of each operator: what a copy begins with, how two values become one, and how Fortran says that.
OPERATORS = {
    "+": (0, lambda a, b: a + b, "{0} = {0} + {1}"),
    "max": (0, max, "{0} = max({0}, {1})"),
    "min": (PRIME, min, "{0} = min({0}, {1})"),
    "ieor": (0, lambda a, b: a ^ b, "{0} = ieor({0}, {1})"),
    "ior": (0, lambda a, b: a | b, "{0} = ior({0}, {1})"),
    "iand": (PRIME, lambda a, b: a & b, "{0} = iand({0}, {1})"),
}


class Reduction:
    """A variable with a reduction: an integer, or an array of three whose bounds begin at 0."""

    def __init__(self, draw):
        self.name, self.operator = f"r{draw.number()}", draw.choice(list(OPERATORS))
        self.cells = draw.choice([1, 1, 1 if is_flang(draw) else 3])  # flang 19 writes beside arrays from 0 on
        self.first, self.join_two, self.text = OPERATORS[self.operator]

    @property
    def clause(self):
        return f"reduction({self.operator}: {self.name})"

    def declare(self, out):
        bounds = f"(0:{self.cells - 1})" if self.cells > 1 else ""
        out.shared("integer(8)", f"{self.name}{bounds}")
        out.line(f"{self.name} = {self.first}")

    def contribute(self, out, expression):
        at = f"{self.name}(mod({expression}, {self.cells}_8))" if self.cells > 1 else self.name
        out.line(self.text.format(at, f"mix({expression})"))

    def add(self, out, cell):
        for k in range(self.cells):
            element = f"{self.name}({k})" if self.cells > 1 else self.name
            out.line(f"call add({cell}, mix({element} + {k}))")

    def fresh(self):
        return [self.first] * self.cells

    def join(self, holder, value):
        at = value % self.cells
        holder[at] = self.join_two(holder[at], mix(value))

    def total(self, holder):
        return sum(mix(value + k) for k, value in enumerate(holder))


class Contribution(models.Contribution, FortranNode):
    """Adds to a reduction's private copy."""

    def __init__(self, draw, context):
        super().__init__(draw)
        self.reduction = draw.choice(context.reductions)
        self.expression = Expression(draw, context)

    def write(self, out):
        self.reduction.contribute(out, self.expression)
