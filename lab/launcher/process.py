"""A child that does not outlive its parent, however the parent ends."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def die_with_parent(number=signal.SIGKILL):
    """Makes the kernel signal this process when the thread that created the process ends."""
    _libc.prctl(PR_SET_PDEATHSIG, number)


def die_with(parent, number=signal.SIGKILL):
    """The same for preexec_fn; the parent may have died before the kernel was asked."""
    def prepare():
        die_with_parent(number)
        if os.getppid() != parent:
            os._exit(1)
    return prepare
