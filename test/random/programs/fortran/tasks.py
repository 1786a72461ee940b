"""Tasks: alone, in groups and graphs, of loops."""
from .. import models
from ..base import run_body
from .base import PRIME, Expression, FortranNode, clause, is_flang, mix, private_names
from .teams import Space


class Task(models.Body, FortranNode):
    """What it reads it has for itself."""
    simpler = {"clauses": ""}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.copies = not is_flang(draw)
        clauses = ["if(zero == 1)", *(["untied", "mergeable", "final(zero == 0)", "priority(3)"] * self.copies)]
        self.clauses = " ".join(draw.sample(clauses, draw.choice([0, 0, 1, min(2, len(clauses))])))
        self.names = context.names if self.copies else ()
        self.waits = draw.chance(30)
        self.opens_scope = not self.copies
        self.body = body(draw, context.alone(names=self.names, reductions=()))

    def write(self, out):
        if self.copies:
            out.construct("task", f"{self.clauses} {clause('firstprivate', self.names)} "
                          f"{clause('private', private_names(self.body))}",
                          lambda: out.line("continue") or out.body(self.body))
        else:
            out.construct("task", self.clauses, lambda: out.apart(
                f"task{self.id}", (), lambda inside: inside.line("continue") or inside.body(self.body)))
        if self.waits:
            out.directive("taskwait")


class Taskgroup(FortranNode):
    """What the tasks in it have done is there at its end."""

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.copies = not is_flang(draw)
        self.names = context.names if self.copies else ()
        self.tasks, self.expression = 1 + draw.below(12), Expression(draw, context.but(names=self.names))

    def write(self, out):
        out.apart(f"group{self.id}", self.names, self.write_procedure)

    def write_procedure(self, out):
        out.local(f"integer(8) :: done{self.id}, k{self.id}")
        out.line(f"done{self.id} = 0")

        def task():
            out.directive("atomic update")
            out.line(f"done{self.id} = done{self.id} + ({self.expression} + {self.extra(f'k{self.id}')})")
        copies = clause("firstprivate", (f"k{self.id}", *self.names)) if self.copies else ""
        out.construct("taskgroup", "", lambda: out.loops(
            [f"do k{self.id} = 1, {self.tasks}"],
            lambda: out.construct("task", f"shared(done{self.id}) {copies}", task)))
        out.line(f"call add({self.id}, mix(done{self.id}))")

    def run(self, env):
        env.sums.add(self.id, mix(sum(self.expression.value(env) + self.extra(k + 1) for k in range(self.tasks))))

    def extra(self, k):
        return k if self.copies else 1


class Graph(FortranNode):
    """Tasks that change one variable in the order of their dependences."""

    def __init__(self, draw, context, _body):
        super().__init__(draw)
        self.steps = [(draw.choice(["inout", "out", "in", "in"]), 1 + draw.below(100))
                      for _ in range(2 + draw.below(10))]

    def write(self, out):
        out.apart(f"graph{self.id}", (), self.write_procedure)

    def write_procedure(self, out):
        out.local(f"integer(8) :: chain{self.id}")
        out.line(f"chain{self.id} = 1")
        for kind, number in self.steps:
            text = (f"call add({self.id}, mix(chain{self.id} + {number}))" if kind == "in" else
                    f"chain{self.id} = modulo(chain{self.id} * 31 + {number}, prime)")
            out.construct("task", f"shared(chain{self.id}) depend({kind}: chain{self.id})",
                          lambda text=text: out.line(text))
        out.directive("taskwait")

    def run(self, env):
        chain = 1
        for kind, number in self.steps:
            if kind == "in":
                env.sums.add(self.id, mix(chain + number))
            else:
                chain = (chain * 31 + number) % PRIME


class Taskloop(FortranNode):
    simpler = {"clauses": ""}

    def __init__(self, draw, context, body):
        super().__init__(draw)
        self.space, self.names = Space(draw), context.names
        self.clauses = draw.choice(["", f"grainsize({1 + draw.below(5)})", f"num_tasks({1 + draw.below(9)})", "nogroup",
                                    "untied", "if(zero == 1)"])
        self.body = body(draw, context.alone(self.space.trip, names=(*context.names, *self.space.names), reductions=()))

    def bodies(self):
        return [self.body]

    def write(self, out):
        out.construct("taskloop", f"{self.clauses} {self.space.clause} {clause('firstprivate', self.names)} "
                      f"{clause('private', private_names(self.body))}",
                      lambda: out.loops(self.space.headers(out),
                                        lambda: out.line("continue") or out.body(self.body)))

    def run(self, env):
        for point in self.space.points():
            run_body(self.body, env.with_names(**point))
