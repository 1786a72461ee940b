"""Explicit tasks: alone, in groups, with dependences, as loops, detached."""
from .base import Expression, Node, mix, run_body
from .leaves import Add, Call
from .reductions import Reduction
from .spaces import Space


def has_copyin(nodes):
    """Whether a threadprivate variable is named in the body; that of an untied task may not."""
    return any(getattr(node, "copyin", None) or (not isinstance(node, Call) and any(map(has_copyin, node.bodies())))
               for node in nodes)


def task_clauses(draw, body):
    """Clauses that may change how a task runs and never what it does."""
    # clang 19 makes faulty code of untied tasks with arrays or with constructs that may suspend them: a program
    # that never ends, or overwrites what it must not.
    if draw.compiler.startswith("gcc"):
        may_be_untied = not has_copyin(body)
    else:
        may_be_untied = all(isinstance(node, Add) for node in body)
    clauses = [c for percent, c in [(8, "if(zero)"), (8, "final(one)"), (15 * may_be_untied, "untied"), (10, "mergeable"),
                                    (15, f"priority({draw.below(4)})")] if draw.chance(percent)]
    return " ".join(clauses)


def inside_task(context, in_reduction, times=1):
    own = (in_reduction,) if in_reduction else ()
    return context.alone(times, reductions=own, task_reductions=own)


class Task(Node):
    simpler = {"clauses": "", "detach": None}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.in_reduction = None
        if context.task_reductions and draw.chance(70):
            self.in_reduction = draw.choice(context.task_reductions)
        self.expression = Expression.draw(draw, context)
        self.body = body(draw, inside_task(context, self.in_reduction))
        self.clauses = task_clauses(draw, self.body)
        # The event is fulfilled by the task itself, or by a task that it generates.
        self.detach = draw.choice(["here", "child"]) if draw.chance(12) and not context.target else None
        if self.detach:
            self.clauses = " ".join(c for c in self.clauses.split() if c.startswith("priority"))

    def bodies(self):
        return [self.body]

    def write(self, out):
        if self.detach:
            out.open(f"{{ omp_event_handle_t event{self.id} = (omp_event_handle_t)0;")
            out.line(f"(void)event{self.id};")
        out.omp(f"task {self.clauses} " + (self.in_reduction.in_clause if self.in_reduction else "")
                + (f" detach(event{self.id})" if self.detach else ""))
        out.open()
        if self.in_reduction:
            self.in_reduction.contribute(out, self.expression)
        out.body(self.body)
        if self.detach == "child":
            out.omp(f"task firstprivate(event{self.id})")
        if self.detach:
            out.line(f"omp_fulfill_event(event{self.id});")
        out.close()
        if self.detach:
            out.close()

    def run(self, env):
        if self.in_reduction:
            self.in_reduction.join(env.holders[self.in_reduction.name], self.expression.value(env))
        run_body(self.body, env)


class Statement(Node):
    """taskwait and taskyield."""

    def __init__(self, draw, _context, _body):
        super().__init__(draw)
        self.directive = draw.choice(["taskwait", "taskwait", "taskyield"])

    def write(self, out):
        out.omp(self.directive)

    def run(self, env):
        pass


class Taskgroup(Node):
    """When it has ended, so have the tasks in it and theirs: checked by a count that is not atomic."""

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.reduction = Reduction(draw) if draw.chance(50) else None
        inside = context.alone(reductions=())
        if self.reduction:
            inside = inside.but(task_reductions=(self.reduction,))
        self.body = body(draw, inside)

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.open()
        if self.reduction:
            self.reduction.declare(out)
        out.omp("taskgroup" + (f" task_reduction{self.reduction.clause}" if self.reduction else ""))
        out.block(self.body)
        if self.reduction:
            self.reduction.add(out, self.id)
        out.close()

    def run(self, env):
        if not self.reduction:
            run_body(self.body, env)
            return
        holder = self.reduction.fresh()
        run_body(self.body, env.but(holders={**env.holders, self.reduction.name: holder}))
        env.sums.add(self.id, self.reduction.total(holder))


class Taskloop(Node):
    simpler = {"clauses": "", "grain": "", "last": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.space = Space(draw, least=1)
        self.grain = draw.choice(["", "", "grainsize({n})", "num_tasks({n})", "grainsize(strict: {n})",
                                  "num_tasks(strict: {n})"]).format(n=1 + draw.below(9))
        self.reduction = Reduction(draw) if draw.chance(35) else None
        self.in_reduction = None
        if context.task_reductions and not self.reduction and draw.chance(50):
            self.in_reduction = draw.choice(context.task_reductions)
        self.last = draw.chance(25)
        self.nogroup = not (self.reduction or self.last) and draw.chance(30)
        inside = inside_task(context, self.reduction or self.in_reduction, self.space.trip)
        inside = inside.but(names=(*inside.names, *self.space.names))
        self.body = body(draw, inside)
        self.expression = Expression.draw(draw, inside)
        self.clauses = task_clauses(draw, self.body)

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.open()
        if self.reduction:
            self.reduction.declare(out)
        if self.last:
            out.line(f"word last{self.id} = 0;")
        clause = (f"reduction{self.reduction.clause}" if self.reduction
                  else self.in_reduction.in_clause if self.in_reduction else "")
        out.omp(f"taskloop {self.grain} {self.clauses} {self.space.clause} {clause} "
                + ("nogroup " if self.nogroup else "")
                + (f"lastprivate(last{self.id})" if self.last else ""))
        self.space.write(out, lambda: self.write_iteration(out))
        if self.nogroup:
            out.omp("taskwait")
        if self.last:
            out.line(f"add({self.id}, mix(last{self.id}));")
        if self.reduction:
            self.reduction.add(out, self.id)
        out.close()

    def write_iteration(self, out):
        if self.last:
            out.line(f"last{self.id} = {self.expression};")
        if self.reduction or self.in_reduction:
            (self.reduction or self.in_reduction).contribute(out, self.expression)
        else:
            out.line(f"add({self.id}, mix({self.expression}));")
        out.body(self.body)

    def run(self, env):
        holder = None
        if self.reduction:
            holder = self.reduction.fresh()
            env = env.but(holders={**env.holders, self.reduction.name: holder})
        elif self.in_reduction:
            holder = env.holders[self.in_reduction.name]
        last = 0
        for point in self.space.points():
            at = env.with_names(**point)
            last = value = self.expression.value(at)
            if holder is not None:
                (self.reduction or self.in_reduction).join(holder, value)
            else:
                env.sums.add(self.id, mix(value))
            run_body(self.body, at)
        if self.last:
            env.sums.add(self.id, mix(last))
        if self.reduction:
            env.sums.add(self.id, self.reduction.total(holder))


class Access:
    """What one task of a graph does with one object."""

    def __init__(self, draw, at):
        self.at, self.kind = at, draw.choice(["in", "in", "out", "inout", "mutexinoutset"])
        self.factor, self.constant = 3 + 2 * draw.below(5), draw.below(1000)
        self.by_object = draw.chance(15)  # depend(depobj: ...)


class Member(Node):
    """One task of a graph: a list of accesses to different objects, and a body."""
    simpler = {"clauses": ""}

    def __init__(self, draw, context, body, objects):
        super().__init__(draw)
        self.accesses = [Access(draw, at) for at in draw.sample(range(objects), 1 + draw.below(min(3, objects)))]
        self.body = body(draw, inside_task(context, None))
        self.clauses = task_clauses(draw, self.body)
        self.array = None  # the name of the objects, which the graph gives

    def bodies(self):
        return [self.body]

    def write(self, out):
        name = self.array
        out.open()
        depends = []
        for k, access in enumerate(self.accesses):
            if access.by_object:
                out.line(f"omp_depend_t handle{self.id}_{k};")
                out.omp(f"depobj(handle{self.id}_{k}) depend({access.kind}: {name}[{access.at}])")
                depends.append(f"depend(depobj: handle{self.id}_{k})")
            else:
                depends.append(f"depend({access.kind}: {name}[{access.at}])")
        out.omp(f"task shared({name}) {self.clauses} {' '.join(depends)}")
        out.open()
        for access in self.accesses:
            at = f"{name}[{access.at}]"
            if access.kind == "in":
                out.line(f"add({self.id}, mix({at} * {access.factor}));")
            elif access.kind == "mutexinoutset":  # any order is right, but one after the other
                out.line(f"{at} += {access.constant};")
            else:
                out.line(f"{at} = {at} * {access.factor} + {access.constant};")
        out.body(self.body)
        out.close()
        for k, access in enumerate(self.accesses):
            if access.by_object:
                out.omp(f"depobj(handle{self.id}_{k}) destroy")
        out.close()

    def run(self, env):
        values = env.shared[self.array]
        for access in self.accesses:
            value = values[access.at]
            if access.kind == "in":
                env.sums.add(self.id, mix(value * access.factor))
            elif access.kind == "mutexinoutset":
                values[access.at] = (value + access.constant) % (1 << 64)
            else:
                values[access.at] = (value * access.factor + access.constant) % (1 << 64)
        run_body(self.body, env)


class Graph(Node):
    """Tasks with dependences on a few objects. They must run as if in the order of their generation."""

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.objects = 1 + draw.below(4)
        self.waits = draw.choice(["taskwait", "taskgroup", "depend"])
        inside = context.alone(4)
        self.members = [Member(draw, inside, body, self.objects) for _ in range(1 + draw.below(8))]
        for member in self.members:
            member.array = f"objects{self.id}"

    def bodies(self):
        return [self.members]

    def write(self, out):
        name = f"objects{self.id}"
        starts = ", ".join(str(k + 1) for k in range(self.objects))
        out.open(f"{{ word {name}[{self.objects}] = {{{starts}}};")
        if self.waits == "taskgroup":
            out.omp("taskgroup")
        out.block(self.members)
        if self.waits == "depend":
            for k in range(self.objects):
                out.omp(f"taskwait depend(inout: {name}[{k}])")
        elif self.waits == "taskwait":
            out.omp("taskwait")
        for k in range(self.objects):
            out.line(f"add({self.id}, mix({name}[{k}] + {k}));")
        if self.waits == "depend":  # the tasks' bodies may go on behind their accesses
            out.omp("taskwait")
        out.close()

    def run(self, env):
        name = f"objects{self.id}"
        values = list(range(1, self.objects + 1))
        run_body(self.members, env.but(shared={**env.shared, name: values}))
        for k in range(self.objects):
            env.sums.add(self.id, mix(values[k] + k))
