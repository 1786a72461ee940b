"""Cells in guests: what runs where, and the records of what was counted.

A guest runs one compiler's program on one runtime: all schedules one after another, each in a process
of its own. A guest's seed is its sample. A guest that the lab could not run is run once more with
another seed, and the page says so.
"""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

from report import cells

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "lab"))
from launcher.process import die_with  # noqa: E402

CLAUSES = ("static", "static,c", "nonmonotonic:dynamic,c", "monotonic:dynamic,c", "guided,c")
TASKLOOP = "taskloop,c"
# Vicino's names for schedules that the clauses above request.
IN_CLAUSES = {"static", "static_chunked", "dynamic", "dynamic_shared", "guided"}
SETTINGS = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
CPUS = {"4x4": 16, "8x8": 64}
# The kernels that are counted by default. A guest of 64 CPUs takes a minute for two kernels.
KERNELS = {"4x4": ("triad", "stencil", "spmv", "triangles"), "8x8": ("triad", "spmv")}
# A second try adds this to the seed, which makes it different from all given seeds.
SECOND_TRY = 1000
LAB_FAILED = 125


@dataclasses.dataclass(frozen=True)
class Guest:
    machine: str
    cell: cells.Cell
    seed: int

    def __str__(self):
        return f"{self.machine}, {self.cell}, seed {self.seed}"


def words_of(text, variable, ending):
    """The names that `vicino settings` gives for a variable, up to the words `ending`."""
    entry = re.search(rf"^{variable}$(.*?)(?=^\S)", text + "\n.", re.MULTILINE | re.DOTALL)
    plain = " ".join(entry[1].split()) if entry else ""
    listed = re.search(rf"Values:.*?(?:kind|name) is (.*?){ending}", plain)
    if not listed:
        raise cells.Refused(f"no schedules under {variable} in what `vicino settings` says")
    return re.findall(r"[a-z_]+", re.sub(r"\bor\b", "", listed[1]))


def schedules_of_vicino(settings_text):
    """Arguments of the program: all schedules that no clause can name."""
    kinds = words_of(settings_text, "OMP_SCHEDULE", " and chunk")
    rows = words_of(settings_text, "VICINO_SCHEDULE", "(?: Default|$)")
    names = [name for name in dict.fromkeys(kinds + rows) if name not in IN_CLAUSES]
    return [name if name == "auto" else f"{name},c" for name in names]


class Runner:
    def __init__(self, bench, build, lab, scratch, options):
        self.bench, self.build, self.lab = bench, build, lab
        self.scratch = pathlib.Path(scratch)
        self.options = options
        self.again = []
        self.running = set()

    def program(self, cell):
        return self.bench.program("locality", cell)

    def runtime(self, cell):
        """The file that the guest's program loads as its runtime."""
        folder = self.bench.environment(cell)["LD_LIBRARY_PATH"]
        return f"{folder}/{'libomp.so.5' if cell.compiler == 'clang' else 'libgomp.so.1'}"

    def inputs(self, machine):
        return str(self.scratch / f"inputs-{machine}")

    def write_inputs(self, name, cpus):
        program = next(self.bench.programs.glob("locality-*"))
        subprocess.run([program, "--prepare", self.inputs(name), "--cpus", str(cpus)], check=True)

    def prepare(self, machines):
        for machine in machines:
            self.write_inputs(machine, CPUS[machine])
        self.extra = []
        if any(cell.runtime == cells.OURS for cell in self.bench.native_cells()):
            text = subprocess.run([self.build / "bin/vicino", "settings"], text=True,
                                  capture_output=True, check=True).stdout
            self.extra = schedules_of_vicino(text)

    def schedules(self, cell):
        return [*CLAUSES, *(self.extra if cell.runtime == cells.OURS else ()), TASKLOOP]

    def counting(self, cell, inputs, settings, kernels):
        """The program's command."""
        return [self.program(cell), "--inputs", self.inputs(inputs), "--runtime", self.runtime(cell),
                *(word for item in settings.items() for word in ("--set", "=".join(item))),
                "--kernels", ",".join(self.options.kernels or kernels), *self.schedules(cell)]

    def guests(self):
        """Guests that take longest come first, so that none of them runs alone at the end."""
        return sorted((Guest(machine, cell, seed) for machine in self.options.machines
                       for cell in self.bench.native_cells() for seed in self.options.seeds),
                      key=lambda guest: -CPUS[guest.machine])

    def run(self, progress):
        """[{…, "regions": …}], in an order that does not depend on which guest ended first."""
        guests = self.guests()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            running = [pool.submit(self._run_guest, guest) for guest in guests]
            try:
                for done, job in enumerate(concurrent.futures.as_completed(running)):
                    job.result()
                    progress(f"{done + 1} of {len(guests)} guests")
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                for guest in list(self.running):  # empty, unless a guest has failed or a signal ends us
                    guest.terminate()
        return [job.result() for job in running]

    def _run_guest(self, guest):
        try:
            return self._attempt(guest, guest.seed)
        except LabFailed as why:
            self.again.append(f"{guest}: {why}")
            return self._attempt(guest, guest.seed + SECOND_TRY)

    def _attempt(self, guest, seed):
        out = self.scratch / f"{guest.machine}-{guest.cell}-{seed}.json".replace(" ", "-")
        command = [self.lab, "--machine", guest.machine, "--build", self.build / "lab", "--locality",
                   "--seed", str(seed), "--json", out,
                   "--time-limit", str(self.options.time_limit), "--file", self.inputs(guest.machine),
                   "--file", self.runtime(guest.cell), "--",
                   *self.counting(guest.cell, guest.machine, SETTINGS, KERNELS[guest.machine])]
        done = self._watched(list(map(str, command)), self.bench.environment(guest.cell))
        reason = (done.stderr.strip().split("\n") or [""])[-1]
        if done.returncode == LAB_FAILED:
            raise LabFailed(_lab_line(done.stderr) or reason)
        if done.returncode:
            said = [line for line in done.stderr.split("\n") if line.startswith(("locality:", "refused:"))]
            raise cells.Refused(f"{guest}: status {done.returncode}: {(said or [reason])[-1]}")
        result = json.loads(out.read_text(encoding="utf-8"))
        return {"machine": guest.machine, "cell": str(guest.cell), "seed": guest.seed,
                "parameters": result["parameters"],
                "regions": pair(guest, result["regions"], done.stdout)}

    def _watched(self, command, environment):
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              preexec_fn=die_with(os.getpid(), signal.SIGTERM)) as process:
            self.running.add(process)
            try:
                stdout, stderr = process.communicate()
            finally:
                self.running.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


class LabFailed(Exception):
    pass


def _lab_line(stderr):
    return next((line[5:] for line in stderr.split("\n") if line.startswith("lab: ")), "")


def pair(guest, counted, stdout):
    """Joins what the program says of its regions with what was counted in them; both are in order."""
    said = [json.loads(line) for line in stdout.split("\n") if line.startswith("{")]
    said = [line for line in said if line["kind"] == "region"]
    if [line["region"] for line in said] != [region["region"] for region in counted]:
        raise cells.Refused(f"{guest}: {len(counted)} regions counted, {len(said)} announced")
    wrong = [line for line in said if not line["right"]]
    if wrong:
        raise cells.Refused(f"{guest}: wrong answer: {wrong[0]['kernel']}, {wrong[0]['schedule']}")
    keep = ("kernel", "init", "schedule", "chunk", "threads")
    return [{key: line[key] for key in keep} |
            {"cycles": region["machine_cycles"], "totals": region["totals"]}
            for line, region in zip(said, counted)]
