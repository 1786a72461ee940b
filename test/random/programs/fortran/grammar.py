"""Which construct may stand where, and whole programs."""
from ..base import Context, Draw, Env, Source, Sums, Trees, run_body, run_scope
from . import base, tasks, teams

DEEPEST = 6
# flang 19 says of these that they are not implemented yet. A task of its programs makes its copies of variables when it
# runs, not when it is generated; so there are none here.
NOT_IN_FLANG = ("Taskloop", "Doacross", "Graph")


class Random(Source):
    def choices(self, draw, context):
        def known(pairs):
            return [(weight, lambda make=make: make(draw, context, self.body)) for weight, make in pairs
                    if not (base.is_flang(draw) and make.__name__ in NOT_IN_FLANG)]
        full = self.left <= 0 or context.depth >= DEEPEST or context.times > 1500
        yield (20 if full else 6), lambda: base.Add(draw, context)
        if context.reductions:
            yield 5, lambda: base.Contribution(draw, context)
        if full:
            return
        yield from known([(2, base.Let), (2, base.Repeat), (4, tasks.Task), (3, tasks.Taskgroup),
                          (3, tasks.Taskloop), (3, tasks.Graph)])
        if context.times < 300:
            yield from known([(5, teams.Parallel), (3, teams.ParallelLoop)])
        if context.team:
            more = 4 if context.threads > 1 else 1
            yield from known([(4 * more, teams.Loop), (3 * more, teams.Sections), (3 * more, teams.Single),
                              (2 * more, teams.Masked), (2 * more, teams.Barrier)])
            if not context.reductions:
                yield from known([(2, base.Call)])
            if context.sharing:
                yield from known([(3 * more, teams.OrderedLoop), (2 * more, teams.Workshare),
                                  (2 * more, teams.Doacross), (2 * more, teams.Exchange)])


class FortranProgram(Trees):
    def __init__(self, seed, compiler, most=30):
        self.seed = seed
        draw = Draw(seed, False, compiler)
        self.most_active = draw.choice([1, 2, 8, 8, 8])
        source, self.roots = Random(most), [[]]
        while source.left > 0:
            self.roots[0] += source.body(draw, Context(most_active=self.most_active))
        self.cells = draw.numbers

    def text(self):
        procedures, sums = [], Sums()
        base.Out(procedures).procedure("root", (), self.write_root)
        run_scope(Env(sums, {}), self.roots[0], 1, lambda inside: run_body(self.roots[0], inside))
        lines = [f"! seed {self.seed}", "module sums", "  use omp_lib", "  implicit none",
                 f"  integer(8) :: cells(0:{self.cells}) = 0, guarded(0:{base.GUARDS - 1}) = 0",
                 "  include 'random.inc'"]
        for procedure in procedures:
            lines += ["", *procedure]
        lines += ["end module", "", "program random", "  use sums", "  call omp_set_dynamic(.false.)",
                  f"  call omp_set_max_active_levels({self.most_active})", "  call root()"]
        lines += [f"  call expect('construct', {cell}, cells({cell}), {value}_8)"
                  for cell, value in sorted(sums.cells.items())]
        lines += [f"  call expect('guarded sum', {guard}, guarded({guard}), {value}_8)"
                  for guard, value in sorted(sums.guarded.items())]
        return "\n".join([*lines, "  if (failures > 0) error stop 1", "end program", ""])

    def write_root(self, out):
        out.storage = ", save"  # a local that is not saved is the thread's own for constructs without a region
        out.scope(self.roots[0], lambda: out.body(self.roots[0]))
