"""Where the wheel's files are, and why they cannot be used here, if so."""
import os
import struct
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_tree")
COMMAND = os.path.join(TREE, "bin", "vicino")
REPLACE = os.path.join(TREE, "lib", "vicino", "replace")
LIBRARY = os.path.join(REPLACE, "libgomp.so.1")
OTHER_NAMES = "as-"  # the files that `import vicino` loads so that other names lead to the library, too

OLDEST_GLIBC = (2, 28)
MACHINES = {62: "x86_64", 183: "aarch64"}  # by ELF's number


class Unavailable(RuntimeError):
    """Vicino cannot be used here; the text says why."""


def _glibc():
    """The C library's version; None if it is another one."""
    try:
        name, number = os.confstr("CS_GNU_LIBC_VERSION").split()
        return tuple(int(part) for part in number.split(".")[:2]) if name == "glibc" else None
    except (AttributeError, ValueError, OSError):
        return None


def _processor_of(file):
    with open(file, "rb") as opened:
        begin = opened.read(20)
    if len(begin) < 20 or begin[:4] != b"\x7fELF":
        return "no processor: it is no program of Linux"
    number = struct.unpack_from("<H", begin, 18)[0]
    return MACHINES.get(number, "processor %d" % number)


def why_not():
    """One sentence that says why Vicino cannot be used in this process; "" if it can."""
    if not sys.platform.startswith("linux"):
        return "Vicino runs on Linux, and this is %s" % sys.platform
    for file in (LIBRARY, COMMAND):
        if not os.path.isfile(file):
            return "the package is incomplete: %s is missing; `pip install --force-reinstall` the wheel" % file
    here, made_for = os.uname().machine, _processor_of(LIBRARY)
    if struct.calcsize("P") != 8:
        return "Vicino needs a Python of 64 bits, and this one has %d" % (8 * struct.calcsize("P"))
    if made_for != here:
        return "this wheel is for %s, and this machine is %s: install the wheel for %s" % (made_for, here, here)
    glibc = _glibc()
    if glibc is None:
        return ("Vicino needs the GNU C library, %d.%d or newer, and this system has another one, as Alpine Linux has musl"
                % OLDEST_GLIBC)
    if glibc < OLDEST_GLIBC:
        return "Vicino needs glibc %d.%d or newer, and this system has %d.%d" % (OLDEST_GLIBC + glibc)
    if not os.access(COMMAND, os.X_OK):
        return "%s may not be executed" % COMMAND
    return ""


def become_command(words, environment=None):
    """Replaces this process by `vicino WORDS...`; returns only by an exception, Unavailable."""
    why = why_not()
    if why:
        raise Unavailable(why)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        os.execve(COMMAND, [COMMAND] + words, os.environ if environment is None else environment)
    except OSError as error:
        raise Unavailable("%s cannot be started: %s" % (COMMAND, error.strerror)) from error
