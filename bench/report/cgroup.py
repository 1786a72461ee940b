"""A control group with a limit, version 1 or 2, which is removed afterwards whatever happens."""

import contextlib
import os
import pathlib
import signal
import time

PERIOD_US = 100_000


class NoQuota(Exception):
    """The reason why no such group can be made here."""


def _mounts():
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for line in mounts:
            _, folder, kind, options = line.split()[:4]
            yield pathlib.Path(folder), kind, options.split(",")


def _own_path(controller):
    with open("/proc/self/cgroup", encoding="utf-8") as groups:
        for line in groups:
            _, controllers, path = line.strip().split(":", 2)
            if controller in controllers.split(","):
                return path.lstrip("/")
    return ""


def _parent(controller):
    """(folder, version) under which a group can be made."""
    for folder, kind, options in _mounts():
        if kind == "cgroup" and controller in options:
            own = folder / _own_path(controller)  # a container may not see its own
            return own if own.is_dir() else folder, 1
    for folder, kind, _ in _mounts():
        control = folder / "cgroup.subtree_control"
        if kind == "cgroup2" and control.exists() and controller in control.read_text().split():
            return folder, 2
    raise NoQuota(f"no cgroup with a {controller} controller is mounted")


def _remove(group):
    """Kills the processes in the group and removes it. Only our processes can be in it."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            for pid in (group / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
        try:
            return group.rmdir()
        except FileNotFoundError:
            return None
        except OSError:
            time.sleep(0.02)
    raise OSError(f"{group} cannot be removed")


def _guard(group):
    """Forks a process that removes the group when this one has ended, even by SIGKILL: it reads a
    pipe whose only writer is this process. Returns the writer's end; closing it starts the removal."""
    ours, held = os.pipe()  # neither end is inherited across exec
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.close(held)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # a reader of our output must not wait for the guard to end
            os.dup2(null, stream)
        os.read(ours, 1)
        with contextlib.suppress(OSError):
            _remove(group)
        os._exit(0)
    os.close(ours)
    return pid, held


@contextlib.contextmanager
def _group(controller, limits):
    """`limits` gives the contents of files for a version. Yields a function by which a child joins the
    group; the child calls it between fork and exec."""
    if os.geteuid() != 0:
        raise NoQuota("making a control group needs root")
    parent, version = _parent(controller)
    group = parent / f"vicino-bench-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise NoQuota(f"cannot make a control group: {error.strerror}") from None
    pid, held = _guard(group)
    try:
        for file, value in limits(version).items():
            (group / file).write_text(str(value))
        members = str(group / "cgroup.procs")

        def join():
            with open(members, "w", encoding="ascii") as procs:
                procs.write(str(os.getpid()))

        yield join
    finally:
        os.close(held)
        os.waitpid(pid, 0)
        _remove(group)  # raises an error if the guard could not


def cpu_quota(cores):
    """A group whose processes may use the time of `cores` CPUs."""
    quota = int(cores * PERIOD_US)
    return _group("cpu", lambda version: {"cpu.max": f"{quota} {PERIOD_US}"} if version == 2 else {
        "cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": quota})


def cpu_weight(tenths):
    """A group that has so many tenths of a group's weight of its own accord."""
    return _group("cpu", lambda version: {"cpu.weight": 10 * tenths} if version == 2 else {
        "cpu.shares": 1024 * tenths // 10})


def thread_limit(threads):
    """A group in which `threads` threads can exist, including the program's first one."""
    return _group("pids", lambda _: {"pids.max": threads})
