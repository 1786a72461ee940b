"""report.py: compares results with the list of expected failures.

A row of expected/SUITE.txt:  RUNTIME  TEST  WHY...
RUNTIME `any` is for a test that no runtime can pass here. A WHY that begins with `sometimes:`
covers a test that may also pass. A failure that no row covers is news and fails the run. A row that
covers nothing is reported, so that it gets deleted.
"""
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Result(NamedTuple):
    test: str
    verdict: str  # PASS, FAIL, TIMEOUT, NOBUILD, SKIP
    why: str = ""
    seconds: float = 0.0
    output: str = ""
    flaky: bool = False  # failed at first, passed when run again alone


Expected = dict[str, str]  # TEST -> WHY


def read_expected(path: Path, runtime: str) -> Expected:
    rows = (line.split(None, 2) for line in path.read_text().splitlines()
            if line.strip() and not line.startswith("#"))
    return {test: why.strip() for name, test, why in rows if name in (runtime, "any")}


def expected_file(suite: str) -> Path:
    return Path(__file__).with_name("expected") / f"{suite}.txt"


def failed(result: Result) -> bool:
    return result.verdict not in ("PASS", "SKIP")


def news(results: list[Result], expected: Expected) -> list[Result]:
    return [result for result in results if failed(result) and result.test not in expected]


def with_second_chance(suite: str, runtime: str, results: list[Result],
                       run_alone: Callable[[list[str]], list[Result]]) -> list[Result]:
    """Runs each unexpected failure once more, alone, because some tests measure time."""
    failures = news(results, read_expected(expected_file(suite), runtime))
    again = {result.test: result._replace(flaky=True)
             for result in run_alone([result.test for result in failures])
             if result.verdict == "PASS"}
    return [again.get(result.test, result) for result in results]


def stale_rows(results: list[Result], expected: Expected) -> list[str]:
    """The rows of tests that passed."""
    failures = {result.test for result in results if failed(result)}
    passed = {result.test for result in results if result.verdict == "PASS"}
    return [row for row, why in expected.items()
            if row in passed - failures and not why.startswith("sometimes:")]


def write_json(results: list[Result], path: Path) -> None:
    path.write_text(json.dumps([result._asdict() for result in results], indent=1) + "\n")


def text(results: list[Result], expected: Expected) -> str:
    counts = Counter(result.verdict for result in results)
    ran = sum(count for verdict, count in counts.items() if verdict != "SKIP")
    lines = [", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
             + f": {counts['PASS']} of {ran}, {100 * counts['PASS'] / max(ran, 1):.1f} %"]
    lines += [f"flaky: {result.test}" for result in results if result.flaky]
    lines += [f"covers nothing: {row}" for row in stale_rows(results, expected)]
    for result in news(results, expected):
        lines += [f"new failure: {result.test} {result.verdict} {result.why}"]
        lines += [f"    {line}" for line in result.output.splitlines()[-8:]]
    return "\n".join(lines)


def finish(suite: str, runtime: str, results: list[Result], out: Path) -> int:
    """Prints and writes the results and returns the exit status."""
    expected = read_expected(expected_file(suite), runtime)
    write_json(results, out / f"{suite}-{runtime}.json")
    summary = f"{suite} on {runtime}: {text(results, expected)}"
    verdicts = "\n".join(f"{result.verdict:<8} {result.test} {result.why}" for result in results)
    (out / f"{suite}-{runtime}.txt").write_text(f"{verdicts}\n\n{summary}\n")
    print(summary)
    # A run that tried nothing must not look like a success.
    tried = any(result.verdict != "SKIP" for result in results)
    return 1 if news(results, expected) or not tried else 0


def default_jobs() -> int:
    return len(os.sched_getaffinity(0))
