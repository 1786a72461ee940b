"""Which constructs may stand where, and whole programs."""
from . import cancel, leaves, reductions, tasks, target, teams
from .base import Context, Draw, Env, Out, Source, Sums, Trees, run_body, run_scope, write_scope

LANGUAGES = ("c", "cpp")
DEEPEST = 7


class Random(Source):
    def choices(self, draw, context):
        """Pairs of a weight and a way to make a node."""
        full = self.left <= 0 or context.depth >= DEEPEST or context.times > 1500

        def leaf(make):
            return lambda: make(draw, context)

        def inner(make):
            return lambda: make(draw, context, self.body)
        yield (6 if not full else 20), leaf(leaves.Add)
        if context.reductions:
            yield 5, leaf(reductions.Contribution)
        if draw.is_cpp and not context.league and not context.target:
            yield 2, leaf(leaves.Throw)
        if full:
            return
        yield 2, inner(leaves.Let)
        yield 2, inner(leaves.Repeat)
        if context.times < 300:
            yield 4, inner(teams.Parallel)
            yield 2, inner(teams.ParallelLoop)
        if context.league:
            yield 8, inner(target.Distribute)
            return
        if not context.target and context.times < 300:
            yield 2, inner(target.Target)
            yield 1, inner(target.TargetLoop)
            yield 1, inner(cancel.CancelledRegion)
        if context.serial and context.times < 30:
            yield 5, inner(target.Teams)
        if context.tasks:
            for weight, make in ((6, tasks.Task), (2, tasks.Statement), (3, tasks.Taskgroup), (3, tasks.Taskloop),
                                 (3, tasks.Graph), (1, cancel.CancelledTaskgroup)):
                yield weight, inner(make)
        if context.team:
            for weight, make in self.of_teams(draw, context, inner):
                yield (4 * weight if context.threads > 1 else weight), make

    @staticmethod
    def of_teams(draw, context, inner):
        for weight, make in ((4, teams.Loop), (3, teams.Sections), (3, teams.Single), (2, teams.Masked),
                             (2, teams.Barrier)):
            yield weight, inner(make)
        is_gcc = draw.compiler.startswith("gcc")  # clang 19 has no `scope`, and scans wrongly
        if is_gcc:
            yield 2, inner(teams.Scope)
        if not context.reductions:
            yield 1, inner(leaves.Call)
        if context.sharing:
            for weight, make in ((3, teams.OrderedLoop), (2, teams.Doacross), (2 * is_gcc, teams.Scan),
                                 (3, teams.Exchange), (2, cancel.CancelledLoop), (1, cancel.CancelledSections)):
                yield weight, inner(make)


class Program(Trees):
    """Trees with a main program around them: each is run by a thread of the program's own, at the same time."""

    def __init__(self, seed, language, compiler, most=30):
        self.seed, self.language = seed, language
        draw = Draw(seed, language == "cpp", compiler)
        self.most_active = draw.choice([1, 2, 8, 8, 8])
        context = Context(most_active=self.most_active)
        roots = draw.choice([1, 1, 1, 2, 3])
        self.roots = [self.tree(draw, context, most // roots) for _ in range(roots)]
        self.cells = draw.numbers + 1

    @staticmethod
    def tree(draw, context, most):
        source, nodes = Random(most), []
        while source.left > 0:
            nodes += source.body(draw, context)
        return nodes

    def expected(self):
        sums = Sums()
        for nodes in self.roots:
            run_scope(Env(sums, {}), nodes, 1, lambda inside, nodes=nodes: run_body(nodes, inside))
        return sums

    def text(self):
        out = Out(self.language == "cpp")
        for k, nodes in enumerate(self.roots):
            out.open(f"static void root{k}(void) {{")
            out.line("set_up_root();")
            write_scope(out, nodes, lambda nodes=nodes: out.body(nodes), "static ")
            out.close()
        sums = self.expected()
        lines = [f"// seed {self.seed}", f"#define CELLS {self.cells}", f"#define GUARDS {leaves.GUARDS}",
                 f"#define MOST_ACTIVE {self.most_active}", '#include "random.h"', ""]
        for function in out.functions:
            lines += [*function, ""]
        lines += [*out.lines, "", "int main(void) {", "  begin();"]
        others = range(1, len(self.roots))
        lines += [f"  const pthread_t thread{k} = start(root{k});" for k in others]
        lines += ["  root0();", *(f"  pthread_join(thread{k}, NULL);" for k in others)]
        lines += [f"  expect({cell}, {value}UL);" for cell, value in sorted(sums.cells.items())]
        lines += [f"  expect_guarded({guard}, {value}UL);" for guard, value in sorted(sums.guarded.items())]
        return "\n".join([*lines, "  return end();", "}", ""])
