"""The tuner's path on ILAN's kernels: what it tried for a taskloop, how long that took, and what it took.

What the runs tell of themselves is VICINO_EXPLAIN's, as users have it.
"""

import re

from papers import ilan
from papers.explained import compared
from report import page
from report.guests import chosen

# Kernels, and steps of them after which the tuner has decided about most of their taskloops. There are two runs,
# and cg executes taskloops 25 times in a step. The steps of ft and cg are ilan's, so that their runs are made once.
KERNELS = {"ft": 12, "cg": 8, "hydro": 12}
STEPS_TITLE = "What the tuner tried for taskloops, in order"
TRYING = re.compile(r"all that was timed: .*, of which trying cost .* \(([\d.]+) %\)")


def runs(options):
    for name in chosen(KERNELS, options):
        yield run_of(name, options)


def run_of(name, options):
    return ilan.run_of(name, ilan.VICINO, ilan.BOUND, options.seeds[0], options.bounds[0], KERNELS[name],
                       sizes=ilan.SMALL)


def shown(told):
    """Of the sites for which the tuner has decided, or else of all, the one that took the most time; or None."""
    found = compared(told)
    return next((site for site in found if site["decided"]), found[0] if found else None)


def paths(guests, options):
    """{kernel: the site to be shown}, of kernels that came to their end."""
    found = {name: guests[run_of(name, options)] for name in chosen(KERNELS, options)}
    return {name: site for name, made in found.items() if made and (site := shown(made["told"]))}


def text(guests, options):
    drawn, rows = paths(guests, options), []
    for name in chosen(KERNELS, options):
        title = ilan.title_of(name)
        if name not in drawn:
            rows.append([title, "", "nothing, or over its time limit", "", "", ""])
            continue
        site, told = drawn[name], guests[run_of(name, options)]["told"]
        trying, all_sites = TRYING.search(told), compared(told)
        decided = sum(one["decided"] for one in all_sites)
        rows.append([title, site["executions"], ", ".join(map(step_of, site["tried"])), took_of(site),
                     f"{decided} of {len(all_sites)}", f"{trying[1]} %"])
    return ("of each kernel the taskloop that took the most time and for which the tuner has decided\n\n"
            + page.table(["", "executions", "tried, in this order", "took", "its taskloops: decided",
                          "time lost by trying"], rows))


def step_of(tried):
    return f"{tried['policy']} on {tried['threads']}: {page.duration(tried['ns'])}"


def took_of(site):
    if not site["took"]:
        return "its default"
    return "{} on {}".format(*site["took"]) + ("" if site["decided"] else ", so far")


def drawn(guests, options):
    """What paths_picture.py draws."""
    return page.Rows(STEPS_TITLE, ["taskloop", "policy and threads", "ns", "low", "high", "took"], [
        [ilan.title_of(name), f"{tried['threads']} {tried['policy']}",
         *(f"{tried[key]:.0f}" for key in ("ns", "low", "high")),
         "yes" if (tried["policy"], tried["threads"]) == site["took"] else ""]
        for name, site in paths(guests, options).items() for tried in site["tried"]])
