"""`vicino bench`: its page and its JSON, which runtimes it finds, and what it says of those that have a fault."""

import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from command import VICINO, Case

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KIT = VICINO.parents[1] / "libexec" / "vicino" / "bench"
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def libgomp():
    told = subprocess.run(["gcc-12", "-print-file-name=libgomp.so.1"], text=True, capture_output=True, check=True)
    return Path(told.stdout.strip()).resolve()


class Runtimes:
    """Runtimes that are libgomp with a fault."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        # It must not be called like a runtime: the programs refuse a second one.
        self.inner = self.path / "inner.so"
        shutil.copy(libgomp(), self.inner)
        self.good = self.make("good")
        self.slow = self.make("slow", sleep_us=5000)
        self.wrong = self.make("wrong", "-DWRONG")
        self.broken = self.make("broken", needed="libnowhere.so.7")

    def make(self, name, *flags, sleep_us=0, needed=None):
        """The loader takes a needed file by its path, whatever name is in the file."""
        named = self.path / f"{name}-needs.so"
        self.compile("-xc", "/dev/null", f"-Wl,-soname,{needed or self.inner}", "-o", named)
        file = self.path / f"{name}.so"
        self.compile(HERE / "bench_runtime.c", f"-DSLEEP_US={sleep_us}", *flags, "-Wl,-soname,libgomp.so.1",
                     "-Wl,--no-as-needed", "-x", "none", named, "-ldl", "-o", file)
        return file

    @staticmethod
    def compile(*words):
        subprocess.run(["gcc-12", "-shared", "-fPIC", "-O1", *words], check=True)


class Bench(Case):
    @classmethod
    def setUpClass(cls):
        cls.runtimes = Runtimes()
        cls.addClassCleanup(cls.runtimes.folder.cleanup)

    def setUp(self):
        super().setUp()
        del self.env["VICINO_LIBRARY"]  # the real one
        self.page = self.work / "page"

    def bench(self, *arguments, **options):
        return self.run_vicino("bench", "--output", self.page, "--seed", "7", *arguments, **options)

    def written(self):
        return (json.loads(self.page.with_suffix(".json").read_text(encoding="utf-8")),
                self.page.with_suffix(".md").read_text(encoding="utf-8"))

    def measured(self, *arguments, status=0, **options):
        done = self.bench(*arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return self.written()


def tables(markdown):
    """{(section's title, compiler): {row: {column: cell}}}"""
    found, title, compiler, head = {}, None, None, None
    for line in markdown.splitlines():
        if line.startswith("## "):
            title, compiler = line.removeprefix("## "), None
        elif line.startswith("### "):
            compiler, head = line.rpartition(" ")[2], None
        elif line.startswith("| ") and compiler:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if head is None:
                head = cells
            elif not cells[0].startswith("---"):
                found.setdefault((title, compiler), {})[cells[0]] = dict(zip(head[1:], cells[1:]))
    return found


def ns_of(cell):
    value, unit = cell.split()
    return float(value) * UNITS[unit]


class Page(Bench):
    TITLES = {"constructs": "Constructs", "tasks": "Tasks", "loops": "Loops under schedules",
              "numa": "Taskloops over large arrays"}

    def test_page_and_json_agree(self):
        found, text = self.measured("--rounds", "6", "--threads", "1", "--only", "line,barrier,fib,mandelbrot,bandwidth")
        self.assertEqual(found["schema"], "vicino-bench-1")
        self.assertEqual((found["rounds"], found["threads"], found["seed"], found["interrupted"]), (6, 1, 7, 0))
        self.assertEqual({row["section"] for row in found["rows"]}, set(self.TITLES))
        self.assertEqual({row["programs_of"] for row in found["rows"]}, {"gcc", "clang"})
        shown = tables(text)
        for row in found["rows"]:
            with self.subTest(row=row["row"], programs_of=row["programs_of"]):
                cells = shown[self.TITLES[row["section"]], row["programs_of"]][row["row"]]
                for name, times in row["ns"].items():
                    self.assertEqual(len(times["by_round"]), 6)
                    self.assertAlmostEqual(ns_of(cells[name]), times["median"], delta=max(0.006, 0.006 * times["median"]))
                for name, ratio in row.get("over_vicino", {}).items():
                    self.assertLessEqual(ratio["low"], ratio["estimate"])
                    self.assertLessEqual(ratio["estimate"], ratio["high"])
                    said = [float(value) for value in re.findall(r"[\d.]+", cells[f"{name} / Vicino"])]
                    for value, key in zip(said, ("estimate", "low", "high"), strict=True):
                        self.assertAlmostEqual(value, ratio[key], delta=max(0.006, 0.006 * value))
        self.assertEqual(sum(found["counts"].values()),
                         sum(len(row.get("over_vicino", {})) for row in found["rows"]))
        self.assertFalse([row for row in found["rows"] if row["row"].startswith("line") and "over_vicino" in row])
        for section, by_runtime in found["over_vicino"].items():
            line, = (line for line in text.splitlines() if line.startswith(f"| {self.TITLES[section]} |"))
            ratios = {name: [row["over_vicino"][name]["estimate"] for row in found["rows"]
                             if row["section"] == section and name in row.get("over_vicino", {})] for name in by_runtime}
            self.assertEqual(set(by_runtime), {"libgomp", "libomp"})
            for cell, (name, mean) in zip(line.strip("| ").split(" | ")[1:], by_runtime.items(), strict=True):
                self.assertAlmostEqual(mean["geometric_mean"] / statistics.geometric_mean(ratios[name]), 1)
                self.assertEqual((mean["least"], mean["comparisons"]), (min(ratios[name]), len(ratios[name])))
                for said, of in zip(re.match(r"([\d.]+); ([\d.]+) ", cell).groups(), ("geometric_mean", "least")):
                    self.assertAlmostEqual(float(said), mean[of], delta=max(0.006, 0.006 * mean[of]))
        lost = re.search(r"in (\d+) of (\d+) comparisons", text.partition("## Where Vicino lost")[2])
        self.assertEqual(int(lost[1]), found["counts"]["worse"])
        self.assertEqual(found["did_not_run"], [])
        self.assert_nothing_left()

    def test_ratios_are_of_the_same_round(self):
        found, _ = self.measured("--rounds", "3", "--threads", "1", "--only", "barrier")
        for row in found["rows"]:
            for name, ratio in row["over_vicino"].items():
                pairs = [a / b for a, b in zip(row["ns"][name]["by_round"], row["ns"]["Vicino"]["by_round"])]
                self.assertLessEqual(min(pairs), ratio["estimate"] + 1e-9)
                self.assertGreaterEqual(max(pairs), ratio["estimate"] - 1e-9)
                self.assertEqual((ratio["rounds"], ratio["verdict"]), (3, "too few pairs"))

    def test_time_leaves_jobs_out_but_no_rounds(self):
        found, text = self.measured("--minutes", "0.01")
        # Beside much other work no program may have run in the time; then there is nothing to repeat.
        self.assertGreaterEqual(found["rounds"], 3 if found["rows"] else 1)
        self.assertTrue(found["left_out"])
        self.assertIn("## Left out", text)
        for job in found["left_out"]:
            self.assertIn(f"- {job}\n", text)

    def test_machine(self):
        env = {**self.env, "SLURM_JOB_ID": "77", "SLURM_CPUS_PER_TASK": "3", "HOME": str(self.runtimes.path)}
        cpu = min(os.sched_getaffinity(0))
        found, text = self.measured("--rounds", "1", "--only", "parallel_1", "--with", self.runtimes.good, env=env,
                                    preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.assertEqual(found["machine"]["facts"]["job of SLURM"], "JOB_ID=77, CPUS_PER_TASK=3")
        self.assertEqual(found["threads"], 1)
        mine = found["machine"]["facts"]["CPUs"]
        self.assertTrue(mine == str(cpu) or mine.startswith(f"{cpu} (the machine has "), mine)
        for name, value in found["machine"]["facts"].items():
            self.assertIn(f"| {name} | {value} |", text)
        self.assertIn("| good.so |", text)
        self.assertIn("| ~/good.so | --with |", text)
        for private in (str(self.runtimes.path), os.uname().nodename):
            self.assertNotIn(private, text)

    def test_threads_of_the_variable(self):
        found, _ = self.measured("--rounds", "1", "--only", "parallel_1", env={**self.env, "OMP_NUM_THREADS": "3"})
        self.assertEqual(found["threads"], 3)

    def test_settings_do_not_get_in_but_by_env(self):
        """The programs refuse a team of another size than they were told."""
        limit = "OMP_THREAD_LIMIT=1"
        env = {**self.env, **dict([limit.split("=")])}
        found, _ = self.measured("--rounds", "1", "--threads", "2", "--only", "parallel_1", env=env)
        self.assertEqual(found["did_not_run"], [])
        done = self.bench("--rounds", "1", "--threads", "2", "--only", "parallel_1", "--env", limit)
        self.assertEqual(done.returncode, 6)
        self.assertIn("the team has 1 threads", done.stderr)

    def test_a_signal_while_packages_are_asked_for(self):
        folder = self.work / "bin"
        folder.mkdir()
        (folder / "dpkg-query").write_text("#!/bin/sh\nkill -INT $PPID\nexec sleep 5\n", encoding="utf-8")
        (folder / "dpkg-query").chmod(0o755)
        done = self.bench("--rounds", "1", "--only", "parallel_1", env=self.env | {"PATH": f"{folder}:{self.env['PATH']}"})
        self.assertEqual(done.returncode, 128 + signal.SIGINT, done.stderr)

    def test_a_signal_ends_it_and_the_page_is_written(self):
        started = self.start("bench", "--output", self.page, "--minutes", "60", env=self.env)
        time.sleep(3)
        started.send_signal(signal.SIGTERM)
        out, err = started.communicate(timeout=60)
        self.assertEqual(started.returncode, 128 + signal.SIGTERM, err)
        found, text = self.written()
        self.assertEqual(found["interrupted"], signal.SIGTERM)
        self.assertIn("Signal 15 ended it early", text)
        self.assertIn(f"{self.page}.md", out)
        self.assert_nothing_left()


class Faults(Bench):
    def row(self, found, name, compiler="gcc"):
        row, = (row for row in found["rows"] if row["row"].startswith(name) and row["programs_of"] == compiler)
        return row

    def test_a_runtime_made_slower_is_behind(self):
        """A region of one thread takes far less than the five milliseconds that this one sleeps."""
        found, text = self.measured("--rounds", "6", "--threads", "1", "--only", "parallel",
                                    "--with", f"sleepy={self.runtimes.slow}")
        row = self.row(found, "parallel:")
        self.assertEqual(row["over_vicino"]["sleepy"]["verdict"], "better")
        self.assertGreaterEqual(row["ns"]["sleepy"]["median"], 5e6)
        self.assertIn("in 0 of 1 comparisons", text)

    def test_vicino_made_slower_has_lost(self):
        env = {**self.env, "VICINO_LIBRARY": str(self.runtimes.slow)}
        found, text = self.measured("--rounds", "6", "--threads", "1", "--only", "parallel",
                                    "--with", f"plain={self.runtimes.good}", env=env, status=3)
        self.assertEqual(self.row(found, "parallel:")["over_vicino"]["plain"]["verdict"], "worse")
        self.assertEqual(found["counts"]["worse"], 1)
        self.assertRegex(text, r"- parallel: region, programs of gcc: [\d.]+ \([\d.]+ to [\d.]+\) times as long as "
                               "on plain\n")
        # It is libgomp, so clang's programs do not start on it.
        self.assertIn("- **Vicino failed**: start of micro, programs of clang: ", text)

    def test_vicino_behind_in_few_rounds_is_named_too(self):
        env = {**self.env, "VICINO_LIBRARY": str(self.runtimes.slow)}
        _, text = self.measured("--rounds", "2", "--threads", "1", "--only", "parallel",
                                "--with", f"plain={self.runtimes.good}", env=env, status=3)
        self.assertRegex(text, r"too few to be sure:\n\n- parallel: region, .* times as long as on plain in 2 rounds")

    def test_a_runtime_made_wrong_is_named(self):
        found, text = self.measured("--rounds", "2", "--threads", "2", "--only", "single,masked",
                                    "--with", f"bad={self.runtimes.wrong}", "--with", f"plain={self.runtimes.good}")
        fault, = found["did_not_run"]
        self.assertEqual((fault["runtime"], fault["programs_of"], fault["section"]), ("bad", "gcc", "constructs"))
        self.assertRegex(fault["why"], r"exit status 4: refused: wrong answer from single")
        self.assertIn("wrong answer from single", text.partition("## What did not run")[2])
        row = self.row(found, "single:")
        self.assertNotIn("bad", row["ns"])
        self.assertEqual(row["over_vicino"]["plain"]["rounds"], 2)

    def test_vicino_made_wrong_is_a_failure(self):
        env = {**self.env, "VICINO_LIBRARY": str(self.runtimes.wrong)}
        _, text = self.measured("--rounds", "1", "--threads", "2", "--only", "single",
                                "--with", f"plain={self.runtimes.good}", env=env, status=3)
        self.assertRegex(text, r"- \*\*Vicino failed\*\*: single, programs of gcc: exit status 4")

    def test_a_runtime_that_does_not_load_is_named(self):
        home = VICINO.parents[1]
        done = self.bench("--rounds", "1", "--only", "parallel_1", "--with", f"lame={self.runtimes.broken}",
                          "--with", f"plain={self.runtimes.good}", env={**self.env, "HOME": str(home)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("lame, start of micro, programs of gcc: ", done.stderr)
        found, text = self.written()
        fault, = found["did_not_run"]
        self.assertEqual(fault["runtime"], "lame")
        self.assertIn("~/libexec/vicino/bench/micro-gcc", fault["why"])
        self.assertNotIn(str(home), text)
        for where in (done.stderr, fault["why"], text):
            self.assertIn("libnowhere.so.7", where)
        self.assertEqual(list(self.row(found, "parallel_1")["ns"]), ["Vicino", "plain"])
        self.assertEqual({row["programs_of"] for row in found["rows"]}, {"gcc"})  # no other runs clang's

    def test_without_another_runtime(self):
        done = self.bench("--rounds", "1", "--with", f"lame={self.runtimes.broken}")
        self.assertEqual(done.returncode, 6)
        self.assertIn("no other OpenMP runtime", done.stderr)
        self.assertIn("libnowhere.so.7", done.stderr)

    def test_without_vicino(self):
        done = self.bench("--rounds", "1", env={**self.env, "VICINO_LIBRARY": str(self.runtimes.broken)})
        self.assertEqual(done.returncode, 6)
        self.assertIn("Vicino does not run here", done.stderr)


class Finds(Bench):
    """`--only parallel_1` measures in moments."""

    def files(self, **variables):
        found, _ = self.measured("--rounds", "1", "--threads", "1", "--only", "parallel_1",
                                 env={**self.env, **{name: str(value) for name, value in variables.items()}})
        return {side["name"]: (side["file"], side["found_in"]) for side in found["runtimes"]}

    def test_what_the_loader_has(self):
        files = self.files(HOME=self.work)
        self.assertEqual(list(files)[0], "Vicino")
        self.assertEqual(files["libgomp"][0], str(libgomp()))
        self.assertIn("libomp", files)

    def test_an_active_environment_comes_first(self):
        lib = self.work / "conda" / "lib"
        lib.mkdir(parents=True)
        shutil.copy(libgomp(), lib / "libgomp.so.1")
        meta = self.work / "conda" / "conda-meta"
        meta.mkdir()
        (meta / "libgomp-14.2.0-h77fa898_1.json").write_text('{"files": ["lib/libgomp.so.1"]}', encoding="utf-8")
        self.assertEqual(self.files(CONDA_PREFIX=self.work / "conda", HOME="/")["libgomp"],
                         (str(lib / "libgomp.so.1"), "CONDA_PREFIX"))
        found, text = self.written()
        self.assertEqual(found["runtimes"][1]["package"], "libgomp-14.2.0-h77fa898_1")
        self.assertIn("| libgomp | libgomp-14.2.0-h77fa898_1 |", text)

    def test_a_file_of_another_kind_is_passed_over(self):
        """As in conda's environments whose libgomp.so.1 is libomp, and where Vicino is the system's libgomp."""
        lib = self.work / "lib"
        lib.mkdir()
        replace = VICINO.parents[1] / "lib" / "vicino" / "replace"
        for name in ("libgomp.so.1", "libomp.so.5", "libiomp5.so"):
            (lib / name).symlink_to((replace / name).resolve())
        files = self.files(LD_LIBRARY_PATH=lib, HOME=self.work)
        self.assertEqual(files["libgomp"][0], str(libgomp()))
        for name in set(files) - {"Vicino"}:
            self.assertFalse(Path(files[name][0]).samefile(replace / "libgomp.so.1"), name)
        (lib / "libgomp.so.1").unlink()
        (lib / "libgomp.so.1").symlink_to(files["libomp"][0])
        self.assertEqual(self.files(LD_LIBRARY_PATH=lib, HOME=self.work)["libgomp"][0], str(libgomp()))


class Mistakes(Bench):
    def test_each_is_named_with_what_is_right(self):
        text = self.work / "text"
        text.write_text("no library", encoding="utf-8")
        for arguments, words in (
            (("--minutes", "0"), ("--minutes", "'0'", "0.01 to 10000")),
            (("--minutes", "five"), ("--minutes", "'five'")),
            (("--rounds", "0"), ("--rounds", "'0'")),
            (("--threads", "2000"), ("--threads", "'2000'", "1 to 1024")),
            (("--only", "constructs,best"), ("--only", "'best'", "constructs, tasks, loops, numa")),
            (("--with", "/nope.so"), ("--with", "'/nope.so' is not a file")),
            (("--with", f"x={text}"), ("--with", str(text), "no OpenMP runtime")),
            (("--with", self.runtimes.good, "--with", self.runtimes.good), ("'good.so'", "NAME=FILE")),
            (("--with", f"Vicino={self.runtimes.good}"), ("'Vicino'",)),
            (("--env", "A"), ("--env", "'A'", "NAME=VALUE")),
            (("more",), ("'more'",)),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_vicino("bench", "--output", self.page, *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertFalse(self.page.with_suffix(".md").exists())

    def test_a_page_that_cannot_be_written(self):
        """This is said before anything is measured."""
        done = self.run_vicino("bench", "--minutes", "1000", "--output", "/nope/page")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("'/nope/page.md'", done.stderr)

    def test_an_ending_is_not_doubled(self):
        done = self.run_vicino("bench", "--output", f"{self.page}.md", "--rounds", "1", "--only", "parallel_1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.written()


class Kit(unittest.TestCase):
    def needed(self, program):
        told = subprocess.run(["readelf", "-d", program], text=True, capture_output=True, check=True).stdout
        return set(re.findall(r"NEEDED.*\[(.*)\]", told))

    def test_programs_need_no_library_of_cplusplus(self):
        programs = sorted(KIT.iterdir())
        self.assertEqual([program.name for program in programs],
                         [f"{name}-{by}" for name in ("loops", "micro", "numa", "tasks") for by in ("clang", "gcc")])
        for program in programs:
            runtime = {"libgomp.so.1"} if program.name.endswith("gcc") else {"libomp.so.5", "libomp.so"}
            system = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-aarch64.so.1"}
            self.assertLessEqual(self.needed(program), runtime | system, program.name)
            self.assertTrue(self.needed(program) & runtime, program.name)

    def test_all_constructs_are_in_the_plan(self):
        listed = subprocess.run([KIT / "micro-gcc", "--list"], text=True, capture_output=True, check=True).stdout
        table = re.search(r"kConstructs\[\] = {(.*?)};",
                          (ROOT / "tools/vicino/bench_plan.cpp").read_text(encoding="utf-8"), re.S)[1]
        planned = [name for names in re.findall(r'"(.*)"', table) for name in names.split(",")]
        self.assertEqual(sorted(planned), sorted(line.split()[0] for line in listed.splitlines()))


class Sbatch(Bench):
    SCRIPT = ROOT / "docs" / "examples" / "bench.sbatch"

    def test_it_is_good_bash(self):
        subprocess.run(["bash", "-n", self.SCRIPT], check=True)

    def test_it_runs_as_a_job(self):
        env = {**self.env, "PATH": f"{VICINO.parent}:{os.environ['PATH']}", "MINUTES": "0.02", "SLURM_JOB_ID": "12"}
        done = subprocess.run(["bash", self.SCRIPT], cwd=self.work, env=env, text=True, capture_output=True,
                              check=False, timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.page = self.work / "vicino-12"
        found, _ = self.written()
        self.assertEqual(found["machine"]["facts"]["job of SLURM"], "JOB_ID=12")

    def test_it_runs_in_a_job_only(self):
        env = {**self.env, "PATH": f"{VICINO.parent}:{os.environ['PATH']}"}
        env.pop("SLURM_JOB_ID", None)
        done = subprocess.run(["bash", self.SCRIPT], cwd=self.work, env=env, text=True, capture_output=True,
                              check=False, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SLURM_JOB_ID: is set by sbatch", done.stderr)


if __name__ == "__main__":
    unittest.main()
