"""A control group with a CPU quota, version 1 or 2, that is gone afterwards whatever happens."""

import contextlib
import os
import pathlib
import signal
import time

PERIOD_US = 100_000


class NoQuota(Exception):
    """Why no quota can be set here."""


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


def _parent():
    """(folder, version) under which a group can be made."""
    for folder, kind, options in _mounts():
        if kind == "cgroup" and "cpu" in options:
            return folder / _own_path("cpu"), 1
    for folder, kind, _ in _mounts():
        control = folder / "cgroup.subtree_control"
        if kind == "cgroup2" and control.exists() and "cpu" in control.read_text().split():
            return folder, 2
    raise NoQuota("no cgroup with a cpu controller is mounted")


def _write_quota(group, version, cores):
    quota = int(cores * PERIOD_US)
    if version == 1:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")


def _remove(group):
    """Only what was started inside the group can be in it, so what is left there is ours."""
    for _ in range(50):
        for pid in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        try:
            return group.rmdir()
        except OSError:
            time.sleep(0.02)
    raise OSError(f"{group} cannot be removed")


@contextlib.contextmanager
def cpu_quota(cores):
    """Yields a function for a child to call between fork and exec: it joins the group."""
    if os.geteuid() != 0:
        raise NoQuota("setting a quota needs root")
    parent, version = _parent()
    group = parent / f"vicino-bench-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise NoQuota(f"cannot make a control group: {error.strerror}") from None
    try:
        _write_quota(group, version, cores)
        members = str(group / "cgroup.procs")

        def join():
            with open(members, "w", encoding="ascii") as procs:
                procs.write(str(os.getpid()))

        yield join
    finally:
        _remove(group)
