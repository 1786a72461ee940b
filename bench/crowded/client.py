#!/usr/bin/env python3
"""One copy of a client from PyPI, on the terms of copy.hpp: its work is done once before the start, all copies
begin together, and each repetition must give the same result. With --leaders so many Python threads, the
main one among them, do all of it each.

    client.py NAME TIMES own|vicino [--leaders N] --ready FD --go FD      NAME: of test/clients/catalog

The work before the start loads what the client loads at its first use, and starts its threads. One copy or Python
thread does that at a time: in a crowd it takes some runtimes minutes.
"""

import argparse
import concurrent.futures
import contextlib
import ctypes
import fcntl
import importlib
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "test/clients/catalog"), str(HERE.parent / "programs")]

import checked  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("name")
    parser.add_argument("times", type=int)
    parser.add_argument("runtime", choices=("own", "vicino"))
    parser.add_argument("--leaders", type=int, default=1, metavar="N")
    parser.add_argument("--ready", type=int, required=True, metavar="FD")
    parser.add_argument("--go", type=int, required=True, metavar="FD")
    return parser.parse_args()


def runtime_here():
    """Whose functions a library finds first. `vicino run` preloads Vicino."""
    return "vicino" if hasattr(ctypes.CDLL(None), "vicino_version") else "own"


@contextlib.contextmanager
def turn():
    """One process at a time."""
    with open(__file__, encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main():
    options = parse()
    with contextlib.ExitStack() as held:
        others = [held.enter_context(concurrent.futures.ThreadPoolExecutor(1)) for _ in range(options.leaders - 1)]
        with turn():
            client = importlib.import_module(f"{options.name}_client")
            expected = client.work()
            for other in others:
                other.submit(client.work).result()
        if (found := runtime_here()) != options.runtime:
            sys.exit(f"refused: on {found}, not on {options.runtime}")

        def repeat():
            return [client.work() for _ in range(options.times)]

        os.write(options.ready, b"\0")
        os.read(options.go, 1)
        start, before = time.monotonic_ns(), time.process_time_ns()
        together = [other.submit(repeat) for other in others]
        results = repeat()
        for other in together:
            results += other.result()
        end, cpu = time.monotonic_ns(), time.process_time_ns() - before
    for result in results:
        if difference := checked.difference(expected, result, client.RELATIVE):
            sys.exit(f"refused: wrong answer: {difference}")
    print(json.dumps({"kind": "copy", "start_ns": start, "end_ns": end, "cpu_ns": cpu, "times": options.times}))


if __name__ == "__main__":
    main()
