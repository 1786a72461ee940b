#!/usr/bin/env python3
"""Tests of the generator of random programs: generator_test.py RUNTIME WORK

Programs are the same each time; all constructs occur; and a program with a wrong answer is found and made small.
"""
import argparse
import collections
import pathlib
import sys
import tempfile

import random_programs as random_run
from programs import grammar, teams
from programs.fortran import teams as fortran_teams
from programs.fortran.grammar import FortranProgram
from programs.grammar import Program

CONSTRUCTS = ("Add Let Repeat Call Throw Contribution Parallel ParallelLoop Loop OrderedLoop Doacross Scan Sections "
              "Scope Single Masked Exchange Barrier Task Statement Taskgroup Taskloop Graph Member Target TargetLoop "
              "Teams Distribute CancelledLoop CancelledSections CancelledTaskgroup CancelledRegion").split()

IN_FORTRAN = ("Add Let Repeat Call Contribution Parallel ParallelLoop Loop OrderedLoop Workshare Sections Single Masked "
              "Barrier Exchange Task Taskgroup Graph Taskloop Doacross").split()


def nodes(program):
    return [node for body in program.all_bodies() for node in body]


def programs(count, languages=grammar.LANGUAGES, compilers=("gcc-12", "clang-19")):
    return [Program(f"generator/{k}", language, compiler)
            for k in range(count) for language in languages for compiler in compilers]


def same_each_time():
    for draw in (programs, fortran_programs):
        for first, second in zip(draw(20), draw(20)):
            assert first.text() == second.text()


def fortran_programs(count):
    return [FortranProgram(f"generator/{k}", compiler)
            for k in range(count) for compiler in ("gfortran-12", "flang-19")]


def all_constructs_occur(drawn, constructs):
    seen = collections.Counter(type(node).__name__ for program in drawn for node in nodes(program))
    missing = [name for name in constructs if seen[name] < 10]
    assert not missing, f"hardly ever drawn: {missing}"
    assert not set(seen) - set(constructs), f"not in the list: {set(seen) - set(constructs)}"


def options_for(runtime, work, folder, compiler):
    return argparse.Namespace(runtime=runtime, work=work, folder=folder, timeout=60, flags="", repeat=1, reduce=60,
                              peer=False, keep=None, seed="generator", runs=1, size=10, compilers=[compiler], languages=["c"])


def case_with_a_statement_in_a_region(options, region_class, way):
    """The case, and the statement."""
    for index in range(100):
        case = random_run.Case(options, index)
        for region in nodes(case.program):
            if isinstance(region, region_class):
                for node in region.body:
                    if type(node).__name__ == "Add" and node.way == way:
                        return case, node
    raise AssertionError("no program has a statement in a parallel region")


def a_wrong_answer_is_found_and_made_small(options, region_class, way):
    case, wrong = case_with_a_statement_in_a_region(options, region_class, way)
    wrong.run = lambda env: env.sums.add(wrong.id, 1)  # not what the statement does
    trial = random_run.Trial(case, options)
    fault = trial.fault()
    assert fault and f"construct {wrong.id}" in " ".join(fault.split()), fault
    before = case.program.constructs()
    told = random_run.report(trial, fault)
    assert case.program.constructs() <= 6 < before, told


def main():
    work = pathlib.Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    same_each_time()
    all_constructs_occur(programs(150), CONSTRUCTS)
    all_constructs_occur(fortran_programs(150), IN_FORTRAN)
    found = 0
    for compiler, source, region_class, way in (("gcc-12", "x.c", teams.Parallel, "atomic"),
                                                ("gfortran-12", "x.f90", fortran_teams.Parallel, "update")):
        if not random_run.build.available(compiler, pathlib.Path(source)):
            print(f"{compiler} is not installed")
            continue
        with tempfile.TemporaryDirectory(dir=work) as folder:
            options = options_for(sys.argv[1], work, pathlib.Path(folder), compiler)
            a_wrong_answer_is_found_and_made_small(options, region_class, way)
        found += 1
    return 0 if found else random_run.runs.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
