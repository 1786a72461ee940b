"""Names for parts of a program, as in vicino/region.h."""
import contextlib
import ctypes

# It finds the functions of libraries that are loaded for all, as `import vicino` and `vicino run` do. The calls are short, and
# giving Python's lock away would take longer.
_program = ctypes.PyDLL(None)


class region(contextlib.ContextDecorator):
    """A part of the program that a trace (`vicino run --trace`, `vicino report`) shows by this name.

        with vicino.region("assemble"):
            matrix = assemble(points)

    Or as a decorator of a function. The part is that of the thread, so it may not contain an `await`, nor a `yield` after
    which another thread goes on. Without a trace it takes a microsecond; without Vicino nothing happens.
    """

    def __init__(self, name):
        if not isinstance(name, str):
            raise TypeError("vicino.region(): a name is a str, not %r" % (name,))
        if not name or "\0" in name:
            raise ValueError("vicino.region(): %r is no name: it is empty, or has a character 0" % name)
        self._name = name.encode("utf-8", "replace")

    def __enter__(self):
        if hasattr(_program, "vicino_region_begin"):
            _program.vicino_region_begin(self._name)
        return self

    def __exit__(self, *exception):
        if hasattr(_program, "vicino_region_end"):
            _program.vicino_region_end(self._name)
        return False
