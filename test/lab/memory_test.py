"""`vicino report` in a guest with several nodes: where the program's memory is.

    memory_test.py MACHINE VICINO TRACE_MODULE PROGRAM
"""

import json
import re
import sys
import unittest

import guest
from launcher import machine
from view import View

NAME, VICINO, MODULE, PROGRAM = sys.argv[1:]
sys.argv[1:] = []
SHAPE = machine.load(NAME)
NODES = len(View(SHAPE).groups(View(SHAPE).node_of))
BYTES = 48 << 20
BORDER = "=== end of an output ==="


class Memory(unittest.TestCase):
    def test_each_case(self):
        # A guest has no cat.
        script = "export VICINO_PAGES=off\nshow() { while IFS= read -r line; do echo \"$line\"; done < $1; }\n"
        for case in ("one", "each"):
            script += (f"VICINO_TRACE=trace {PROGRAM} {case} 2> errors || {{ show errors; exit 1; }}\n"
                       f"{VICINO} report --json json trace || exit 1\necho '{BORDER}'; show json; echo '{BORDER}'\n")
        files = [word for file in (VICINO, MODULE, PROGRAM) for word in ("--file", file)]
        run = guest.lab("--machine", NAME, *files, "--", "sh", "-c", f"cd /tmp\n{script}")
        self.assertEqual((run.returncode, run.stderr), (0, b""), run)
        one_text, one, each_text, each, _ = run.stdout.decode().split(f"{BORDER}\n")
        shares = {}
        for name, text in (("one", one), ("each", each)):
            memory = json.loads(text)["memory"]["bytes"]
            self.assertGreater(sum(memory.values()), BYTES)
            shares[name] = [memory.get(f"node {node}", 0) / sum(memory.values()) for node in range(NODES)]
        self.assertGreater(max(shares["one"]), 0.9)
        self.assertGreater(min(shares["each"]), 0.5 / NODES)
        self.assertLess(max(shares["each"]), 0.5)
        self.assertRegex(one_text, rf"(?m)^4[89](\.\d)? MiB of memory at the most, (after [\d.]+ m?s|at the end): (9\d|100) % on node \d+.*; "
                                   rf"threads on {NODES} nodes\.$")
        [told] = re.findall(r"(?m)MiB of memory at the most, .*", each_text)
        self.assertEqual(len(re.findall(r"% on node", told)), NODES)


if __name__ == "__main__":
    unittest.main()
