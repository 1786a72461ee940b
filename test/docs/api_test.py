"""The pages of the functions: docs/reference/api.md is what scripts/site/api.py writes, and on these pages each function that
the library exports for programs, each class of the C++ headers and each name of the Python package has a description. Their
language is that of the other pages. libclang and griffe come from PyPI; without them the test is skipped.
"""

import ast
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import language_test
from site_test import builder

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "scripts/site/api.py"
LIST = ROOT / "docs/reference/api.md"
EXPORTS = ROOT / "packaging/abi/exports.txt"
PYTHON = ROOT / "packaging/python/vicino/__init__.py"


def for_users(header):
    """A header's text without parts of macros, and without namespaces `detail`."""
    text = (ROOT / "include/vicino" / header).read_text(encoding="utf-8").partition("From here on: parts of")[0]
    return re.sub(r"^namespace detail \{$.*?^\}  // namespace detail$", "", text, flags=re.DOTALL | re.MULTILINE)


def headers():
    return sorted(path.name for path in (ROOT / "include/vicino").glob("*.h*"))


def described(page):
    """Name -> whether there is a description below each heading with it."""
    found = {}
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        heading, _, rest = section.partition("\n")
        text = re.sub(r"^```.*?^```$", "", rest, flags=re.DOTALL | re.MULTILINE).strip()
        for name in re.findall(r"`([^`]+)`", heading):
            found[name] = bool(text) and found.get(name, True)
    return found


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.python = builder.python()  # ends the process with the status of a skipped test
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run([cls.python, "-B", API, folder.name], check=True)
        cls.pages = {path.stem: path.read_text(encoding="utf-8") for path in Path(folder.name).iterdir()}
        cls.described = {stem: described(page) for stem, page in cls.pages.items()}

    def test_list(self):
        made = subprocess.run([self.python, "-B", API], check=True, capture_output=True, text=True).stdout
        self.assertEqual(LIST.read_text(encoding="utf-8"), made,
                         f"{LIST} is not what `{self.python} scripts/site/api.py` prints")

    def test_all_are_described(self):
        self.assertEqual(set(self.pages), {*headers(), "python"})
        for stem, names in self.described.items():
            self.assertEqual([name for name, it_is in names.items() if not it_is], [], f"without a description in {stem}")

    def test_functions_of_c(self):
        exports = re.findall(r"^func (vicino_\w+)$", EXPORTS.read_text(encoding="utf-8"), re.MULTILINE)
        for header in (name for name in headers() if name.endswith(".h")):
            declared = {name for name in exports if re.search(rf"^\w[\w *]*\b{name}\(", for_users(header), re.MULTILINE)}
            self.assertEqual(declared - set(self.described[header]), set(), header)
        shown = set().union(*(self.described[name] for name in headers() if name.endswith(".h")))
        parts = {"vicino_kmpc_taskgraph", "vicino_kmpc_taskgraph_task"}    # what compilers call
        parts |= {name for name in exports if name.startswith("vicino_forall_")}    # what the macros of forall.h call
        self.assertEqual(set(exports) - shown, parts)

    def test_macros(self):
        for header in headers():
            defined = set(re.findall(r"^#define (\w+[A-Za-z0-9])\b(?!_)", for_users(header), re.MULTILINE))
            guard = "VICINO_" + header.upper().replace(".", "_")
            self.assertEqual(defined - {guard} - set(self.described[header]), set(), header)

    def test_classes_and_functions_of_cpp(self):
        for header in (name for name in headers() if name.endswith(".hpp")):
            declared = set(re.findall(r"^(?:class|struct) (\w+)", for_users(header), re.MULTILINE))
            declared |= set(re.findall(r"^(?:\w+ )+(\w+)\(", for_users(header), re.MULTILINE))
            self.assertTrue(declared)
            self.assertEqual(declared - set(self.described[header]), set(), header)

    def test_python(self):
        module = ast.parse(PYTHON.read_text(encoding="utf-8"))
        offered = next(ast.literal_eval(one.value) for one in module.body
                       if isinstance(one, ast.Assign) and one.targets[0].id == "__all__")
        self.assertEqual(set(self.described["python"]), {f"vicino.{name}" for name in offered})

    def test_language(self):
        for stem, page in self.pages.items():
            self.assertEqual(language_test.faults(f"docs/reference/api/{stem}.md", page), [], stem)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
