"""MPICH's own tests, from Debian's source package, with the PMPI layer: nothing fails with it that passes without.

    mpich_suite.py [--lend] LAYER FOLDER [TEST...]     a TEST is a folder of the suite, or a folder and a program

Sources are fetched once, as those of the other suites (test/conformance/sources.py), and programs are built in FOLDER.
With --lend calls that wait lend cores (VICINO_LEND): they are begun by their non-blocking twins.
Each program runs with the layer and with a job's report; one that fails runs again, and without the layer.
"""
import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys
import time

import mpi_jobs

sys.path.append(str(mpi_jobs.HERE.parent / "conformance"))
import sources  # noqa: E402

LEND = sys.argv[1] == "--lend"
if LEND:
    del sys.argv[1]
LAYER, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
WANTED = sys.argv[3:]
BUILD = WORK / "mpich-suite"
MTEST_F08 = BUILD / "util/mtest_f08.o"
# Not run: measured times, processes that are killed or started by the test, and tools.
LEFT_OUT = ("perf", "spawn", "ft", "ckpoint", "cxx", "mpi_t", "manual", "faults", "ext", "maint")
LIMIT = 120    # seconds
COMPILERS = {"CC": "gcc-12", "CXX": "g++-12", "FC": "gfortran-12", "F77": "gfortran-12"}


class Test:
    def __init__(self, folder, line):
        self.folder = folder
        self.name, count, *options = line.split()
        self.ranks = int(count)
        self.arguments, self.settings, self.before, self.skipped = [], {}, [], False
        self.limit, self.only_status = LIMIT, False
        for option in options:
            key, _, value = option.partition("=")
            if key == "arg":
                self.arguments += shlex.split(value)
            elif key == "env":
                name, _, text = value.partition("=")
                self.settings[name] = text
            elif key == "mpiexecarg":
                self.before += shlex.split(value)
            elif key == "timeLimit":
                self.limit = max(LIMIT, int(value))
            elif key == "resultTest":
                self.only_status = True
            elif key == "xfail":
                self.skipped = True

    def __str__(self):
        return " ".join([f"{self.folder}/{self.name}", f"-n {self.ranks}", *self.arguments])

    def wanted(self):
        return not WANTED or str(self.folder) in WANTED or f"{self.folder}/{self.name}" in WANTED or \
            any(str(self.folder).startswith(word + "/") for word in WANTED)

    def build(self):
        # The suite has its helper functions for mpi_f08 only where it is configured with MPICH as a whole.
        helpers = [f"LDADD={MTEST_F08}"] if self.folder.parts[0] == "f08" else []
        done = subprocess.run(["make", "-s", "-C", BUILD / self.folder, *helpers, self.name], env=environment(), text=True,
                              capture_output=True, check=False)
        return done.returncode == 0

    def passes(self, layer):
        """Whether it passes, and what it said."""
        libraries = f"{LAYER.parents[1] / 'libvicino.so'}:{LAYER}" if LEND else str(LAYER)
        extra = ["-genv", "LD_PRELOAD", libraries, "-genv", "VICINO_JOB_REPORT", "/dev/null"] if layer else []
        extra += ["-genv", "VICINO_LEND", "true"] if layer and LEND else []
        command = ["mpiexec.mpich", "-n", str(self.ranks), *extra, *self.before, f"./{self.name}", *self.arguments]
        try:
            done = subprocess.run(command, cwd=BUILD / self.folder, env=environment() | self.settings,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                  timeout=self.limit, check=False)
        except subprocess.TimeoutExpired:
            return False, f"no end after {self.limit} s"
        said = done.stdout + done.stderr
        if self.only_status:   # some must end badly: the same as without
            return done.returncode, said
        return done.returncode == 0 and "No Errors" in done.stdout, said

    def judge(self):
        """None if the layer changes nothing, else what it said."""
        if self.only_status:
            (status, said), (without, _) = self.passes(True), self.passes(False)
            return None if status == without else said
        for _ in range(2):
            good, said = self.passes(True)
            if good:
                return None
        return said if self.passes(False)[0] else "fails"


def environment():
    kept = mpi_jobs.clean_environment(*mpi_jobs.PREFIXES)
    kept.update({f"MPICH_{key}": value for key, value in COMPILERS.items()})
    return kept


def prepare():
    """Configures the suite; the sources' folder. Ends with status 77 if they cannot be had."""
    source = sources.fetch("mpich") / "test/mpi"
    BUILD.mkdir(parents=True, exist_ok=True)
    if (BUILD / "ready").exists():
        return source
    compilers = [f"{key}={value}" for key, value in COMPILERS.items()]
    wrappers = ["MPICC=mpicc.mpich", "MPICXX=mpicxx.mpich", "MPIFC=mpifort.mpich", "MPIF77=mpifort.mpich"]
    for command in ([source / "configure", *compilers, *wrappers, "--disable-spawn", "--disable-cxx", "--enable-romio"],
                    ["make", "-C", "dtpools"], ["make", "-C", "util", "libmtest.la", "libmtest_single.la"],
                    ["mpifort.mpich", "-c", source / "util/mtest_f08.f90", "-o", MTEST_F08]):
        subprocess.run(list(map(str, command)), cwd=BUILD, env=environment(), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
    (BUILD / "ready").touch()
    return source


def tests_in(folder, source):
    """The tests of a folder and of those in it. Only some lists are made by configure."""
    made = BUILD / folder / "testlist"
    lines = (made if made.exists() else source / folder / "testlist").read_text().splitlines()
    # Of the Fortran folders, configure knows only those that a whole build of MPICH has.
    lines += ["f77", "f90", "f08"] if folder == pathlib.Path() else []
    for line in dict.fromkeys(line.split("#")[0].strip() for line in lines):
        words = line.split()
        if len(words) == 1 and words[0] not in LEFT_OUT and (source / folder / words[0]).is_dir():
            yield from tests_in(folder / words[0], source)
        elif len(words) > 1 and words[1].isdigit():
            yield Test(folder, " ".join(words))


def main():
    source = prepare()
    tests = [test for test in tests_in(pathlib.Path(), source) if test.wanted() and not test.skipped]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = {(test.folder, test.name): test for test in tests}
        built = dict(zip(programs, pool.map(Test.build, programs.values())))
    passed, worse, bad = 0, [], []
    for test in tests:
        if not built[test.folder, test.name]:
            bad.append(f"{test}: not built")
            continue
        begin = time.monotonic()
        said = test.judge()
        print(f"{test}: {'as without' if said in (None, 'fails') else 'WORSE'}, {time.monotonic() - begin:.1f} s",
              flush=True)
        if said is None:
            passed += 1
        elif said == "fails":
            bad.append(f"{test}: fails without the layer, too")
        else:
            worse.append(str(test))
            print(f"{test} fails with the layer only:\n{said[-1500:]}", flush=True)
    print("\n".join(bad))
    print(f"{passed} passed with the layer, {len(bad)} do not pass without it, {len(worse)} fail with it only")
    sys.exit(1 if worse or not passed else 0)


main()
