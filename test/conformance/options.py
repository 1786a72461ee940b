"""options.py: the command line that both suites share."""
import argparse
import hashlib
from pathlib import Path

import report

QUICK_ONE_IN = 4
# The last tier that the programs of a slice may need; `all` asks for none.
LAST_TIER = {"quick": "b", "tier-a": "a", "all": None}


def parse(description: str, runtimes: dict[str, list[str]]) -> argparse.Namespace:
    """`runtimes` lists, for each compiler, the runtimes that can run its programs. The first
    compiler and the first runtime are the default."""
    compilers = list(runtimes)
    every = list(dict.fromkeys(name for names in runtimes.values() for name in names))
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--compiler", choices=compilers, default=compilers[0])
    parser.add_argument("--runtime", choices=every, default=every[0])
    parser.add_argument("--library", type=Path, help="libvicino.so, for --runtime vicino")
    parser.add_argument("--slice", choices=list(LAST_TIER), default="tier-a",
                        help="quick: a fixed sample of what needs no symbol beyond tier b; "
                             "tier-a: what needs no symbol of a later tier; all")
    parser.add_argument("--match", default="", help="only tests whose name holds this expression")
    parser.add_argument("--jobs", type=int, default=report.default_jobs())
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--out", type=Path, default=Path("build/conformance"),
                        help="where the results and logs go")
    options = parser.parse_args()
    if options.runtime not in (able := runtimes[options.compiler]):
        parser.error(f"--runtime {options.runtime}: what {options.compiler} built runs on "
                     f"{', '.join(able)}")
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def sampled(test: str, one_in: int = QUICK_ONE_IN) -> bool:
    """Whether a test is in the sample; this does not depend on which other tests there are."""
    return hashlib.sha256(test.encode()).digest()[0] % one_in == 0
