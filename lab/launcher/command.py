"""The command line: checks what is asked for before anything boots, and tells how the run ended."""

import argparse
import json
import signal
import sys
from pathlib import Path

from . import cargo, locality, machine, parameters, processor, selftest
from .failure import LabError
from .session import Job, Session

TIME_IS_OVER, LAB_FAILED, NOT_FOUND = 124, 125, 127


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise LabError(f"{message} (lab --help; the command goes behind --)")


def _parser():
    parser = _Parser(
        prog="lab", allow_abbrev=False, usage="lab [OPTION...] -- COMMAND [ARGUMENT...]",
        description="Runs COMMAND of this machine in a guest with many NUMA nodes, under QEMU. The "
                    "command's libraries, the files it names and its OpenMP settings travel along.",
        epilog="Exit status: the command's own; 128+N after signal N; 127 if it is not found; 124 if "
               "the time limit is over; 125 if the lab itself failed, with a line that begins 'lab: '.")
    parser.add_argument("--machine", default="4x4", metavar="NAME",
                        help="a name from --list, or a file that ends in .toml (default: 4x4)")
    parser.add_argument("--list", action="store_true",
                        help="name the machines and the model's parameters, and exit")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE",
                        help="a variable for the command")
    parser.add_argument("--file", action="append", default=[], metavar="PATH",
                        help="a file or folder that travels too, under the same path")
    parser.add_argument("--time-limit", type=_time_limit, default=300, metavar="SECONDS",
                        help="for the command, once the guest is up (default: 300)")
    parser.add_argument("--huge-pages", choices=("never", "madvise", "always"), default="never",
                        help="transparent huge pages in the guest (default: never)")
    parser.add_argument("--processor", choices=processor.ALL, default="x86_64",
                        help="the guest's; for aarch64 the command and its libraries come from a cross compiler, "
                             "and nothing is counted (default: x86_64)")
    parser.add_argument("--build", type=Path, metavar="DIR",
                        help="the lab's build folder (default: $LAB_BUILD, or build/release/lab)")
    parser.add_argument("--kernel", type=Path, metavar="FILE",
                        help="an uncompressed kernel (default: build/lab/kernel/vmlinux)")
    _add_counting(parser.add_argument_group("counted locality"))
    return parser


def _add_counting(group):
    group.add_argument("--locality", action="store_true",
                       help="count where the memory accesses of the command's marked regions go "
                            "(mark.h), and print a table of each on standard error")
    group.add_argument("--per-cpu", action="store_true", help="a row for each CPU too")
    group.add_argument("--json", type=Path, metavar="FILE", help="write how the run ended and all counts")
    group.add_argument("--clock", choices=("host", "model"),
                       help="the guest's time: the host's, which means nothing to programs, or the model's "
                            "(default: the model's when anything is counted)")
    group.add_argument("--seed", type=_whole, default=0, metavar="N",
                       help="another sample: another interleaving of the CPUs (default: 0)")
    group.add_argument("--bound", choices=parameters.BOUNDS, default="value",
                       help="take each number of the model at its value, or at its low or high bound "
                            "(default: value)")
    group.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE",
                       help="a number of the model; --list names them")
    group.add_argument("--noise", metavar="NAME",
                       help="CPUs that are late now and then, or one that is slow; --list names them")
    group.add_argument("--selftest", action="store_true",
                       help="run the programs whose counts are known, and exit; --locality runs them "
                            "itself, once for each machine and build")


def _whole(text):
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0")
    return int(text)


def _list():
    print("machines (--machine):")
    for name in machine.names():
        print(f"  {name:19} {machine.load(name).about}")
    print("parameters of the model (--set):")
    for parameter in parameters.known():
        bounds = f"{parameter.low} to {parameter.high}"
        print(f"  {parameter.name:19} {parameter.value:<7} {bounds:18} {parameter.unit:13}  {parameter.about}")
    print("noise (--noise):")
    for noise in parameters.noises().values():
        print(f"  {noise.name:19} {noise.about}")


class Run:
    """One command in one guest, and what is known about it so far."""

    def __init__(self, options, command):
        self.options, self.command = options, command
        # An option that concerns the counts asks for them.
        self.counted = options.locality or options.clock == "model" or options.per_cpu or \
            options.seed or options.set or options.noise or options.bound != "value"
        self.clock = options.clock or ("model" if self.counted else "host")
        self.status, self.error, self.parameters, self.regions = None, None, {}, []

    def execute(self):
        options = self.options
        own = processor.ALL[options.processor]
        if self.counted and own is not processor.X86_64:
            raise LabError(f"a guest of {own.name} counts nothing and has no time of the model's")
        session = Session(machine.load(options.machine), options.build, options.kernel, own)
        counting = self._prepare_counting(session) if self.counted else None
        job = Job(self.command, cargo.environment(options.env), options.file, options.time_limit,
                  options.huge_pages)
        try:
            status = session.run(job, counting)
        except cargo.NotFound as error:
            print(f"{error}: command not found", file=sys.stderr)
            return NOT_FOUND
        if counting:
            self.regions = counting.regions()
            print(*locality.table(self.regions, self.parameters, options.per_cpu), sep="\n",
                  file=sys.stderr)
        if status is None:
            print(f"{self.command[0]}: no end within the time limit of {options.time_limit:g} s",
                  file=sys.stderr)
            return TIME_IS_OVER
        return status

    def _prepare_counting(self, session):
        locality.check_qemu()
        noise = [f"{parameters.NOISE}={self.options.noise}"] if self.options.noise else []
        self.parameters = parameters.chosen(session.machine, self.options.bound, noise + self.options.set,
                                            self.options.seed)
        selftest.need(session)
        return session.count(self.parameters, self.clock == "model")

    def write_json(self):
        data = {"schema": 1, "machine": self.options.machine, "status": self.status,
                "lab_error": self.error, "parameters": self.parameters, "bound": self.options.bound,
                "seed": self.options.seed, "clock": self.clock, "regions": self.regions}
        try:
            self.options.json.write_text(json.dumps(data, indent=1) + "\n")
        except OSError as error:
            raise LabError(f"--json: {error}") from None


def _time_limit(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds above 0")
    return value


def _run(arguments):
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options, command = _parser().parse_args(arguments[:cut]), arguments[cut + 1:]
    if options.list:
        _list()
        return 0
    if options.selftest:
        selftest.run(Session(machine.load(options.machine), options.build, options.kernel))
        return 0
    if not command:
        raise LabError("no command is given; it goes behind -- (lab --help)")
    run = Run(options, command)
    try:
        run.status = run.execute()
    except LabError as error:
        run.status, run.error = LAB_FAILED, str(error)
        raise
    finally:
        if options.json and run.status is not None:
            run.write_json()
    return run.status


def main():
    selftest.join()
    # A signal ends the launcher as it ends any program: there is nothing to clean up (guest.py).
    for number in (signal.SIGPIPE, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    try:
        sys.exit(_run(sys.argv[1:]))
    except LabError as error:
        print(f"lab: {error}", *(f"  | {line}" for line in error.details), sep="\n", file=sys.stderr)
        sys.exit(LAB_FAILED)
