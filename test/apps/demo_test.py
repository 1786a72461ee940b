"""The demo's pieces fit together: a small comparison is read into the demo's table, and drawn on its page.

    demo_test.py VICINO TRIANGLES TABLE
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from on_vicino import clean_environment


def main(vicino, triangles, table):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "triangles.json"
        subprocess.run([vicino, "compare", "--pairs", "6", "--metric", r"counting: +([0-9.]+) s",
                        "--lower-is-better", "--json", file, "--", triangles, "10", "5"],
                       check=True, env=clean_environment(OMP_NUM_THREADS="2"))
        compared = json.loads(file.read_text())
        forked = Path(folder) / "forked.json"
        hangs_alone = ["sh", "-c", 'case $LD_LIBRARY_PATH in *vicino*) ;; *) sleep 30 ;; esac']
        subprocess.run([sys.executable, Path(table).with_name("after_fork.py"), vicino, "1", forked, *hangs_alone],
                       check=True)
        out = subprocess.run([sys.executable, table, "triangles", "s", file, "", "again", "s", file, "Twice.",
                              "fork", "s", forked, "It hangs."],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        page = Path(folder) / "report.html"
        subprocess.run([vicino, "report", "--html", page, "--", triangles, "10", "5"], check=True, stdout=subprocess.DEVNULL,
                       env=clean_environment(OMP_NUM_THREADS="2"))
        subprocess.run([sys.executable, Path(table).with_name("picture.py"), page, "triangles", "s", file, "Once.",
                        "fork", "s", forked, "It hangs."], check=True)
        text = page.read_text(encoding="utf-8")
    print(out)
    assert text.count('<svg class="rows"') == 1 and "<li>triangles: Once.</li>" in text, text
    assert text.index('<svg class="rows"') < text.index('aria-label="Verdict"'), text
    assert compared["pairs"] == 6 and compared["higher_is_better"] is False
    row = re.compile(r"^(triangles|again) +libomp +[\d.e-]+ s +libvicino +[\d.e-]+ s +"
                     r"([\d.]+) +([\d.]+) to ([\d.]+) +\w", re.MULTILINE)
    rows = row.findall(out)
    assert [r[0] for r in rows] == ["triangles", "again"], out
    for _, ratio, low, high in rows:
        assert float(low) <= float(ratio) <= float(high), out
    assert re.search(r"^fork +libgomp +hangs +libvicino +[\d.]+ s +better$", out, re.MULTILINE), out
    assert out.endswith("\n  again: Twice.\n  fork: It hangs.\n"), out


if __name__ == "__main__":
    main(*sys.argv[1:])
