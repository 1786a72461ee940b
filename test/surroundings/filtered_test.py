"""A filter of the kernel's refuses system calls that place threads and memory, tell of the machine, or make waiting
cheaper: nothing is said, and the program runs with as many threads as without the filter."""
import errno
import os
import re
import subprocess
import unittest

from surroundings import HERE, LIBRARY, WORK, Case, build, compiler, program, run_program

# What containers and sandboxes refuse. Without any of these a program can run.
CALLS = ("membarrier", "rseq", "sched_yield", "sched_getaffinity", "sched_setaffinity", "getcpu", "prlimit64",
         "move_pages", "mbind", "set_mempolicy", "get_mempolicy", "perf_event_open", "process_vm_readv", "getrusage",
         "readlink", "readlinkat", "sysinfo", "sched_getattr", "sched_setattr", "madvise", "getrandom", "mlock",
         "sched_getscheduler", "sched_setscheduler", "prctl", "pidfd_open", "statx", "getxattr")
COMMAND = LIBRARY.parent.parent / "bin" / "vicino"
SETTINGS = ({}, {"OMP_PROC_BIND": "spread", "OMP_PLACES": "threads", "OMP_WAIT_POLICY": "passive"},
            {"OMP_SCHEDULE": "auto", "OMP_PROC_BIND": "close", "OMP_WAIT_POLICY": "active"})


def numbers_of_calls():
    """Asks the C compiler, for they differ between machines. A call that the headers do not know is left out."""
    source = "#include <sys/syscall.h>\n" + "".join(f"{name} = SYS_{name}\n" for name in CALLS)
    done = subprocess.run([compiler(), "-E", "-P", "-"], input=source, text=True, capture_output=True, check=True)
    return dict(re.findall(r"^(\w+) = (\d+)$", done.stdout, re.MULTILINE))


class Filtered(Case):
    def setUp(self):
        self.numbers = numbers_of_calls()
        self.filter = build.build(HERE / "deny.c", compiler(), [], WORK / "surroundings")
        done = subprocess.run([self.filter, "1", "--", "/bin/true"], capture_output=True, check=False)
        if done.returncode == 77:
            self.skipTest("the system has no filters")

    def deny(self, numbers, error):
        return (self.filter, error, *numbers, "--")

    def run_without(self, numbers, error, **settings):
        output, said = self.run_on_vicino("filtered", prefix=self.deny(numbers, error), **settings)
        self.assertEqual(output, f"3 {len(os.sched_getaffinity(0))} 5\n")
        self.assertEqual(said, "")

    def test_the_command_finds_the_library_without_reading_links(self):
        if not COMMAND.exists():
            self.skipTest("the command is not built")
        numbers = [self.numbers[name] for name in ("readlink", "readlinkat") if name in self.numbers]
        for command in (COMMAND, os.path.relpath(COMMAND)):
            prefix = (*self.deny(numbers, errno.EPERM), command, "run", "--")
            output, said = run_program(self, program("team"), 3, prefix=prefix)
            self.assertEqual((output, said), ("3 \n", ""))

    def test_the_command_finds_the_library_without_proc(self):
        hide = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh")
        if not COMMAND.exists() or subprocess.run([*hide, "true"], capture_output=True, check=False).returncode:
            self.skipTest("the command is not built, or nobody may hide /proc")
        output, said = run_program(self, program("team"), 3, prefix=(*hide, COMMAND, "run", "--"))
        self.assertEqual((output, said), ("3 \n", ""))

    def test_each_call(self):
        self.assertIn("sched_setaffinity", self.numbers)
        for name, number in self.numbers.items():
            for error in (errno.EPERM, errno.ENOSYS):
                for settings in SETTINGS:
                    with self.subTest(call=name, error=errno.errorcode[error], settings=settings):
                        self.run_without([number], error, **settings)

    def test_all_at_once(self):
        for error in (errno.EPERM, errno.ENOSYS):
            for settings in SETTINGS:
                with self.subTest(error=errno.errorcode[error], settings=settings):
                    self.run_without(self.numbers.values(), error, **settings)


if __name__ == "__main__":
    unittest.main(verbosity=2)
