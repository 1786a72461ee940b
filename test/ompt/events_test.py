#!/usr/bin/env python3
"""events_test.py LIBRARY COMPILER...: a tool is told of each construct of each compiler's programs.

The tool is checker.c, which finds by itself what does not fit together. Here its counts are compared with what
the parts of events.c do. Where a compiler makes no call, there is no event: the table says for which compiler a
count holds.
"""
import re
import sys
import tempfile
from pathlib import Path

import build

# Of each part: the counts that both compilers' programs have, and those of one compiler's alone. Every count that
# is not named here is free, but the two ends of everything have to be equal (checker.c).
WANTED = {
    "regions": ({"regions": 2, "region-ends": 2, "implicit-tasks": 4, "implicit-task-ends": 4, "threads": 3,
                 "thread-ends": 3, "initial-tasks": 1}, {}),
    "nested": ({"regions": 3, "implicit-tasks": 6, "threads": 4, "thread-ends": 4}, {}),
    "loops": ({"regions": 1, "works": 4, "work-ends": 4, "dynamic-loops": 2, "guided-loops": 2}, {}),
    # Vicino begins with static. OpenMP has no name for the schedule that OMP_SCHEDULE names.
    "chosen_loop": ({"works": 2, "work-ends": 2, "static-loops": 2, "chunks": 2}, {}),
    "named_loop": ({"works": 2, "work-ends": 2, "other-loops": 2}, {}),
    # Guided gives a thread that is alone one chunk, as static does.
    "alone": ({"works": 3, "work-ends": 3, "static-loops": 2, "dynamic-loops": 1, "chunks": 3}, {}),
    "single": ({"regions": 1, "works": 2, "work-ends": 2}, {}),
    "sections": ({"works": 2, "work-ends": 2}, {"gcc": {"sections": 2}}),
    "tasks": ({"tasks": 7, "task-ends": 7, "switches": 7}, {}),
    "ordered_tasks": ({"tasks": 2, "task-ends": 2, "taskwaits": 1, "dependences": 3}, {}),
    "taskloop": ({"tasks": 4, "task-ends": 4, "switches": 4}, {}),
    # Of simple locks one set and two tests, of which one is in vain; of nest locks two sets and two tests. The rest are
    # two critical sections.
    "locks": ({"locks": 2, "lock-ends": 2, "acquires": 9, "acquired": 6, "released": 6, "nested": 4,
               "lock-acquires": 1, "test-acquires": 2, "nest-acquires": 2, "nest-test-acquires": 2,
               "lock-acquired": 1, "test-acquired": 1, "nest-acquired": 1, "nest-test-acquired": 1}, {}),
    "leagues": ({"leagues": 1, "league-ends": 1, "regions": 3, "initial-tasks": 4, "initial-task-ends": 4,
                 "implicit-tasks": 6}, {}),
    # The loop of 8 iterations, then the nest of 2 x 2, whose inner values count a thousandfold.
    "doacross": ({"dependences": 8 + 7 + 4 + 2, "sources": 8 + 4, "sinks": 7 + 2,
                  "source-values": 28 + 2 + 2000, "sink-values": 21 + 0 + 1000}, {}),
    "atomics": ({"acquires": 3, "acquired": 3, "released": 3}, {}),
    # clang makes target regions a part of the code around them.
    "targets": ({}, {"gcc": {"targets": 7, "target-ends": 7, "target-regions": 2, "enters": 2, "exits": 2,
                             "updates": 1, "nowaits": 1}}),
    "cancelled": ({"regions": 1, "region-ends": 1, "cancels": None}, {}),
    "discarded": ({"tasks": 2, "task-ends": 1, "cancels": 2}, {}),
    "control": ({"controls": 1}, {}),
    "ended": ({"regions": 1, "region-ends": 1, "threads": 2, "thread-ends": 2, "controls": 1}, {}),
}
WANTED["paused"] = WANTED["host_paused"] = ({"regions": 1, "region-ends": 1, "implicit-tasks": 2, "threads": 2,
                                             "thread-ends": 2, "initial-task-ends": 1, "controls": 0}, {})
SETTINGS = {part: {"OMP_CANCELLATION": "true"} for part in ("cancelled", "discarded")}
SETTINGS["named_loop"] = {"OMP_SCHEDULE": "trapezoid"}
SETTINGS["ended"] = {"VICINO_STATS": "true"}
ANSWERS = {"ended": "after the tool: -2\n"}
ANSWERS["paused"] = ANSWERS["host_paused"] = "pause: 0\nafter the tool: -2\nlater threads: 4\n"
# Taskloops of a thread that is still watched are not counted.
REPORTS = {"ended": " taskloop "}


def counts_of(text: str) -> dict[str, int]:
    line = re.search(r"^checker: (.*)$", text, re.M)
    words = line.group(1).split() if line else []
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=False)
            if number.isdigit()}


def wrong_with(part: str, compiler: str, ended) -> list[str]:
    common, own = WANTED[part]
    wanted = common | next((more for name, more in own.items() if name in compiler), {})
    counts = counts_of(ended.stderr)
    found = [f"{name}: {counts.get(name, 0)} instead of {number or 'some'}" for name, number in wanted.items()
             if (counts.get(name, 0) == 0 if number is None else counts.get(name, 0) != number)]
    if ended.returncode != 0:
        found.append(f"status {ended.returncode}: {ended.stderr}")
    if REPORTS.get(part, "") not in ended.stderr:
        found.append(f"no '{REPORTS[part].strip()}' in {ended.stderr!r}")
    if ended.stdout != ANSWERS.get(part, "") + f"ran {part}\n":
        found.append(f"the program said {ended.stdout!r}")
    return [f"{compiler}, {part}: {one}" for one in found]


def main() -> int:
    library, compilers = Path(sys.argv[1]).absolute(), sys.argv[2:]
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checker = build.tool(compilers[0], build.HERE / "checker.c", folder / "checker.so")
        older = build.tool(compilers[0], build.HERE / "checker.c", folder / "older.so", "-DOLD_TARGETS")
        for compiler in compilers:
            # A call that ends a function as a jump would be seen to come from the function's caller, the runtime.
            program = build.program(compiler, build.HERE / "events.c", folder / "events",
                                    "-fno-optimize-sibling-calls")
            for part, tool in [*((part, checker) for part in WANTED), ("targets", older)]:
                ended = build.execute(library, [program, part], OMP_TOOL_LIBRARIES=str(tool),
                                      OMP_NUM_THREADS="4", **SETTINGS.get(part, {}))
                found += wrong_with(part, compiler, ended)
    print("\n".join(found) or f"{len(WANTED)} parts by {len(compilers)} compilers: all events came")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
