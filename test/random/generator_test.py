#!/usr/bin/env python3
"""Tests of the generator of random programs: generator_test.py RUNTIME WORK

Programs are the same each time; all constructs occur; and a program with a wrong answer is found and made small.
"""
import argparse
import collections
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import random_programs as random_run  # noqa: E402
from programs import grammar, leaves, teams  # noqa: E402
from programs.grammar import Program  # noqa: E402

CONSTRUCTS = ("Add Let Repeat Call Throw Contribution Parallel ParallelLoop Loop OrderedLoop Doacross Scan Sections "
              "Scope Single Masked Exchange Barrier Task Statement Taskgroup Taskloop Graph Member Target TargetLoop "
              "Teams Distribute CancelledLoop CancelledSections CancelledTaskgroup CancelledRegion").split()


def nodes(program):
    return [node for body in program.all_bodies() for node in body]


def programs(count, languages=grammar.LANGUAGES, compilers=("gcc-12", "clang-19")):
    return [Program(f"generator/{k}", language, compiler)
            for k in range(count) for language in languages for compiler in compilers]


def same_each_time():
    for first, second in zip(programs(20), programs(20)):
        assert first.text() == second.text()


def all_constructs_occur():
    seen = collections.Counter(type(node).__name__ for program in programs(150) for node in nodes(program))
    missing = [name for name in CONSTRUCTS if seen[name] < 10]
    assert not missing, f"hardly ever drawn: {missing}"
    assert not set(seen) - set(CONSTRUCTS), f"not in the list: {set(seen) - set(CONSTRUCTS)}"


def options_for(runtime, work, folder):
    return argparse.Namespace(runtime=runtime, work=work, folder=folder, timeout=60, flags="", repeat=1, reduce=60,
                              peer=False, keep=None, seed="generator", runs=1, size=10, compilers=["gcc-12"], languages=["c"])


def case_with_a_statement_in_a_region(options):
    """The case, and the statement."""
    for index in range(100):
        case = random_run.Case(options, index)
        for region in nodes(case.program):
            if isinstance(region, teams.Parallel):
                for node in region.body:
                    if isinstance(node, leaves.Add) and node.way == "atomic":
                        return case, node
    raise AssertionError("no program has a statement in a parallel region")


def a_wrong_answer_is_found_and_made_small(runtime, work, folder):
    options = options_for(runtime, work, folder)
    case, wrong = case_with_a_statement_in_a_region(options)
    wrong.run = lambda env: env.sums.add(wrong.id, 1)  # not what the statement does
    trial = random_run.Trial(case, options)
    fault = trial.fault()
    assert fault and f"construct {wrong.id}" in fault, fault
    before = case.program.constructs()
    told = random_run.report(trial, fault)
    assert case.program.constructs() <= 6 < before, told


def main():
    work = pathlib.Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    same_each_time()
    all_constructs_occur()
    if not random_run.build.available("gcc-12", pathlib.Path("x.c")):
        print("gcc-12 is not installed")
        return random_run.omp_run.SKIPPED
    with tempfile.TemporaryDirectory(dir=work) as folder:
        a_wrong_answer_is_found_and_made_small(sys.argv[1], work, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
