"""More teams than processors, of several processes or of several threads of one: a thread that waits for one that has
no processor does not take the processor that the other needs."""
import os
import subprocess
import unittest

from surroundings import TIMEOUT, Case

# A wait that ends by a sleep costs the two switches that it makes, here about as much as the work of its loop. A
# thread that polls for the rest of its time slice takes a hundred times the loop's work.
MOST = 4


class Crowd(Case):
    def setUp(self):
        """Two processors, for the number of teams is for two."""
        cpus = os.sched_getaffinity(0)
        os.sched_setaffinity(0, sorted(cpus)[:2])
        self.addCleanup(os.sched_setaffinity, 0, cpus)
        self.alone, self.answer, _ = self.run_on_vicino("regions", "serial", "short")[0].split()

    def check(self, output):
        used, answer, _ = output.split()
        self.assertEqual(answer, self.answer)
        self.assertLess(int(used), MOST * int(self.alone))

    def test_processes(self):
        command, environment = self.command("regions", "short", OMP_NUM_THREADS="2")
        started = [subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE) for _ in range(3)]
        try:
            outputs = [process.communicate(timeout=TIMEOUT)[0] for process in started]
        finally:
            for process in started:
                process.kill()
        for output in outputs:
            self.check(output)

    def test_threads_of_a_program(self):
        self.check(self.run_on_vicino("regions", "short", "roots", OMP_NUM_THREADS=2)[0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
