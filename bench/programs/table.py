"""The results as lines, and as the measured part of results.md."""

from report import command, page
from trial import SETTINGS

VERDICTS = {"better": "faster", "worse": "**slower**", "no difference": "no difference seen",
            "too few pairs": "too few pairs"}


def results_cell(row):
    same = len(row["same"])
    if not row["wrong"]:
        return f"{same} of {len(SETTINGS)}"
    return f"**{same} of {len(SETTINGS)}**"


def verdict(row):
    if "compared" in row:
        return VERDICTS[row["compared"]["verdict"]]
    return "**wrong**" if row["wrong"] else "not timed"


def ratio(row):
    found = row.get("compared", {}).get("ratio")
    if not found:
        return "–"
    interval = f" [{found['low']:.3f}, {found['high']:.3f}]" if "low" in found else ""
    return f"{found['estimate']:.3f}{interval}"


def seconds(row, side):
    return f"{row['compared'][side]['median']:.3f}" if "compared" in row else "–"


def line(name, row):
    text = f"{name}: same results at {results_cell(row).strip('*')} settings"
    if "compared" in row:
        text += f"; {ratio(row)} {verdict(row).strip('*')}"
    for setting, why in row["wrong"].items():
        text += f"\n  {name}, {setting}: {why}"
    for setting, why in row.get("no answer", {}).items():
        text += f"\n  {name}, {setting}: {why}"
    for warning in row["warnings"]:
        text += f"\n  {name}: {warning}"
    return text


def counts(results):
    rows = results["programs"].values()
    said = [row["compared"]["verdict"] for row in rows if "compared" in row]
    parts = [f"{len(rows)} programs run", f"{sum(not row['wrong'] for row in rows)} without a fault",
             *(f"{said.count(key)} {text.strip('*')}" for key, text in VERDICTS.items() if key in said),
             f"{len(results['skipped'])} skipped"]
    return ", ".join(parts) + "."


def rounds(results):
    return command.from_to([row["compared"]["pairs"] for row in results["programs"].values() if "compared" in row])


def listing(title, rows):
    lines = [f"- {name}: {text}" for name, text in rows]
    return f"\n{title}\n\n" + "\n".join(lines) + "\n" if lines else ""


def report(results):
    rows = dict(sorted(results["programs"].items()))
    head = ["program", "what", "version", "same results", "ratio [95 %]", "own, s", "Vicino, s", "verdict"]
    body = [[name, row["about"], row["version"], results_cell(row), ratio(row), seconds(row, "base"),
             seconds(row, "candidate"), verdict(row)] for name, row in rows.items()]
    return "".join((
        page.preamble(results["machine"], results["noise"], rounds(results), "as above; times with none"), "\n", counts(results),
        "\n\n", page.table(head, body),
        listing("What is wrong:", ((f"{name}, {setting}", why) for name, row in rows.items()
                                   for setting, why in row["wrong"].items())),
        listing("Without an answer to compare with:", ((f"{name}, {setting}", why) for name, row in rows.items()
                                                      for setting, why in row.get("no answer", {}).items())),
        listing("What `vicino compare` warned of:", ((name, warning) for name, row in rows.items()
                                                     for warning in row["warnings"])),
        listing("Notes:", ((name, row["note"]) for name, row in rows.items() if row["note"])),
        listing("Skipped:", results["skipped"].items()),
    ))
