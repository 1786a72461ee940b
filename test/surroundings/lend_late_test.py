"""A thread that joins a region when a core is lent while the region runs: how often it does depends on the
machine's load, so this is among the tests that want a quiet machine."""
import unittest

from lend_test import Ranks


class Late(Ranks):
    def test_a_thread_joins_a_region_when_a_core_is_lent_while_it_runs(self):
        a, b = self.rank(0), self.rank(1)
        found = []
        while len(found) < 3 and max(found, default=0) <= 200:
            b.begin("pulse", 3000, 3000)  # each region of 4 ms sees a core come
            found.append(int(a.ask("shared", 400, 4000)))
            b.answer()
        self.assertGreater(max(found), 200, "of 400; about 130 begin while the core is lent")
        self.end_all()


if __name__ == "__main__":
    unittest.main(verbosity=2)
