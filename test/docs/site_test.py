"""The site of the documentation: the strict build, which finds links and anchors that lead nowhere; that no page asks the
network for anything; the spelling. MkDocs and codespell come from PyPI; without them the test is skipped.
"""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = Path(__file__).with_name("words.txt")


def _builder():
    loader = importlib.machinery.SourceFileLoader("build", str(ROOT / "scripts/site/build"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("build", loader))
    loader.exec_module(module)
    return module


builder = _builder()


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.python = builder.python()  # ends the process with the status of a skipped test
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name)
        cls.status = builder.main(cls.site)

    def test_it_is_built(self):
        self.assertEqual(self.status, 0)
        for page in ("index", "start/hpc", "howto/slower", "reference/settings", "repository/README"):
            name = "repository/index" if page == "repository/README" else page
            self.assertTrue((self.site / f"{name}.html").is_file(), page)

    def test_nothing_is_fetched(self):
        for page in self.site.rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            fetched = re.findall(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*\"", text)
            self.assertEqual(fetched, [], page)

    def test_spelling(self):
        pages = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs")]
        done = subprocess.run([self.python, "-m", "codespell_lib", "--ignore-words", WORDS, "--skip", "*.svg,*.json,*.xml,*.profile",
                               *pages], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
