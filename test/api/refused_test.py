#!/usr/bin/env python3
"""refused_test.py LIBRARY: an argument that FORALL_BEGIN refuses ends the program with a message
that says why."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(sys.argv.pop())
PROGRAM = """\
#include <vicino/forall.h>
int main(void) {
  FORALL_BEGIN(%s)
  FORALL_END()
  return 0;
}
"""
CASES = {
    "inch, 0, 1, 0, 9, b, e, 0.5": "no schedule 'inch'; there are ich, nich",
    '"mixed,chunk=0", 0, 1, 0, 9, b, e, 0.5': "a chunk of '0' is not a positive integer below 2^63",
    '"mixed,f=0.5", 0, 1, 0, 9, b, e, 0.5':
        "the static fraction is its last argument; in the strategy 'mixed,f=0.5', f= is model, previous, slack",
    '"mixed,f=sweep", 0, 1, 0, 9, b, e, 0.5': "in the strategy 'mixed,f=sweep', f= is model, previous",
    "mixed, 0, 1, 0, 9, b, e, 1.5": "a static fraction of 1.5 is not from 0 to 1",
    "mixed, 0, 1, 0, 9, b, e, -0.1": "a static fraction of -0.1 is not from 0 to 1",
    "mixed, 0, 1, 0, 9, b, e, __builtin_nan(\"\")": "a static fraction of nan is not from 0 to 1",
    "mixed, 1, 2, 0, 9, b, e, 0.5": "tid 1 and p 2, but this is thread 0 of a team of 1",
    "mixed, 0, 2, 0, 9, b, e, 0.5": "tid 0 and p 2, but this is thread 0 of a team of 1",
}


class Refused(unittest.TestCase):
    def test_each(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder, "refused.c"), Path(folder, "refused")
            for arguments, message in CASES.items():
                with self.subTest(arguments=arguments):
                    source.write_text(PROGRAM % arguments)
                    subprocess.run(["gcc-12", "-std=c99", "-Wno-unused-variable", "-I", ROOT / "include",
                                    source, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", "-o", program],
                                   check=True)
                    done = subprocess.run([program], text=True, capture_output=True, timeout=60,
                                          env={**os.environ, "LC_ALL": "C"}, check=False)
                    self.assertEqual(done.returncode, -6)
                    where = f"vicino: FORALL_BEGIN at {source}:3: "
                    self.assertTrue(done.stderr.startswith(where), done.stderr)
                    self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
