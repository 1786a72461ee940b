"""The kernels for the tuner: as taskloops, as loops that leave the schedule to the runtime and under
fixed schedules; and loops that more threads make slower, against the serial program.

Each process runs a kernel's steps once, so the time includes what a tuner tries. The figure is CPU time
on one thread and wall time on more, as for task kernels. For loops that more threads make slower it is
the mean of a step, in runs of different lengths, because the peers' long runs would take minutes.
"""

import collections
import subprocess

from report import cells, stats
from suites import ilan_report

TITLE = "Loops that choose for themselves"
TIMEOUT = 120
LEAST_ROUNDS = 3
CONTENDED = ("atomics", "bandwidth", "shared_line")
LONG_RUN, PEERS_RUN = 1000, 50  # numbers of steps
SERIAL = "serial"
NAMED_BY_OPENMP = ("static", "dynamic", "guided")
NAMED_BY_VICINO = ("ich", "mixed")

# `row` names the row of the table; `cell` is None for the serial form.
Job = collections.namedtuple("Job", "kernel compiler cell row form settings threads steps")


def run(bench, options, seconds, progress):
    """{"samples": {threads: {compiler: {kernel: {row: {"ns": [by round], "others": [by round]}}}}},
    "sizes": {kernel: size}, "steps": n, "rounds": n, "late": […]}"""
    kernels = find_kernels(bench, options.only)
    if not kernels:
        return {"skipped": f"no kernel is called {options.only}" if options.only else
                           "no programs: build the target bench_ilan_programs"}
    jobs = [job for kernel in kernels for job in jobs_of(bench, kernel, options.threads)]
    expect_settings_known(bench, jobs)
    found = {"samples": {}, "sizes": {}, "steps": None, "late": []}
    rounds = (seconds, 1 if options.quick else LEAST_ROUNDS, progress)
    for number, job, line, others in cells.measured(jobs, rounds, lambda job: once(bench, job), found["late"], name_of):
        found["rounds"] = number + 1
        keep(found, job, line, others)
    return found


def find_kernels(bench, only):
    wanted = set(only.split(",")) if only else None
    files = sorted((bench.programs / "ilan").glob(f"*-{bench.compilers[0]}"))
    names = [file.name.rpartition("-")[0] for file in files]
    return [name for name in names if not wanted or name in wanted]


def jobs_of(bench, kernel, team_sizes):
    for threads in team_sizes:
        if kernel in CONTENDED and threads == 1:
            continue
        for compiler in bench.compilers:
            if kernel in CONTENDED:
                yield Job(kernel, compiler, None, SERIAL, SERIAL, {}, threads, LONG_RUN)
        for cell in bench.native_cells():
            if cell.runtime != cells.CONTROL:
                for what, form, settings in rows_of(kernel, cell):
                    yield Job(kernel, cell.compiler, cell, f"{cell.runtime} {what}", form, settings, threads,
                              steps_of(kernel, cell))


def steps_of(kernel, cell):
    """None: the program's own number."""
    if kernel not in CONTENDED:
        return None
    return PEERS_RUN if cell.runtime in cells.PEERS else LONG_RUN


def rows_of(kernel, cell):
    """(name, form, settings). gcc makes schedule(auto) static without asking any runtime."""
    ours = cell.runtime not in cells.PEERS
    yield "taskloop", "taskloop", {}
    if ours:
        yield "runtime", "runtime", {}
        if cell.compiler == "clang":
            yield "auto", "auto", {}
    # static is what libomp does with schedule(runtime) if nothing is set; libgomp would hand out single
    # iterations.
    schedules = NAMED_BY_OPENMP if kernel not in CONTENDED else () if ours else ("static",)
    yield from ((name, "runtime", {"OMP_SCHEDULE": name}) for name in schedules)
    if ours and kernel not in CONTENDED:
        yield from ((name, "runtime", {"VICINO_SCHEDULE": name}) for name in NAMED_BY_VICINO)


def expect_settings_known(bench, jobs):
    """A runtime that does not know a name says so and uses another schedule."""
    first = {(job.cell, job.row): job for job in jobs if job.settings}
    for job in first.values():
        done = subprocess.run([*command_for(bench, job._replace(steps=1)), "--small"], text=True,
                              env={**bench.environment(job.cell, 2), **job.settings},
                              capture_output=True, timeout=TIMEOUT, check=False)
        if done.returncode or done.stderr:
            raise cells.Refused(f"{job.cell} does not accept {job.settings}: {done.stderr.strip()}")


def command_for(bench, job):
    program = bench.programs / "ilan" / f"{job.kernel}-{job.compiler}"
    command = [str(program), "--form", job.form]
    command += ["--steps", str(job.steps)] if job.steps else []
    return command + (["--runtime", bench.file(job.cell)] if job.cell else [])


def once(bench, job):
    # The serial form opens no region, but its program loads the runtime of its own compiler.
    home = job.cell or next(c for c in bench.native_cells() if c.compiler == job.compiler)
    try:
        lines = bench.run(home, command_for(bench, job), job.threads, TIMEOUT, settings=job.settings)
    except cells.Refused as why:
        raise cells.Refused(f"{job.kernel}, {job.row}: {why}") from None
    return next(line for line in lines if line["kind"] == "kernel")


def name_of(job):
    return f"{job.kernel}, {job.compiler} {job.row}, {job.threads} threads"


def keep(found, job, line, others):
    by_row = (found["samples"].setdefault(job.threads, {}).setdefault(job.compiler, {})
              .setdefault(job.kernel, {}))
    sample = by_row.setdefault(job.row, {"ns": [], "others": [], "yardstick_ns": []})
    times = line["cpu_ns" if job.threads == 1 else "ns"]
    sample["ns"] += [time / job.steps for time in times] if job.steps else times
    sample["others"] += [others] * len(line["ns"])
    sample["yardstick_ns"] += line["yardstick_ns"]
    found["sizes"][job.kernel] = line["size"]
    if not job.steps:
        found["steps"] = line["steps"]


def report(data):
    parts = {(threads, compiler): stats.quiet(by_kernel) for threads, by in sorted(data["samples"].items())
             for compiler, by_kernel in sorted(by.items())}
    sizes = ", ".join(f"{kernel} {size}" for kernel, size in sorted(data["sizes"].items()))
    steps = f"; {data['steps']} steps" if data["steps"] else ""
    sections = (("Taskloops", ilan_report.taskloops, without), ("Loops", ilan_report.loops, without),
                ("Slower with more threads", ilan_report.contended, only))
    return [f"Sizes: {sizes}{steps}. Rounds: {data['rounds']}.\n", stats.disturbed(data["samples"]),
            "### Over all kernels\n", ilan_report.summary(
                {key: {**ilan_report.comparisons(without(found, CONTENDED)),
                       **ilan_report.over_serial(only(found, CONTENDED))} for key, found in parts.items()}),
            *(part for title, section, of in sections for key, found in parts.items()
              for part in section(f"{title}, {ilan_report.part(key)}", of(found, CONTENDED))),
            *(f"No end within {TIMEOUT} s: {job}.\n" for job in data["late"])]


def without(by_kernel, kernels):
    return {kernel: by_row for kernel, by_row in by_kernel.items() if kernel not in kernels}


def only(by_kernel, kernels):
    return {kernel: by_row for kernel, by_row in by_kernel.items() if kernel in kernels}
