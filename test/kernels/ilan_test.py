"""A kernel of bench/ilan at its small size gives right answers in each form, at each team size.

Each run has enough steps for the tuner to try all that it tries. A second run in the same process
uses what the tuner has chosen.
"""
import json
import sys

import checked

FORMS = ("taskloop", "runtime", "auto", "serial")
# All schedules are tested with the kernels of bench/loops.
SETTINGS = ({}, {"OMP_SCHEDULE": "dynamic"}, {"VICINO_SCHEDULE": "hierarchical"})
STEPS = 60
# (arguments, how the refusal begins)
REFUSED = [(("--form", "parallel"), "no form 'parallel'; accepted: taskloop, runtime, auto, serial"),
           (("--size", "0"), "not a value for --size: '0'; accepted: a "),
           (("--size", "3000000000"), "not a value for --size: '3000000000'; accepted: a "),
           (("--steps", "2x"), "not a value for --steps: '2x'; accepted: a whole number from 1"),
           (("--repeat", "-1"), "not a value for --repeat: '-1'; accepted: a whole number from 1"),
           (("--steps",), "unknown argument, or one without its value: '--steps'; accepted: --form"),
           (("--scale", "5"), "unknown argument, or one without its value: '--scale'; accepted: --form")]


class Kernel(checked.Kernel):
    SECONDS = 120

    def complaint(self, form, settings):
        """What is wrong with two runs in one process, or None."""
        done = self.run(settings, "--form", form, "--small", "--steps", str(STEPS), "--repeat", "2")
        if done.returncode == 0 and not done.stderr and self.reported(done.stdout, form):
            return None
        shown = " ".join(f"{k}={v}" for k, v in settings.items())
        return f"{shown} --form {form}: exit status {done.returncode}\n{done.stdout}{done.stderr}"

    def reported(self, stdout, form):
        line = json.loads(stdout)
        wanted = {"kind": "kernel", "kernel": self.name, "form": form, "steps": STEPS}
        return wanted.items() <= line.items() and len(line["ns"]) == len(line["cpu_ns"]) == 2


def all_runs(threads):
    for form in FORMS:
        teams = threads if form != "serial" else threads[:1]
        for settings in SETTINGS if form == "runtime" else SETTINGS[:1]:
            yield from ((form, {"OMP_NUM_THREADS": str(n), **settings}) for n in teams)


def complaints(options):
    kernel = Kernel(options)
    for form, settings in all_runs(options.threads):
        if complaint := kernel.complaint(form, settings):
            yield complaint
    yield from kernel.refusal_complaints(REFUSED)


if __name__ == "__main__":
    sys.exit(checked.main(__doc__, "1,2,3,8", complaints))
