"""What the tests of this folder share: an MPI's compilers and launcher, and jobs with their reports."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from harness.runs import clean_environment  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PREFIXES = ("OMPI_", "PMIX_", "PMI_", "MPI_", "HYDRA_", "MPICH_")
TIMEOUT = 100


class Job:
    def __init__(self, done, report):
        self.status, self.output, self.error = done.returncode, done.stdout, done.stderr
        self.report = report

    def sites(self, call):
        return [site for site in self.report["sites"] if site["call"] == call]


class Mpi:
    """One MPI; `work` is a folder for programs."""

    def __init__(self, name, layer, vicino, work):
        self.name = name
        self.layer, self.vicino = pathlib.Path(layer).resolve(), pathlib.Path(vicino).resolve()
        self.work = pathlib.Path(work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)

    def missing(self):
        """What keeps the tests from running; None if nothing does."""
        launcher = self.launcher()[0]
        for tool in (f"mpicc.{self.name}", launcher, "gcc-12"):
            if shutil.which(tool) is None:
                return f"there is no {tool}"
        return None

    def launcher(self):
        if self.name == "openmpi":
            # A test may run as root, on fewer cores than ranks, and beside others, with which a binding to
            # the first cores would collide.
            return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
        return ["mpiexec.mpich"]

    def environment(self, **settings):
        result = clean_environment(*PREFIXES)
        for variable in ("OMPI_CC", "MPICH_CC"):
            result[variable] = "gcc-12"
        for variable in ("OMPI_CXX", "MPICH_CXX"):
            result[variable] = "g++-12"
        for variable in ("OMPI_FC", "MPICH_FC"):
            result[variable] = "gfortran-12"
        result["OMPI_MCA_mpi_yield_when_idle"] = "1"
        result.update({k: str(v) for k, v in settings.items()})
        return result

    def build(self, source, *flags, output=None):
        """Compiles a program unless it was compiled before from the same source."""
        source = HERE / source
        compiler = {".c": "mpicc", ".cpp": "mpicxx", ".F90": "mpifort"}[source.suffix] + "." + self.name
        command = [compiler, "-O1", "-g", *map(str, flags)]
        key = hashlib.sha256("\0".join(command).encode() + source.read_bytes()).hexdigest()[:12]
        result = self.work / (output or f"{source.stem}-{self.name}-{key}")
        if output is None and result.exists():
            return result
        partial = result.with_name(result.name + f".{os.getpid()}")
        libraries = [flag for flag in command if str(flag).startswith("-l")]
        others = [flag for flag in command if flag not in libraries]
        done = subprocess.run([*others, str(source), *libraries, "-o", str(partial)], cwd=self.work, text=True,
                              env=self.environment(), capture_output=True, timeout=TIMEOUT, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{command} {source}\n{done.stdout}{done.stderr}")
        os.rename(partial, result)
        return result

    def run(self, ranks, program, *arguments, by="vicino", report=True, timeout=TIMEOUT, **settings):
        """Runs a job. `by`: "vicino" for `vicino run`, "preload" for the layer alone, "" for neither."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "report.json"
            if report and by:
                settings["VICINO_JOB_REPORT"] = file
            before = {"vicino": [self.vicino, "run", "--"], "preload": ["env", f"LD_PRELOAD={self.layer}"],
                      "": []}[by]
            command = [*self.launcher(), "-n", ranks, *before, program, *arguments]
            done = subprocess.run([str(word) for word in command], env=self.environment(**settings), text=True,
                                  capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout,
                                  check=False)
            return Job(done, json.loads(file.read_text()) if file.exists() else None)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)
