"""Cells in guests: what runs where, and the records of what was counted.

A guest runs one compiler's program on one runtime: all schedules one after another, each in a process
of its own. A guest's seed is its sample. A guest that the lab could not run is run once more with
another seed, and the page says so.
"""

import dataclasses
import pathlib
import re
import subprocess

from report import cells
from report.guests import Guests, LabFailed, Run

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


def words_of(text, variable, ending):
    """The names that `vicino settings` gives for a variable, up to the words `ending`."""
    entry = re.search(rf"^{variable}(?:, [^\n]*)?$(.*?)(?=^\S)", text + "\n.", re.MULTILINE | re.DOTALL)
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


class Counts(Guests):
    """Guests whose regions are counted. One that the lab could not run is run once more with another seed."""

    def __init__(self, bench, options, scratch, progress):
        super().__init__(bench, options.build, options, progress, lambda machine: [self.inputs(machine)])
        self.scratch = pathlib.Path(scratch)
        self.extra = []
        self.again = []

    def inputs(self, machine):
        return str(self.scratch / f"inputs-{machine}")

    def write_inputs(self, name, cpus):
        program = next(self.bench.programs.glob("locality-*"))
        subprocess.run([program, "--prepare", self.inputs(name), "--cpus", str(cpus)], check=True)

    def prepare(self, machines):
        for machine in machines:
            self.write_inputs(machine, CPUS[machine])
        if any(cell.runtime == cells.OURS for cell in self.bench.native_cells()):
            text = subprocess.run([self.build / "bin/vicino", "settings"], text=True,
                                  capture_output=True, check=True).stdout
            self.extra = schedules_of_vicino(text)

    def schedules(self, cell):
        return [*CLAUSES, *(self.extra if cell.runtime == cells.OURS else ()), TASKLOOP]

    def arguments(self, cell, inputs, settings, kernels):
        """The program's, but for its runtime."""
        return ("--inputs", self.inputs(inputs), *(word for item in settings.items() for word in ("--set", "=".join(item))),
                "--kernels", ",".join(self.options.kernels or kernels), *self.schedules(cell))

    def runs(self):
        """Guests that take longest come first, so that none of them runs alone at the end."""
        return sorted((Run(machine, cell, "locality", self.arguments(cell, machine, SETTINGS, KERNELS[machine]),
                           (), seed) for machine in self.options.machines
                       for cell in self.bench.native_cells() for seed in self.options.seeds),
                      key=lambda run: -CPUS[run.machine])

    def _once(self, run):
        try:
            return super()._once(run)
        except LabFailed as why:
            self.again.append(str(why))
            return super()._once(dataclasses.replace(run, seed=run.seed + SECOND_TRY))

    def found(self, run, done, counted):
        return {"parameters": counted["parameters"], "regions": pair(run, counted["regions"], done.stdout)}

    def save(self, path):
        """The study writes all counts at once."""

    def counted(self):
        """[{…, "regions": …}], in an order that does not depend on which guest ended first."""
        runs = self.runs()
        self.make(runs)
        if late := [run for run in runs if self.results[run] is None]:
            raise cells.Refused(f"{late[0]}: no end within {self.options.time_limit} s")
        return [{"machine": run.machine, "cell": str(run.cell), "seed": run.seed, **self.results[run]} for run in runs]


def pair(guest, counted, stdout):
    """Joins what the program says of its regions with what was counted in them; both are in order."""
    said = [line for line in cells.json_lines(stdout) if line["kind"] == "region"]
    if [line["region"] for line in said] != [region["region"] for region in counted]:
        raise cells.Refused(f"{guest}: {len(counted)} regions counted, {len(said)} announced")
    wrong = [line for line in said if not line["right"]]
    if wrong:
        raise cells.Refused(f"{guest}: wrong answer: {wrong[0]['kernel']}, {wrong[0]['schedule']}")
    keep = ("kernel", "init", "schedule", "chunk", "threads")
    return [{key: line[key] for key in keep} |
            {"cycles": region["machine_cycles"], "totals": region["totals"]}
            for line, region in zip(said, counted)]
