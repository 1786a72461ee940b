"""Constructs for devices, which the host runs here, and leagues of teams."""
from .base import Expression, Node, mix, run_body, run_scope
from .reductions import Reduction
from .spaces import Space
from .teams import schedule


class Target(Node):
    """A target region, some as tasks; its array is mapped."""
    hoists = False
    simpler = {"nowait": False}
    opens_scope = True

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.trip = 1 + draw.below(6)
        self.nowait = draw.chance(40) and context.tasks
        self.data = draw.chance(25)
        # clang 19 calls the region as a plain function: tasks in it that are not waited for use its frame later.
        self.waits = not draw.compiler.startswith("gcc")
        self.expression = Expression.draw(draw, context)
        self.body = body(draw, context.but(
            team=False, threads=1, depth=context.depth + 1, target=True, sharing=False, reductions=(),
            task_reductions=(), serial=False))

    def bodies(self):
        return [self.body]

    def write(self, out):
        name = f"mapped{self.id}"
        out.open(f"{{ word {name}[{self.trip}] = {{0}};")
        if self.data:
            out.omp(f"target enter data map(to: {name})")
        out.omp(f"target map(tofrom: {name})"
                + (f" nowait depend(inout: {name})" if self.nowait else ""))
        out.open()
        out.open(f"for (int k = 0; k < {self.trip}; ++k)")
        out.line(f"{name}[k] += {self.expression} + k;")
        out.depth -= 1
        out.body(self.body)
        if self.waits:
            out.omp("taskwait")
        out.close()
        if self.nowait:
            out.omp("taskwait")
        if self.data:
            out.omp(f"target exit data map(from: {name})")
        out.line(f"for (int k = 0; k < {self.trip}; ++k) add({self.id}, mix({name}[k]));")
        out.close()

    def run(self, env):
        for k in range(self.trip):
            env.sums.add(self.id, mix(self.expression.value(env) + k))
        run_scope(env.but(holders={}), self.body, 1, lambda inside: run_body(self.body, inside))


def distribute_schedule(draw):
    return draw.choice(["", "dist_schedule(static)", f"dist_schedule(static, {1 + draw.below(5)})"])


class Teams(Node):
    """A league on the host."""
    hoists = False
    opens_scope = True

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.teams = 1 + draw.below(4)
        self.limit = 1 + draw.below(6)
        self.reduction = Reduction(draw) if draw.chance(40) else None
        self.expression = Expression.draw(draw, context)
        self.body = body(draw, context.but(
            team=False, league=True, threads=1, serial=False, sharing=False, times=context.times * self.teams,
            at_once=context.at_once * self.teams, inner=self.limit, depth=context.depth + 1,
            reductions=(self.reduction,) if self.reduction else (), task_reductions=()))

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.open()
        if self.reduction:
            self.reduction.declare(out)
        clause = f"reduction{self.reduction.clause}" if self.reduction else ""
        out.omp(f"teams num_teams({self.teams}) thread_limit({self.limit}) {clause}")
        out.open()
        out.line(f"CHECK(omp_get_num_teams() == {self.teams}, {self.id});")
        if self.reduction:
            self.reduction.contribute(out, self.expression)
        out.body(self.body)
        out.close()
        if self.reduction:
            self.reduction.add(out, self.id)
        out.close()

    def run(self, env):
        holder = self.reduction.fresh() if self.reduction else None
        inside = env.but(holders={self.reduction.name: holder} if self.reduction else {})
        for team in range(self.teams):
            if self.reduction:
                self.reduction.join(holder, self.expression.value(env))
            run_body(self.body, inside.but(thread=0, threads=1, shared={"team": team}))
        if self.reduction:
            env.sums.add(self.id, self.reduction.total(holder))


class Distribute(Node):
    """Iterations of a league: each is run by one team."""
    simpler = {"schedule": "", "combined": ""}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.space = Space(draw)
        self.schedule = distribute_schedule(draw)
        self.combined = draw.choice(["", "parallel for"])
        self.inner_schedule = schedule(draw) if self.combined else ""
        inside = context.but(league=False, team=False, names=(*context.names, *self.space.names),
                             times=context.times * max(1, self.space.trip), depth=context.depth + 1,
                             inner=1 if self.combined else context.inner, reductions=())
        self.body = body(draw, inside)
        self.expression = Expression.draw(draw, inside)

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.omp(f"distribute {self.combined} {self.schedule} {self.inner_schedule if self.combined else ''} "
                f"{self.space.clause}")
        self.space.write(out, lambda: self.write_iteration(out))

    def write_iteration(self, out):
        out.line(f"add({self.id}, mix({self.expression}));")
        out.body(self.body)

    def run(self, env):
        if env.shared["team"] != 0:
            return
        for point in self.space.points():
            at = env.with_names(**point)
            env.sums.add(self.id, mix(self.expression.value(at)))
            run_body(self.body, at)


class TargetLoop(Node):
    """target teams distribute parallel for, with a reduction."""
    opens_scope = True

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.space = Space(draw)
        self.reduction = Reduction(draw)
        self.directive = draw.choice(["target teams distribute parallel for", "target parallel for",
                                      "target teams distribute"])
        self.schedule = schedule(draw) if "for" in self.directive else ""
        self.expression = Expression.draw(draw, context.but(names=(*context.names, *self.space.names)))

    def write(self, out):
        out.open()
        self.reduction.declare(out)
        out.omp(f"{self.directive} {self.schedule} {self.space.clause} map(tofrom: {self.reduction.name}) "
                f"reduction{self.reduction.clause}")
        self.space.write(out, lambda: self.reduction.contribute(out, self.expression))
        self.reduction.add(out, self.id)
        out.close()

    def run(self, env):
        holder = self.reduction.fresh()
        for point in self.space.points():
            self.reduction.join(holder, self.expression.value(env.with_names(**point)))
        env.sums.add(self.id, self.reduction.total(holder))
