"""Tests of cmake/version.cmake: which commit a build names, and that a build of the same commit changes no file."""

import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = (".gitattributes", "cmake/version.cmake", "cmake/commit.txt")


class Version(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name).resolve()
        self.tree = self.work / "a tree"
        for name in (*COPIED, "include/vicino/version.h", "docs/README.md"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.tree / name)
        # An archive's commit.txt has been replaced: what is tested starts from the repository's own.
        (self.tree / "cmake/commit.txt").write_text("$Format" + ":%H$\n")

    def git(self, *words):
        settings = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        names = {f"GIT_{who}_{what}": "test@test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        clean = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(["git", "-C", self.tree, *words], env=clean | settings | names, check=True, text=True,
                              capture_output=True).stdout.strip()

    def commit(self):
        if not (self.tree / ".git").exists():
            self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "one")
        return "0.1.0+g" + self.git("rev-parse", "HEAD")[:12]

    def told(self, tree=None):
        tree = tree or self.tree
        subprocess.run(["cmake", f"-DSOURCE={tree}", "-DNUMBER=0.1.0", f"-DCODE={self.work}/version.cpp",
                        f"-DTEXT={self.work}/version.txt", "-P", tree / "cmake/version.cmake"], check=True)
        vicino, version = (self.work / "version.txt").read_text().split()
        self.assertEqual(vicino, "Vicino")
        self.assertIn(f'return "{version}";', (self.work / "version.cpp").read_text())
        return version

    def test_the_commit(self):
        self.assertEqual(self.told(), "0.1.0+unknown")
        first = self.commit()
        self.assertEqual(self.told(), first)
        second = self.commit()
        self.assertNotEqual(first, second)
        self.assertEqual(self.told(), second)

    def test_changed_sources_are_told(self):
        commit = self.commit()
        for name, ending in (("docs/README.md", ""), ("include/vicino/version.h", ".dirty")):
            with (self.tree / name).open("a") as file:
                file.write("\n")
            self.assertEqual(self.told(), commit + ending)
        (self.tree / "include/new.h").write_text("")
        self.git("checkout", "include/vicino/version.h")
        self.assertEqual(self.told(), commit)

    def test_the_same_commit_changes_no_file(self):
        self.commit()
        self.told()
        files = [self.work / "version.cpp", self.work / "version.txt"]
        for file in files:
            os.utime(file, (1, 1))
        self.told()
        self.assertEqual([file.stat().st_mtime for file in files], [1, 1])

    def test_an_archive_knows_its_commit(self):
        commit = self.commit()
        self.git("archive", "-o", self.work / "all.tar", "HEAD")
        with tarfile.open(self.work / "all.tar") as tar:
            tar.extractall(self.work / "unpacked")
        self.assertEqual(self.told(self.work / "unpacked"), commit)

    def test_a_copy_inside_of_another_repository_is_not_of_its_commit(self):
        self.commit()
        shutil.copytree(self.tree / "cmake", self.tree / "copy/cmake")
        self.assertEqual(self.told(self.tree / "copy"), "0.1.0+unknown")


if __name__ == "__main__":
    unittest.main()
