"""Medians, spread, and the confidence interval of a ratio of medians."""

import itertools
import math
import random
import statistics


def median(values):
    return statistics.median(values)


def spread(values):
    """The interquartile range: the width of the middle half of the values."""
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low


# The share of the CPUs that others may use, and how much slower the cores may be than at their best.
COMPANY, SLOWNESS = 0.05, 0.1


def quietest(values, others, limit=COMPANY, least=3):
    """The values of processes that had the machine to themselves.

    They are chosen by how much others used the CPUs, never by the value itself. If the machine was busy
    throughout, the quieter half remains.
    """
    quiet = [v for v, share in zip(values, others) if share <= limit]
    if len(quiet) >= min(least, len(values)):
        return quiet
    order = sorted(range(len(values)), key=others.__getitem__)
    return [values[i] for i in order[:max(least, len(values) // 2)]]


def noises(by_kernel):
    """{kernel: {row: [noise of each value]}} of {kernel: {row: sample}}; more than 1 is too much.

    Noise is how much others used the CPUs and, where a sample has yardstick times, how much longer these
    are than the row's shortest. A row belongs to one compiler's programs and one number of threads.
    """
    shortest = {}
    for by_row in by_kernel.values():
        for row, sample in by_row.items():
            shortest[row] = min([*sample.get("yardstick_ns", []), shortest.get(row, math.inf)])

    def noise(row, sample):
        slowness = [ns / shortest[row] - 1 for ns in sample.get("yardstick_ns", [])]
        pairs = itertools.zip_longest(sample["others"], slowness, fillvalue=0)
        return [max(share / COMPANY, slow / SLOWNESS) for share, slow in pairs]

    return {kernel: {row: noise(row, sample) for row, sample in by_row.items()}
            for kernel, by_row in by_kernel.items()}


def quiet(by_kernel):
    """The values of such samples, without those that were disturbed."""
    noise = noises(by_kernel)
    return {kernel: {row: quietest(sample["ns"], noise[kernel][row], 1) for row, sample in by_row.items()}
            for kernel, by_row in sorted(by_kernel.items())}


def disturbed(samples):
    """A sentence on how many values were disturbed, of {threads: {compiler: {kernel: {row: sample}}}}."""
    found = [value for by_compiler in samples.values() for by_kernel in by_compiler.values()
             for by_row in noises(by_kernel).values() for noise in by_row.values() for value in noise]
    return (f"Disturbed figures, because others took more than {COMPANY:.0%} of the CPUs or the cores "
            f"were {SLOWNESS:.0%} slower than at their best: {sum(value > 1 for value in found)} of {len(found)}. "
            "They are left out where enough others remain.\n")


def ratio(values, references, resamples=1000, seed=1):
    """Median of `values` over the lowest median among `references`, with a 95 % interval if no side is a single value.

    Each resample picks the lowest reference anew, so the interval contains the uncertainty about which
    peer is the better one.
    """
    found = {"ratio": median(values) / min(map(median, references))}
    if min(map(len, [values, *references])) < 2:
        return found
    rng = random.Random(seed)

    def again(sample):
        return median(rng.choices(sample, k=len(sample)))

    draws = sorted(again(values) / min(map(again, references)) for _ in range(resamples))
    return found | {"low": draws[int(0.025 * resamples)], "high": draws[int(0.975 * resamples) - 1]}


def over_chosen_apart(by_row, row, among=None, together=1):
    """How long `row` takes over the best of the rows `among` (all), without the luck of the choice.

    Among two dozen rows that are equally good, the one with the least median was also lucky. So the best
    row is chosen for each group of samples by the medians of the other groups, and compared in this
    group. A group is the `together` samples of one process. The median of these ratios is returned, or
    None where `row` and another do not have two groups.
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
