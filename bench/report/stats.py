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
