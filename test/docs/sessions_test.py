"""What counts as shown, and that what differs is found."""

import os
import tempfile
import unittest
from pathlib import Path

import sessions


def shown(block, before=""):
    return f"{before}```console\n{block}```\n"


class Sessions(unittest.TestCase):
    def run_page(self, text):
        with tempfile.TemporaryDirectory() as folder:
            return sessions.run(text, Path(folder), dict(os.environ), 60)

    def refuses(self, text):
        with self.assertRaises((AssertionError, ValueError)):
            self.run_page(text)

    def test_what_is_printed_is_shown(self):
        self.assertEqual(self.run_page(shown("$ echo one\none\n$ printf 'a\\nb\\n'\na\nb\n")), 2)
        self.assertEqual(self.run_page(shown("$ V=2\n$ echo $V\n2\n")), 2)
        self.assertEqual(self.run_page(shown("$ echo a b c\na ... c\n")), 1)
        self.assertEqual(self.run_page("Take `a.txt`:\n\n```text\nhere\n```\n\n" + shown("$ cat a.txt\nhere\n")), 1)

    def test_what_is_not(self):
        self.refuses(shown("$ echo one\ntwo\n"))
        self.refuses(shown("$ echo 1\n2\n"))
        self.refuses(shown("$ false\n"))
        self.refuses(shown("$ exit 0\n$ echo one\none\n"))
        self.refuses(shown("one\n"))

    def test_figures(self):
        vary = "<!-- figures vary -->\n"
        self.run_page(shown("$ echo took   3.5 us, 12 %\ntook 110 ms, 9 %\n", vary))
        self.refuses(shown("$ echo took 3.5 us\ntook 3.5 GB\n", vary))
        self.refuses(shown("$ echo took 3.5 us\ntook long\n", vary))
        cut = '<!-- figures vary, and all from "so" on -->\n'
        self.run_page(shown("$ echo 3 things, never mind\n4 things, so it is\n", cut))
        self.refuses(shown("$ echo 3 words, never mind\n4 things, so it is\n", cut))
        self.refuses(shown("$ echo one\none\n", cut))

    def test_statuses(self):
        late = "The time was over: 47 of 111 runs left out, the others are good."
        self.assertTrue(sessions.is_good("vicino selftest", 0, ""))
        self.assertTrue(sessions.is_good("vicino selftest", 3, late))
        self.assertFalse(sessions.is_good("vicino selftest", 3, "1 of 111 runs failed, 0 left out."))
        self.assertFalse(sessions.is_good("vicino run", 3, late))
        self.assertTrue(sessions.is_good("vicino doctor", 7, ""))
        self.assertFalse(sessions.is_good("vicino topo", 7, ""))


if __name__ == "__main__":
    unittest.main()
