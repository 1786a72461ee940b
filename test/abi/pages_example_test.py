#!/usr/bin/env python3
"""pages_example_test.py LIBRARY CC...: the program that docs/explain/pages.md shows, as each compiler builds it.

This machine may have any nodes, so the output is not compared with the page's: each page must be on
a node."""
import re
import sys
import tempfile
from pathlib import Path

from program import compile_unit, execute, link_with, run

ROOT = Path(__file__).resolve().parents[2]
REFUSED = re.compile(r"sum 1048576\npages: (Operation not permitted|Function not implemented)\n")
TOLD = re.compile(r"sum 1048576\n(node \d+: \d+ pages\n)+")


def problem(status: int, output: str, errors: str) -> str:
    if status != 0:
        return f"status {status}"
    if REFUSED.fullmatch(output):
        return ""
    if errors or not TOLD.fullmatch(output):
        return "unexpected output"
    pages = sum(map(int, re.findall(r"(\d+) pages", output)))
    return "" if pages == 2048 else f"{pages} pages of 2048"


def main() -> int:
    blocks = re.findall(r"^```c\n(.*?)^```$", (ROOT / "docs/explain/pages.md").read_text(), re.M | re.S)
    if len(blocks) != 1:
        sys.exit(f"docs/explain/pages.md shows {len(blocks)} programs, not 1")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source, unit, program = (Path(folder, "example" + end) for end in (".c", ".o", ""))
        source.write_text(blocks[0])
        for compiler in sys.argv[2:]:
            run(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only",
                "-I", ROOT / "include", source)
            compile_unit(compiler, source, unit, "-I", ROOT / "include")
            link_with(compiler, Path(sys.argv[1]), unit, program)
            ended = execute(program)
            wrong = problem(ended.returncode, ended.stdout, ended.stderr)
            print(f"{compiler}: {wrong or 'ok'}\n{ended.stdout}{ended.stderr}")
            failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
