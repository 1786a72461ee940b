"""lab/lab: what goes into a guest and comes back, how ends are told apart, and that nothing is left behind."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import guest

# The smallest machine there is, which boots in a second.
SMALL = """about = "one node"
[[nodes]]
package = 0
l3 = [2]
memory = 256
distances = [10]
"""
BYTES = bytes(range(256)) * 20 + b"\r\n\x04\x03no newline"
SCRIPT = """#!/bin/sh
# Each argument between marks that no argument contains.
for argument; do printf '<%s>' "$argument"; done >&2
printf '|%s|%s|%s|%s|' "$PWD" "$OMP_SCHEDULE" "$GIVEN" "${NOT_OURS-unset}" >&2
read line <"$1"
printf '%s|' "$line" >&2
cat bytes
exit 42
"""
ARGUMENTS = ["", "two words", "new\nline", "qu'o\"te", "*", "--json", "--", "$HOME", "ü"]


class Launcher(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="vicino-lab-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.machine = cls.folder / "small.toml"
        cls.machine.write_text(SMALL)
        cls.json = cls.folder / "run.json"
        (cls.folder / "temporary").mkdir()

    def setUp(self):
        self.json.unlink(missing_ok=True)
        self.addCleanup(lambda: self.assertEqual(list((self.folder / "temporary").iterdir()), []))

    def environment(self, **changes):
        return os.environ | {"TMPDIR": str(self.folder / "temporary")} | changes

    def lab(self, *options, command, **changes):
        return guest.lab("--machine", self.machine, "--json", self.json, *options, "--", *command,
                         cwd=self.folder, env=self.environment(**changes))

    def outcome(self):
        return json.loads(self.json.read_text())

    def is_lab_failure(self, run, *words):
        self.assertEqual(run.returncode, 125, run.stderr)
        first = run.stderr.decode().splitlines()[0]
        self.assertTrue(first.startswith("lab: "), first)
        for word in words:
            self.assertIn(word, first)

    def ends_by_itself(self, run, status):
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertFalse(run.stderr.startswith(b"lab: "), run.stderr)
        self.assertEqual((self.outcome()["status"], self.outcome()["lab_error"]), (status, None))

    # What goes into a guest and comes back.

    def test_a_script_finds_all_that_it_has_here(self):
        (self.folder / "run me").write_text(SCRIPT)
        (self.folder / "run me").chmod(0o755)
        (self.folder / "named").write_text("in the arguments\n")
        (self.folder / "bytes").write_bytes(BYTES)
        run = self.lab("--env", "GIVEN=a=b c", "--file", "bytes", "--file", shutil.which("cat"),
                       command=["./run me", "named", *ARGUMENTS], OMP_SCHEDULE="guided,7", NOT_OURS="1")
        self.assertEqual(run.stdout, BYTES)
        said = "".join(f"<{argument}>" for argument in ["named", *ARGUMENTS])
        said += f"|{self.folder}|guided,7|a=b c|unset|in the arguments|"
        self.assertEqual(run.stderr.decode(), said)
        self.ends_by_itself(run, 42)
        self.assertEqual(self.outcome()["schema"], 1)

    def test_libraries_come_from_where_the_loader_finds_them_here(self):
        for name, text in (("a.c", "int a(void) { return 5; }"), ("b.c", "int a(void) { return 6; }"),
                           ("p.c", "int a(void); int main(void) { return a(); }")):
            (self.folder / name).write_text(text)
        (self.folder / "libraries").mkdir()
        for arguments in ("-shared -fPIC -o libraries/liba.so a.c", "-shared -fPIC -o b.so b.c",
                          "-o p p.c -Llibraries -la"):
            subprocess.run([os.environ.get("CC", "cc"), *arguments.split()], cwd=self.folder, check=True)
        (self.folder / "link").symlink_to("p")
        libraries = f"LD_LIBRARY_PATH={self.folder}/libraries"
        self.ends_by_itself(self.lab("--env", libraries, command=["./link"]), 5)
        self.ends_by_itself(self.lab("--env", libraries, "--env", f"LD_PRELOAD={self.folder}/b.so",
                                     command=["./p"]), 6)

    # The ways in which a run ends.

    def test_a_signal(self):
        self.ends_by_itself(self.lab(command=["sh", "-c", "kill -TERM $$"]), 128 + signal.SIGTERM)

    def test_a_command_may_return_what_the_lab_returns(self):
        self.ends_by_itself(self.lab(command=["sh", "-c", "exit 125"]), 125)

    def test_what_is_not_found(self):
        self.ends_by_itself(self.lab(command=["./absent"]), 127)
        (self.folder / "orphan").write_text("#!/no/such/interpreter\n")
        (self.folder / "orphan").chmod(0o755)
        self.ends_by_itself(self.lab(command=["./orphan"]), 127)

    def test_the_time_limit(self):
        run = self.lab("--time-limit", "1", command=["sh", "-c", "echo begun; while :; do :; done"])
        self.assertEqual(run.stdout, b"begun\n")
        self.assertIn(b"no end within the time limit of 1 s", run.stderr)
        self.ends_by_itself(run, 124)

    def test_a_kernel_that_is_none(self):
        (self.folder / "vmlinux").write_text("not a kernel")
        run = self.lab("--kernel", "vmlinux", command=["true"])
        self.is_lab_failure(run, "ended without a report", "before the command ran")
        self.assertIn("ended without a report", self.outcome()["lab_error"])

    def test_a_guest_that_panics_shows_its_console(self):
        build = self.folder / "build"
        build.mkdir()
        (build / "init").write_text("not a program")
        run = self.lab("--build", build, command=["true"])
        self.is_lab_failure(run, "ended without a report")
        self.assertIn(b"Kernel panic", run.stderr)

    def test_a_guest_that_goes_down_under_the_command(self):
        run = self.lab(command=["sh", "-c", "echo c >/proc/sysrq-trigger"])
        self.is_lab_failure(run, "ended without a report", "while the command ran")

    def test_what_is_missing_is_named_with_its_remedy(self):
        run = self.lab("--kernel", "nowhere/vmlinux", command=["true"])
        self.is_lab_failure(run, "nowhere/vmlinux", "run scripts/need lab")
        run = self.lab("--build", "nowhere", command=["true"])
        self.is_lab_failure(run, "nowhere/init", "run make")
        run = self.lab(command=["true"], PATH=self.path_without_qemu())
        self.is_lab_failure(run, "qemu-system-x86_64 is missing", "run scripts/need lab")

    def path_without_qemu(self):
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("env", "python3", "true"):
            (tools / name).unlink(missing_ok=True)
            (tools / name).symlink_to(shutil.which(name))
        return str(tools)

    # Bad requests: nothing boots.

    def test_requests_are_checked(self):
        for options, words in (
                (["--machine", "3x4"], ["unknown machine '3x4'", "1x16 1x2 1x4 1x64 2x24 2x4 2x4x5570 4x4 8x2 8x8 uneven"]),
                (["--set", "lat_moon=4"], ["unknown parameter 'lat_moon'", "lat_l3"]),
                (["--set", "lat_l3=fast"], ["'fast' is not a whole number"]),
                (["--seed", "-1"], ["--seed", "'-1'"]),
                (["--env", "NAME"], ["--env 'NAME' is not NAME=VALUE"]),
                (["--file", "absent"], ["--file 'absent' does not exist"]),
                (["--time-limit", "0"], ["'0' is not a number of seconds above 0"]),
                (["--time-limit", "nan"], ["'nan' is not a number of seconds above 0"]),
                (["--huge-pages", "some"], ["'some'", "always"]),
                (["--processor", "sparc"], ["'sparc'", "aarch64"]),
                (["--processor", "aarch64", "--locality"], ["aarch64 counts nothing"]),
                (["--processor", "aarch64", "--clock", "model"], ["no time of the model's"]),
                (["--nothing"], ["--nothing", "lab --help"])):
            with self.subTest(options):
                self.is_lab_failure(self.lab(*options, command=["true"]), *words)
        run = guest.lab("--machine", self.machine)
        self.is_lab_failure(run, "no command", "behind --")

    def test_the_list_names_machines_and_parameters(self):
        run = guest.lab("--list")
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        for word in ("2x4", "4x4", "8x8", "uneven", "lat_l3", "quantum"):
            self.assertIn(f"  {word} ", run.stdout.decode())

    # What is left after a run.

    def test_nothing_is_left_of_a_launcher_that_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                self.killed(number)

    def killed(self, number):
        with subprocess.Popen(
                [guest.LAB, "--machine", self.machine, "--", "sh", "-c", "echo up; while :; do :; done"],
                cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as launcher:
            self.assertEqual(launcher.stdout.readline(), b"up\n")
            emulators = children(launcher.pid)
            self.assertEqual(len(emulators), 1)
            launcher.send_signal(number)
            launcher.wait()
            self.assertEqual((launcher.returncode, launcher.stderr.read()), (-number, b""))
        deadline = time.monotonic() + 60      # a busy machine may need long
        while any(is_alive(pid) for pid in emulators):
            self.assertLess(time.monotonic(), deadline, "QEMU outlives the launcher")
            time.sleep(0.05)


def children(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid):
    """Whether the process exists and is no zombie. A zombie waits for the process that adopted it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


if __name__ == "__main__":
    unittest.main()
