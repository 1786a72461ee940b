"""Which loop schedules Vicino knows: the library lists them when it is asked for an unknown one.

A list kept here would become outdated: a schedule is added by one row of src/loop/registry.hpp.
"""

import re

ASK = "?"
VARIABLES = ("VICINO_SCHEDULE", "OMP_SCHEDULE")
NAME = r"\b[a-z][a-z0-9_]*\b"
QUESTION = dict.fromkeys(VARIABLES, ASK)


def known(stderr):
    """{variable: names}, from the complaints about the two variables set to QUESTION."""
    return {variable: _names(variable, stderr) for variable in VARIABLES}


def _names(variable, stderr):
    """The longest list of names in the complaint, whatever words are around it."""
    complaint = re.search(rf"{variable}='{re.escape(ASK)}'(.*)", stderr)
    lists = re.findall(rf"{NAME}(?:(?:,| or|, or) {NAME})+", complaint[1]) if complaint else []
    if not lists:
        raise ValueError(f"no schedules in the library's complaint about {variable}: {stderr!r}")
    return [name for name in re.findall(NAME, max(lists, key=len)) if name != "or"]


def of_vicino(names, variable_works):
    """{name: settings}: the default, and each schedule once. VICINO_SCHEDULE is used where both variables
    know a name, because it does not depend on the loop's own schedule."""
    rows = names["VICINO_SCHEDULE"] if variable_works else []
    kinds = [kind for kind in names["OMP_SCHEDULE"] if kind not in (*rows, "auto")]
    return {"default": {}, **{row: {"VICINO_SCHEDULE": row} for row in rows},
            **{kind: {"OMP_SCHEDULE": kind} for kind in kinds}}
