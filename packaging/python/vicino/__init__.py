"""Vicino, an OpenMP runtime that takes the place of those that libraries bring along.

Three ways, the strongest first:

    python -m vicino script.py    or `vicino run python script.py`
    vicino.preload()              in the program's first lines: starts the interpreter again, like that
    import vicino                 before anything that uses OpenMP: libraries that are loaded later call Vicino

`vicino.info()` says what was reached, `vicino.kernel()` installs a kernel for Jupyter, and `vicino.region(name)` names a part
of the program for a trace.
"""
import ctypes
import os
import sys
import warnings

from . import _again, _runtimes, _tree
from ._kernel import kernel
from ._region import region
from ._tree import Unavailable

__version__ = "@VERSION@"
__all__ = ["Unavailable", "VicinoWarning", "info", "kernel", "preload", "region"]


class VicinoWarning(RuntimeWarning):
    """Vicino could not do what it was asked for; the program goes on without."""


def _load():
    """Makes a Vicino whose functions all libraries find that are loaded later. Returns how, and if not, why not.

    Libraries look a function up when they first call it, so one that has called another runtime would call both from
    then on, and neither knows the other's threads. Hence Vicino stays out of a process that has a runtime.
    """
    if _runtimes.vicino_for_all():
        return "preloaded", ""
    there = _runtimes.loaded()
    others = [runtime.path for runtime in there if not runtime.version]
    if others:
        return "", ("`import vicino` came too late: %s is loaded already, and what calls it keeps it. Import vicino before "
                    "other modules, or start the program by `python -m vicino`" % " and ".join(others))
    why = _tree.why_not()
    if why:
        return "", why
    try:
        if there:  # a library brought it along
            ctypes.CDLL(there[0].path, mode=ctypes.RTLD_GLOBAL)
            return "imported", ""
        ctypes.CDLL(_tree.LIBRARY, mode=ctypes.RTLD_GLOBAL)
        for name in sorted(os.listdir(_tree.REPLACE)):
            if name.startswith(_tree.OTHER_NAMES):
                ctypes.CDLL(os.path.join(_tree.REPLACE, name), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        return "", "Vicino cannot be loaded: %s" % error
    return "imported", ""


_process = os.getpid()
_how, _why = "", ""
if not (sys.argv[:1] == ["-m"] and _again.options_before_module(__name__) is not None):  # which starts another one
    _how, _why = _load()
    if _why:
        warnings.warn(_why, VicinoWarning, stacklevel=2)


def info():
    """What Vicino does in this process, as it is now.

    version     of Vicino: the library's, or the package's if no Vicino is loaded
    library     Vicino's file; None if it is not loaded
    how         "preloaded", "imported", or "" if libraries do not find Vicino
    why         why not, in one sentence
    threads     that a parallel region gets on Vicino; None if it is not loaded
    runtimes    each OpenMP runtime's file in the process, with its path, its threads, and whether it is Vicino
    reached     libraries that call Vicino
    elsewhere   libraries that call another runtime, each with that runtime
    not_yet     libraries that need a runtime and have called none
    """
    runtimes = _runtimes.loaded()
    own = [runtime for runtime in runtimes if runtime.version and runtime.is_itself()]
    paths = {runtime.path for runtime in own}
    calls = _runtimes.callers(runtimes)
    return {
        "version": own[0].version if own else __version__,
        "library": own[0].path if own else None,
        "how": _how,
        "why": _why,
        "threads": own[0].threads() if own else None,
        "runtimes": [{"path": runtime.path, "vicino": bool(runtime.version), "threads": runtime.threads()}
                     for runtime in runtimes],
        "reached": [library for library, called in calls.items() if called & paths],
        "elsewhere": [{"library": library, "runtime": path} for library, called in calls.items()
                      for path in sorted(called - paths)],
        "not_yet": [library for library, called in calls.items() if not called],
    }


def preload():
    """Starts this program again under Vicino, with the same words; call it in the first lines.

    Returns, and says why, if the program is on Vicino already or cannot be started again. The latter is a warning, too.
    Otherwise it does not return: nothing of this process is left but its number, its environment and its open files.
    """
    if _how == "preloaded":
        return "the program is on Vicino already"
    why = _again.why_not(_process)
    if not why:
        try:
            _again.again()
        except Unavailable as error:
            why = str(error)
    warnings.warn("vicino.preload(): " + why, VicinoWarning, stacklevel=2)
    return why
