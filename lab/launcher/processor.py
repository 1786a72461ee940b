"""The guest's processor: x86-64, as here, or aarch64, whose programs come from a cross compiler.

A guest of aarch64 counts nothing: the plugin knows x86-64 alone.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build"
# With these a guest boots in seconds: no timer is calibrated (lpj, tsc, no_timer_check), which takes
# minutes with 64 emulated CPUs, and nothing is checked or scrubbed that an emulated machine does not need.
KERNEL_ARGUMENTS = (
    "quiet panic=-1 lpj=4000000 mitigations=off nokaslr apparmor=0 audit=0 nowatchdog cryptomgr.notests rodata=off "
    "init_on_alloc=0")


@dataclass(frozen=True)
class Processor:
    name: str
    qemu: str
    threads: str            # of the host, for the CPUs: single or multi
    machine: tuple          # QEMU's arguments for machine and CPU
    group: str              # what -smp calls the cores that have one L3 cache
    ports: tuple            # {name} stands for the file of the port of that name
    kernel_arguments: str
    kernel: Path
    build: Path             # of the lab's programs that run in the guest
    loader: str
    needs: str              # what scripts/need is given

    def list_libraries(self, path, loader, variables):
        """What the loader says that it would map for that file; no program is run."""
        listing = subprocess.run([loader, "--list", path], env=variables, capture_output=True, check=False)
        return os.fsdecode(listing.stdout).split()

    def loader_here(self, loader):
        """Where the file is that the guest has as its loader."""
        return loader

    def library_path(self, own):
        """LD_LIBRARY_PATH in the guest; None if it needs none."""
        return own


class Emulated(Processor):
    """One whose C library lies in a folder of its own here."""

    @property
    def _libraries(self):
        return f"/usr/{self.name}-linux-gnu/lib"

    def list_libraries(self, path, loader, variables):
        words = [f"qemu-{self.name}", self.loader_here(loader), "--library-path",
                 self.library_path(variables.get("LD_LIBRARY_PATH"))]
        if preloaded := variables.get("LD_PRELOAD"):
            words += ["--preload", preloaded]
        listing = subprocess.run([*words, "--list", path], capture_output=True, check=False)
        return os.fsdecode(listing.stdout).split()

    def loader_here(self, loader):
        return f"{self._libraries}/{os.path.basename(loader)}"

    def library_path(self, own):
        return ":".join(filter(None, (own, self._libraries)))


X86_64 = Processor(
    name="x86_64", qemu="qemu-system-x86_64", threads="single",
    # An Intel CPU: its CPUID describes one L3 cache for each die.
    machine=("-M", "q35", "-cpu", "max,vendor=GenuineIntel,family=6,model=85,stepping=7",
             "-device", "isa-debug-exit,iobase=0xf4,iosize=4"),
    group="dies",
    ports=tuple(word for port in ("console", "stdout", "stderr", "report") for word in ("-serial", f"file:{{{port}}}")),
    kernel_arguments=f"console=ttyS0 tsc=reliable no_timer_check no5lvl edd=off {KERNEL_ARGUMENTS}",
    kernel=BUILD / "lab/kernel/vmlinux",
    build=Path(os.environ.get("LAB_BUILD", BUILD / "release/lab")),
    loader="/lib64/ld-linux-x86-64.so.2", needs="lab")

# One host thread for each CPU: `yield` and `isb` do not end a CPU's turn in all cases, as x86's `pause` does, and
# threads that poll would each take a turn of 0.1 s. No count has to be the same in the next run.
# The board has one serial port, which gets the console. The first of the four others is not used, so that they have
# the same names as those of a PC.
AARCH64 = Emulated(
    name="aarch64", qemu="qemu-system-aarch64", threads="multi",
    machine=("-M", "virt,gic-version=3", "-cpu", "neoverse-n1"),
    group="clusters",
    ports=("-serial", "file:{console}", "-chardev", "null,id=unused",
           "-chardev", "file,id=stdout,path={stdout}", "-chardev", "file,id=stderr,path={stderr}",
           "-chardev", "file,id=report,path={report}",
           "-device", "pci-serial-4x,chardev1=unused,chardev2=stdout,chardev3=stderr,chardev4=report"),
    kernel_arguments=f"console=ttyAMA0 {KERNEL_ARGUMENTS}",
    kernel=BUILD / "lab/kernel-aarch64/Image",
    build=BUILD / "aarch64/lab",
    loader="/lib/ld-linux-aarch64.so.1", needs="aarch64")

ALL = {processor.name: processor for processor in (X86_64, AARCH64)}
