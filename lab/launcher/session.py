"""What a run needs from this machine and the build, and one run in a guest."""

from dataclasses import dataclass, field
from pathlib import Path

from . import cargo, guest, locality
from .failure import LabError
from .processor import X86_64

LAB = Path(__file__).resolve().parents[1]
SETTINGS = (("/proc/sys/kernel/numa_balancing", "0"),)
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"


@dataclass
class Job:
    """A command and what it is to find in the guest."""
    command: list
    variables: dict = field(default_factory=lambda: cargo.environment(()))
    files: tuple = ()
    time_limit: float = 300
    huge_pages: str = "never"


class Session:
    """`build` and `kernel`: None for the processor's usual ones."""

    def __init__(self, machine, build=None, kernel=None, processor=X86_64):
        self.machine = machine
        self.processor = processor
        self.build = build or processor.build
        self.kernel = _found(kernel or processor.kernel, "the guest's kernel", f"run scripts/need {processor.needs}")
        self.init = self.built("init")
        guest.qemu_path(processor)

    def built(self, name):
        return _found(self.build / name, "a part of the lab", "run make, or name the build with --build")

    def run(self, job, counting=None, output=guest.to_own_output):
        """The command's exit status; None when its time was over."""
        settings = (*SETTINGS, (HUGE_PAGES, job.huge_pages))
        archive = cargo.pack(job.command, job.variables, job.files, self.machine.cpus, settings,
                             counting is not None, self.init.read_bytes(), self.processor)
        extra, inherited = (counting.qemu_arguments, counting.inherited) if counting else ((), ())
        try:
            return guest.Guest(self.processor, self.kernel, archive,
                               self.machine.qemu_arguments(self.processor.group), extra, inherited,
                               output).run(job.time_limit)
        except LabError:
            if counting:
                counting.raise_refusal()
            raise

    def count(self, parameters, clock):
        return locality.Counting(self.built("locality.so"), self.machine, parameters, clock)


def _found(path, what, remedy):
    if not Path(path).is_file():
        raise LabError(f"{path}, {what}, is missing: {remedy}")
    return Path(path)
