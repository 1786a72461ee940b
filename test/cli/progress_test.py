"""What commands that take some time say of it: on a terminal alone, in one line that is wiped at the end."""

import subprocess
import unittest

from command import VICINO, clean_environment, printed_on_terminal
from programs import GCC, ProgramsCase

WIPE = "\r\033[K"
NOTHING = "int main(void) { return 0; }"
REGION = r"""
static volatile int sink;
int main(void) {
#pragma omp parallel
  sink = 1;
}
"""


class Progress(ProgramsCase):
    def environment(self):
        return {**clean_environment("LD_"), "NO_COLOR": "1"}

    def on_terminal(self, *command):
        """What is printed on a terminal that is standard error."""
        return printed_on_terminal(lambda terminal: subprocess.Popen(
            [VICINO, *command], env=self.environment(), cwd=self.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=terminal))

    def in_pipe(self, *command):
        return subprocess.run([VICINO, *command], env=self.environment(), cwd=self.work, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False).stderr

    def test_selftest(self):
        text = self.on_terminal("selftest", "--timeout", "4s")
        self.assertRegex(text, r"^\r\033\[K1 of \d+: (gcc|clang), team\r")
        self.assertRegex(text, r"\r\033\[K3 of \d+: (gcc|clang), .*, about \d+ s left\r")
        self.assertTrue(text.endswith(WIPE), text[-100:])
        for part in text.split(WIPE):
            self.assertLess(len(part), 80)
        self.assertNotIn(" of ", self.in_pipe("selftest", "--timeout", "1s"))

    def test_doctor(self):
        program = self.programs.build(NOTHING, GCC)
        self.assertEqual(self.on_terminal("doctor", "--", program),
                         f"{WIPE}runs '{program}', as long as that takes"[:len(WIPE) + 79] + WIPE)
        self.assertEqual(self.in_pipe("doctor", "--", program), "")

    def test_report(self):
        """Of a large file, which here is no trace."""
        file = self.work / "large.pftrace"
        for size, told in ((300_000_000, f"{WIPE}reads 300 MB of trace, about 5 s{WIPE}"), (1_000_000, "")):
            with self.subTest(size=size):
                with file.open("wb") as large:
                    large.truncate(size)
                failure = self.in_pipe("report", file)
                self.assertEqual(self.on_terminal("report", file).replace("\r\n", "\n"), told + failure)
                self.assertNotIn("reads", failure)

    def test_compare(self):
        program = self.programs.build(REGION, GCC)
        text = self.on_terminal("compare", "--pairs", "6", program)
        self.assertRegex(text, r"\[#+\.+\] pair 4, on \S+.*, about 1 s left")
        self.assertTrue(text.endswith(WIPE), text[-100:])
        self.assertEqual(self.in_pipe("compare", "--pairs", "6", program), "")


if __name__ == "__main__":
    unittest.main()
