"""`vicino doctor` in a guest with several nodes: what is right there, and what is wrong with its memory.

    doctor_test.py MACHINE VICINO CONFINE
"""

import json
import sys
import unittest

import guest
from launcher import machine
from view import View, cpu_list

NAME, VICINO, CONFINE = sys.argv[1:]
sys.argv[1:] = []
SHAPE = machine.load(NAME)
NODES = View(SHAPE).groups(View(SHAPE).node_of)
ONE_NODE = cpu_list(NODES[-1][1])
FOUND = 7
BALANCING, HUGE = "/proc/sys/kernel/numa_balancing", "/sys/kernel/mm/transparent_hugepage/enabled"
# What is done first, and the findings and notes.
CASES = {
    "nothing": ("", []),
    "CPUs and memory of one node": (f"{CONFINE} mask {ONE_NODE} {CONFINE} policy {len(NODES) - 1}", []),
    "CPUs of one node, memory of another": (f"{CONFINE} mask {ONE_NODE} {CONFINE} policy 1", ["memory"]),
    "CPUs of all nodes, memory of one by policy": (f"{CONFINE} policy 1", ["memory"]),
    "CPUs of all nodes, memory of one by cpuset": (f"{CONFINE} mems 1", ["memory"]),
    "a policy of all nodes": (f"{CONFINE} policy 0-{len(NODES) - 1}", []),
    "one CPU": (f"{CONFINE} mask 3", ["one-cpu"]),
    "one CPU by cpuset": (f"{CONFINE} cpuset 3", []),
    "balancing": (f"echo 1 > {BALANCING};", ["balancing"]),
    "huge pages, too": (f"echo always > {HUGE};", ["balancing", "huge-pages"]),
    "both, on one node": (f"{CONFINE} mask {ONE_NODE}", []),
}
BORDER = "=== end of an output ==="


class Doctor(unittest.TestCase):
    def test_each_case(self):
        script = "".join(f"{words} {VICINO} doctor --json; echo '{BORDER}'\n" for words, _ in CASES.values())
        # A CPU of the guest may wait for the machine's, as if another process had it.
        run = guest.lab("--machine", NAME, "--file", VICINO, "--file", CONFINE, "--", "sh", "-c",
                        "export OMP_DYNAMIC=true\n" + script)
        self.assertEqual((run.returncode, run.stderr), (0, b""), run)
        outputs = run.stdout.decode().split(f"{BORDER}\n")
        for (case, (_, wanted)), output in zip(CASES.items(), outputs):
            with self.subTest(case):
                told = json.loads(output)
                self.assertEqual([each["condition"] for each in told["findings"] + told["notes"]], wanted)
                self.assertEqual(told["status"], FOUND if wanted == ["memory"] or "one-cpu" in wanted else 0)
                self.assertEqual([each["condition"] for each in told["notes"]],
                                 [one for one in wanted if one in ("balancing", "huge-pages")])
                if wanted == ["memory"]:
                    self.assertIn("nodes 1", told["findings"][0]["seen"][1])
                    self.assertIn("cpuset" if "cpuset" in case else "policy", told["findings"][0]["seen"][1])


if __name__ == "__main__":
    unittest.main()
