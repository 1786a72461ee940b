"""Medians, spread, and how sure a ratio of medians is."""

import random
import statistics


def median(values):
    return statistics.median(values)


def spread(values):
    """The interquartile range: what half of the runs stayed within."""
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low


def quietest(values, others, limit=0.05, least=3):
    """The values of processes that had the machine to themselves.

    Chosen by what others used of the CPUs, never by the value itself. On a machine that is busy
    throughout, the quieter half remains.
    """
    quiet = [v for v, share in zip(values, others) if share <= limit]
    if len(quiet) >= min(least, len(values)):
        return quiet
    order = sorted(range(len(values)), key=others.__getitem__)
    return [values[i] for i in order[:max(least, len(values) // 2)]]


def ratio(values, references, resamples=1000, seed=1):
    """Median of `values` over the lowest median among `references`, with a 95 % interval.

    A resample picks the lowest reference anew, so the interval does not pretend to know which peer
    is the better one.
    """
    rng = random.Random(seed)

    def again(sample):
        return median(rng.choices(sample, k=len(sample)))

    draws = sorted(again(values) / min(map(again, references)) for _ in range(resamples))
    return {
        "ratio": median(values) / min(map(median, references)),
        "low": draws[int(0.025 * resamples)],
        "high": draws[int(0.975 * resamples) - 1],
    }


def over_chosen_apart(by_row, row, among=None, together=1):
    """How long `row` takes over the best of the rows `among` (all), without the luck of the choice.

    Of two dozen rows that are equally good, the one with the least median was also lucky. So for each
    group of samples, `together` of which one process took, the best row is chosen by the medians of
    the other groups, and compared in this one. The median of these ratios is returned; None where
    there are not two groups of `row` and of another.
    """
    def groups(name):
        values = by_row[name]
        return [values[i:i + together] for i in range(0, len(values), together)]

    grouped = {name: groups(name) for name in by_row if among is None or name in among}
    found = []
    for left_out, own in enumerate(groups(row)):
        def of_others(name):
            return median([v for i, group in enumerate(grouped[name]) if i != left_out for v in group])
        rows = [name for name in grouped if len(grouped[name]) > max(left_out, 1)]
        if rows and len(groups(row)) > 1:
            best = min(rows, key=of_others)
            found.append(median(own) / median(grouped[best][left_out]))
    return median(found) if found else None
