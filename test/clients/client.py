"""Runs a client's work in this process, and with `forked` in two forked children after that.

    client.py NAME once|forked [ARGUMENT=NUMBER]...     arguments of the client's work()
"""

import functools
import importlib
import multiprocessing
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "catalog"))


def child(work, pipe):
    pipe.send(work())


def forked(work):
    """What each of two children returns, which both run after this process had a parallel region."""
    fork = multiprocessing.get_context("fork")
    ends = []
    for _ in range(2):
        ours, theirs = fork.Pipe(duplex=False)
        fork.Process(target=child, args=(work, theirs), daemon=True).start()
        theirs.close()
        ends.append(ours)
    return [end.recv() for end in ends]  # EOFError if the child died


def main(name, how, *arguments):
    given = {key: int(value) for key, value in (argument.split("=") for argument in arguments)}
    work = functools.partial(importlib.import_module(f"{name}_client").work, **given)
    results = [work()]
    if how == "forked":
        results += forked(work)
    for lines in results:
        print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
