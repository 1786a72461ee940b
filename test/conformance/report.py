"""report.py: results against the list of expected failures.

A row of expected/SUITE.txt:  RUNTIME  TEST  WHY...
RUNTIME is a runtime's name, or `any` for a test that this harness cannot be fair with. A WHY that
begins with `sometimes:` covers a test that may also pass. A test that fails without a row is news,
and fails the run; one that passes in spite of its row is named, so that the row gets deleted.
"""
import json
import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple


class Result(NamedTuple):
    test: str
    verdict: str  # PASS, FAIL, TIMEOUT, NOBUILD, SKIP
    why: str = ""
    seconds: float = 0.0
    output: str = ""
    flaky: bool = False  # failed at first, passed when run again alone


Expected = dict[str, str]


def read_expected(path: Path, runtime: str) -> Expected:
    rows = (line.split(None, 2) for line in path.read_text().splitlines()
            if line.strip() and not line.startswith("#"))
    return {test: why.strip() for name, test, why in rows if name in (runtime, "any")}


def news(results: list[Result], expected: Expected) -> list[Result]:
    return [result for result in results
            if result.verdict not in ("PASS", "SKIP") and result.test not in expected]


def unexpected_passes(results: list[Result], expected: Expected) -> list[Result]:
    return [result for result in results if result.verdict == "PASS"
            and result.test in expected and not expected[result.test].startswith("sometimes:")]


def write_json(results: list[Result], path: Path) -> None:
    path.write_text(json.dumps([result._asdict() for result in results], indent=1) + "\n")


def text(results: list[Result], expected: Expected) -> str:
    counts = Counter(result.verdict for result in results)
    ran = sum(count for verdict, count in counts.items() if verdict != "SKIP")
    lines = [", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
             + f": {counts['PASS']} of {ran}, {100 * counts['PASS'] / max(ran, 1):.1f} %"]
    lines += [f"flaky: {result.test}" for result in results if result.flaky]
    lines += [f"passes, though listed: {result.test}"
              for result in unexpected_passes(results, expected)]
    for result in news(results, expected):
        lines += [f"new failure: {result.test} {result.verdict} {result.why}"]
        lines += [f"    {line}" for line in result.output.splitlines()[-8:]]
    return "\n".join(lines)


def finish(suite: str, runtime: str, results: list[Result], out: Path) -> int:
    """Prints and writes the results; the exit status."""
    path = Path(__file__).with_name("expected") / f"{suite}.txt"
    expected = read_expected(path, runtime)
    write_json(results, out / f"{suite}-{runtime}.json")
    summary = f"{suite} on {runtime}: {text(results, expected)}"
    verdicts = "\n".join(f"{result.verdict:<8} {result.test} {result.why}" for result in results)
    (out / f"{suite}-{runtime}.txt").write_text(f"{verdicts}\n\n{summary}\n")
    print(summary)
    # A run that tried nothing must not look like one that went well.
    tried = any(result.verdict != "SKIP" for result in results)
    return 1 if news(results, expected) or not tried else 0


def default_jobs() -> int:
    return len(os.sched_getaffinity(0))
