"""vicino run --report and VICINO_REPORT: what ran on which runtime; and what VICINO_STATS says of regions."""

import json
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

from command import VICINO
from programs import CLANG, GCC, ProgramsCase

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))

from report import copies  # noqa: E402

CPUS = len(os.sched_getaffinity(0))
TOO_MANY = 2 * CPUS

REGIONS = r"""
#include <stdlib.h>
static volatile int sink;
int main(void) {
  const int times = atoi(getenv("TIMES")), threads = atoi(getenv("THREADS"));
  for (int t = 0; t < times; ++t) {
#pragma omp parallel num_threads(threads)
    sink = t;
  }
#pragma omp parallel if(0)
  sink = 0;
}
"""
AUTO = r"""
int main(void) {
  long sum = 0;
  for (int t = 0; t < 20; ++t) {
#pragma omp parallel for schedule(auto) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i;
  }
  return sum < 0;
}
"""
NESTED = r"""
#include <unistd.h>
int main(void) {
#pragma omp parallel num_threads(2)
  for (int t = 0; t < 5; ++t) {
#pragma omp parallel num_threads(3)
    usleep(20000);
  }
}
"""
LONG = r"""
#include <unistd.h>
#include <stdlib.h>
int main(void) {
  for (int t = 0; t < 150; ++t) {
#pragma omp parallel num_threads(atoi(getenv("THREADS")))
    usleep(2000);
  }
}
"""
SECTIONS = r"""
#include <stdlib.h>
static int seen[2];
int main(void) {
  for (int t = 0; t < 2000; ++t) {
#pragma omp parallel sections num_threads(atoi(getenv("THREADS")))
    {
      seen[0] = t;
#pragma omp section
      seen[1] = t;
    }
  }
}
"""
FORKS = r"""
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
static void regions(int times) {
  for (int t = 0; t < times; ++t) {
#pragma omp parallel num_threads(2)
    sink = t;
  }
}
int main(void) {
  regions(7);
  if (fork() == 0) exit(0);
  wait(0);
  if (fork() == 0) {
    regions(3);
    exit(0);
  }
  wait(0);
}
"""
NOTHING = "int main(void) { return 0; }"


def blocks(text):
    """The reports in a text, one for each process."""
    return [part for part in re.split(r"^(?=vicino: report of process )", text, flags=re.MULTILINE) if part]


def masked(block):
    """A report without what differs from run to run and from machine to machine."""
    block = re.sub(r"(?m)^  /.*/(libgomp\.so\.1|libvicino\.so\S*) \(Vicino [\d.]+\+\w+(\.dirty)?\)", "  LIBRARY (Vicino)", block)
    block = re.sub(r"process \d+, .*", "process NUMBER", block)
    block = re.sub(r"\d+ %", "SHARE", re.sub(r"\+0x\w+", "+OFFSET", block))
    block = re.sub(r"CPUs for a team: \d+|\{\d+\}(,\{\d+\})*", "CPUS", block)
    return re.sub(r"[\d.]+ (ns|us|ms|s)\b", "TIME", block)


class Reports(ProgramsCase):
    def ran(self, source, *options, compiler=GCC, **settings):
        settings = {"OMP_NUM_THREADS": "2", "TIMES": "10", "THREADS": "2", "VICINO_STATS": "false", **settings}
        return self.programs.run(self.programs.build(source, compiler), *options, **settings)

    def told(self, source, **settings):
        """The report of the only process, as JSON."""
        file = self.work / "report.json"
        self.ran(source, f"--report={file}", **settings)
        return json.loads(file.read_text(encoding="utf-8"))


class Report(Reports):
    def test_nothing_is_said_unless_asked(self):
        self.assertEqual(self.ran(REGIONS).stderr, "")
        self.assertEqual(self.ran(REGIONS, VICINO_REPORT="false").stderr, "")

    def test_the_page_shows_what_is_told(self):
        page = (ROOT / "docs" / "reference" / "run.md").read_text(encoding="utf-8")
        [shown] = re.findall(r"^vicino run --report ./regions\n\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        program = self.programs.build(ROOT / "docs" / "examples" / "regions.c", GCC)
        done = self.programs.run(program, "--report", OMP_PROC_BIND="close", VICINO_STATS="false",
                                 OMP_NUM_THREADS="2")
        lines = masked(done.stderr).splitlines()
        # On a machine with one CPU the report has notes.
        self.assertEqual([line for line in lines if not line.startswith("note: ")], masked(shown).splitlines())

    def test_regions_are_counted_by_both_compilers(self):
        for compiler in (GCC, CLANG):
            with self.subTest(compiler=compiler):
                told = self.told(REGIONS, compiler=compiler, TIMES="25")
                self.assertEqual((told["regions"], told["binding"]), (26, "threads are not bound"))
                self.assertEqual({k["threads"]: k["regions"] for k in told["region_kinds"]}, {2: 25, 1: 1})
                self.assertEqual(sum(k["ns"] for k in told["region_kinds"]), told["region_ns"])
                self.assertLess(told["region_ns"], 20e9)
                self.assertTrue(os.path.samefile(told["vicino"], VICINO.parent.parent / "lib" / "libvicino.so"))
                self.assertEqual(told["other_runtimes"], [])

    def test_time_is_that_of_the_outer_regions(self):
        told = self.told(NESTED, OMP_MAX_ACTIVE_LEVELS="2")
        self.assertEqual({(k["threads"], k["asked"], k["inner"]): k["regions"] for k in told["region_kinds"]},
                         {(2, 2, False): 1, (3, 3, True): 10})
        [outer] = [k["ns"] for k in told["region_kinds"] if not k["inner"]]
        self.assertEqual(told["region_ns"], outer)
        self.assertGreater(outer, 5e6)
        self.assertGreater(sum(k["ns"] for k in told["region_kinds"]), 2 * outer)

    def test_each_process_tells_its_own(self):
        parts = blocks(self.ran(FORKS, "--report").stderr)
        self.assertEqual([re.findall(r"it ran (\d+) region", part) for part in parts], [["3"], ["7"]])
        numbers = [re.match(r"vicino: report of process (\d+), ", part)[1] for part in parts]
        self.assertEqual(len(set(numbers)), 2)

    def test_a_block_is_one_write(self):
        program = self.programs.build(REGIONS, GCC)
        read, write = os.pipe2(os.O_DIRECT)  # packets
        try:
            subprocess.run([VICINO, "run", "--report", program], check=True, timeout=60, stderr=write,
                           env=os.environ | {"TIMES": "3", "THREADS": "2"})
            packet = os.read(read, 1 << 16).decode()
        finally:
            os.close(read), os.close(write)
        self.assertTrue(packet.startswith("vicino: report of process "), packet)
        self.assertIn("binding: ", packet)

    def test_the_process_that_was_asked_answers_even_without_openmp(self):
        program = self.programs.build(NOTHING, GCC)
        done = self.programs.run(program, "--report", VICINO_STATS="false")
        self.assertRegex(done.stderr, r"\Avicino: report of process \d+, .*\nOpenMP runtimes in it:\n"
                         r"  /\S+ \(Vicino \S+\): it ran no region\nsettings: OMP_NUM_THREADS=4\n\Z")
        self.assertEqual(self.programs.run(program, VICINO_REPORT="true", VICINO_STATS="false").stderr, "")

    def test_json_has_points_where_the_program_prints_commas(self):
        """In the locale that a user of another language has, and that the program asks for."""
        (self.work / "commas").write_text('LC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n')
        subprocess.run(["localedef", "-c", "--no-archive", "-i", self.work / "commas", self.work / "xx"], check=False,
                       capture_output=True)
        program = self.programs.build("""
            #include <locale.h>
            #include <stdio.h>
            int main(void) {
              setlocale(LC_ALL, "");
              #pragma omp parallel for schedule(dynamic)
              for (int i = 0; i < 100; ++i) { for (volatile int k = 0; k < 10000; ++k); }
              printf("%.1f\\n", 0.5);
            }""", GCC)
        files = {name: self.work / f"{name}.json" for name in ("VICINO_STATS", "VICINO_REPORT")}
        done = self.programs.run(program, LC_ALL="xx", LOCPATH=str(self.work), **{k: str(v) for k, v in files.items()})
        self.assertEqual(done.stdout, "0,5\n")
        for file in files.values():
            json.loads(file.read_text(encoding="utf-8"))

    def test_a_file_for_each_process(self):
        self.ran(FORKS, VICINO_REPORT=f"{self.work}/report-%p.json")
        told = [json.loads(file.read_text(encoding="utf-8")) for file in self.work.glob("report-*.json")]
        self.assertEqual(sorted(one["regions"] for one in told), [3, 7])
        for one in told:
            self.assertTrue((self.work / f"report-{one['process']}.json").exists())

    def test_a_file_that_cannot_be_written(self):
        done = self.ran(REGIONS, VICINO_REPORT="/nowhere/at/all.json")
        self.assertEqual(done.stderr, "vicino: VICINO_REPORT: cannot write /nowhere/at/all.json: "
                         "No such file or directory\n")

    def test_names_that_are_no_text(self):
        """Bytes that are no UTF-8 are replaced, and what is UTF-8 stays."""
        program = self.programs.build(REGIONS, GCC)
        for name, told in ((b"caf\xe9", "caf\ufffd"), (b"a\xc3\xa9\xf0\x9f\x98\x80", "a\u00e9\U0001f600"),
                           (b"\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80", "\ufffd" * 9), (b"\xe2\x82", "\ufffd\ufffd")):
            with self.subTest(name=name):
                link, file = self.work / os.fsdecode(name), self.work / "report.json"
                link.symlink_to(program)
                self.programs.run(link, f"--report={file}", TIMES="10", THREADS="2")
                self.assertTrue(json.loads(file.read_bytes().decode())["program"].endswith(told))

    def test_settings_and_binding(self):
        told = self.told(REGIONS, OMP_PROC_BIND="spread", VICINO_SCHEDULE="nich")
        self.assertEqual(set(told["settings"]), {"OMP_NUM_THREADS=2", "OMP_PROC_BIND=SPREAD",
                                                 "VICINO_SCHEDULE=nich"})
        self.assertRegex(told["binding"], r"^SPREAD, to places \{\d+")


class AtTheEnd(ProgramsCase):
    def test_statistics_the_explanation_and_the_report_come_in_this_order(self):
        program = self.programs.build(AUTO, CLANG)
        done = self.programs.run(program, VICINO_STATS="true", VICINO_EXPLAIN="true", VICINO_REPORT="true")
        places = [done.stderr.find(text) for text in
                  ("vicino: regions by thread", "vicino: loops by place", "vicino: loops that the tuner chose for",
                   "vicino: report of process")]
        self.assertNotIn(-1, places, done.stderr)
        self.assertEqual(places, sorted(places), done.stderr)


class Advice(Reports):
    """The report says what would have helped: advice on regions that are short, many and wider than the
    machine."""

    ADVICE = "threads were asked for on"

    def remarks(self, source, **settings):
        settings = {"THREADS": str(TOO_MANY), "TIMES": "200", **settings}
        return self.told(source, **settings)["remarks"]

    def test_more_threads_than_cpus(self):
        for _ in range(20):  # beside other load, regions may last longer than those that the advice is for
            remarks = self.remarks(REGIONS)
            if remarks:
                break
        [told] = remarks
        self.assertRegex(told, rf"^{TOO_MANY} {self.ADVICE} {CPUS} CPUs? in 200 regions of [\d.]+ [um]s: "
                         "OMP_DYNAMIC=true lets Vicino choose fewer$")

    def test_where_it_would_not_help_none_is_given(self):
        for why, source, settings in (("few", REGIONS, {"TIMES": "50"}), ("long", LONG, {}),
                                      ("not wide", REGIONS, {"THREADS": str(CPUS)}),
                                      ("run alone", SECTIONS, {})):
            with self.subTest(why=why):
                told = [one for one in self.remarks(source, **settings) if self.ADVICE in one]
                if why == "run alone" and told:  # regions before the tuner chose to run them alone
                    self.assertLess(int(re.search(r"in (\d+) regions", told[0])[1]), 1500)
                else:
                    self.assertEqual(told, [])

    def test_none_is_given_of_a_library_that_needs_all_its_threads(self):
        rules = self.work / "rules.toml"
        rules.write_text("[[module]]\nfile = '*'\nfewer_threads = false\n", encoding="utf-8")
        self.assertEqual(self.remarks(REGIONS, VICINO_CONFIG=str(rules)), [])

    @unittest.skipIf(CPUS < 2, "one CPU: no region has several threads")
    def test_among_other_processes(self):
        settings = {"THREADS": str(CPUS), "TIMES": "30000"}
        with copies.Endless(2 * CPUS):
            [advised] = self.remarks(REGIONS, **settings)
            decided = self.remarks(REGIONS, **settings, OMP_DYNAMIC="true")
        self.assertRegex(advised, r"^other processes wanted the CPUs for [\d.]+ m?s, and 30000 regions of several "
                         r"threads took [\d.]+ m?s: OMP_DYNAMIC=true lets Vicino leave CPUs to the others$")
        self.assertRegex(decided[-1], rf"^{CPUS} threads were asked for in \d+ regions?, and fewer were used, as "
                         "other processes wanted the CPUs: OMP_DYNAMIC allows that$")

    def test_what_was_decided_is_said(self):
        for _ in range(20):  # beside other load, some regions may have had fewer
            told, *more = self.remarks(REGIONS, OMP_DYNAMIC="true")
            if not more:
                break
        regions = r"\d+ regions?" if more else "200 regions"
        self.assertRegex(told, f"^{TOO_MANY} threads were asked for in {regions}, and {CPUS} were used, as "
                         f"there {'are' if CPUS > 1 else 'is'} {CPUS} CPU{'s' * (CPUS > 1)}: "
                         "OMP_DYNAMIC allows that$")


class Stats(ProgramsCase):
    def test_regions_of_each_thread(self):
        file = self.work / "stats.json"
        program = self.programs.build(NESTED, GCC)
        start = time.monotonic_ns()
        self.programs.run(program, OMP_MAX_ACTIVE_LEVELS="2", VICINO_STATS=str(file))
        elapsed = time.monotonic_ns() - start
        regions = json.loads(file.read_text(encoding="utf-8"))["regions"]
        self.assertEqual([(one["regions"], one["threads_max"]) for one in regions], [(6, 3), (5, 3)])
        self.assertGreater(regions[0]["region_ns"], 100e6)
        self.assertLess(regions[0]["region_ns"], elapsed)  # a region inside its own is not counted twice

    def test_table(self):
        done = self.programs.run(self.programs.build(REGIONS, GCC), VICINO_STATS="true", TIMES="25", THREADS="2")
        title, head, row = done.stderr.splitlines()[:3]
        self.assertEqual(title, "vicino: regions by thread that led them")
        told = dict(zip(head.split(), row.split(), strict=True))
        self.assertEqual((told["thread"], told["regions"], told["threads_max"]), ("0", "26", "2"))
        self.assertGreater(int(told["region_ns"]), 0)


if __name__ == "__main__":
    unittest.main()
