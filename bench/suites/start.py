"""The cost of being linked against OpenMP: a whole process with one empty region, or with none; the
first question and the first region in it; twenty runs of a small program that Debian ships."""

import collections
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from report import cells, page, stats

TITLE = "Process start"
WHOLE = ("none", "region")  # the driver times the process
WITHIN = ("ask", "first")  # the program times the call
CONVERTS = 20
COLUMNS = {"none": "no region, ms", "region": "one region, ms", "ask": "first omp_get_max_threads(), µs",
           "first": "first region, µs", "converts": f"{CONVERTS} × convert, ms"}


def run(bench, options, seconds, progress):
    native = bench.native_cells()
    for cell in native:
        bench.run(cell, [bench.program("start", cell), "check", bench.file(cell)], 2)
    samples = collections.defaultdict(lambda: collections.defaultdict(list))
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(cell, mode) for cell in native for mode in (*WHOLE, *WITHIN)]
        if picture := _picture(Path(folder)):
            jobs += [(cell, "converts") for cell in native if cell.compiler == "gcc"]
        for _, (cell, mode) in cells.interleaved(jobs, seconds, 10, progress):
            measure = {"ask": _within_us, "first": _within_us}.get(mode, _whole_ms)
            sample = _converts_ms(bench, cell, picture) if mode == "converts" else measure(bench, cell, mode)
            samples[str(cell)][mode].append(sample)
    return {"samples": samples}


def _picture(folder):
    """A small picture for ImageMagick, whose programs are built by gcc; None where it is not installed."""
    convert, file = shutil.which("convert"), folder / "picture.ppm"
    if convert is None:
        return None
    file.write_bytes(b"P6 64 64 255\n" + bytes(i * 7 % 256 for i in range(64 * 64 * 3)))
    return [convert, str(file), "-resize", "50%", str(folder / "small.ppm")]


def _wall_ms(cell, command, env):
    """Uses posix_spawn and waitpid, because subprocess would add a millisecond of its own."""
    start = time.perf_counter()
    _, status = os.waitpid(os.posix_spawn(command[0], command, env), 0)
    wall = time.perf_counter() - start
    if status:
        raise cells.Refused(f"{cell}: {' '.join(command)}: status {status}")
    return wall * 1e3


def _whole_ms(bench, cell, mode):
    return _wall_ms(cell, [bench.program("start", cell), mode], bench.environment(cell, 2))


def _within_us(bench, cell, mode):
    done = subprocess.run([bench.program("start", cell), mode], env=bench.environment(cell, 2),
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise cells.Refused(f"{cell}: start {mode}: status {done.returncode}")
    return float(done.stdout)


def _converts_ms(bench, cell, command):
    env = bench.environment(cell)
    return sum(_wall_ms(cell, command, env) for _ in range(CONVERTS))


def report(data):
    def shown(samples):
        return page.with_spread(samples or [], "{:.2f}".format) or "–"

    rows = [[name, *(shown(by.get(mode)) for mode in COLUMNS)]
            for name, by in sorted(data["samples"].items())]
    return [page.table(["", *COLUMNS.values()], rows)]
