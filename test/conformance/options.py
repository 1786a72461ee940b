"""options.py: the command line that both suites share."""
import argparse
import hashlib
from pathlib import Path

import report

QUICK_ONE_IN = 4


def parse(description: str, runtimes: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--runtime", choices=runtimes, default=runtimes[0])
    parser.add_argument("--library", type=Path, help="libvicino.so, for --runtime vicino")
    parser.add_argument("--slice", choices=["quick", "tier-a", "all"], default="tier-a",
                        help="quick: a fixed sample of tier-a; "
                             "tier-a: what needs no symbol of a later tier; all")
    parser.add_argument("--match", default="", help="only tests whose name holds this expression")
    parser.add_argument("--jobs", type=int, default=report.default_jobs())
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--out", type=Path, default=Path("build/conformance"),
                        help="where the results and logs go")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def sampled(test: str, one_in: int = QUICK_ONE_IN) -> bool:
    """A fixed choice that does not depend on which other tests there are."""
    return hashlib.sha256(test.encode()).digest()[0] % one_in == 0
