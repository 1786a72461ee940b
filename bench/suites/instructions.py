"""Instructions of each construct on one thread, counted by callgrind: every run gives the same count."""

import collections
import pathlib
import re
import shutil
import tempfile

from report import cells, page
from suites import constructs

TITLE = "Instructions on one thread"
OPERATIONS = 200
CONSTRUCTS = ("parallel,parallel_for,parallel_1,for,for_nowait,dynamic,dynamic_8,dynamic_loop,"
              "guided,ordered,barrier,critical,atomic_fallback,lock,nest_lock,single,copyprivate,"
              "sections,parallel_reduction,for_reduction,for_reduction_3,parallel_tasks,master_tasks,"
              "task_undeferred,taskwait,taskgroup,nested_tasks,nested_master,barrier_tasks,"
              "taskloop,taskloop_whole,depend_chain,depend_free,doacross,doacross_grid,doacross_dynamic,"
              "teams_distribute,teams_distribute_parallel,parallel_scan,alloc_64,alloc_pool")


def run(bench, options, seconds, progress):
    del seconds  # exact: one run is enough
    if not shutil.which("valgrind"):
        return {"skipped": "valgrind is not installed"}
    counts = collections.defaultdict(dict)
    failed = []
    for cell in bench.cells():
        progress(str(cell))
        try:
            counts[str(cell)] = _count(bench, cell, options.only or CONSTRUCTS)
        except (cells.Refused, cells.TimedOut) as error:
            failed.append(str(error))
    return {"counts": counts, "failed": failed}


def _count(bench, cell, only):
    with tempfile.TemporaryDirectory() as folder:
        dump = pathlib.Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={dump}",
                   "--dump-before=gnu_get_libc_release", bench.program("micro", cell),
                   "--runtime", bench.file(cell), "--count", str(OPERATIONS), "--only", only]
        lines = [l for l in bench.run(cell, command, 1, 300) if l["kind"] == "count"]
        # Each construct has three marks; they end everything before, N operations, 3N operations.
        return {line["construct"]: (_total(dump, 3 * i + 3) - _total(dump, 3 * i + 2)) / line["ops"]
                for i, line in enumerate(lines)}


def _total(dump, number):
    text = dump.with_name(f"{dump.name}.{number}").read_text(encoding="utf-8")
    return int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])


def report(data):
    names = sorted(n for n, counts in data["counts"].items() if counts)
    order = list(dict.fromkeys(c for n in names for c in data["counts"][n]))
    rows = [[c, *(page.figure(data["counts"][n][c]) if c in data["counts"][n] else ""
                  for n in names)] for c in order]
    found = {c: constructs.ratios({n: {k: [v] for k, v in data["counts"][n].items()} for n in names}, c) for c in order}
    return [page.Rows(TITLE, ["instructions", *names], rows), constructs.verdict(found, ("clang", "gcc", "all")),
            *(f"{f}\n" for f in data["failed"])]
