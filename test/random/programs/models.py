"""What constructs do, in whatever language they are written: the serial interpretation of each.

A writer is a class that derives from one of these and from its language's node. It draws the attributes that are
named here and writes the text; the language's node has the arithmetic, `mix` and `modulus`.
"""
from .base import MayReduce, run_body, run_scope


class Body:
    """One thread runs what is in it, or each that comes by: a function, a task."""

    def bodies(self):
        return [self.body]

    def run(self, env):
        run_body(self.body, env)


class Let(Body):
    """`name` has the value of `expression` in the body."""

    def run(self, env):
        run_body(self.body, env.with_names(**{self.name: self.expression.value(env)}))


class Contribution:
    """Adds `expression` to the private copy of a `reduction` around it."""

    def run(self, env):
        self.reduction.join(env.holders[self.reduction.name], self.expression.value(env))


class Parallel:
    """`team` runs the body. `copyin`: what each thread's copy begins with; `reduction`; both may be None."""

    def bodies(self):
        return [self.body]

    def run(self, env):
        holders = {self.reduction.name: self.reduction.fresh()} if self.reduction else {}

        def thread(inside):
            if self.copyin:
                env.sums.add(self.id, self.mix(self.copyin.value(env) + 1))
            run_body(self.body, inside)
        run_scope(env.but(holders=holders), self.body, self.team.threads, thread)
        if self.reduction:
            env.sums.add(self.id, self.reduction.total(holders[self.reduction.name]))


class Loop(MayReduce):
    """The team shares out the points of `space`. `last`: the last one leaves its value of `expression` behind."""

    def bodies(self):
        return [self.body]

    def settled(self, env):
        super().settled(env)
        if self.last:
            env.sums.add(self.id, self.mix(env.shared.get((self.id, "last"), 1)))

    def run(self, env):
        if not env.first:
            return
        inside = self.env_inside(env)
        for point in self.space.points():
            at = inside.with_names(**point)
            value = self.expression.value(at)
            if self.last:
                env.shared[self.id, "last"] = value
            if self.reduction:
                self.reduction.join(self.holder(env), value)
            run_body(self.body, at)


class ParallelLoop:
    """A loop that is a region of its own. Without a reduction each point adds to the construct's sum."""

    def bodies(self):
        return [self.body]

    def run(self, env):
        holder = self.reduction.fresh() if self.reduction else None
        inside = env.but(holders={self.reduction.name: holder} if self.reduction else {}, shared={})
        for point in self.space.points():
            at = inside.with_names(**point)
            if self.reduction:
                self.reduction.join(holder, self.expression.value(at))
            else:
                env.sums.add(self.id, self.mix(self.expression.value(at)))
            run_body(self.body, at)
        if self.reduction:
            env.sums.add(self.id, self.reduction.total(holder))


class OrderedLoop:
    """Its ordered regions, between `before` and `after`, change a value in a way in which their order shows."""

    def bodies(self):
        return [self.before, self.after]

    def settled(self, env):
        env.sums.add(self.id, self.mix(env.shared.get(self.id, 1)))

    def run(self, env):
        if not env.first:
            return
        for point in self.space.points():
            at = env.with_names(**point)
            run_body(self.before, at)
            value = env.shared.get(self.id, 1) * 31 + self.expression.value(at)
            env.shared[self.id] = value % self.modulus
            run_body(self.after, at)


class Sections(MayReduce):
    def bodies(self):
        return self.sections

    def run(self, env):
        if env.first:
            for section in self.sections:
                run_body(section, self.env_inside(env))


class Single:
    """`copyprivate`: the value that each thread of the team gets; or None."""

    def bodies(self):
        return [self.body]

    def run(self, env):
        if env.first:
            run_body(self.body, env)
        if self.copyprivate:
            env.sums.add(self.id, self.mix(self.copyprivate.value(env)))


class Masked:
    """The thread `filter` runs it, or the primary one."""
    filter = None

    def bodies(self):
        return [self.body]

    def run(self, env):
        if env.thread == (self.filter or 0):
            run_body(self.body, env)


class Exchange:
    """Each of `threads` reads what its neighbour has written before a barrier."""

    def run(self, env):
        env.sums.add(self.id, self.mix((env.thread + 1) % self.threads + 3))


class Barrier:
    def run(self, env):
        pass
