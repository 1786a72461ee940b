"""One guest: runs QEMU with a kernel and an archive, reads its ports meanwhile, and tells how it ended.

Nothing has a name in a file system. The archive, the ports and whatever else QEMU reads or writes are
anonymous files that it inherits and opens below /proc/self/fd; so nothing is left behind however the
launcher ends. The kernel kills QEMU if the launcher dies first, because QEMU's process asks for it.

A port is a file, not a pipe, so that QEMU never waits for a reader: that would show in the guest's time.
"""

import os
import select
import shutil
import subprocess
import time

from .failure import LabError
from .process import die_with
from .processor import X86_64

BOOT_LIMIT = 300            # seconds; a guest of 64 CPUs on a busy machine needs a good part of one minute
POLL = 0.02                 # seconds between looks at the ports
DETAILS = 12                # lines of the console in an error


def qemu_path(processor=X86_64):
    path = shutil.which(processor.qemu)
    if path is None:
        raise LabError(f"{processor.qemu} is missing: run scripts/need {processor.needs}")
    return path


def qemu_version():
    text = subprocess.run([qemu_path(), "--version"], capture_output=True, check=False).stdout
    words = text.decode(errors="replace").split()
    return words[3] if len(words) > 3 else "unknown"


class Memory:
    """An anonymous file, and the name under which QEMU opens it."""

    def __init__(self, name):
        self.fd = os.memfd_create(name)
        self.path = f"/proc/self/fd/{self.fd}"
        self._read = 0

    def write(self, data):
        with open(self.fd, "wb", closefd=False) as file:
            file.write(data)

    def news(self):
        """What was written since the last call."""
        data = b""
        while part := os.pread(self.fd, 1 << 20, self._read):
            data += part
            self._read += len(part)
        return data

    def content(self):
        return os.pread(self.fd, os.fstat(self.fd).st_size, 0)


def to_own_output(port, data):
    """Writes the command's output on the launcher's own standard output and error."""
    view = memoryview(data)
    while view:
        view = view[os.write({"stdout": 1, "stderr": 2}[port], view):]


class Guest:
    def __init__(self, processor, kernel, archive, machine_arguments, extra=(), inherited=(), output=to_own_output):
        self._processor = processor
        self._files = {name: Memory(name) for name in
                       ("console", "stdout", "stderr", "report", "archive", "qemu")}
        with open(self._files["archive"].fd, "wb", closefd=False) as file:
            archive.write(file)
        self._inherited = [memory.fd for memory in (*self._files.values(), *inherited)]
        self._arguments = [
            qemu_path(processor), "-accel", f"tcg,thread={processor.threads}", *processor.machine, *machine_arguments,
            "-kernel", str(kernel), "-initrd", self._files["archive"].path, "-append", processor.kernel_arguments,
            "-nodefaults", "-no-user-config", "-display", "none", "-nic", "none", "-no-reboot",
            # Constant, so that two runs of the same command are alike.
            "-seed", "1", "-rtc", "base=2026-01-01,clock=vm", *extra]
        paths = {name: memory.path for name, memory in self._files.items()}
        self._arguments += [word.format(**paths) for word in processor.ports]
        self._output = output
        self._report = b""
        self._process = None

    def run(self, time_limit):
        """The command's exit status: its own, 128+n for a signal, None when its time was over."""
        self._start()
        try:
            return self._watch(time_limit)
        finally:
            self._process.kill()
            self._process.wait()

    def _start(self):
        output = self._files["qemu"].fd
        plain = {name: value for name, value in os.environ.items() if not name.startswith("LD_")}
        self._process = subprocess.Popen(
            self._arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=plain,
            pass_fds=self._inherited, preexec_fn=die_with(os.getpid()))

    def _watch(self, time_limit):
        ending = select.poll()
        ending.register(os.pidfd_open(self._process.pid), select.POLLIN)
        deadline, limit = time.monotonic() + BOOT_LIMIT, None
        while not ending.poll(POLL * 1000):
            self._pass_on()
            if limit is None and self._is_up():
                limit = time_limit
                deadline = time.monotonic() + limit
            if time.monotonic() > deadline:
                self._process.kill()
                self._process.wait()
                self._pass_on()
                if limit is None:
                    raise self._failed(f"the guest did not start within {BOOT_LIMIT} s")
                return None
        self._process.wait()
        self._pass_on()
        return self._status()

    def _pass_on(self):
        for port in ("stdout", "stderr"):
            self._output(port, self._files[port].news())
        self._report += self._files["report"].news()

    def _is_up(self):
        return self._report.startswith(b"up\n")

    def _status(self):
        lines = self._report.decode(errors="replace").splitlines()
        kind, _, value = (lines[-1] if lines else "").partition(" ")
        if kind == "exit":
            return int(value)
        if kind == "signal":
            return 128 + int(value)
        if kind == "failed":
            raise self._failed(f"the guest: {value}")
        raise self._failed(f"the guest ended without a report "
                           f"({'while the command ran' if self._is_up() else 'before the command ran'}; "
                           f"{self._processor.qemu}'s status is {self._process.returncode})")

    def _failed(self, message):
        text = self._files["qemu"].content() + self._files["console"].content()
        lines = [line.rstrip() for line in text.decode(errors="replace").splitlines() if line.strip()]
        return LabError(message, lines[-DETAILS:])
