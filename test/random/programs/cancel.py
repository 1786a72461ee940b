"""Cancelled constructs. How much of one runs is not known: no iteration runs twice, and what follows is right."""
from .base import Node
from .spaces import Space
from .teams import Team, schedule


class Bounded(Node):
    """Counts the runs of each piece: `limit` is how often the construct itself was run."""
    shares = True  # the counts belong to the team

    def declare(self, out):
        if self.shares:
            self.write_counts(out)

    def settle(self, out):
        if self.shares:
            self.write_check(out, f"rounds{self.id}")

    def write_counts(self, out):
        out.declare(f"int seen{self.id}[{max(1, self.pieces)}] = {{0}}, rounds{self.id} = 0;")
        out.line(f"(void)rounds{self.id};")

    def write_check(self, out, limit):
        out.line(f"for (int k = 0; k < {self.pieces}; ++k) CHECK(seen{self.id}[k] <= {limit}, {self.id});")

    def write_hit(self, out, piece):
        out.line(f"__atomic_fetch_add(&seen{self.id}[{piece}], 1, __ATOMIC_RELAXED);")

    def write_round(self, out):
        out.line(f"if (omp_get_thread_num() == 0) ++rounds{self.id};")

    def run(self, env):
        pass


class CancelledLoop(Bounded):
    simpler = {"schedule": ""}

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.space = Space(draw, collapse=False, least=1)
        self.schedule = schedule(draw)
        self.at = draw.below(self.space.trip)
        self.asks = draw.chance(60)
        self.condition = draw.chance(20)
        self.pieces = self.space.trip

    def write(self, out):
        dimension = self.space.dimensions[0]
        piece = f"(int)(((long){dimension.name} - (long){self.literal()}) / {dimension.step})"
        self.write_round(out)
        out.omp(f"for {self.schedule}")
        out.open(dimension.header() + " {")
        self.write_hit(out, piece)
        out.open(f"if ({piece} == {self.at}) {{")
        out.omp("cancel for" + (" if(one)" if self.condition else ""))
        out.close()
        if self.asks:
            out.omp("cancellation point for")
        out.close()

    def literal(self):
        from .spaces import literal
        dimension = self.space.dimensions[0]
        return literal(dimension.start, dimension.type)


class CancelledSections(Bounded):
    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.pieces = 1 + draw.below(6)
        self.at = draw.below(self.pieces)

    def write(self, out):
        self.write_round(out)
        out.omp("sections")
        out.open()
        for piece in range(self.pieces):
            out.omp("section")
            out.open()
            self.write_hit(out, piece)
            if piece == self.at:
                out.omp("cancel sections")
            else:
                out.omp("cancellation point sections")
            out.close()
        out.close()


class CancelledTaskgroup(Bounded):
    """A task cancels its group: behind it no task of the group runs."""
    shares = False

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.pieces = 1 + draw.below(20)
        self.at = draw.below(self.pieces)
        self.nested = draw.chance(30)

    def write(self, out):
        out.open()
        self.write_counts(out)
        out.line(f"int running{self.id} = 0;")
        out.omp("taskgroup")
        out.open(f"{{ for (int k = 0; k < {self.pieces}; ++k) {{")
        shared = f"shared(seen{self.id}, running{self.id})"
        out.omp(f"task {shared} firstprivate(k)")
        out.open()
        out.line(f"__atomic_fetch_add(&running{self.id}, 1, __ATOMIC_RELAXED);")
        self.write_hit(out, "k")
        if self.nested:
            out.omp(f"task {shared}")
            out.line(f"__atomic_fetch_add(&running{self.id}, 0, __ATOMIC_RELAXED);")
        out.line(f"__atomic_fetch_sub(&running{self.id}, 1, __ATOMIC_RELAXED);")
        out.open(f"if (k == {self.at}) {{")
        out.omp("cancel taskgroup")
        out.close()
        out.omp("cancellation point taskgroup")
        out.close()
        out.close("} }")
        out.line(f"CHECK(running{self.id} == 0, {self.id});")
        self.write_check(out, "1")
        out.close()


class CancelledRegion(Bounded):
    """Threads leave a region at different places: barriers, loops, and where it is cancelled."""
    opens_scope = True
    shares = False

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.team = Team(draw, context)
        self.pieces = 1 + draw.below(20)
        self.who = draw.below(self.team.threads)
        self.steps = [draw.choice(["barrier", "loop", "point", "cancel"]) for _ in range(2 + draw.below(5))]
        self.schedule = schedule(draw)

    def write(self, out):
        out.open()
        self.write_counts(out)
        out.omp(f"parallel {self.team.clauses}")
        out.open()
        for step in self.steps:
            if step == "barrier":
                out.omp("barrier")
            elif step == "point":
                out.omp("cancellation point parallel")
            elif step == "cancel":
                out.open(f"if (omp_get_thread_num() == {self.who}) {{")
                out.omp("cancel parallel")
                out.close()
            else:
                out.omp(f"for {self.schedule}")
                out.open(f"for (int k = 0; k < {self.pieces}; ++k) {{")
                self.write_hit(out, "k")
                out.close()
        out.close()
        self.write_check(out, str(max(1, self.steps.count("loop"))))
        out.close()
