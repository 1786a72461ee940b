"""What all constructs share: draws, expressions, the context of a construct, and the serial interpretation.

A program is a tree of nodes. A node knows how to draw itself (`draw`), to write itself as C or C++ (`write`),
and what it adds to the program's sums when it is run by one thread after the other (`run`). All effects are
additions to sums, so that the answer does not depend on the order in which threads come by; the order is
checked where OpenMP promises one, by values that are not atomic and that do not commute.
"""
import dataclasses
import random

WORD = (1 << 64) - 1  # all arithmetic of the programs is modulo 2^64


def mix(value):
    """A hash: two wrong values that are added do not make a right one. `mix` of random.h is the same."""
    value &= WORD
    value ^= value >> 31
    value = value * 0x9E3779B97F4A7C15 & WORD
    return value ^ value >> 29


class Draw(random.Random):
    """The draws of one program, and the numbers that name its variables."""

    def __init__(self, seed, is_cpp, compiler):
        super().__init__(seed)
        self.is_cpp, self.compiler, self.numbers = is_cpp, compiler, 0

    def number(self):
        self.numbers += 1
        return self.numbers

    def chance(self, percent):
        return self.randrange(100) < percent

    def below(self, n):
        return self.randrange(n)


@dataclasses.dataclass(frozen=True)
class Context:
    """Where a construct stands."""
    names: tuple = ()        # variables that may be read
    team: bool = True        # all threads of the team come here, and meet the same constructs
    threads: int = 1         # of the team
    active: int = 0          # regions of more than one thread around
    most_active: int = 8     # the internal control variable of that name
    at_once: int = 1         # threads that may come here at the same time, over all levels
    times: int = 1           # how often it is run, at most
    depth: int = 0           # constructs around
    guard: int = -1          # the highest critical region around: names are taken in rising order
    tasks: bool = True       # tasks may be generated here
    serial: bool = True      # no parallel region is around, so that `teams` may stand here
    target: bool = False     # a target region is around
    league: bool = False     # directly inside of `teams`: only some constructs may stand here
    sharing: bool = True     # the variables of the team's scope can be seen from here
    inner: int = 8           # threads that an inner region may have: less in a team of a league
    reductions: tuple = ()   # private copies that may be added to
    task_reductions: tuple = ()  # reductions that tasks may take part in

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    def alone(self, times=1, **changes):
        """Inside of a construct that one thread runs."""
        return self.but(**{"team": False, "serial": False, "depth": self.depth + 1,
                           "times": self.times * max(1, times), **changes})


class Expression:
    """A sum of variables with factors."""

    def __init__(self, constant, terms):
        self.constant, self.terms = constant, terms

    @staticmethod
    def draw(draw, context):
        names = draw.sample(context.names, min(len(context.names), draw.below(3)))
        return Expression(1 + draw.below(1000), [(1 + draw.below(50), name) for name in names])

    def __str__(self):
        return " + ".join([f"{self.constant}UL", *(f"{f}UL * (word){name}" for f, name in self.terms)])

    def value(self, env):
        return (self.constant + sum(f * env.names[name] for f, name in self.terms)) & WORD


class Sums:
    """What the serial interpretation has added up."""

    def __init__(self):
        self.cells, self.guarded = {}, {}

    def add(self, cell, value):
        self.cells[cell] = self.cells.get(cell, 0) + value & WORD

    def add_guarded(self, guard, value):
        self.guarded[guard] = self.guarded.get(guard, 0) + value & WORD


@dataclasses.dataclass
class Env:
    """One thread of the serial interpretation."""
    sums: Sums
    names: dict
    threads: int = 1
    thread: int = 0
    shared: dict = dataclasses.field(default_factory=dict)  # of the team: state of its constructs
    holders: dict = dataclasses.field(default_factory=dict)  # what reductions have so far

    def with_names(self, **names):
        return dataclasses.replace(self, names={**self.names, **names})

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    @property
    def first(self):
        """Of the threads that meet a worksharing construct, the one that interprets it."""
        return self.thread == 0


class Out:
    """The text of a program."""

    def __init__(self, is_cpp):
        self.is_cpp, self.lines, self.depth, self.functions = is_cpp, [], 0, []
        self.storage = ""  # of variables that a team shares

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def declare(self, text):
        self.line(self.storage + text)

    def omp(self, text):
        self.lines.append("#pragma omp " + " ".join(text.split()))

    def open(self, text="{"):
        self.line(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.line(text)

    def body(self, nodes):
        for node in nodes:
            node.write(self)

    def block(self, nodes):
        self.open()
        self.body(nodes)
        self.close()


class Source:
    """Draws bodies until the program has as many constructs as it may have. choices(draw, context) gives pairs of a
    weight and a way to make a node."""

    def __init__(self, most):
        self.left = most

    def body(self, draw, context):
        nodes = []
        for _ in range(draw.choice([1, 1, 2, 2, 3])):
            self.left -= 1
            weights, ways = zip(*self.choices(draw, context))
            nodes.append(draw.choices(ways, weights)[0]())
        return nodes


class Trees:
    """What any program is: `roots`, the bodies of its outermost constructs."""

    def all_bodies(self):
        """Every list of nodes of the trees, outermost first."""
        todo = list(self.roots)
        while todo:
            body = todo.pop(0)
            yield body
            for node in body:
                todo += node.bodies()

    def constructs(self):
        return sum(len(body) for body in self.all_bodies())


class MayReduce:
    """A construct with `reduction`, which may be none, whose variable the team shares."""

    def declare(self, out):
        if self.reduction:
            self.reduction.declare(out)

    def settle(self, out):
        if self.reduction:
            self.reduction.add(out, self.id)

    def holder(self, env):
        return env.shared.setdefault(self.id, self.reduction.fresh())

    def settled(self, env):
        if self.reduction:
            env.sums.add(self.id, self.reduction.total(self.holder(env)))

    def env_inside(self, env):
        if not self.reduction:
            return env
        return env.but(holders={**env.holders, self.reduction.name: self.holder(env)})


class Node:
    """One construct. `simpler` names the attributes that a failing program may lose, with what is left."""
    simpler = {}
    hoists = True  # what is in it may stand in its place: the number of threads in it is the same there
    opens_scope = False  # a parallel region: its threads' shared variables stand before it
    mix, modulus = staticmethod(mix), WORD + 1  # the arithmetic of the language

    def __init__(self, draw):
        self.id = draw.number()

    def bodies(self):
        """The lists of inner nodes, each of which may lose nodes."""
        return []

    def write(self, out):
        raise NotImplementedError

    def run(self, env):
        raise NotImplementedError

    # A construct whose threads share variables has them declared where the team's scope begins.
    def declare(self, out):
        pass

    def settle(self, out):
        """Written where the scope ends: what the shared variables add to the sums."""

    def settled(self, env):
        """The same, interpreted."""


def run_body(nodes, env):
    for node in nodes:
        node.run(env)


def within(nodes):
    """The nodes of a scope: not those behind an inner scope's begin."""
    for node in nodes:
        yield node
        if not node.opens_scope:
            for body in node.bodies():
                yield from within(body)


def write_scope(out, nodes, write_inside, storage=""):
    """Declares what the nodes share, writes what `write_inside` writes, and settles."""
    out.storage = storage
    for node in within(nodes):
        node.declare(out)
    out.storage = ""
    write_inside()
    for node in within(nodes):
        node.settle(out)


def run_scope(env, nodes, threads, run_thread):
    """Interprets a team whose body is `nodes`: `run_thread` runs it as one thread."""
    shared = {}
    for thread in range(threads):
        run_thread(env.but(threads=threads, thread=thread, shared=shared))
    ending = env.but(threads=threads, thread=0, shared=shared)
    for node in within(nodes):
        node.settled(ending)
