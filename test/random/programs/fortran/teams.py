"""Constructs that a whole team meets: parallel regions, worksharing, barriers."""
from .. import models
from ..base import MayReduce
from .base import PRIME, Expression, FortranNode, Reduction, clause, is_flang, mix, private_names


def schedule(draw, ordered=False):
    return draw.choice(["", "schedule(static)", "schedule(static, {c})", "schedule(dynamic)", "schedule(dynamic, {c})",
                        "schedule(guided)", "schedule(guided, {c})", "schedule(runtime)", "schedule(auto)",
                        *([] if ordered else ["schedule(nonmonotonic: dynamic, {c})"])]).format(c=1 + draw.below(7))


class Team:
    def __init__(self, draw, context):
        most = min(8, 48 // context.at_once, max(1, 3000 // context.times))
        self.asked, self.serial = 1 + draw.below(max(1, most)), draw.chance(8)
        self.bind = draw.choice(["", "", "", "proc_bind(spread)", "proc_bind(close)"])
        self.threads = 1 if self.serial or context.active >= context.most_active else self.asked

    @property
    def clauses(self):
        return f"num_threads({self.asked}) {self.bind} {'if(zero == 1)' if self.serial else ''}"

    def inside(self, context):
        return context.but(team=True, threads=self.threads, active=context.active + (self.threads > 1),
                           at_once=context.at_once * self.threads, times=context.times * self.threads,
                           depth=context.depth + 1, serial=False, sharing=True, reductions=())


class Parallel(models.Parallel, FortranNode):
    hoists = False
    simpler = {"copyin": None, "first": None}
    opens_scope = True

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.team, self.names = Team(draw, context), context.names
        self.reduction = Reduction(draw) if draw.chance(40) else None
        self.copyin = Expression(draw, context) if draw.chance(20) else None
        self.first = draw.choice(context.names) if context.names and draw.chance(40) else None
        own = (self.reduction,) if self.reduction else ()
        self.body = body(draw, self.team.inside(context).but(reductions=own))

    def write(self, out):
        out.apart(f"region{self.id}", self.names, self.write_procedure)

    def write_procedure(self, out):
        if self.reduction:
            self.reduction.declare(out)
        if self.copyin:
            out.line(f"kept = {self.copyin}")
        clauses = [self.team.clauses, clause("private", private_names(self.body)),
                   clause("firstprivate", [self.first] if self.first else []),
                   self.reduction.clause if self.reduction else "", "copyin(kept)" if self.copyin else ""]
        out.scope(self.body, lambda: out.construct("parallel", " ".join(clauses), lambda: self.write_region(out)))
        if self.reduction:
            self.reduction.add(out, self.id)

    def write_region(self, out):
        if self.copyin:
            out.line(f"call add({self.id}, mix(kept + 1))")
            out.line("kept = kept + 7 + omp_get_thread_num()")
        out.line(f"call check(omp_get_num_threads() == {self.team.threads}, {self.id})")
        out.body(self.body)


class Space:
    """One to three collapsed loops, of both integer kinds and of steps of both signs."""

    def __init__(self, draw, most=24, collapse=True, least=0):
        count = draw.choice([1, 1, 1, 2, 2, 3]) if collapse else 1
        each = most if count == 1 else 5 if count == 2 else 3
        if is_flang(draw):
            least = 1  # its code for chunks of a loop without iterations divides by 0
        self.loops = []
        for _ in range(count):
            trip = draw.choice([least, 1, 2, draw.randint(least, max(least, each)), each])
            step = draw.choice([1, 1, 1, 2, 3, -1, -1, -2])
            start = draw.choice([0, 1, draw.randint(-20, 20), (1 << 31) - 1 - 100, -(1 << 31) + 100])
            self.loops.append((f"i{draw.number()}", max(least, trip), step, start, draw.below(abs(step)),
                               draw.choice([4, 4, 8])))
        self.names = tuple(name for name, *_ in self.loops)
        self.trip = 1
        for _, trip, *_ in self.loops:
            self.trip *= trip

    @property
    def clause(self):
        return f"collapse({len(self.loops)})" if len(self.loops) > 1 else ""

    def headers(self, out):
        headers = []
        for name, trip, step, start, more, kind in self.loops:
            last = start + (trip - 1) * step + (more if step > 0 else -more)
            if trip == 0:
                last = start - step
            out.local(f"integer({kind}) :: {name}")
            headers.append(f"do {name} = {start}_{kind}, {last}_{kind}" + (f", {step}_{kind}" if step != 1 else ""))
        return headers

    def points(self, depth=0):
        if depth == len(self.loops):
            yield {}
            return
        name, trip, step, start, *_ = self.loops[depth]
        for k in range(trip):
            for rest in self.points(depth + 1):
                yield {name: start + k * step, **rest}


class Shared(MayReduce, FortranNode):
    """A construct that may have a reduction whose variable the team shares."""
    reduction = None

    def inside(self, context, times, names=()):
        return context.alone(times, names=(*context.names, *names),
                             reductions=(self.reduction,) if self.reduction else ())


class Loop(models.Loop, Shared):
    simpler = {"schedule": "", "nowait": False, "last": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.directive = "do simd" if draw.chance(10) else "do"
        # gfortran 12 itself fails at some simd loops that are collapsed.
        self.space, self.schedule = Space(draw, collapse=self.directive == "do", least=1), schedule(draw)
        self.reduction = Reduction(draw) if context.sharing and draw.chance(40) else None
        self.last = context.sharing and draw.chance(25)
        self.nowait = not self.last and draw.chance(40)
        inside = self.inside(context, self.space.trip, self.space.names)
        self.body = body(draw, inside) if self.directive == "do" else []
        self.expression = Expression(draw, inside)

    def declare(self, out):
        super().declare(out)
        if self.last:
            out.shared("integer(8)", f"last{self.id}")
            out.line(f"last{self.id} = 1")

    def settle(self, out):
        super().settle(out)
        if self.last:
            out.line(f"call add({self.id}, mix(last{self.id}))")

    def write(self, out):
        clauses = [self.schedule, self.space.clause, self.reduction.clause if self.reduction else "",
                   clause("lastprivate", [f"last{self.id}"] if self.last else [])]
        out.construct(self.directive, " ".join(clauses),
                      lambda: out.loops(self.space.headers(out), lambda: self.write_iteration(out)),
                      "nowait" if self.nowait else "")

    def write_iteration(self, out):
        if self.last:
            out.line(f"last{self.id} = {self.expression}")
        if self.reduction:
            self.reduction.contribute(out, self.expression)
        out.body(self.body)


class ParallelLoop(models.ParallelLoop, FortranNode):
    hoists = False
    simpler = {"schedule": ""}
    opens_scope = True

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.team, self.names, self.space = Team(draw, context), context.names, Space(draw)
        self.schedule, self.reduction = schedule(draw), Reduction(draw)
        inside = self.team.inside(context).alone(names=(*context.names, *self.space.names),
                                                 reductions=(self.reduction,))
        inside = inside.but(times=context.times * max(1, self.space.trip))
        self.body, self.expression = body(draw, inside), Expression(draw, inside)

    def write(self, out):
        out.apart(f"loop{self.id}", self.names, self.write_procedure)

    def write_procedure(self, out):
        def iteration():
            self.reduction.contribute(out, self.expression)
            out.body(self.body)
        self.reduction.declare(out)
        out.construct("parallel do", " ".join([self.team.clauses, self.schedule, self.space.clause,
                                               self.reduction.clause, clause("private", private_names(self.body))]),
                      lambda: out.loops(self.space.headers(out), iteration))
        self.reduction.add(out, self.id)


class OrderedLoop(models.OrderedLoop, FortranNode):
    simpler = {"schedule": ""}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.space, self.schedule = Space(draw), schedule(draw, ordered=True)
        inside = context.alone(self.space.trip, names=(*context.names, *self.space.names), reductions=())
        self.before, self.after = body(draw, inside), body(draw, inside)
        self.expression = Expression(draw, inside)

    def declare(self, out):
        out.shared("integer(8)", f"chain{self.id}")
        out.line(f"chain{self.id} = 1")

    def settle(self, out):
        out.line(f"call add({self.id}, mix(chain{self.id}))")

    def write(self, out):
        def iteration():
            out.body(self.before)
            out.construct("ordered", "", lambda: out.line(
                f"chain{self.id} = modulo(chain{self.id} * 31 + {self.expression}, prime)"))
            out.body(self.after)
        out.construct("do", f"ordered {self.schedule} {self.space.clause}",
                      lambda: out.loops(self.space.headers(out), iteration))


class Workshare(FortranNode):
    """Array assignments that the team shares out: one begins when the one before it has ended."""
    simpler = {"nowait": False}

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.size, self.expression = 1 + draw.below(30), Expression(draw, context.but(names=()))
        self.steps = [draw.choice(["all", "part", "where", "reversed", "sum"]) for _ in range(1 + draw.below(3))]

    def declare(self, out):
        out.shared("integer(8)", f"array{self.id}({self.size}), sum{self.id}")
        out.local(f"integer :: j{self.id}")
        out.line(f"array{self.id} = [(int(j{self.id}, 8), j{self.id} = 1, {self.size})]")

    def settle(self, out):
        out.loops([f"do j{self.id} = 1, {self.size}"],
                  lambda: out.line(f"call add({self.id}, mix(array{self.id}(j{self.id}) + j{self.id}))"))

    def settled(self, env):
        for k, value in enumerate(env.shared.get(self.id, range(1, self.size + 1))):
            env.sums.add(self.id, mix(value + k + 1))

    def write(self, out):
        array, half = f"array{self.id}", self.size // 2
        texts = {"all": [f"{array} = modulo({array} * 3 + {self.expression}, prime)"],
                 "part": [f"{array}({half + 1}:) = modulo({array}({half + 1}:) + 17, prime)"],
                 "where": [f"where (modulo({array}, 2_8) == 0) {array} = modulo({array} + 5, prime)"],
                 "reversed": [f"{array} = {array}({self.size}:1:-1)"],
                 "sum": [f"sum{self.id} = modulo(sum({array}), prime)", f"{array}(1) = sum{self.id}"]}
        out.construct("workshare", "", lambda: [out.line(text) for step in self.steps for text in texts[step]])

    def run(self, env):
        if not env.first:
            return
        array = list(env.shared.get(self.id, range(1, self.size + 1)))
        for step in self.steps:
            if step == "all":
                array = [(value * 3 + self.expression.value(env)) % PRIME for value in array]
            elif step == "part":
                array = [(value + 17) % PRIME if k >= self.size // 2 else value for k, value in enumerate(array)]
            elif step == "where":
                array = [(value + 5) % PRIME if value % 2 == 0 else value for value in array]
            elif step == "reversed":
                array.reverse()
            else:
                array[0] = sum(array) % PRIME
        env.shared[self.id] = array


class Sections(models.Sections, Shared):
    simpler = {"nowait": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.reduction = Reduction(draw) if context.sharing and draw.chance(30) else None
        self.nowait = draw.chance(40)
        self.sections = [body(draw, self.inside(context, 1)) for _ in range(1 + draw.below(4))]

    def write(self, out):
        def sections():
            for section in self.sections:
                out.directive("section")
                out.line("continue")
                out.body(section)
        out.construct("sections", self.reduction.clause if self.reduction else "", sections,
                      "nowait" if self.nowait else "")


class Single(models.Single, FortranNode):
    simpler = {"nowait": False}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        # flang asks for a region around it in the same procedure.
        may_copy = not is_flang(draw) or (context.sharing and not context.serial)
        self.copyprivate = Expression(draw, context) if may_copy and draw.chance(35) else None
        self.nowait = self.copyprivate is None and draw.chance(40)
        self.body = body(draw, context.alone(reductions=()))

    def own_names(self):
        return [f"own{self.id}"]

    def write(self, out):
        out.local(f"integer(8) :: own{self.id}")
        out.line(f"own{self.id} = 1")

        def inside():
            if self.copyprivate:
                out.line(f"own{self.id} = {self.copyprivate}")
            out.body(self.body)
        out.construct("single", "", inside, f"copyprivate(own{self.id})" if self.copyprivate else "nowait" * self.nowait)
        if self.copyprivate:
            out.line(f"call add({self.id}, mix(own{self.id}))")


class Masked(models.Masked, FortranNode):
    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.name, self.names = draw.choice(["master", "masked"]), context.names
        self.opens_scope = is_flang(draw)  # which knows no plain loop in it
        self.body = body(draw, context.alone(reductions=()))

    def write(self, out):
        def inside(out):
            out.line("continue")
            out.body(self.body)
        out.construct(self.name, "", lambda: out.apart(f"masked{self.id}", self.names, inside)
                      if self.opens_scope else inside(out))


class Barrier(models.Barrier, FortranNode):
    def __init__(self, draw, _context, _body):
        super().__init__(draw)

    def write(self, out):
        out.directive("barrier")


class Exchange(models.Exchange, FortranNode):
    """Each thread reads, behind a barrier, what its neighbour has written before it."""

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.threads = context.threads

    def own_names(self):
        return [f"next{self.id}"]

    def declare(self, out):
        out.shared("integer(8)", f"slots{self.id}(0:{self.threads - 1})")
        out.local(f"integer :: next{self.id}")
        out.line(f"slots{self.id} = 0")

    def write(self, out):
        out.line(f"next{self.id} = mod(omp_get_thread_num() + 1, {self.threads})")
        out.line(f"slots{self.id}(omp_get_thread_num()) = omp_get_thread_num() + 3")
        out.directive("barrier")
        out.line(f"call add({self.id}, mix(slots{self.id}(next{self.id})))")
        out.directive("barrier")
        out.line(f"slots{self.id}(omp_get_thread_num()) = 0")


class Doacross(FortranNode):
    simpler = {"schedule": ""}

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.schedule, self.rows = schedule(draw, ordered=True), 1 + draw.below(30)
        self.back, self.factor = 1 + draw.below(3), 3 + draw.below(50)

    def declare(self, out):
        out.shared("integer(8)", f"table{self.id}(-2:{self.rows})")
        out.local(f"integer :: i{self.id}")
        out.line(f"table{self.id} = 0")

    def settle(self, out):
        out.line(f"call add({self.id}, mix(table{self.id}({self.rows})))")

    def settled(self, env):
        table = [0] * (self.rows + 3)
        for i in range(1, self.rows + 1 if env.shared.get(self.id) else 1):
            table[i + 2] = (table[i + 2 - self.back] * self.factor + i) % PRIME
        env.sums.add(self.id, mix(table[self.rows + 2]))

    def write(self, out):
        def iteration():
            out.directive(f"ordered depend(sink: i{self.id} - {self.back})")
            out.line(f"table{self.id}(i{self.id}) = modulo(table{self.id}(i{self.id} - {self.back}) * {self.factor} "
                     f"+ i{self.id}, prime)")
            out.directive("ordered depend(source)")
        out.construct("do", f"ordered(1) {self.schedule}",
                      lambda: out.loops([f"do i{self.id} = 1, {self.rows}"], iteration))

    def run(self, env):
        env.shared[self.id] = True
