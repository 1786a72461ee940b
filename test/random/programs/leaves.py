"""Statements without a body, and plain C around constructs."""
from . import models
from .base import Expression, Node, mix, run_body

GUARDS = 4   # critical regions, and as many locks


class Add(Node):
    """Adds to a sum that is the statement's own, or to one that a critical region or lock protects."""

    def __init__(self, draw, context):
        super().__init__(draw)
        self.expression = Expression.draw(draw, context)
        ways = ["atomic", "capture", "builtin"]
        free = list(range(context.guard + 1, GUARDS))
        if free and not context.league:
            ways += ["critical", "lock", "nest_lock"]
        if context.league:
            ways = ["builtin"]
        self.way = draw.choice(ways)
        self.guard = draw.choice(free) if free else 0

    def write(self, out):
        x = f"mix({self.expression})"
        if self.way == "atomic":
            out.omp("atomic update")
            out.line(f"cells[{self.id}] += {x};")
        elif self.way == "capture":
            out.open(f"{{ word old, x = {x};")
            out.omp("atomic capture seq_cst")
            out.line(f"{{ old = cells[{self.id}]; cells[{self.id}] += x; }}")
            out.line("(void)old;")
            out.close()
        elif self.way == "builtin":
            out.line(f"add({self.id}, {x});")
        elif self.way == "critical":
            # The regions of one name have one hint.
            hint = " hint(omp_sync_hint_contended)" if self.guard == GUARDS - 1 else ""
            out.omp(f"critical(name{self.guard}){hint}")
            out.line(f"guarded[{self.guard}] += {x};")
        else:
            kind, at = ("", GUARDS + self.guard) if self.way == "lock" else ("nest_", 2 * GUARDS + self.guard)
            out.line(f"omp_set_{kind}lock(&{kind}locks[{self.guard}]);")
            out.line(f"guarded[{at}] += {x};")
            out.line(f"omp_unset_{kind}lock(&{kind}locks[{self.guard}]);")

    def run(self, env):
        x = mix(self.expression.value(env))
        if self.way in ("atomic", "capture", "builtin"):
            env.sums.add(self.id, x)
        else:
            ways = {"critical": 0, "lock": GUARDS, "nest_lock": 2 * GUARDS}
            env.sums.add_guarded(ways[self.way] + self.guard, x)


class Throw(Node):
    """An exception that does not leave the construct."""

    def __init__(self, draw, context):
        super().__init__(draw)
        self.expression = Expression.draw(draw, context)

    def write(self, out):
        out.line(f"try {{ throw Thrown{{{self.expression}}}; }}")
        out.line(f"catch (const Thrown& thrown) {{ add({self.id}, mix(thrown.word_)); }}")

    def run(self, env):
        env.sums.add(self.id, mix(self.expression.value(env)))


class Let(models.Let, Node):
    """A variable that each thread, or task, has for itself: in C++ now and then an object."""

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.expression = Expression.draw(draw, context)
        self.type = "Counted" if draw.is_cpp and draw.chance(40) else "word"
        self.name = f"v{self.id}"
        self.body = body(draw, context.but(names=(*context.names, self.name), depth=context.depth + 1))

    def write(self, out):
        out.open(f"{{ {self.type} {self.name} = {self.type}({self.expression});" if self.type == "Counted"
                 else f"{{ word {self.name} = {self.expression};")
        out.line(f"(void){self.name};")
        out.body(self.body)
        out.close()


class Repeat(Node):
    """A plain loop, which all threads of a team run alike."""
    simpler = {"times": 1}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.times = 2 + draw.below(4)
        self.name = f"k{self.id}"
        self.body = body(draw, context.but(names=(*context.names, self.name), depth=context.depth + 1,
                                           times=context.times * self.times))

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.open(f"for (int {self.name} = 0; {self.name} < {self.times}; ++{self.name}) {{")
        out.body(self.body)
        out.close()

    def run(self, env):
        for k in range(self.times):
            run_body(self.body, env.with_names(**{self.name: k}))


class Call(models.Body, Node):
    """A function: the constructs in it are orphans."""

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.names = context.names
        self.body = body(draw, context.but(sharing=False, depth=context.depth + 1, reductions=(),
                                           task_reductions=()))

    def write(self, out):
        inside = type(out)(out.is_cpp)
        inside.functions = out.functions
        parameters = ", ".join(f"word {name}" for name in self.names) or "void"
        inside.open(f"static void function{self.id}({parameters}) {{")
        for name in self.names:
            inside.line(f"(void){name};")
        inside.body(self.body)
        inside.close()
        out.functions.append(inside.lines)
        out.line(f"function{self.id}({', '.join(f'(word){name}' for name in self.names)});")
