"""The command `vicino`: becomes the program of the wheel, so that signals and the exit status are its own.

It is no part of the package, because importing that would load the library into this process.
"""
import importlib.machinery
import os
import sys


def _why_not(folder):
    from importlib.util import module_from_spec, spec_from_file_location
    where = spec_from_file_location("_tree", os.path.join(folder, "_tree.py"))
    tree = module_from_spec(where)
    where.loader.exec_module(tree)
    return tree.why_not()


def main():
    package = importlib.machinery.PathFinder.find_spec("vicino")
    if package is None or not package.submodule_search_locations:
        print("vicino: the Python package vicino is not installed for %s" % sys.executable, file=sys.stderr)
        return 125
    folder = package.submodule_search_locations[0]
    command = os.path.join(folder, "_tree", "bin", "vicino")
    try:
        os.execv(command, ["vicino"] + sys.argv[1:])
    except OSError as error:
        print("vicino: %s" % (_why_not(folder) or "%s cannot be started: %s" % (command, error.strerror)), file=sys.stderr)
    return 125
