"""Counted locality: the plugin's configuration, its counts, and a table of them.

The plugin (locality/) has the model and counts; this file formats.
"""

import fnmatch
import json

from .failure import LabError
from .guest import Memory, qemu_version

# The plugin uses internal functions of QEMU, so it needs a version that it was tested with.
KNOWN_QEMU = ("7.2", "7.2.*")


def check_qemu():
    version = qemu_version()
    if not any(fnmatch.fnmatch(version, pattern) for pattern in KNOWN_QEMU):
        raise LabError(f"QEMU {version} is not known to the locality plugin; known: {KNOWN_QEMU[-1]} "
                       "(runs without --locality need no known version)")


class Counting:
    """One guest's plugin: its configuration and its result, both in anonymous files."""

    def __init__(self, plugin, machine, parameters, clock):
        self._config, self._output = Memory("config"), Memory("counts")
        self._config.write(json.dumps(machine.for_plugin() | {
            "parameters": parameters, "clock": clock, "output": self._output.path}).encode())
        self.qemu_arguments = ["-plugin", f"{plugin},config={self._config.path}"]
        self.inherited = [self._config, self._output]

    def regions(self):
        self.raise_refusal()
        return self._result()["regions"]

    def raise_refusal(self):
        """Raises a LabError if the plugin said why it would not run."""
        if self._output.content() and (reason := self._result().get("refused")):
            raise LabError(f"the plugin refused: {reason}")

    def _result(self):
        try:
            return json.loads(self._output.content())
        except ValueError:
            raise LabError("the plugin wrote no result, or a damaged one") from None


COLUMNS = ("insns", "l2 misses", "l3 hits", "memory", "local", "same p.", "other p.", "same p.",
           "other p.", "upgrades", "stall", "cycles")
WIDTHS = (12, 11, 11, 11, 8, 9, 9, 9, 9, 10, 13, 13)


def _share(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def _row(counts, cycles):
    memory = counts["local"] + counts["same_package"] + counts["other_package"]
    values = (counts["insns"], counts["l2_misses"], counts["l3_hits"], memory,
              _share(counts["local"], memory), _share(counts["same_package"], memory),
              _share(counts["other_package"], memory), counts["transfers_same_package"],
              counts["transfers_other_package"], counts["upgrades"], counts["stall_cycles"], cycles)
    return "".join(f"{value:>{width}}" for value, width in zip(values, WIDTHS))


def _heads():
    return "".join(f"{name:>{width}}" for name, width in zip(COLUMNS, WIDTHS))


def table(regions, parameters, per_cpu):
    """The table's lines: a row for each region; with per_cpu also one for each CPU that did anything."""
    if not regions:
        return ["no region was counted: the program passed no LAB_START and LAB_STOP (lab/mark.h)"]
    above = " " * 14 + " " * sum(WIDTHS[:4]) + f"{'share of memory':>{sum(WIDTHS[4:7])}}" \
        + f"{'transfers':>{sum(WIDTHS[7:9])}}"
    lines = [above, f"{'region':>6}{'run':>4}{'cpu':>4}" + _heads()]
    for region in regions:
        lines.append(f"{region['region']:>6}{region['run']:>4}{'all':>4}"
                     + _row(region["totals"], region["machine_cycles"])
                     + ("" if region["stopped"] else "  (no LAB_STOP)"))
        if per_cpu:
            lines += [f"{cpu:>14}" + _row(counts, counts["cycles"])
                      for cpu, counts in enumerate(region["cpus"]) if counts["insns"]]
    lines.append("model: " + " ".join(f"{name}={value}" for name, value in parameters.items()))
    return lines
