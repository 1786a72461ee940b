"""A thread that joins a region when a core is lent while the region runs: how often it does depends on the
machine's load, so this is among the tests that want a quiet machine."""
import unittest

from lend_test import Ranks
from surroundings import Others


class Late(Ranks):
    def test_a_thread_joins_a_region_when_a_core_is_lent_while_it_runs(self):
        a, b = self.rank(0), self.rank(1)
        for _ in range(3):
            others = Others((a.process.pid, b.process.pid))
            b.begin("pulse", 3000, 3000)  # each region of 4 ms sees a core come
            found = int(a.ask("shared", 400, 4000))
            b.answer()
            if found > 200:  # of 400; about 130 begin while the core is lent
                break
        else:
            self.skip_unless_quiet(others)
            self.fail(f"{found} of 400")
        self.end_all()


if __name__ == "__main__":
    unittest.main(verbosity=2)
