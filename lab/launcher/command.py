"""The command line: what is asked for, checked before anything boots, and how it ended."""

import argparse
import json
import os
import signal
import sys
from pathlib import Path

from . import cargo, guest, machine
from .failure import LabError

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "build" / "lab" / "kernel" / "vmlinux"
TIME_IS_OVER, LAB_FAILED, NOT_FOUND = 124, 125, 127
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise LabError(f"{message} (lab --help; the command stands behind --)")


def _parser():
    parser = _Parser(
        prog="lab", allow_abbrev=False, usage="lab [options] -- COMMAND [ARGUMENT...]",
        description="Runs COMMAND of this machine in a guest with many NUMA nodes, under QEMU. The "
                    "command's libraries, the files it names and its OpenMP settings travel along.",
        epilog="Exit status: the command's own; 128+N after signal N; 127 if it is not found; 124 when "
               "the time limit is over; 125 if the lab itself failed, with a line that begins 'lab: '.")
    parser.add_argument("--machine", default="4x4", metavar="NAME",
                        help="a name from --list, or a file that ends in .toml (default: 4x4)")
    parser.add_argument("--list", action="store_true", help="name the machines and leave")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write how the run ended")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE",
                        help="a variable for the command")
    parser.add_argument("--file", action="append", default=[], metavar="PATH",
                        help="a file or folder that travels too, under the same path")
    parser.add_argument("--time-limit", type=float, default=300, metavar="SECONDS",
                        help="for the command, once the guest is up (default: 300)")
    parser.add_argument("--huge-pages", choices=("never", "madvise", "always"), default="never",
                        help="transparent huge pages in the guest (default: never)")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release" / "lab", metavar="DIR",
                        help="where the lab is built (default: build/release/lab)")
    parser.add_argument("--kernel", type=Path, default=KERNEL, metavar="FILE",
                        help="an uncompressed kernel (default: build/lab/kernel/vmlinux)")
    return parser


def _list_machines():
    for name in machine.names():
        found = machine.load(name)
        print(f"{name:8} {found.about}")


def _built(path, what, remedy):
    if not path.is_file():
        raise LabError(f"{path}, {what}, is missing: {remedy}")
    return path


class Run:
    """One command in one guest, and what is known about it so far."""

    def __init__(self, options, command):
        self.options, self.command = options, command
        self.status, self.error = None, None

    def execute(self):
        options = self.options
        if options.time_limit <= 0:
            raise LabError(f"--time-limit {options.time_limit:g} is not above 0")
        found = machine.load(options.machine)
        kernel = _built(options.kernel, "the guest's kernel", "run scripts/need lab")
        init = _built(options.build / "init", "the guest's first process",
                      "run make, or name the build with --build")
        settings = [("/proc/sys/kernel/numa_balancing", "0"), (HUGE_PAGES, options.huge_pages)]
        try:
            archive = cargo.pack(self.command, cargo.environment(options.env), options.file, found.cpus,
                                 settings, False, init.read_bytes())
        except cargo.NotFound as error:
            print(f"lab: {error}: command not found", file=sys.stderr)
            return NOT_FOUND
        status = guest.Guest(kernel, archive, found.qemu_arguments()).run(options.time_limit)
        if status is None:
            print(f"lab: the command did not end within {options.time_limit:g} s", file=sys.stderr)
            return TIME_IS_OVER
        return status

    def write_json(self):
        self.options.json.write_text(json.dumps({
            "schema": 1, "machine": self.options.machine, "status": self.status,
            "lab_error": self.error, "parameters": {}, "seed": 0, "deterministic": False,
            "regions": []}, indent=1) + "\n")


def _end_by_signal(number, _frame):
    raise _Signalled(number)


class _Signalled(BaseException):
    pass


def _run(arguments):
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options, command = _parser().parse_args(arguments[:cut]), arguments[cut + 1:]
    if options.list:
        _list_machines()
        return 0
    if not command:
        raise LabError("no command; it stands behind -- (lab --help)")
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
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end_by_signal)
    try:
        sys.exit(_run(sys.argv[1:]))
    except LabError as error:
        print(f"lab: {error}", *(f"  | {line}" for line in error.details), sep="\n", file=sys.stderr)
        sys.exit(LAB_FAILED)
    except _Signalled as signalled:
        # Ended as whoever sent it expects: by that signal.
        number = signalled.args[0]
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
