"""Ranks: how far the order of times here is the order that a paper has.

The papers show most results as pictures and say in words what they see there. So an order is a list of
groups, fastest first; between members of a group the paper sees no difference, or says none.
"""

# From which tau on an order counts as reproduced, as results.md says.
ENOUGH = 0.6


def tau(order, times, alike=0):
    """Kendall's tau over the pairs that the order ranks: 1 if all times agree with it, -1 if none does. Times that
    differ by less than the part `alike` of the shorter have no order."""
    pairs = [(fast, slow) for i, group in enumerate(order) for later in order[i + 1:]
             for fast in group for slow in later]
    agree = sum((times[fast] * (1 + alike) < times[slow]) - (times[fast] > times[slow] * (1 + alike))
                for fast, slow in pairs)
    return agree / len(pairs)


def of_pairs(pairs):
    """Kendall's tau between two measures of the same things, as pairs; equal ones have no order."""
    signs = [((a > c) - (a < c)) * ((b > d) - (b < d)) for i, (a, b) in enumerate(pairs) for c, d in pairs[i + 1:]]
    return sum(signs) / len(signs)


def shown(order):
    return " > ".join(", ".join(group) for group in order)


def verdict(taus):
    if min(taus) >= ENOUGH:
        return "reproduced"
    if min(taus) > 0:
        return "same sign"
    return "not reproduced" if max(taus) <= 0 else "no sign: it depends on the model's numbers"


def spread(values, digits=2):
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"
