"""python -m vicino: Python programs on Vicino."""
import os
import sys

from . import __version__, _again, _tree

USAGE = """\
usage: python [OPTION OF PYTHON...] -m vicino [--OPTION[=VALUE]...] script.py [ARGUMENT...]
       python [OPTION OF PYTHON...] -m vicino [--OPTION[=VALUE]...] -m module [ARGUMENT...]
       python [OPTION OF PYTHON...] -m vicino [--OPTION[=VALUE]...] -c code [ARGUMENT...]

Starts this interpreter again with Vicino in the place of the OpenMP runtimes
that libraries bring along. What follows is what `python` takes; with nothing
it is interactive. Options with two dashes are those of `vicino run`:
--threads=4, --report, --explain. `vicino run --help` has them all.
"""

TAKE_A_VALUE = {"--threads", "--schedule", "--config", "--pages", "--share", "--env"}  # which may be the next word


def main():
    words = sys.argv[1:]
    options = []
    while words and words[0].startswith("--") and words[0] != "--":
        options.append(words.pop(0))
        if options[-1] in TAKE_A_VALUE and words:
            options.append(words.pop(0))
    if words[:1] == ["--"]:
        words.pop(0)
    if "--help" in options:
        print(USAGE, end="")
        return 0
    if "--version" in options:
        print("vicino", __version__)
        return 0
    if words and not words[0].startswith("-") and not os.path.exists(words[0]):
        print("vicino: no file is called '%s'; a command of Vicino's is called without python: vicino %s"
              % (words[0], " ".join(words)), file=sys.stderr)
        return 2  # what python says then
    try:
        _again.run(options, (_again.options_before_module("vicino") or []) + words)
    except _tree.Unavailable as why:
        print("vicino: %s" % why, file=sys.stderr)
    return 125  # what `vicino run` says if it could not start the program


if __name__ == "__main__":
    sys.exit(main())
