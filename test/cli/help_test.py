"""Help, version and manual pages: what they contain, and that they fit a screen."""

import json
import shutil
import subprocess
import unittest
from pathlib import Path

from command import Case

COMMANDS = ("run", "compare", "bench", "explain", "profile", "topo", "selftest", "doctor", "graph", "settings",
            "schedules", "convert", "help")
INNER = ("profile show", "profile merge", "profile prune")


class Help(Case):
    def test_fits_a_screen(self):
        for command in ((), *(name.split() for name in COMMANDS + INNER)):
            with self.subTest(command=command):
                done = self.run_vicino(*command, "--help")
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stdout.splitlines()
                self.assertLess(len(lines), 24)  # the prompt takes one line
                self.assertLessEqual(max(map(len, lines)), 80)
                self.assertIn("Usage: " + " ".join(("vicino", *command)), done.stdout)

    def test_names_a_way_to_the_manual(self):
        # The installed program's is in test/install.
        for command in ((), *(name.split() for name in COMMANDS + INNER)):
            last = self.run_vicino(*command, "--help").stdout.splitlines()[-1]
            self.assertEqual(last, "More: " + " ".join(("vicino", "--man", *command)) + " | man -l -")

    def test_root_names_every_command(self):
        text = self.run_vicino("--help").stdout
        for name in COMMANDS:
            self.assertIn(f"\n  {name} ", text)
        text = self.run_vicino("profile", "--help").stdout
        for name in INNER:
            self.assertIn(f"\n  {name.split()[1]} ", text)

    def test_manual_has_every_option_of_the_help(self):
        for name in COMMANDS + INNER:
            with self.subTest(command=name):
                page = self.run_vicino("--man", *name.split()).stdout.replace("\\-", "-")
                title = name.upper().replace(" ", "-")
                self.assertTrue(page.startswith(f".TH VICINO-{title} 1"), page[:60])
                help_text = self.run_vicino(*name.split(), "--help").stdout
                for word in help_text.partition("\nMore: ")[0].split():
                    if word.startswith("--") and word.strip("-,"):
                        self.assertIn(word, page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_manual_is_good_roff(self):
        for command in ((), *(name.split() for name in COMMANDS + INNER)):
            page = self.run_vicino("--man", *command).stdout
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, text=True,
                                  capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_manual_lists_settings_as_tags(self):
        page = self.run_vicino("--man", "settings").stdout
        self.assertIn(".TP\n.B OMP_NUM_THREADS, OMP_NUM_THREADS_ALL\n", page)
        self.assertIn("OMP_NUM_THREADS", self.run_vicino("settings").stdout)

    def test_version(self):
        self.assertRegex(self.run_vicino("--version").stdout, r"^vicino \d+\.\d+\.\d+\+(g[0-9a-f]{12}(\.dirty)?|unknown)\n$")


class Mistakes(Case):
    def test_each_is_named_with_what_is_right(self):
        for command, status, texts in (
            ((), 2, ("no command",)),
            (("tun",), 2, ("'tun' is not a command",)),
            (("compare", "--pairs", "0", "ls"), 2, ("--pairs", "'0'", "from 1")),
            (("compare", "--at-once", "0", "ls"), 2, ("--at-once", "'0'", "from 1 to 256")),
            (("compare", "--at-once", "257", "ls"), 2, ("--at-once", "'257'", "from 1 to 256")),
            (("compare", "--at-once", "two", "ls"), 2, ("--at-once", "'two'", "from 1 to 256")),
            (("compare", "--time", "5x", "ls"), 2, ("--time", "'5x'", "1.5s")),
            (("compare", "--metric", "([", "ls"), 2, ("--metric", "'(['", "regular expression")),
            (("compare", "--metric", "x", "ls"), 2, ("--higher-is-better", "--lower-is-better")),
            (("compare", "--higher-is-better", "ls"), 2, ("--metric",)),
            (("compare", "--with", "/nope", "ls"), 2, ("--with", "'/nope'")),
            (("compare",), 2, ("no program",)),
            (("doctor", "--env", "A", "ls"), 2, ("--env", "'A'", "NAME=VALUE")),
            (("compare", "--warmup"), 2, ("--warmup takes a value",)),
            (("bench", "--output", ""), 2, ("--output: its value is empty",)),
            (("topo", "more"), 2, ("'more'",)),
            (("topo", "--machine", "/nope"), 2, ("--machine", "/nope")),
            (("topo", "--places", "{x}"), 2, ("{x}",)),
            (("run",), 125, ("no program",)),
            (("run", "--nope", "ls"), 125, ("'--nope'",)),
            (("run", "--threads", "x", "ls"), 125, ("--threads", "'x'", "positive")),
            (("run", "--schedule", "best", "ls"), 125, ("--schedule", "'best'", "guided")),
            (("run", "--config", "/nope", "ls"), 125, ("--config", "/nope: No such file")),
            (("run", "--env", "A", "ls"), 125, ("--env", "'A'", "NAME=VALUE")),
        ):
            with self.subTest(command=command):
                done = self.run_vicino(*command)
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                for text in texts:
                    self.assertIn(text, done.stderr)


class Topo(Case):
    def test_shows_machine_places_and_team(self):
        done = self.run_vicino("topo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\d+ places?:\n\{")
        self.assertIn("default team: ", done.stdout)

    def test_places_of_the_setting(self):
        done = self.run_vicino("topo", "--json", env={**self.env, "OMP_PLACES": "sockets(1)"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count('"places": [\n'), 1)

    def test_priorities_as_json(self):
        file = Path(__file__).resolve().parents[1] / "machines" / "opteron-8x2-ladder.xml"
        done = self.run_vicino("topo", "--machine", str(file), "--priorities", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)["priorities"]
        self.assertEqual(told["order"][:9], [4, 5, 6, 7, 8, 9, 0, 1, 10])
        self.assertAlmostEqual(told["cores"][4]["final"], 101864 / 4225)
        self.assertAlmostEqual(sum(each["weight"] for each in told["weights"]), 1)


if __name__ == "__main__":
    unittest.main()
