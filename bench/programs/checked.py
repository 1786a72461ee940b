"""Which part of a program's output is checked, and whether two such texts are the same.

Lines and words must be the same. A number with a point or an exponent may differ by as much as the
program's file allows, because threads add up in a different order; a whole number counts something and
may not differ.
"""

import math
import re

# A number that stands alone: digits of a name or of a checksum do not count.
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*\w)")


def kept(text, pattern):
    """The lines in which the expression is found; all lines if there is no expression."""
    lines = [line.rstrip() for line in text.split("\n")]
    if pattern:
        lines = [line for line in lines if re.search(pattern, line)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def is_whole(text):
    return re.fullmatch(r"[-+]?\d+", text) is not None


def numbers_differ(own, other, relative, absolute):
    """The difference as a sentence, or None."""
    if is_whole(own) and is_whole(other):
        return None if int(own) == int(other) else f"{own} is {other}"
    a, b = float(own), float(other)
    apart = abs(a - b)
    if apart <= max(relative * max(abs(a), abs(b)), absolute):
        return None
    share = apart / max(abs(a), abs(b)) if a or b else math.inf
    return f"{own} is {other}, {share:.1e} apart where {relative:.0e} is allowed"


def lines_differ(own, other, relative, absolute):
    if own == other:
        return None
    if NUMBER.sub("#", own) != NUMBER.sub("#", other):
        return f"'{own}' is '{other}'"
    for pair in zip(NUMBER.findall(own), NUMBER.findall(other)):
        if pair[0] != pair[1] and (found := numbers_differ(*pair, relative, absolute)):
            return f"{found}, in '{own}'"
    return None


def difference(own, other, relative=0.0, absolute=0.0):
    """The first difference between the lines that two runs printed, as a sentence; None if there is none."""
    if not own:
        return "its own runtime printed nothing that could be checked"
    if any(re.search(r"\bnan\b", line, re.IGNORECASE) for line in own):
        return "its own runtime printed a NaN, which equals anything wrong"
    for number, pair in enumerate(zip(own, other), 1):
        if found := lines_differ(*pair, relative, absolute):
            return f"line {number}: {found}"
    if len(own) != len(other):
        return f"{len(own)} lines on its own runtime, {len(other)} on Vicino"
    return None
