"""Each setting has a use: what config::Settings holds is read somewhere else than in its table."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "src/config/settings.hpp"
TABLE = ROOT / "src/config/table.cpp"
FIELD = re.compile(r"^  [\w:]+(?:<[^;=]*>)? (\w+)(?: = [^;]*|\{\})?;", re.MULTILINE)


def fields():
    text = HEADER.read_text()
    return FIELD.findall(text[text.index("struct Settings {"):text.index("bool operator==(const Settings&)")])


def unread(names):
    files = (file for folder in ("src", "tools", "mpi") for file in (ROOT / folder).rglob("*.[ch]pp"))
    texts = [file.read_text() for file in files if file not in (HEADER, TABLE)]
    return [name for name in names if not any(re.search(rf"[.>]{name}\b", text) for text in texts)]


class SettingsUsed(unittest.TestCase):
    def test_each_is_read(self):
        self.assertGreater(len(fields()), 40)
        self.assertIn("lend", fields())
        self.assertEqual(unread(fields()), [])

    def test_one_that_nobody_reads_is_found(self):
        self.assertEqual(unread(["lend", "nobody_reads_this"]), ["nobody_reads_this"])


if __name__ == "__main__":
    unittest.main()
