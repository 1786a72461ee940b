"""Cores lent between ranks (VICINO_LEND): who may borrow what, what is left when a rank is killed in any
state, whose file is used. The ranks have the variables of Slurm, set by hand, and do what they are told."""
import itertools
import os
import random
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from surroundings import HERE, LIBRARY, WORK, Case, Others, build, clean_environment, program, run_program, runtime

COMMAND = LIBRARY.parent.parent / "bin" / "vicino"


class Rank:
    """A rank of a job that runs test/surroundings/lend.c."""

    def __init__(self, rank, size, folder, job="7", by=None, flags=(), **settings):
        binary = program("lend", by, flags)
        environment = clean_environment()
        environment.pop("XDG_RUNTIME_DIR", None)
        environment |= runtime.Runtime(LIBRARY, WORK).environment() | {
            "SLURM_GTIDS": ",".join(map(str, range(size))), "SLURM_LOCALID": str(rank), "SLURM_JOB_ID": job,
            "SLURM_STEP_ID": "0", "TMPDIR": str(folder), "VICINO_LEND": "true"}
        environment |= {k: str(v) for k, v in settings.items()}
        self.process = subprocess.Popen([binary], env=environment, stdin=subprocess.PIPE, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=1)
        self.has_ended = self.was_killed = False

    def begin(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def answer(self):
        return self.process.stdout.readline().strip()

    def ask(self, *words):
        self.begin(*words)
        return self.answer()

    def size(self):
        """Of a region's team, whose members must be on different CPUs unless they share the rank's own."""
        return int(self.ask("region").split()[0])

    def kill(self):
        self.has_ended = True
        self.process.send_signal(signal.SIGKILL)
        self.was_killed = self.process.wait() == -signal.SIGKILL
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def end(self):
        """What it has said on standard error. It must end well, or have done so."""
        self.has_ended = True
        _, error = self.process.communicate(timeout=60)
        if self.process.returncode != 0:
            raise AssertionError(f"a rank ended with {self.process.returncode}\n{error}")
        return error


def share_run(rank):
    """Of the time in which nobody kept the rank's thread from running, the part in which it ran."""
    def times():
        ran, delay, _ = Path(f"/proc/{rank.process.pid}/schedstat").read_text().split()
        return int(ran) / 1e9, time.monotonic() - int(delay) / 1e9
    (ran, free), passed = times(), 0
    while passed < 0.2:
        time.sleep(0.1)
        ran_now, free_now = times()
        passed = free_now - free
    return (ran_now - ran) / passed


class Ranks(Case):
    ROUNDS = 40

    """Ranks of one job, each on a CPU of its own."""

    def setUp(self):
        self.cpus = sorted(os.sched_getaffinity(0))
        if len(self.cpus) < 2:
            self.skipTest("one CPU")
        self.folder = Path(tempfile.mkdtemp(prefix="vicino-lend-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.ranks = []

    def tearDown(self):
        for rank in self.ranks:
            if rank.process.poll() is None:
                rank.kill()
            for pipe in (rank.process.stdin, rank.process.stdout, rank.process.stderr):
                pipe.close()
        self.assertEqual({rank.process.returncode for rank in self.ranks if not rank.was_killed} - {0}, set())

    def rank(self, number, size=None, **settings):
        """A rank that has one CPU, as there are as many ranks as CPUs; it has joined."""
        self.ranks.append(Rank(number, size or len(self.cpus), self.folder, **settings))
        self.ranks[-1].ask("region")
        return self.ranks[-1]

    def files(self):
        return sorted(self.folder.glob("vicino-lend-*"))

    def only_file(self):
        (file,) = self.files()
        return file

    def eventually(self, rank, size):
        """Deaths are looked for now and then."""
        end = time.monotonic() + 20
        while rank.size() != size:
            self.assertLess(time.monotonic(), end, f"no team of {size}")

    def until_enough(self, least, play):
        """Plays rounds until each number that they give is above `least` in their sum. Other processes can keep
        threads from coming in time; but who has the machine sees it in a few rounds."""
        others = Others(rank.process.pid for rank in self.ranks if not rank.has_ended)
        sums = [0]
        for _ in range(self.ROUNDS):
            sums = [sum(numbers) for numbers in itertools.zip_longest(sums, play(), fillvalue=0)]
            if min(sums) > least:
                return
        self.skip_unless_quiet(others)
        self.fail(f"{sums} in {self.ROUNDS} rounds, and not more than {least}")

    def bodies_beside_pulses(self, a, b, least):
        def play():
            b.begin("pulse", 700, 1600)
            wide = int(a.ask("bodies", 1500, 1500))
            b.answer()
            return [wide]
        self.until_enough(least, play)

    def mixed_in_both(self, a, b, seed, least, what=""):
        seeds = itertools.count(seed)

        def play():
            for rank in (a, b):
                rank.begin("mixed", next(seeds), 1500, 1)
            answers = [rank.answer() for rank in (a, b)]
            for rank, answer in zip((a, b), answers):
                if not answer:
                    self.fail(f"ended with {rank.process.wait(60)}: {what} {seed}")
            return map(int, answers)
        self.until_enough(least, play)

    def end_all(self):
        for rank in self.ranks:
            if not rank.has_ended:
                self.assertEqual(rank.end(), "")
        self.assertEqual(self.files(), [])


class Lend(Ranks):
    # Lending and returning.

    def test_a_team_grows_by_what_is_lent_and_shrinks_when_it_is_wanted_back(self):
        a, b = self.rank(0), self.rank(1)
        self.assertEqual(a.ask("max"), f"{len(self.cpus)} 1")
        self.assertEqual((a.size(), b.size()), (1, 1))
        self.assertEqual(b.ask("lend"), "1")
        own, other = self.cpus[0], self.cpus[1]
        self.assertEqual(a.ask("region"), f"2 | {own} | {other}")
        self.assertEqual(a.ask("region"), f"2 | {own} | {other}")  # it is kept
        b.ask("reclaim")
        self.assertEqual(b.ask("region"), f"1 | {other}")
        self.assertEqual(a.ask("region"), f"1 | {own}")
        b.ask("lend")
        self.assertEqual(a.size(), 2)
        self.assertEqual(b.size(), 1)  # a region of several threads takes the core back
        a.ask("lend")
        b.ask("reclaim")
        self.assertEqual(b.ask("region"), f"2 | {other} | {own}")
        a.ask("reclaim")
        self.end_all()

    def test_the_owner_takes_the_borrowers_thread_off_its_core_in_the_middle_of_a_region(self):
        a, b = self.rank(0), self.rank(1)
        b.ask("lend")
        self.assertEqual(a.size(), 2)
        a.begin("moved", 30)
        self.assertEqual(a.answer(), "begun")
        b.ask("reclaim")
        self.assertEqual(a.answer().split(), [str(self.cpus[1]), str(self.cpus[0])])
        self.end_all()

    def test_the_borrowers_thread_goes_back_to_a_core_that_is_lent_again(self):
        a, b = self.rank(0), self.rank(1)
        own, other = self.cpus[0], self.cpus[1]
        b.ask("lend")
        self.assertEqual(a.ask("hold"), "held")
        b.ask("reclaim")  # a's thread goes home
        b.ask("lend")
        a.ask("done")
        self.assertEqual(a.ask("region"), f"2 | {own} | {other}")
        self.end_all()

    def test_members_that_may_join_late_run_all_of_the_body(self):
        a, b = self.rank(0), self.rank(1)
        self.bodies_beside_pulses(a, b, 20)
        self.end_all()

    def test_any_construct_in_a_region_that_a_member_may_join_late(self):
        for by in filter(lambda name: build.available(name, HERE / "lend.c"), ("gcc-12", "clang-19")):
            for way in ({}, {"KMP_DETERMINISTIC_REDUCTION": "true"}):
                seed = random.randrange(1 << 30)
                a, b = self.rank(0, by=by, **way), self.rank(1, by=by, **way)
                self.mixed_in_both(a, b, seed, 10, f"{by} {way}")
                self.end_all()

    def test_who_waits_polls_until_the_core_is_taken(self):
        a, b = self.rank(0), self.rank(1)
        b.begin("wait")
        # A delay is counted when it ends: of 0.2 s one that has not ended may be missing. Who sleeps runs 0.
        self.assertGreater(share_run(b), 0.5)
        self.assertEqual(a.ask("hold"), "held")
        self.assertLess(share_run(b), 0.2)
        a.ask("done"), b.ask("done")
        self.end_all()

    def test_num_threads_bounds_a_team(self):
        a, b = self.rank(0, OMP_NUM_THREADS=1), self.rank(1)
        b.ask("lend")
        self.assertEqual((a.ask("max"), a.size()), ("1 1", 1))
        self.end_all()

    def test_nothing_is_lent_inside_of_a_region_or_by_a_child(self):
        a, b = self.rank(0), self.rank(1)
        b.ask("lend")
        self.assertEqual(a.size(), 2)
        self.assertEqual(a.ask("inside"), "0")
        a.begin("child")
        self.assertTrue(a.answer().startswith("0 1 |"))
        self.assertEqual(a.size(), 2)  # the child's end has changed nothing
        self.end_all()

    def test_a_core_of_two_ranks_is_not_lent(self):
        size = 2 * len(self.cpus)
        a, b, c = (self.rank(number, size) for number in (0, len(self.cpus), 1))
        for rank in (a, b):  # the same CPU
            self.assertEqual(rank.ask("lend"), "0")
        self.assertEqual(c.size(), 1)
        self.end_all()

    def test_a_rank_that_has_ended_leaves_its_core(self):
        a, b = self.rank(0), self.rank(1)
        b.end()
        self.assertEqual(a.size(), 2)
        self.end_all()

    # Death.

    def test_a_lender_is_killed(self):
        for lent in ("never", "lent", "borrowed", "wanted back"):
            with self.subTest(lent=lent):
                a, b = self.rank(0), self.rank(1)
                if lent != "never":
                    b.ask("lend")
                if lent in ("borrowed", "wanted back"):
                    self.assertEqual(a.size(), 2)
                if lent == "wanted back":
                    b.ask("reclaim")
                b.kill()
                self.eventually(a, 2)  # nobody else's business
                b = self.rank(1)
                self.eventually(a, 1)
                b.ask("lend")
                self.assertEqual(a.size(), 2)
                b.ask("reclaim")
                self.assertEqual(a.size(), 1)
                self.end_all()

    def test_a_borrower_is_killed(self):
        for wanted in (False, True):
            with self.subTest(wanted=wanted):
                a, b = self.rank(0), self.rank(1)
                b.ask("lend")
                self.assertEqual(a.size(), 2)
                if wanted:
                    b.ask("reclaim")
                a.kill()
                self.assertIn(b.size(), (1, 2))  # 2 if it has seen that the other is dead
                a = self.rank(0)
                b.ask("lend")
                self.assertEqual(a.size(), 2)
                b.ask("reclaim")
                self.assertEqual(a.size(), 1)
                self.end_all()

    def test_ranks_are_killed_and_begun_anew_at_random(self):
        seed = int(os.environ.get("LEND_SEED", "0")) or random.randrange(1, 1 << 30)
        chance = random.Random(seed)
        with self.subTest(seed=seed):
            ranks = {number: self.rank(number) for number in range(2)}
            for _ in range(12):
                for rank in ranks.values():
                    rank.begin("live", chance.randrange(1 << 30), 300)
                time.sleep(chance.uniform(0, 0.3))
                victim = chance.randrange(2)
                ranks[victim].kill()
                regions, _ = map(int, ranks[1 - victim].answer().split())
                self.assertGreater(regions, 0)
                ranks[victim] = self.rank(victim)
            # Nothing is lost, and nothing is lent that should not be.
            for a, b in ((0, 1), (1, 0)):
                ranks[b].ask("reclaim")
                self.eventually(ranks[a], 1)
                ranks[b].ask("lend")
                self.eventually(ranks[a], 2)
                ranks[b].ask("reclaim")
                self.eventually(ranks[a], 1)
            self.end_all()

    # The file.

    def test_two_jobs_do_not_mix(self):
        a, b, other = self.rank(0), self.rank(1), self.rank(0, job="8")
        b.ask("lend")
        self.assertEqual((other.size(), a.size()), (1, 2))
        self.assertEqual(len(self.files()), 2)
        self.end_all()

    def test_the_file_is_the_users_own(self):
        rank = self.rank(0)
        status = self.only_file().stat()
        self.assertEqual((stat.S_IMODE(status.st_mode), status.st_uid), (0o600, os.geteuid()))
        self.assertEqual(list(Path("/dev/shm").glob("vicino*")), [])
        self.assertEqual(rank.end(), "")
        self.assertEqual(self.files(), [])

    def refused(self, spoil, why):
        """A rank that finds the file spoilt says so once, and lends nothing."""
        rank = self.rank(0)
        file = self.only_file()
        self.assertEqual(rank.end(), "")
        spoil(file)
        late = self.rank(1)
        self.assertEqual((late.ask("lend"), late.size()), ("0", 1))
        error = late.end()
        self.assertEqual(error, f"vicino: VICINO_LEND: {file}: {why}; no cores are lent\n")
        return file

    def test_a_file_of_others_is_refused(self):
        def open_to_others(file):
            file.touch()
            file.chmod(0o666)

        def link(file):
            target = self.folder / "target"
            target.write_text("precious")
            file.symlink_to(target)

        def of_another_user(file):
            file.touch(0o600)
            os.chown(file, 12345, -1)

        def folder(file):
            file.mkdir()

        file = self.refused(open_to_others, "other users may open it")
        file.unlink()
        file = self.refused(link, "Too many levels of symbolic links")
        self.assertEqual((self.folder / "target").read_text(), "precious")
        file.unlink()
        file = self.refused(folder, "Is a directory")
        file.rmdir()
        if os.geteuid() == 0:
            self.refused(of_another_user, "it belongs to another user")

    def test_a_full_folder_is_refused(self):
        full = self.folder / "full"
        full.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", full], check=False,
                          capture_output=True).returncode:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", full], check=True)
        with self.assertRaises(OSError), (full / "fill").open("wb", buffering=0) as fill:
            for _ in range(8):
                fill.write(bytes(4096))
        rank = Rank(0, 2, full)
        self.ranks.append(rank)
        self.assertEqual(rank.ask("lend"), "0")
        self.assertIn("No space left on device; no cores are lent", rank.end())

    def test_a_damaged_file_in_use_is_refused(self):
        rank = self.rank(0)
        with self.only_file().open("r+b") as file:
            file.write(b"garbage!")
        late = self.rank(1)
        self.assertEqual(late.ask("lend"), "0")
        self.assertIn("it is damaged, or of another version of Vicino", late.end())
        self.assertEqual(rank.size(), 1)

    def test_files_of_dead_jobs_are_taken_over_or_cleared(self):
        self.rank(0).kill()
        stale = self.only_file()
        stale.write_bytes(b"garbage")
        a, b = self.rank(0), self.rank(1)
        b.ask("lend")
        self.assertEqual((a.size(), self.only_file()), (2, stale))
        a.kill(), b.kill()
        living, other = self.rank(0, job="8"), self.rank(0, job="9")
        self.assertFalse(stale.exists())
        self.assertEqual(len(self.files()), 2)
        self.end_all()

    def test_a_process_that_a_rank_has_started_lends_nothing(self):
        first, second = self.rank(0), self.rank(0)
        self.assertEqual(second.ask("lend"), "0")
        self.assertEqual(second.end(), "")
        self.assertEqual(first.ask("lend"), "1")
        self.end_all()

    # What is told.

    def test_why_nothing_is_lent(self):
        two = {"SLURM_GTIDS": "0,1", "SLURM_LOCALID": "0", "SLURM_JOB_ID": "1", "SLURM_STEP_ID": "0"}
        for settings, why in (
                ({}, "no launcher of an MPI program has told of other ranks"),
                (two | {"SLURM_GTIDS": "0"}, "there is one rank on this machine"),
                (two | {"OMP_PLACES": "cores"}, "OMP_PLACES says where threads run"),
                (two | {"OMP_PROC_BIND": "close"}, "OMP_PROC_BIND says where threads run"),
                (two | {"VICINO_RANKS": "off"}, "VICINO_RANKS is off"),
                ({"SLURM_GTIDS": "0,1", "SLURM_LOCALID": "0"}, "the launcher does not tell this job from others")):
            with self.subTest(why=why):
                output, _ = run_program(self, COMMAND, "topo", VICINO_LEND="true", **settings)
                self.assertIn(f"no cores are lent, because {why}\n", output)
        output, _ = run_program(self, COMMAND, "topo", VICINO_LEND="true", TMPDIR=self.folder, **two)
        self.assertIn(f"up to {len(self.cpus)} threads, with cores that other ranks lend", output)
        self.assertNotIn("lend", run_program(self, COMMAND, "topo", **two)[0])

    def test_the_explanation(self):
        a, b = self.rank(0, VICINO_EXPLAIN="true"), self.rank(1, VICINO_EXPLAIN="true")
        b.ask("lend")
        a.ask("region")
        b.ask("reclaim")
        a.ask("region")
        self.assertRegex(a.end(), r"rank 0 here: cores were lent 0 times, for 0 ms together, and borrowed 1 time, "
                                  r"for [\d.]+ ms; borrowed cores were wanted back 1 time, and given back within "
                                  r"[\d.]+ ms at the most")
        self.assertRegex(b.end(), r"rank 1 here: cores were lent 1 time, for [\d.]+ ms together, and borrowed 0 "
                                  r"times, for 0 ms; other ranks' threads were moved away 1 time, within [\d.]+ ms")


if __name__ == "__main__":
    unittest.main(verbosity=2)
