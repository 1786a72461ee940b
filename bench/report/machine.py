"""The machine on which figures were measured, and how quiet it was."""

import datetime
import itertools
import os
import platform
import re
import statistics
import subprocess
import sys
import time


def facts(compilers, runtimes, settings):
    return {
        "date": date(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "virtual": _is_virtual(),
        "kernel": f"{platform.system()} {platform.release()}",
        "load": os.getloadavg()[0],
        "compilers": {name: _version(command) for name, command in compilers.items()},
        "runtimes": {name: _package(file) for name, file in runtimes.items()},
        "settings": settings,
    }


# Others may have less than this share of the CPUs, and a hypervisor may withhold less, where times are to be measured. On
# two cores they can take a twenty-fifth of one, so a ratio that is 4 % from 1 is not theirs.
QUIET = 0.02
LOOK_S = 10      # a minute's job that wakes each second is seen, and a run is not begun in a gap of it
# How much longer the same work may take than at its best. Beside another guest on the cores' second hyperthreads, of
# which the counters above show nothing, it was 0.27 to 0.36, and regions took 26 or 66 ns.
SLOWED = 0.1


def commit(runtimes):
    """The commit of Vicino's library, of {name: version}; "" if the library did not say it."""
    return commit_in(runtimes.get("Vicino", ""))


def commit_of(library):
    return commit_in(_package(library))


def commit_in(version):
    """Of "0.1.0+g591ecdd70cc4"."""
    found = re.search(r"\+g([0-9a-f]{7,})", version)
    return found[1] if found else ""


def is_quiet(shares):
    """Of what Noise.shares() gives, and what slowed() does, if that is known."""
    return max(shares["others"], shares["steal"]) < QUIET and shares.get("slowed", 0) < SLOWED


def slowed(look_s=LOOK_S):
    """How much longer the same work takes in the mean than at its best, as a share of the latter: because of what
    shares the cores, or their clock's changes. All CPUs that this process may use are looked at in turn."""
    cpus = os.sched_getaffinity(0)
    turns = itertools.cycle(sorted(cpus))
    end, times = time.monotonic() + look_s, []
    try:
        while time.monotonic() < end or len(times) < 2 * len(cpus):
            os.sched_setaffinity(0, {next(turns)})
            start = time.thread_time()
            for _ in range(100_000):
                pass
            times.append(time.thread_time() - start)
            time.sleep(0.02)
    finally:
        os.sched_setaffinity(0, cpus)
    return statistics.mean(times) / min(times) - 1


def wait_for_quiet(minutes, say, look_s=LOOK_S):
    """Returns the shares of the last look: when the machine is quiet, or when this many minutes are over."""
    end = time.monotonic() + 60 * minutes
    while True:
        shares = Noise().of_run(look_s)
        if is_quiet(shares) or time.monotonic() >= end:
            return shares
        say(f"waits, because {disturbed(shares)}")


def disturbed(shares):
    return (f"others use {shares['others']:.1%} of the CPUs and the hypervisor withholds {shares['steal']:.1%} "
            f"(quiet: less than {QUIET:.0%}), and the same work takes {shares.get('slowed', 0):.0%} longer than at its best "
            f"(quiet: less than {SLOWED:.0%})")


def date():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        return re.search(r"model name\s*: (.*)", info.read())[1]


def _is_virtual():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        return " hypervisor" in info.read()


def _output(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def _version(command):
    return _output(command, "--version").split("\n")[0] or "not installed"


VERSION = """import ctypes, sys
version = ctypes.CDLL(sys.argv[1]).vicino_version
version.restype = ctypes.c_char_p
print("Vicino " + version().decode())"""


def _package(file):
    """Vicino's version with its commit; or the Debian package to which the file belongs, or the file's name."""
    if vicino := _output(sys.executable, "-c", VERSION, str(file)):
        return vicino
    owner = _output("dpkg-query", "-S", str(file)).split(":")[0]
    version = owner and _output("dpkg-query", "-W", "-f=${Version}", owner)
    return f"{owner} {version}" if version else os.path.basename(file)


TICK = 1 / os.sysconf("SC_CLK_TCK")


class Noise:
    """CPU time that other processes took while we measured, and that a hypervisor withheld.

    Load averages describe the last minute; this describes the run itself. The system counts in ticks and
    charges a tick to what runs when it comes: two ticks too many in a short run mean nothing.
    """

    UNSURE = 2 * TICK

    def __init__(self):
        self._start = self._now()

    @staticmethod
    def _now():
        with open("/proc/stat", encoding="utf-8") as stat:
            user, nice, system, _, _, irq, soft, steal = map(int, stat.readline().split()[1:9])
        own = os.times()
        return {
            "wall": time.monotonic(),
            "busy": (user + nice + system + irq + soft) * TICK,
            "steal": steal * TICK,
            "own": own.user + own.system + own.children_user + own.children_system,
        }

    def shares(self):
        """Shares of all CPUs: the work of other processes, and stolen time."""
        now = self._now()
        used = {key: now[key] - self._start[key] for key in now}
        capacity = max(used["wall"] * os.cpu_count(), 1e-9)
        return {
            "others": max(0.0, used["busy"] - used["own"] - self.UNSURE) / capacity,
            "steal": used["steal"] / capacity,
        }

    def of_run(self, look_s=LOOK_S):
        """shares(), and what slowed() finds in a look after the run."""
        return {"slowed": slowed(look_s), **self.shares()}
