"""Copies of a program at once, also of clients from PyPI and of threads that lead teams in one of these, a program
beside endless processes, one beside work of less weight, a program under a quota, and how soon a
runtime sees that other processes come and go.

A copy does a fixed amount of work, about 0.3 s on one core. So there is a least time in which the machine
can do the work of all, and a figure is how many times as long it took. The least time follows from the
CPU time that one copy takes alone and without OpenMP, measured in the same run.
"""

import collections
import contextlib
import os
import pathlib
import sys
import time

from report import cells, copies
from report.cgroup import NoQuota, cpu_quota, cpu_weight
from suites import crowded_report

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "test/clients"))
import python_of  # noqa: E402

TITLE = "Crowded machines"
COPIES, QUICK_COPIES = (1, 2, 4, 8, 16), (1, 4)
ENDLESS, QUICK_ENDLESS = (1, 2, 4), (1,)
LOOPS = {f"loop-{name}{which and '-' + which}": ("loop", ["--work-us", us, "--schedule", which or "both"])
         for name, us in (("10us", "10"), ("20us", "20"), ("200us", "200"), ("2ms", "2000"))
         for which in ("", "static", "dynamic")}
CASES = LOOPS | {"tasks-2us": ("tasks", ["--work-us", "500", "--task-us", "2"]),
                 "tasks-20us": ("tasks", ["--work-us", "2000", "--task-us", "20"])}
# The other cases run when --only names them.
MEASURED = ("loop-20us", "loop-200us", "loop-2ms", "tasks-2us", "tasks-20us")
QUICK = ("loop-20us", "loop-200us", "tasks-2us")
# Names of test/clients/catalog, and how often a copy repeats the client's work: it takes about 0.3 s on one core.
CLIENTS = {"lightgbm": 4, "scikit_learn": 3}
OF_CLIENTS = crowded_report.OF_CLIENTS
# Beside endless processes dynamic loops can use what is left of the cores, and static ones cannot.
DYNAMIC = ("loop-20us-dynamic", "loop-200us-dynamic", "loop-2ms-dynamic")
# Beside each kind of crowded_report.LOW: as a build in the background does it, processes of 15 or 3 ms one after the
# other; and threads that wake each millisecond.
SHORT = "trap exit TERM; while :; do head -c {} /dev/zero | md5sum; done"
KINDS = {"endless": copies.Endless.LOOP, "15 ms": ("sh", "-c", SHORT.format(7_000_000)),
         "3 ms": ("sh", "-c", SHORT.format(1_000_000)),
         "wakes": (sys.executable, "-S", "-c", "import time\nwhile True: time.sleep(0.001)")}
LOW_CASES, QUICK_LOW = ("loop-20us", "loop-200us", "tasks-20us"), ("19, endless", "19, 15 ms")
POLICIES = {"": {}, "passive": {"OMP_WAIT_POLICY": "passive"}, "active": {"OMP_WAIT_POLICY": "active"},
            "dynamic": {"OMP_DYNAMIC": "true"}}
# What the kernel's switches alone take: loops on threads with a barrier written by hand, which wait so.
BY_HAND, WAYS = crowded_report.BY_HAND, ("yield", "futex")
# Clients that share the machine and nothing else: one thread each, so that no thread waits for another.
ONE_THREAD = crowded_report.ONE_THREAD
TOTAL_MS = 300
SETTLES_S = 0.1  # an interpreter has started by then
# A job that takes LIMIT times the least time is stopped. A peer's that takes longer than
# HOPELESS times is not repeated.
LIMIT, HOPELESS = crowded_report.LIMIT, 3
LONGEST = 120  # seconds, for what has no such limit
# Several of the periods of 100 ms in which a quota is given out.
QUOTA_THREADS, QUOTA_CASE, QUOTA_MS = 4, "loop-10us", 600
PACED = ("loop-20us", "loop-200us")
PHASE_MS = 200
CYCLES, QUICK_CYCLES = 8, 4

ALONE = crowded_report.ALONE
# `row` is None for the work without OpenMP. `others`: how many copies, or endless processes beside one.
Job = collections.namedtuple("Job", "part case row cell others")


class Row(collections.namedtuple("Row", "cell policy")):
    """A runtime, and how it is told to wait."""

    def __str__(self):
        if self.cell.runtime == BY_HAND:
            return f"{BY_HAND}, {self.policy}"
        home = self.cell.runtime in cells.PEERS
        name = self.cell.runtime if home else f"{self.cell.runtime} {self.cell.compiler}"
        return f"{name} {self.policy}".strip()


def run(bench, options, seconds, progress):
    """{"cores": n, "samples": {part: {case: {others: {row: sample}}}}, "late": […], "rounds": n}

    A sample has lists: "wall" and "cpu" in seconds; or for the part "noticed" what `crowded_report` calls
    curves; and how much other processes "disturbed"."""
    if not (bench.programs / "crowded").is_dir():
        return {"skipped": "no programs: build the target bench_crowded_programs"}
    wanted = set(options.only.split(",")) if options.only else set()
    if unknown := wanted - set(PARTS) - set(CASES) - set(CLIENTS):
        return {"skipped": f"no part or case is called {', '.join(sorted(unknown))}; there are "
                           f"{', '.join([*PARTS, *CASES, *CLIENTS])}"}
    found = {"cores": len(os.sched_getaffinity(0)), "samples": {}, "late": [], "no quota": no_quota(),
             "no clients": ""}
    runner = Runner(bench, found["cores"], options.quick)
    jobs = [job for job in jobs_of(bench, options, wanted) if job.part != "quota" or not found["no quota"]]
    try:
        runner.install({job.case for job in jobs if job.case in CLIENTS})
    except python_of.packages.Unavailable as reason:
        found["no clients"] = str(reason)
        jobs = [job for job in jobs if job.case not in CLIENTS]
    for number, job, figures, others in cells.measured(
            jobs, (seconds, 1 if options.quick else 3, progress), lambda job: RUN[job.part](runner, job), found["late"],
            place_of, lambda job: is_hopeless(found, job)):
        keep(found, job, figures, others)
        found["rounds"] = number + 1
    return found


def no_quota():
    """Why there can be no quota here, or an empty text."""
    try:
        with cpu_quota(1):
            return ""
    except NoQuota as reason:
        return str(reason)


def jobs_of(bench, options, wanted):
    rows = rows_of(bench)
    at_once = options.copies or (QUICK_COPIES if options.quick else COPIES)
    numbers = {"copies": at_once, "clients": at_once, "leaders": [count for count in at_once if count > 1],
               "beside": QUICK_ENDLESS if options.quick else ENDLESS,
               "low": QUICK_LOW if options.quick else [*crowded_report.LOW]}
    alone = {}
    for part in parts_of(wanted):
        for case in cases_of(part, options, wanted):
            for others in numbers.get(part, [1]):
                yield from (Job(part, case, row, row.cell, others) for row in rows
                            if is_measured(part, row, others) and (row.cell.runtime != BY_HAND or case in LOOPS))
            if part in numbers:
                alone[case] = None
            elif part == "quota":
                yield from (Job(part, case, None, cell, 1) for cell in homes(rows))
    yield from (Job(ALONE, case, None, cell, 1) for case in alone for cell in homes(rows)
                if case not in CLIENTS or cell.compiler == "gcc")


def parts_of(wanted):
    """Clients take seconds each: they run if --only names their parts, or one of them."""
    if named := [part for part in PARTS if part in wanted]:
        return named
    clients = wanted & set(CLIENTS)
    others = wanted & set(CASES) or not wanted
    return [part for part in PARTS if (clients if part in OF_CLIENTS else others)]


def cases_of(part, options, wanted):
    if part == "quota":
        return [QUOTA_CASE]
    if part == "low":
        return [case for case in LOW_CASES if case in wanted] or [*LOW_CASES]
    if part in OF_CLIENTS:
        return [case for case in CLIENTS if case in wanted] or [*CLIENTS]
    named = [case for case in CASES if case in wanted]
    if part == "noticed":
        return [case for case in named if case in LOOPS] or PACED
    dynamic = DYNAMIC if part == "beside" and not options.quick else ()
    return named or [*(QUICK if options.quick else MEASURED), *dynamic]


def rows_of(bench):
    rows = [Row(cell, policy) for cell in bench.native_cells() if cell.runtime != cells.CONTROL
            for policy in POLICIES]
    if "gcc" in bench.compilers:
        rows += [Row(cells.Cell("gcc", BY_HAND), way) for way in WAYS]
        rows += [Row(row.cell, ONE_THREAD) for row in rows if (row.cell.runtime, row.policy) == ("libgomp", "")]
    return rows


def homes(rows):
    """A cell for each compiler."""
    return list({row.cell.compiler: row.cell for row in rows if row.cell.runtime != BY_HAND}.values())


def is_measured(part, row, others):
    """Active is the setting that Vicino should equal where nobody else runs. Where a crowd comes and goes,
    active and passive have the two rates between which a runtime changes."""
    ours = row.cell.runtime not in cells.PEERS
    if row.policy == ONE_THREAD:
        return part in OF_CLIENTS
    if row.cell.runtime == BY_HAND:
        return part == "quota" or part == "copies" and others > 1
    if part in OF_CLIENTS:  # gcc has compiled them; `vicino run` puts Vicino in the place of their runtime
        return row.cell.compiler == "gcc" and row.cell.runtime in ("libgomp", cells.OURS) and row.policy != "active"
    if part == "low":  # as users have them
        return not row.policy and row.cell.runtime != BY_HAND
    if part == "noticed":
        return ours and row.policy != "dynamic" or not row.policy
    return row.policy != "active" or ours and part == "copies" and others == 1


class Runner:
    """Runs a job once."""

    def __init__(self, bench, cores, quick):
        self.bench, self.cores = bench, cores
        self._build = bench.programs.parent
        self.cycles = QUICK_CYCLES if quick else CYCLES
        cell = cells.Cell(bench.compilers[0], "")
        line, = bench.run(homes(rows_of(bench))[0], [bench.program("crowded/loop", cell), "--calibrate"])
        self._speed = str(line["steps_per_us"])

    def work(self, job, total_ms=TOTAL_MS):
        return [] if job.case in CLIENTS else [*CASES[job.case][1], "--total-ms", str(total_ms)]

    def install(self, clients):
        self._pythons = {name: python_of.python_of(name, self._build / "test/clients") for name in clients}

    def _client(self, job, count, *words):
        """On its own runtime with one thread if the job has no row: OpenMP cannot be left out."""
        ours = job.row is not None and job.cell.runtime == cells.OURS
        command = [self._build / "bin/vicino", "run", "--"] if ours else []
        command += [self._pythons[job.case], ROOT / "bench/crowded/client.py", job.case, str(CLIENTS[job.case]),
                    "vicino" if ours else "own", *words]
        alone = job.row is None or job.row.policy == ONE_THREAD
        policy = {} if alone else POLICIES[job.row.policy]
        return copies.Crowd(self.bench, job.cell, command, count, 1 if alone else None,
                            policy | {"LD_LIBRARY_PATH": ""})

    def _crowd(self, job, count, arguments, threads=None, settings=None, join=None):
        if job.case in CLIENTS:
            return self._client(job, count)
        program = self.bench.program(f"crowded/{CASES[job.case][0]}", job.cell)
        command = [program, "--steps-per-us", self._speed, *arguments]
        policy = {}
        if job.row is None:
            command += ["--serial"]
        elif job.cell.runtime == BY_HAND:
            command += ["--by-hand", job.row.policy]
        else:
            command += ["--runtime", self.bench.file(job.cell)]
            policy = POLICIES[job.row.policy]
        return copies.Crowd(self.bench, job.cell, command, count, threads, policy | (settings or {}), join)

    def _together(self, crowd, limit):
        """Wall time from the common start to the end of the last copy, and the CPU time of all."""
        with crowd:
            start = crowd.go()
            ended = [lines[-1] for lines in crowd.results(limit)]
        return {"wall": (max(line["end_ns"] for line in ended) - start) / 1e9,
                "cpu": sum(line["cpu_ns"] for line in ended) / 1e9}

    def lines(self, job, arguments, settings=None, threads=None):
        """The last line of each copy; none began before the common start."""
        with self._crowd(job, job.others, arguments, threads, settings) as crowd:
            start = crowd.go()
            found = [lines[-1] for lines in crowd.results(LONGEST)]
        if len(found) != job.others or min(line["start_ns"] for line in found) < start:
            raise cells.Refused(f"{job.row}, {job.case}: a copy did not wait for the others")
        return found

    def alone(self, job):
        """The work without OpenMP. It ends, however few cores others leave, and only its CPU time counts."""
        return self._together(self._crowd(job, 1, self.work(job)), LONGEST)

    def copies(self, job):
        least = TOTAL_MS / 1e3 * job.others / self.cores
        return self._together(self._crowd(job, job.others, self.work(job)), LIMIT * least + 1)

    def leaders(self, job):
        """One process, in which so many threads do what a copy does."""
        least = TOTAL_MS / 1e3 * job.others / self.cores
        return self._together(self._client(job, 1, "--leaders", str(job.others)), LIMIT * least + 1)

    def beside(self, job):
        least = TOTAL_MS / 1e3 / crowded_report.share(self.cores, job.others)
        with copies.Endless(job.others):
            return self._together(self._crowd(job, 1, self.work(job)), LIMIT * least + 1)

    def low(self, job):
        kind = crowded_report.LOW[job.others]
        least = TOTAL_MS / 1e3 / crowded_report.share(self.cores, kind.weight(self.cores))
        with contextlib.ExitStack() as held:
            join = held.enter_context(cpu_weight(kind.tenths)) if kind.tenths else None
            held.enter_context(copies.Endless(self.cores, KINDS[kind.command], kind.nice, join))
            time.sleep(SETTLES_S)
            return self._together(self._crowd(job, 1, self.work(job)), LIMIT * least + 1)

    def quota(self, job):
        with cpu_quota(1) as join:
            crowd = self._crowd(job, 1, self.work(job, QUOTA_MS), QUOTA_THREADS, join=join)
            return self._together(crowd, LIMIT * QUOTA_MS / 1e3)

    def noticed(self, job):
        """A crowd of twice as many endless processes as cores comes and goes; the times are known."""
        pace_ms = (2 * self.cycles + 2) * PHASE_MS
        begins, ends = [], []
        with copies.Endless(2 * self.cores) as endless:
            endless.stop()
            with self._crowd(job, 1, [*CASES[job.case][1], "--pace-ms", str(pace_ms)]) as crowd:
                crowd.go()
                for _ in range(self.cycles):
                    time.sleep(PHASE_MS / 1e3)
                    begins.append(endless.run())
                    time.sleep(PHASE_MS / 1e3)
                    ends.append(endless.stop())
                pace = crowd.results(LONGEST)[0][-1]
        return {"begins": curves(pace, begins), "ends": curves(pace, ends)}


PARTS = {"copies": Runner.copies, "clients": Runner.copies, "leaders": Runner.leaders, "beside": Runner.beside,
         "low": Runner.low, "quota": Runner.quota, "noticed": Runner.noticed}
RUN = PARTS | {ALONE: Runner.alone}


def curves(pace, events):
    """For each event, how many regions began in each millisecond after it."""
    found = []
    for event in events:
        first = round((event - pace["start_ns"]) / 1e6)
        found.append(pace["regions"][first:first + PHASE_MS])
    return found


def keep(found, job, figures, disturbed):
    by_row = found["samples"].setdefault(job.part, {}).setdefault(job.case, {}).setdefault(job.others, {})
    sample = by_row.setdefault(row_name(job), collections.defaultdict(list))
    for name, value in {**figures, "disturbed": disturbed}.items():
        sample[name] += value if isinstance(value, list) else [value]


def row_name(job):
    return str(job.row) if job.row else f"serial {job.cell.compiler}"


def is_hopeless(found, job):
    if place_of(job) in found["late"]:
        return True
    if job.row is None or job.cell.runtime not in cells.PEERS or job.part == "noticed":
        return False
    times = crowded_report.walls(found, *place_of(job))
    return bool(times) and times[0] > HOPELESS


def place_of(job):
    """Where a job's sample is."""
    return [job.part, job.case, job.others, row_name(job)]


def check(bench):
    """Two copies of each program are right on each runtime and begin together; and what must be refused is.
    Rows by hand have no runtime, and those of one thread are of clients alone."""
    runner = Runner(bench, len(os.sched_getaffinity(0)), quick=True)
    for row in [row for row in rows_of(bench) if row.policy in POLICIES and row.policy != "active"]:
        for case in (*MEASURED, *DYNAMIC):
            job = Job("copies", case, row, row.cell, 2)
            regions = {line["regions"] for line in runner.lines(job, [*CASES[case][1], "--total-ms", "20"])}
            if len(regions) != 1 or min(regions) < 10:
                raise cells.Refused(f"{row}, {case}: {regions} regions")
        job = Job("noticed", "loop-20us", row, row.cell, 2)
        if not all(sum(line["regions"]) for line in runner.lines(job, [*CASES[job.case][1], "--pace-ms", "20"])):
            raise cells.Refused(f"{row}: no pace")
        expect_refusal(runner, row)
        print(f"{row}: {len(MEASURED) + len(DYNAMIC)} crowded cases right", flush=True)


def expect_refusal(runner, row):
    """Of a broken `single`, by which each of two threads makes all the tasks. With OMP_DYNAMIC libgomp has one
    thread where the load average is high."""
    job = Job("copies", "tasks-2us", row, row.cell, 2)
    broken = {"LD_PRELOAD": str(runner.bench.programs / "broken.so"), "OMP_DYNAMIC": "false"}
    try:
        runner.lines(job, runner.work(job), broken, threads=2)
    except cells.Refused:
        return
    raise cells.Refused(f"{row}: a wrong answer was not refused")


def report(data):
    return crowded_report.parts(data)
