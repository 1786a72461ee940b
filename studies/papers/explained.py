"""What VICINO_EXPLAIN tells of taskloops."""

import re

# `  strict              64       3     100 us  98 us to 103 us  beaten`
ROW = re.compile(r"  (\S.*?) +(\d+) +(\d+) +([\d.e+]+ \w+)  ([\d.e+]+ \w+) to ([\d.e+]+ \w+)(?:  beaten)?$")
# `  full on 48 threads, first of node 4: 61.5 us against …`, `  so far strict on 64 threads; it …`
TOOK = re.compile(r"  (so far )?(\S+) on (\d+) threads?[,:;]")
LEFT = "  left as it is"     # too short to gain anything
HEAD = re.compile(r"\S.*, team of (\d+), timed (\d+) times")
NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def sites(told):
    """[{"executions", "took": (policy, threads) or None, "decided": or only so far, "tried": [{"policy",
    "threads", "ns", "low", "high"}]}]: the paragraphs of an explanation, which has the longest site first."""
    found = []
    for line in told.split("\n"):
        if head := HEAD.match(line):
            found.append({"executions": int(head[2]), "took": None, "decided": False, "tried": []})
        elif found and (took := TOOK.match(line)) and not found[-1]["tried"]:
            found[-1] |= {"took": (took[2], int(took[3])), "decided": not took[1]}
        elif found and line.startswith(LEFT):
            found[-1]["decided"] = True
        elif found and (row := ROW.match(line)):
            # The policy is the first word; a first node may follow.
            found[-1]["tried"].append({"policy": row[1].split()[0], "threads": int(row[2]), "ns": ns_of(row[4]),
                                       "low": ns_of(row[5]), "high": ns_of(row[6])})
    return found


def ns_of(text):
    number, unit = text.split()
    return float(number) * NS[unit]


def compared(told):
    """The sites of which the tuner tried more than one thing."""
    return [site for site in sites(told) if len(site["tried"]) > 1]
