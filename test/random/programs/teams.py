"""Constructs that a whole team meets: parallel regions, worksharing, barriers."""
from . import models
from .base import Expression, MayReduce, Node, mix, run_body, write_scope
from .reductions import Reduction
from .spaces import Space

SCHEDULES = ["", "schedule(static)", "schedule(static, {c})", "schedule(dynamic)", "schedule(dynamic, {c})",
             "schedule(guided)", "schedule(guided, {c})", "schedule(auto)", "schedule(runtime)",
             "schedule(monotonic: dynamic, {c})", "schedule(nonmonotonic: dynamic, {c})",
             "schedule(nonmonotonic: guided)", "schedule(monotonic: static)"]


def schedule(draw, ordered=False):
    # Loops with `ordered` may not be nonmonotonic.
    known = [s for s in SCHEDULES if not (ordered and "nonmonotonic" in s)]
    return draw.choice(known).format(c=1 + draw.below(7))


class Team:
    """How many threads a parallel region gets, and in which context its body stands."""

    def __init__(self, draw, context):
        most = min(8, context.inner, 48 // context.at_once, max(1, 3000 // context.times))
        self.asked = 1 + draw.below(max(1, most))
        # With gcc a target region has the device's own settings, with clang those around it: how deep regions may
        # nest in it, the program does not know.
        if context.target and context.active:
            self.asked = 1
        self.serial = draw.chance(8)  # if(0)
        self.bind = draw.choice(["", "", "", "proc_bind(spread)", "proc_bind(close)", "proc_bind(primary)"])
        self.most_active, self.active = context.most_active, context.active

    @property
    def threads(self):
        return 1 if self.serial or self.active >= self.most_active else self.asked

    @property
    def clauses(self):
        return f"num_threads({self.asked}) {self.bind} {'if(zero)' if self.serial else ''}"

    def inside(self, context):
        threads = self.threads
        return context.but(team=True, threads=threads, active=context.active + (threads > 1),
                           at_once=context.at_once * threads, times=context.times * threads,
                           depth=context.depth + 1, serial=False, league=False, sharing=True, tasks=True,
                           inner=max(1, context.inner // threads) if context.inner < 8 else 8,
                           reductions=(), task_reductions=())


class Parallel(models.Parallel, Node):
    hoists = False
    simpler = {"copyin": None, "first_private": None}
    opens_scope = True

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.team = Team(draw, context)
        inside = self.team.inside(context)
        self.reduction = Reduction(draw, draw.chance(40)) if draw.chance(40) else None
        self.copyin = Expression.draw(draw, context) if draw.chance(15) and not context.target else None
        self.first_private = draw.choice(context.names) if context.names and draw.chance(40) else None
        if self.reduction:
            own = (self.reduction,)
            inside = inside.but(reductions=own, task_reductions=own if self.reduction.is_task else ())
        self.checks = not context.target
        self.body = body(draw, inside)

    def write(self, out):
        out.open()
        if self.reduction:
            self.reduction.declare(out)
        write_scope(out, self.body, lambda: self.write_region(out))
        if self.reduction:
            self.reduction.add(out, self.id)
        out.close()

    def write_region(self, out):
        if self.copyin:
            out.line(f"keep({self.copyin});")
        out.omp(f"parallel {self.team.clauses}"
                + (f" reduction{self.reduction.clause}" if self.reduction else "")
                + (" copyin(kept)" if self.copyin else "")
                + (f" firstprivate({self.first_private})" if self.first_private else ""))
        out.open()
        if self.copyin:
            out.line(f"add({self.id}, mix(get_kept() + 1));")
            out.line("keep(get_kept() + 7 + omp_get_thread_num());")
        if self.checks:
            out.line(f"CHECK(omp_get_num_threads() == {self.team.threads}, {self.id});")
            out.line(f"CHECK(omp_get_thread_num() < {self.team.threads}, {self.id});")
        out.body(self.body)
        out.close()


class SharedReduction(MayReduce, Node):
    """A worksharing construct that may have a reduction, whose variable the team shares."""

    def draw_reduction(self, draw, context, percent, may_be_task=True):
        self.reduction = None
        if context.sharing and draw.chance(percent):
            self.reduction = Reduction(draw, may_be_task and draw.chance(30))

    def inside(self, context, times):
        own = (self.reduction,) if self.reduction else ()
        tasks = own if own and self.reduction.is_task else context.task_reductions
        return context.alone(times, reductions=own, task_reductions=tasks)

    @property
    def reduction_clause(self):
        return f"reduction{self.reduction.clause}" if self.reduction else ""


class Loop(models.Loop, SharedReduction):
    """A worksharing loop, with its own region or without."""
    simpler = {"schedule": "", "nowait": False, "last": False, "simd": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.space = Space(draw, least=1)
        self.schedule = schedule(draw)
        self.draw_reduction(draw, context, 40)
        self.last = context.sharing and draw.chance(25)
        self.nowait = not self.last and draw.chance(40)
        if self.reduction and self.reduction.is_task:
            self.nowait = False  # a task reduction needs the barrier
        self.simd = draw.chance(10) and not (self.reduction and self.reduction.is_task)
        inside = self.inside(context, self.space.trip)
        inside = inside.but(names=(*inside.names, *self.space.names))
        # Nothing but plain additions may stand in a simd loop.
        self.body = [] if self.simd else body(draw, inside)
        self.expression = Expression.draw(draw, inside)

    def declare(self, out):
        super().declare(out)
        if self.last:
            out.declare(f"word last{self.id} = 1;")

    def settle(self, out):
        super().settle(out)
        if self.last:
            out.line(f"add({self.id}, mix(last{self.id}));")

    def write(self, out):
        out.omp(f"for {'simd' if self.simd else ''} {self.schedule} {self.space.clause} {self.reduction_clause} "
                + (f"lastprivate(last{self.id}) " if self.last else "") + ("nowait" if self.nowait else ""))
        self.space.write(out, lambda: self.write_iteration(out))

    def write_iteration(self, out):
        if self.last:
            out.line(f"last{self.id} = {self.expression};")
        if self.reduction:
            self.reduction.contribute(out, self.expression)
        out.body(self.body)


class ParallelLoop(models.ParallelLoop, Node):
    """parallel for: what runs it is a team of its own."""
    hoists = False
    simpler = {"schedule": ""}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.team = Team(draw, context)
        self.space = Space(draw)
        self.schedule = schedule(draw)
        self.reduction = Reduction(draw) if draw.chance(60) else None
        self.directive = "for"
        if draw.chance(20) and self.reduction is None:
            self.directive, self.schedule = "loop", ""
        inside = self.team.inside(context).alone(self.space.trip)
        inside = inside.but(times=context.times * max(1, self.space.trip),
                            names=(*inside.names, *self.space.names),
                            reductions=(self.reduction,) if self.reduction else ())
        self.body = [] if self.directive == "loop" else body(draw, inside)
        self.expression = Expression.draw(draw, inside)

    def write(self, out):
        out.open()
        if self.reduction:
            self.reduction.declare(out)
        clause = f"reduction{self.reduction.clause}" if self.reduction else ""
        out.omp(f"parallel {self.directive} {self.team.clauses} {self.schedule} {self.space.clause} {clause}")
        self.space.write(out, lambda: self.write_iteration(out))
        if self.reduction:
            self.reduction.add(out, self.id)
        out.close()

    def write_iteration(self, out):
        if self.reduction:
            self.reduction.contribute(out, self.expression)
        else:
            out.line(f"add({self.id}, mix({self.expression}));")
        out.body(self.body)


class OrderedLoop(models.OrderedLoop, Node):
    """Its ordered regions add to a value that is not atomic, in a way in which the order shows."""
    simpler = {"schedule": ""}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.space = Space(draw)
        self.schedule = schedule(draw, ordered=True)
        inside = context.alone(self.space.trip, names=(*context.names, *self.space.names),
                               reductions=(), task_reductions=())
        self.before, self.after = body(draw, inside), body(draw, inside)
        self.expression = Expression.draw(draw, inside)

    def declare(self, out):
        out.declare(f"word chain{self.id} = 1;")

    def settle(self, out):
        out.line(f"add({self.id}, mix(chain{self.id}));")

    def write(self, out):
        out.omp(f"for ordered {self.schedule} {self.space.clause}")
        self.space.write(out, lambda: self.write_iteration(out))

    def write_iteration(self, out):
        out.body(self.before)
        out.omp("ordered")
        out.line(f"chain{self.id} = chain{self.id} * 31 + ({self.expression});")
        out.body(self.after)


class Doacross(Node):
    """Each element of a table is made of neighbours that earlier iterations have written."""
    simpler = {"schedule": ""}

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.schedule = schedule(draw, ordered=True)
        self.rows, self.columns = 1 + draw.below(12), 1 + draw.below(6)
        self.sinks = draw.sample([(1, 0), (0, 1), (1, 1), (2, 0), (1, -1)], 1 + draw.below(3))
        self.factor = 3 + 2 * draw.below(9)
        self.flat = draw.chance(40)  # ordered(1): whole rows
        if self.flat:
            self.sinks = [(1 + draw.below(3), 0)]

    def table(self):
        size = [[0] * self.columns for _ in range(self.rows)]
        for i in range(self.rows):
            for j in range(self.columns):
                size[i][j] = (self.factor * sum(size[i - a][j - b] for a, b in self.sinks
                                                if 0 <= i - a and 0 <= j - b < self.columns)
                              + i * 7 + j + 1) % (1 << 64)
        return size

    def declare(self, out):
        out.declare(f"word table{self.id}[{self.rows}][{self.columns}] = {{{{0}}}};")

    def settle(self, out):
        out.line(f"for (int i = 0; i < {self.rows}; ++i) for (int j = 0; j < {self.columns}; ++j) "
                 f"add({self.id}, mix(table{self.id}[i][j] + i));")

    def settled(self, env):
        run = env.shared.get(self.id)
        table = self.table()
        for i in range(self.rows):
            for j in range(self.columns):
                env.sums.add(self.id, mix((table[i][j] if run else 0) + i))

    def write(self, out):
        depth = 1 if self.flat else 2
        out.omp(f"for ordered({depth}) {self.schedule}")
        out.line(f"for (int i = 0; i < {self.rows}; ++i)")
        out.open(f"for (int j = 0; j < {self.columns}; ++j) {{" if not self.flat else "{")
        sinks = " ".join(f"depend(sink: i - {a}" + (")" if self.flat else f", j - {b})".replace("- -", "+ "))
                         for a, b in self.sinks)
        out.omp(f"ordered {sinks}")
        if self.flat:
            out.open(f"for (int j = 0; j < {self.columns}; ++j) {{")
        terms = "".join(f" + (i >= {a} && j - ({b}) >= 0 && j - ({b}) < {self.columns} "
                        f"? table{self.id}[i - {a}][j - ({b})] : 0)" for a, b in self.sinks)
        out.line(f"table{self.id}[i][j] = {self.factor}UL * (0{terms}) + i * 7 + j + 1;")
        if self.flat:
            out.close()
        out.omp("ordered depend(source)")
        out.close()

    def run(self, env):
        env.shared[self.id] = True


class Scan(Node):
    """Prefix sums of a loop."""

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.trip = 1 + draw.below(40)
        self.exclusive = draw.chance(50)
        self.expression = Expression.draw(draw, context)

    def declare(self, out):
        out.declare(f"word prefix{self.id} = 5;")

    def settle(self, out):
        out.line(f"add({self.id}, mix(prefix{self.id}));")

    def settled(self, env):
        env.sums.add(self.id, mix(env.shared.get(self.id, 5)))

    def write(self, out):
        name = f"prefix{self.id}"
        steps = [lambda: out.line(f"{name} += {self.expression} + i * i;"),
                 lambda: out.line(f"add({self.id}, mix({name} + i));")]
        out.omp(f"for reduction(inscan, +: {name})")
        out.open(f"for (int i = 0; i < {self.trip}; ++i) {{")
        steps[self.exclusive]()
        out.omp(f"scan {'exclusive' if self.exclusive else 'inclusive'}({name})")
        steps[not self.exclusive]()
        out.close()

    def run(self, env):
        if not env.first:
            return
        sum_ = env.shared.get(self.id, 5)
        for i in range(self.trip):
            if self.exclusive:
                env.sums.add(self.id, mix(sum_ + i))
            sum_ = (sum_ + self.expression.value(env) + i * i) % (1 << 64)
            if not self.exclusive:
                env.sums.add(self.id, mix(sum_ + i))
        env.shared[self.id] = sum_


class Sections(models.Sections, SharedReduction):
    simpler = {"nowait": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.draw_reduction(draw, context, 30)
        self.nowait = draw.chance(40) and not (self.reduction and self.reduction.is_task)
        inside = self.inside(context, 1)
        self.sections = [body(draw, inside) for _ in range(1 + draw.below(4))]

    def write(self, out):
        out.omp(f"sections {self.reduction_clause} {'nowait' if self.nowait else ''}")
        out.open()
        for section in self.sections:
            out.omp("section")
            out.block(section)
        out.close()


class Scope(SharedReduction):
    """Each thread runs it."""
    simpler = {"nowait": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.draw_reduction(draw, context, 60, may_be_task=False)
        self.nowait = draw.chance(40)
        self.body = body(draw, self.inside(context, 1))
        self.expression = Expression.draw(draw, context)

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.omp(f"scope {self.reduction_clause} {'nowait' if self.nowait else ''}")
        out.open()
        if self.reduction:
            self.reduction.contribute(out, self.expression)
        out.body(self.body)
        out.close()

    def run(self, env):
        if self.reduction:
            self.reduction.join(self.holder(env), self.expression.value(env))
        run_body(self.body, self.env_inside(env))


class Single(models.Single, Node):
    simpler = {"nowait": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.copyprivate = Expression.draw(draw, context) if draw.chance(35) else None
        self.nowait = self.copyprivate is None and draw.chance(40)
        self.body = body(draw, context.alone(reductions=()))

    def write(self, out):
        out.open(f"{{ word own{self.id} = 1;")
        out.omp("single " + (f"copyprivate(own{self.id})" if self.copyprivate else "nowait" if self.nowait else ""))
        out.open()
        out.line(f"own{self.id} = {self.copyprivate or 2};")
        out.body(self.body)
        out.close()
        out.line(f"add({self.id}, mix(own{self.id}));" if self.copyprivate else f"(void)own{self.id};")
        out.close()


class Masked(models.Masked, Node):
    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.filter = draw.choice([None, None, draw.below(context.threads + 1)])
        self.old = self.filter is None and draw.chance(50)
        self.body = body(draw, context.alone(reductions=()))

    def write(self, out):
        out.omp("master" if self.old else "masked" if self.filter is None else f"masked filter({self.filter})")
        out.block(self.body)


class Exchange(models.Exchange, Node):
    """Each thread reads, behind a barrier, what its neighbour has written before it: not atomic."""

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.threads = context.threads

    def declare(self, out):
        out.declare(f"word slots{self.id}[{self.threads}] = {{0}};")

    def write(self, out):
        out.open(f"{{ const int me = omp_get_thread_num(), next = (me + 1) % {self.threads};")
        out.line(f"slots{self.id}[me] = (word)me + 3;")
        out.omp("barrier")
        out.line(f"CHECK(slots{self.id}[next] == (word)next + 3, {self.id});")
        out.line(f"add({self.id}, mix(slots{self.id}[next]));")
        out.omp("barrier")
        out.line(f"slots{self.id}[me] = 0;")
        out.close()


class Barrier(models.Barrier, Node):
    def __init__(self, draw, _context, _body):
        super().__init__(draw)

    def write(self, out):
        out.omp("barrier")
