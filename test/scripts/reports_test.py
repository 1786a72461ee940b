#!/usr/bin/env python3
"""reports_test.py CTEST FOLDER: CTest has each test that test/reports.md names.

A name stands for itself and for all tests below it (omp/lock: omp/lock/gcc-12). A build that lacks the compilers
of a whole kind of tests has none of that kind; names of that kind are then left out.
"""
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "reports.md"
ROW = re.compile(r"^\| [^|]*#\d[^|]*\|[^|]*\|([^|]*)\|[^|]*\|$", re.MULTILINE)


def tests_of(ctest, folder):
    listed = subprocess.run([ctest, "--test-dir", folder, "--show-only=json-v1"], text=True, capture_output=True,
                            check=True)
    return {test["name"] for test in json.loads(listed.stdout)["tests"]}


def kind_of(name):
    return name.split("/")[0]


def missing(names, tests):
    kinds = {kind_of(test) for test in tests}
    known = tests | {test.rpartition("/")[0] for test in tests}
    return [name for name in names if kind_of(name) in kinds and name not in known]


def main():
    ctest, folder = sys.argv[1:]
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    without = [row for row in rows if not re.findall("`([a-z_]+/[^`]+)`", row)]
    names = sorted({name for row in rows for name in re.findall("`([a-z_]+/[^`]+)`", row)})
    lost = missing(names, tests_of(ctest, folder))
    for name in lost:
        print(f"{PAGE.name}: CTest has no test '{name}'")
    for row in without:
        print(f"{PAGE.name}: a row names no test: {row}")
    if len(rows) < 2:
        print(f"{PAGE.name}: no table was found")
    return 1 if lost or without or len(rows) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
