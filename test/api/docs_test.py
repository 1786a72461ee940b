#!/usr/bin/env python3
"""docs_test.py PAGE LIBRARY: each program of a page, built by both compilers, prints what the block
after it shows."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(sys.argv.pop())
PAGE = Path(sys.argv.pop())
SHOWN = re.compile(r"^```(c|cpp)\n(.*?)^```\n\n```\n(.*?)^```$", re.M | re.S)
COMPILERS = {"c": (["gcc-12", "-std=c99"], ["clang-19", "-std=c99"]),
             "cpp": (["g++-12", "-std=c++17"], ["clang++-19", "-std=c++17"]),
             "cpp20": (["g++-12", "-std=c++20"], ["clang++-19", "-std=c++20"])}
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic"]


class Programs(unittest.TestCase):
    def test_each(self):
        page = PAGE.read_text(encoding="utf-8")
        programs = SHOWN.findall(page)
        self.assertEqual(len(programs), len(re.findall(r"^```(?:c|cpp)$", page, re.M)))
        self.assertTrue(programs)
        mine = clean_environment()
        with tempfile.TemporaryDirectory() as folder:
            for number, (language, text, shown) in enumerate(programs):
                source, unit, program = (Path(folder, f"{number}.{end}") for end in (language, "o", "run"))
                source.write_text(text)
                for compiler in COMPILERS["cpp20" if "graph.hpp" in text else language]:
                    with self.subTest(program=number, compiler=compiler[0]):
                        subprocess.run([*compiler, *WARNINGS, "-O2", "-fopenmp", "-I", ROOT / "include",
                                        "-c", source, "-o", unit], check=True)
                        subprocess.run([compiler[0], unit, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}",
                                        "-o", program], check=True)
                        done = subprocess.run([program], env=mine, text=True, capture_output=True,
                                              timeout=60, check=False)
                        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", shown))


if __name__ == "__main__":
    unittest.main()
