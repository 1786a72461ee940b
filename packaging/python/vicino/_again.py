"""This interpreter, started again under `vicino run`."""
import os
import sys
import threading

from . import _tree

STARTED = "PYTHON_ON_VICINO"  # the number of the process that was started again: it is not a second time


def _command_line():
    """The words with which this process was started, the interpreter's options among them; None if nobody tells."""
    words = getattr(sys, "orig_argv", None)  # from Python 3.10 on
    if words:
        return list(words)
    try:
        with open("/proc/self/cmdline", "rb") as line:
            return [os.fsdecode(word) for word in line.read().split(b"\0")[:-1]] or None
    except OSError:
        return None


def options_before_module(module):
    """The interpreter's options in `python OPTIONS -m MODULE ...`; None if it was not started like that."""
    words = _command_line()
    if words is None:
        return None
    head = words[1:len(words) - len(sys.argv[1:])]
    if head[-1:] == [module]:
        head.pop()
    elif head and head[-1].endswith("m" + module):
        head[-1] = head[-1][:-len(module)]
    else:
        return None
    if not (head and head[-1].startswith("-") and head[-1].endswith("m")):
        return None
    last = head.pop()[:-1]
    return head + ([last] if last != "-" else [])


def run(options, words):
    """Replaces this process by `vicino run OPTIONS -- python WORDS...`."""
    environment = dict(os.environ)
    environment[STARTED] = str(os.getpid())
    _tree.become_command(["run"] + options + ["--", sys.executable] + words, environment)


def _is_interpreter():
    try:
        return bool(sys.executable) and os.path.samefile(sys.executable, "/proc/self/exe")
    except OSError:
        return False


def _in_child():
    multiprocessing = sys.modules.get("multiprocessing")  # a child has imported it before this module
    parent = getattr(multiprocessing, "parent_process", lambda: None)
    return parent() is not None


def why_not(imported_by):
    """Why this process cannot be started again; "" if it can. `imported_by` is the process that imported Vicino."""
    words = _command_line()
    if os.environ.get(STARTED) == str(os.getpid()):
        return "this interpreter has been started again under `vicino run`, and Vicino was not loaded all the same"
    if getattr(sys, "frozen", False):
        return "this is a frozen program: start it by `vicino run`"
    if "ipykernel" in sys.modules:
        return "a kernel of Jupyter would lose its connection: choose the kernel that vicino.kernel() installs"
    if "IPython" in sys.modules or hasattr(sys, "ps1") or sys.flags.interactive:
        return "what has been typed would be lost: start the session by `python -m vicino`"
    if not _is_interpreter():
        return "Python is a part of another program, which has to be started by `vicino run`"
    if _in_child() or os.getpid() != imported_by:
        return "this is a child of a Python program: call vicino.preload() in the parent, before it starts children"
    if "mpi4py.MPI" in sys.modules:
        return "MPI has been initialised: call vicino.preload() before mpi4py is imported"
    if threading.active_count() > 1:
        return "other threads of this program would end: call vicino.preload() before they are started"
    if words is None:
        return "the words of the command line cannot be read here: start the program by `python -m vicino`"
    if len(words) == 1 or sys.argv[:1] in ([""], ["-"]):
        return "the program comes from standard input, which has been read: start it by `python -m vicino`"
    return _tree.why_not()


def again():
    run([], _command_line()[1:])
