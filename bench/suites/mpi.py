"""MPI + OpenMP programs: ranks without settings against settings by hand; under noise; of uneven work.

A figure is the time from a barrier before the steps to the end of the last rank. Loops say schedule(runtime).
"""

import collections
import contextlib
import os
import pathlib
import signal
import subprocess
import sys

from report import cells, launch
from suites import mpi_report

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from launcher.process import die_with  # noqa: E402

TITLE = "Ranks of MPI programs"
APPS = ("stencil", "cg", "galaxy", "sweep")
RANKS = (1, 2, 4)
LONGEST = 60  # seconds of a run
# A row that takes this many times as long as the best of its table is measured only once.
HOPELESS = 3

# All settings that are compared, here alone: name -> (environment, binding by the launcher). `cores` is what
# a rank has of the machine. A setting that a library does not know is left out for it, and named.
BY_HAND = {
    "": (lambda cores: {}, "none"),
    "by hand": (lambda cores: {"OMP_NUM_THREADS": str(cores)}, "none"),
    "by hand, bound": (lambda cores: {"OMP_NUM_THREADS": str(cores), "OMP_PROC_BIND": "true"}, "core"),
}
NOISE = {name: (lambda cores, schedule=schedule: {"VICINO_SCHEDULE": schedule}, "none")
         for name, schedule in (("static", "static"), ("mixed", "mixed"), ("mixed,f=slack", "mixed,f=slack"))}
UNEVEN = {
    "": (lambda cores: {}, "none"),
    "lending": (lambda cores: {"VICINO_LEND": "true"}, "none"),
}
SETTINGS = {"unbound": BY_HAND, "noise": NOISE, "uneven": UNEVEN, "even": UNEVEN}
PARTS = tuple(SETTINGS)
UNEVEN_RANKS, TWICE = 2, ["--uneven", "2"]

# One core is slowed for a tenth of the time: a process on it computes this long, then sleeps.
BUSY_MS, PERIOD_MS = 10, 100
SPIN = f"""
import time
while True:
    end = time.monotonic() + {BUSY_MS / 1e3}
    while time.monotonic() < end: pass
    time.sleep({(PERIOD_MS - BUSY_MS) / 1e3})
"""

Job = collections.namedtuple("Job", "part app mpi ranks cell setting")


def run(bench, options, seconds, progress):
    """{"cores": n, "samples": {part: {case: {row: {"ns": […], "others": […]}}}}, "late": […], "unknown": […],
    "checksums": {app: sum}}"""
    found = {"cores": len(os.sched_getaffinity(0)), "samples": {}, "late": [], "checksums": {}, "noise": noise_text()}
    wanted = set(options.only.split(",")) if options.only else set()
    names = {*PARTS, *APPS, *launch.MPIS}
    if unknown := wanted - names:
        return {"skipped": f"no part, program or MPI is called {', '.join(sorted(unknown))}; there are "
                           f"{', '.join([*PARTS, *APPS, *launch.MPIS])}"}
    jobs = list(jobs_of(bench, wanted, found["cores"]))
    if not jobs:
        return {"skipped": "no programs: install an MPI and build the target bench_mpi_programs"}
    jobs, found["unknown"] = known(bench, jobs)
    for _, job, line, others in cells.measured(
            jobs, (seconds, 1 if options.quick else 3, progress), lambda job: once(bench, job, found["cores"]),
            found["late"], place_of, lambda job: is_hopeless(found, job)):
        keep(found, job, line, others)
    return found


def jobs_of(bench, wanted, cores):
    def chosen(names):
        return [name for name in names if name in wanted] or names

    for part in chosen(PARTS):
        apps = chosen(APPS if part in ("unbound", "noise") else ("stencil", "cg"))
        for app in apps:
            for mpi in chosen(launch.MPIS):
                for cell in bench.native_cells():
                    if cell.runtime == cells.CONTROL or not program(bench, app, mpi, cell).exists():
                        continue
                    if part != "unbound" and cell.runtime in cells.PEERS:
                        continue
                    yield from (Job(part, app, mpi, ranks, cell, setting) for ranks in ranks_of(part, cores)
                                for setting in SETTINGS[part])


def ranks_of(part, cores):
    """Under noise a rank has two threads: one thread has nothing to balance."""
    return {"unbound": RANKS, "noise": (max(1, cores // 2),)}.get(part, (UNEVEN_RANKS,))


def program(bench, app, mpi, cell):
    return pathlib.Path(bench.program(f"mpi/{app}-{mpi}", cell))


def share(job, cores):
    """How many cores a rank has."""
    return max(1, cores // job.ranks)


def environment(job, cores):
    return SETTINGS[job.part][job.setting][0](share(job, cores))


def command(bench, job, cores):
    binding = SETTINGS[job.part][job.setting][1]
    arguments = TWICE if job.part == "uneven" else []
    return [*launch.command(job.mpi, job.ranks, binding, share(job, cores)), *started_by(bench, job.cell),
            str(program(bench, job.app, job.mpi, job.cell)), "--runtime", bench.file(job.cell), *arguments]


def started_by(bench, cell):
    """vicino run brings the layer that tells f=slack what MPI waits for."""
    if cell.runtime != cells.OURS:
        return []
    return [str(bench.programs.parent / "bin" / "vicino"), "run", "--"]


def own_settings(job):
    """Those that only Vicino has."""
    return [(name, value) for name, value in environment(job, 1).items() if name.startswith("VICINO_")]


def known(bench, jobs):
    """The jobs whose settings their library takes without a warning, and the names of the other settings."""
    without = {}
    for job in jobs:
        key = (job.cell, *own_settings(job))
        if own_settings(job) and key not in without:
            without[key] = is_unknown(bench, job, dict(own_settings(job)))

    def unknown(job):
        return without.get((job.cell, *own_settings(job)))

    names = sorted({" ".join(f"{k}={v}" for k, v in key[1:]) for key, is_new in without.items() if is_new})
    # Without a second setting there is nothing to compare.
    idle = {job.part for job in jobs if job.part in ("uneven", "even") and unknown(job)}
    return [job for job in jobs if not unknown(job) and job.part not in idle], names


def is_unknown(bench, job, settings):
    """Whether the library names one of the settings in a warning, or has no such setting at all."""
    env = bench.environment(job.cell) | settings | {"OMP_DISPLAY_ENV": "verbose"}
    done = subprocess.run([program(bench, job.app, job.mpi, job.cell), "--size", "8", "--steps", "1"], env=env,
                          text=True, capture_output=True, timeout=LONGEST, check=False)
    lines = [line for line in done.stderr.split("\n") if any(name in line for name in settings)]
    return not lines or any(line.startswith("vicino:") for line in lines)


@contextlib.contextmanager
def noise_on_last_core():
    core = max(os.sched_getaffinity(0))
    attach = die_with(os.getpid(), signal.SIGKILL)

    def confine():
        attach()
        os.sched_setaffinity(0, {core})

    with subprocess.Popen([sys.executable, "-S", "-c", SPIN], preexec_fn=confine) as busy:
        try:
            yield
        finally:
            busy.kill()


def noise_text():
    return f"{BUSY_MS} of {PERIOD_MS} ms"


def once(bench, job, cores):
    """The program's line. A launcher that is told to end, once, takes its ranks with it: told twice, as timeout does
    without --foreground, mpirun leaves them behind."""
    with noise_on_last_core() if job.part == "noise" else contextlib.nullcontext():
        lines = bench.run(job.cell, ["timeout", "--foreground", "--kill-after=5", str(LONGEST),
                                     *command(bench, job, cores)], timeout=LONGEST + 10,
                          settings=environment(job, cores))
    found = [line for line in lines if line["kind"] == "app"]
    if len(found) != 1 or found[0]["ranks"] != job.ranks:
        raise cells.Refused(f"{case_of(job)}, {row_of(job)}: {found} instead of {job.ranks} ranks")
    return found[0]


def keep(found, job, line, others):
    """All programs of one name have the same answer, to the last bit, whatever the ranks and the settings."""
    right = found["checksums"].setdefault(job.app, line["checksum"])
    if line["checksum"] != right:
        raise cells.Refused(f"{case_of(job)}, {row_of(job)}: checksum {line['checksum']} is not {right}")
    by_row = found["samples"].setdefault(job.part, {}).setdefault(case_of(job), {})
    sample = by_row.setdefault(row_of(job), {"ns": [], "others": []})
    sample["ns"].append(line["ns"])
    sample["others"].append(others)


def place_of(job):
    return [job.part, case_of(job), row_of(job)]


def case_of(job):
    return f"{job.app}, {job.mpi}, {job.ranks} {'rank' if job.ranks == 1 else 'ranks'}"


def row_of(job):
    name = job.cell.runtime if job.cell.runtime in cells.PEERS else f"{job.cell.runtime} {job.cell.compiler}"
    return f"{name}, {job.setting}" if job.setting else name


def is_hopeless(found, job):
    by_row = found["samples"].get(job.part, {}).get(case_of(job), {})
    if row_of(job) not in by_row:
        return False
    best = min(min(sample["ns"]) for sample in by_row.values())
    return min(by_row[row_of(job)]["ns"]) > HOPELESS * best


def report(data):
    return mpi_report.parts(data)
