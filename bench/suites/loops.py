"""Loop kernels under every schedule of every runtime, and their times on a slowed core.

A kernel is the same program under all schedules of one compiler, so those are compared; clang's and
gcc's programs are not compared with each other. The figure is CPU time on one thread and wall time on
more, as for task kernels.
"""

import collections
import subprocess
import time

from report import cells, page, schedules, stats
from suites import loops_report, slowed

TITLE = "Loops"
TIMEOUT = 120
QUICK_SCALE = 0.25
CHUNKED = [f"{kind},{chunk}" for kind in ("dynamic", "guided") for chunk in (1, 2, 3)]
OF_PEERS = {**dict.fromkeys(("libomp", cells.INTEL), ["static", "static,1", *CHUNKED, "static_steal"]),
            "libgomp": ["static", "static,1", *CHUNKED]}
# The part of the time that measurements with one slowed thread get.
SLOWED_PART = 0.3
# A schedule whose best run takes this many times as long as the best run of all is measured only once.
CONTENDS = 1.25


Job = collections.namedtuple("Job", "kernel program input cell schedule settings threads")


def run(bench, options, seconds, progress):
    """{"samples": {threads: {compiler: {kernel: {row: {"ns": […], "others": […]}}}}}, "slowed": …,
    "works": […], "late": […], "notes": […]}"""
    kernels = find_kernels(bench, options.only)
    if not kernels:
        return {"skipped": f"no kernel is called {options.only}" if options.only else
                           "no programs: build the target bench_loops_programs"}
    notes, rows = find_rows(bench, next(iter(kernels.values()))[0])
    scale = QUICK_SCALE if options.quick else 1
    found = {"scale": scale, "samples": {}, "late": [], "notes": notes}

    def measure(work, seconds):
        for job, lines, others in measured(bench, work, scale, seconds, progress, found["late"]):
            keep(found["samples"], job, lines, others)

    work, start = jobs(rows, kernels, options.threads), time.monotonic()
    measure(work, 0)  # one round
    measure(contenders(work, found["samples"]),
            seconds * (1 - SLOWED_PART) - (time.monotonic() - start))
    found["slowed"] = run_slowed(bench, options, jobs(rows, kernels, [1, 2]), seconds * SLOWED_PART,
                                 progress, found["late"])
    found["works"] = works(bench, kernels)
    return found


def run_slowed(bench, options, all_jobs, seconds, progress, late):
    """Sizes are at least the full ones: a short loop ends before the rival is given the core."""
    with slowed.rival() as (settings, arguments, why):
        if why:
            return {"skipped": why}

        def measure(chosen, scale, time):
            found = {}
            bound = [job._replace(settings={**job.settings, **settings}) for job in chosen]
            for job, lines, others in measured(bench, bound, scale, time, progress, late, arguments):
                keep(found, job, lines, others)
            return found

        references, work = slowed.references(all_jobs), slowed.two_threads(all_jobs)
        found = measure(references, 1, seconds / 20)
        long = slowed.long_kernels(found)
        if options.quick:
            work = [job for job in work if job.cell.compiler == bench.compilers[0]]
            return join(found, measure(slowed.of_kernels(work, long), 1, seconds))
        join(found, measure(slowed.of_kernels(work, {job.kernel for job in work} - long), 1,
                            seconds * 7 / 20))
        join(found, measure(slowed.of_kernels(references, long), slowed.LONGER, seconds / 10))
        return join(found, measure(slowed.under_some_schedules(slowed.of_kernels(work, long)),
                                   slowed.LONGER, seconds / 2))


def join(found, more):
    """`found`, where the kernels of `more` replace those of the same name."""
    for threads, by_compiler in more.items():
        for compiler, by_kernel in by_compiler.items():
            found.setdefault(threads, {}).setdefault(compiler, {}).update(by_kernel)
    return found


def find_kernels(bench, only):
    """{kernel: (program, input)}"""
    wanted = set(only.split(",")) if only else None
    found = {}
    for file in sorted((bench.programs / "loops").glob(f"*-{bench.compilers[0]}")):
        name = file.name.rpartition("-")[0]
        for line in lines_of(subprocess.run([file, "--list"], text=True, capture_output=True, check=True)):
            if not wanted or wanted & {name, line["kernel"]}:
                found[line["kernel"]] = (name, line["input"])
    return found


def lines_of(done):
    return cells.json_lines(done.stdout)


def find_rows(bench, program):
    """(notes, {cell: {schedule: settings}})"""
    rows, notes = {}, []
    for cell in bench.native_cells():
        if cell.runtime in cells.PEERS:
            rows[cell] = {name: {"OMP_SCHEDULE": name} for name in OF_PEERS[cell.runtime]}
        elif cell.runtime != cells.CONTROL:
            rows[cell], without = of_ours(bench, cell, program)
            notes += [note for note in without if note not in notes]
    return notes, rows


def asked(bench, cell, program, settings, owners):
    command = [bench.program(f"loops/{program}", cell), "--owners", str(owners)]
    return subprocess.run(command, env={**bench.environment(cell, 2), **settings}, text=True,
                          capture_output=True, timeout=TIMEOUT, check=True)


def of_ours(bench, cell, program):
    """Every schedule that this library knows; and a note on those that it cannot be made to use."""
    names = schedules.known(asked(bench, cell, program, schedules.QUESTION, 1).stderr)
    cards = asked(bench, cell, program, {"VICINO_SCHEDULE": "static_chunked"}, 32)
    works_here = lines_of(cards)[-1]["owners"] == [0, 1] * 16
    rows = schedules.of_vicino(names, works_here)
    for name, settings in rows.items():
        if complaint := asked(bench, cell, program, settings, 8).stderr:
            raise cells.Refused(f"{cell} does not accept schedule {name}: {complaint.strip()}")
    left_out = [name for name in names["VICINO_SCHEDULE"] if name not in rows]
    return rows, [] if not left_out else [
        f"VICINO_SCHEDULE has no effect in {cell.runtime}, so these schedules cannot be chosen and are "
        f"not shown: {', '.join(left_out)}."]


def jobs(rows, kernels, team_sizes):
    return [Job(kernel, program, which, cell, schedule, settings, threads)
            for kernel, (program, which) in kernels.items() for cell, known in rows.items()
            for schedule, settings in known.items() for threads in team_sizes]


def contenders(work, samples):
    """The jobs that may be the best ones of their kernel, and those that reports are about.

    Other jobs, such as single iterations of a nanosecond handed out one by one, would take most of the
    time. The best runs decide, because a disturbance only makes a run longer.
    """
    def contends(job):
        by_row = samples.get(job.threads, {}).get(job.cell.compiler, {}).get(job.kernel, {})
        if row_of(job) not in by_row:
            return False  # it timed out
        least = {row: min(sample["ns"]) for row, sample in by_row.items()}
        return (least[row_of(job)] <= CONTENDS * min(least.values()) or
                job.schedule in loops_report.HEADLINE or job.schedule == "static")

    return [job for job in work if contends(job)]


def row_of(job):
    return f"{job.cell.runtime} {job.schedule}"


def measured(bench, work, scale, seconds, progress, late, arguments=()):
    for _, *found in cells.measured(work, (seconds, 1, progress), lambda job: once(bench, job, scale, arguments), late,
                                    name_of):
        yield found


def name_of(job):
    return f"{job.kernel}, {job.cell} {job.schedule}, {job.threads} threads"


def once(bench, job, scale, arguments):
    command = [bench.program(f"loops/{job.program}", job.cell), "--scale", str(scale), "--repeat",
               str(loops_report.REPEAT), "--runtime", bench.file(job.cell), *arguments]
    command += ["--input", job.input] if job.input else []
    try:
        lines = bench.run(job.cell, command, job.threads, TIMEOUT, settings=job.settings)
    except cells.Refused as why:
        raise cells.Refused(f"{job.kernel}, schedule {job.schedule}: {why}") from None
    return [line for line in lines if line["kind"] == "kernel"]


def keep(samples, job, lines, others):
    by_row = (samples.setdefault(job.threads, {}).setdefault(job.cell.compiler, {})
              .setdefault(job.kernel, {}))
    sample = by_row.setdefault(row_of(job), {"ns": [], "rival_ns": [], "others": [], "yardstick_ns": []})
    for line in lines:
        sample["calls"] = line["calls"]
        sample["ns"] += line["cpu_ns" if job.threads == 1 else "ns"]
        sample["rival_ns"] += line.get("rival_ns", [])
        sample["others"] += [others] * len(line["ns"])
        sample["yardstick_ns"] += [max(line["yardstick_ns"])] * len(line["ns"])


def works(bench, kernels):
    """The work of the inputs at their full size, whatever size was measured."""
    programs = {program for program, _ in kernels.values()}
    found = []
    for program in sorted(programs):
        file = bench.programs / "loops" / f"{program}-{bench.compilers[0]}"
        found += lines_of(subprocess.run([file, "--distribution"], text=True, capture_output=True,
                                         check=True))
    return [line for line in found if line["kernel"] in kernels]


def report(data):
    quiet = {(threads, compiler): stats.quiet(by_kernel) for threads, by in sorted(data["samples"].items())
             for compiler, by_kernel in sorted(by.items())}
    return [f"Sizes: {data['scale']:g} of the full ones.\n", stats.disturbed(data["samples"]),
            *(f"{note}\n" for note in data["notes"]),
            "### Over all kernels\n", loops_report.summary(quiet),
            *(part for (threads, compiler), by_kernel in quiet.items()
              for part in loops_report.times(f"{page.team(threads)}, {compiler}", by_kernel)),
            "### One thread slowed\n", *slowed.report(data["slowed"]), loops_report.works(data["works"]),
            *(f"No end within {TIMEOUT} s: {job}.\n" for job in data["late"])]
