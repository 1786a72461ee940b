"""Task kernels, tied and untied, on each runtime; some on oneTBB and rayon too; and all without tasks.

On one thread the figure is CPU time: the thread waits for no other, and other load on the machine
changes CPU time little. On more threads it is wall time, because threads that wait may use no CPU time.
"""

import collections

from report import cells, page, stats

TITLE = "Task kernels"
TBB = "oneTBB"
RAYON = "rayon"
SERIAL = "serial"
DEPENDENT = ("chain", "wavefront")  # they show the cost of dependences: not in the kernels' mean
PER_TASK = ("fib", "fib_first", "producer_0", "trees", *DEPENDENT)
TIMEOUT = 60


def run(bench, options, seconds, progress):
    """{"tasks": {kernel: count}, "late": [...], "samples": {threads: {kernel: {cell:
    {"ns": [by round], "others": [share by round]}}}}}"""
    found = {"tasks": {}, "late": [], "samples": {
        threads: collections.defaultdict(lambda: collections.defaultdict(
            lambda: {"ns": [], "others": []})) for threads in options.threads}}
    jobs = list(_jobs(bench, options))
    if not jobs:
        return {"skipped": f"no kernel is called {options.only}"}
    for _, (program, cell, threads), line, others in cells.measured(
            jobs, (seconds, 1 if options.quick else 3, progress), lambda job: _once(bench, *job), found["late"], _name):
        kernel = _kernel(program)
        found["tasks"][kernel] = line["tasks"]
        sample = found["samples"][threads][kernel][str(cell)]
        sample["ns"].append(line["cpu_ns" if threads == 1 else "ns"])
        sample["others"].append(others)
    return found


def _jobs(bench, options):
    wanted = set(options.only.split(",")) if options.only else None
    runtimes = [c for c in bench.native_cells() if c.runtime != cells.CONTROL]
    for file in sorted((bench.programs / "tasks").glob("*-*")):
        program, _, compiler = file.name.rpartition("-")
        if wanted and _kernel(program) not in wanted:
            continue
        for threads in options.threads:
            if program.endswith("-serial"):
                if threads == 1:
                    yield program, cells.Cell(compiler, SERIAL), threads
            elif program.endswith("-tbb"):
                yield program, cells.Cell(compiler, TBB), threads
            elif program.endswith("-rayon"):
                yield program, cells.Cell(compiler, RAYON), threads
            else:
                yield from ((program, c, threads) for c in runtimes if c.compiler == compiler)


def _name(job):
    program, cell, threads = job
    return f"{program}, {cell}, {page.team(threads)}"


def _kernel(program):
    return program.removesuffix("-serial").removesuffix("-tbb").removesuffix("-rayon")


def _once(bench, program, cell, threads):
    command = [bench.program(f"tasks/{program}", cell), "--large", "--repeat", "1"]
    if cell.runtime not in (SERIAL, TBB, RAYON):
        command += ["--runtime", bench.file(cell)]
    return [l for l in bench.run(cell, command, threads, TIMEOUT) if l["kind"] == "kernel"][-1]


def report(data):
    quiet = {threads: stats.quiet(by_kernel)
             for threads, by_kernel in sorted(data["samples"].items()) if by_kernel}
    return [*(part for threads, by_kernel in quiet.items()
              for part in (*_one(threads, by_kernel, data["tasks"]), *_speedups(threads, by_kernel, quiet.get(1, {})))),
            *(f"No end within {TIMEOUT} s: {job}.\n" for job in data["late"])]


def _one(threads, by_kernel, tasks):
    kernels = sorted(by_kernel, key=lambda k: (k.startswith(DEPENDENT), k))
    names = sorted({c for by_cell in by_kernel.values() for c in by_cell}, key=_column)
    subjects = [n for n in names if _is_subject(n)]
    pairs = [(s, p) for p in names if _is_peer(p) for s in subjects if _compares(s, p)]
    shown = [(s, p) for s, p in pairs if _runtime(s) == cells.OURS]
    rows = [[k, *(page.timed(by_kernel[k].get(n)) for n in names),
             *(_ratio(by_kernel[k], s, p) for s, p in shown)] for k in kernels]
    clock = "CPU time" if threads == 1 else "wall time"
    title = f"Task kernels, {page.team(threads)}"
    return [f"### {title}\n", page.Rows(title, [clock, *names, *(_ratio_title(s, p) for s, p in shown)], rows),
            _per_task(by_kernel, names, tasks),
            "".join(f"- {text}" for s, p in pairs if (text := verdict(by_kernel, s, p)))]


def _speedups(threads, by_kernel, alone):
    """How many times faster than the same program on one thread, and than the serial one."""
    if threads == 1 or not alone:
        return []
    names = sorted({c for by_cell in by_kernel.values() for c in by_cell}, key=_column)
    rows = [[k, *(speedup(by_kernel[k], alone.get(k, {}), n) for n in names)]
            for k in sorted(by_kernel, key=lambda k: (k.startswith(DEPENDENT), k))]
    return [page.Rows(f"Speed-ups, {page.team(threads)}", ["speed-up over one thread (over serial)", *names], rows)]


def speedup(by_cell, alone, name):
    here, one = by_cell.get(name), alone.get(name)
    if not here or not one:
        return ""
    text = f"{stats.median(one) / stats.median(here):.2f}"
    serial = alone.get(f"{name.split()[0]} {SERIAL}")
    return f"{text} ({stats.median(serial) / stats.median(here):.2f})" if serial else text


def _runtime(name):
    return name.split(" ", 1)[1]


def _column(name):
    return name.split()[0], not _runtime(name) == SERIAL, not _is_peer(name), name


def _is_peer(name):
    return _runtime(name) in (*cells.PEERS, TBB, RAYON)


def _is_subject(name):
    return not _is_peer(name) and _runtime(name) != SERIAL


def _compares(subject, peer):
    """The same compiler's programs, but for rayon, which has a language of its own."""
    return _runtime(peer) == RAYON or subject.split()[0] == peer.split()[0]


def _ratio_title(subject, peer):
    return f"{subject.split()[0]}: ratio to {RAYON}" if _runtime(peer) == RAYON else f"ratio to {peer}"


def _ratio(by_cell, subject, peer):
    return page.timed_ratio(by_cell.get(subject), by_cell.get(peer))


def _per_task(by_kernel, names, tasks):
    rows = [[k, *(page.figure(stats.median(by_kernel[k][n]) / tasks[k]) if by_kernel[k].get(n) else ""
                  for n in names)] for k in PER_TASK if k in by_kernel]
    return page.table(["ns per task", *names], rows) if rows else ""


def speeds(by_kernel, subject, peer):
    """{kernel: how many times faster than the peer}"""
    return {kernel: stats.median(by_cell[peer]) / stats.median(by_cell[subject])
            for kernel, by_cell in by_kernel.items()
            if not kernel.startswith(DEPENDENT) and by_cell.get(subject) and by_cell.get(peer)}


def verdict(by_kernel, subject, peer):
    return page.verdict(subject, peer, speeds(by_kernel, subject, peer))
