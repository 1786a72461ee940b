"""A child that does not outlive its parent, however that ends."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def die_with_parent(number=signal.SIGKILL):
    """The kernel sends that signal to this process when the thread that made it ends."""
    _libc.prctl(PR_SET_PDEATHSIG, number)


def die_with(parent, number=signal.SIGKILL):
    """For preexec_fn: the parent may have died before the kernel was asked."""
    def prepare():
        die_with_parent(number)
        if os.getppid() != parent:
            os._exit(1)
    return prepare
