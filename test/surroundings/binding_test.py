"""The kernel's masks of members, and of the threads and processes that the program starts."""
import unittest

from surroundings import Case


class Binding(Case):
    def test_members_are_on_their_places_and_nobody_else(self):
        for bind in ("true", "close", "spread", "primary"):
            for places in ("threads", "cores", "sockets"):
                with self.subTest(bind=bind, places=places):
                    _, error = self.run_on_vicino("binding", OMP_PROC_BIND=bind, OMP_PLACES=places)
                    self.assertEqual(error, "")

    def test_places_alone_bind(self):
        self.run_on_vicino("binding", OMP_PLACES="threads")

    def test_the_initial_thread_is_bound_only_in_regions(self):
        self.run_on_vicino("binding", "reset", KMP_AFFINITY="reset,granularity=thread,compact")

    def test_nobody_is_bound_unasked(self):
        self.run_on_vicino("binding", "free")
        self.run_on_vicino("binding", "free", OMP_PROC_BIND="false", OMP_PLACES="threads")


if __name__ == "__main__":
    unittest.main(verbosity=2)
