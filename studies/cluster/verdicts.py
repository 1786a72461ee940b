"""What the model's figures say of the paper's: gains, verdicts in words, tables."""

from report import page

TITLES = {"nbody": "n-body", "snap": "SNAP (regular mesh sweep)"}
PAPER = ("static", "dynamic", "guided", "uSched", "callsite", "vSched", "full")
ALL = (*PAPER, "shares")
FIGURE = "Figure 6, "  # how the titles of its tables begin
# The paper's gains over static on 1024 nodes.
PAPER_GAINS = {"nbody": {"uSched": 0.2552, "callsite": 0.2858, "full": 0.4445}, "snap": {"full": 0.2816}}
# And of the full strategy over guided. "13.06 %" for n-body contradicts the rest; see results.md.
OVER_GUIDED = {"nbody": 0.1306, "snap": 0.1713}
ORDER = (("static", "dynamic"), ("dynamic", "guided"), ("guided", "uSched"), ("uSched", "callsite"),
         ("callsite", "vSched"), ("vSched", "full"))
CALIBRATED = ("nbody", "uSched")
POINTS = 8  # a figure is reproduced if it is this near, in points
EVEN = 0.005  # gains that differ by less count as equal


def label(strategy):
    return {"shares": "shares (Vicino's dynamic)"}.get(strategy, strategy)


def gains(rows):
    """{(strategy, nodes): time of static / time - 1}"""
    static = {row["nodes"]: row["step_ns"] for row in rows if row["strategy"] == "static"}
    return {(row["strategy"], row["nodes"]): static[row["nodes"]] / row["step_ns"] - 1 for row in rows}


def percent(gain):
    return f"{100 * gain:.1f}"


def close(found, paper):
    """Whether a gain is the paper's, in words."""
    points = 100 * (found - paper)
    said = f"{points:+.1f} points"
    return f"within {POINTS} points ({said})" if abs(points) <= POINTS else f"**not reproduced** ({said})"


def compare(slow, fast):
    """How two gains are ordered, where the paper says that the second is larger."""
    if fast - slow > EVEN:
        return "same order"
    return "**other order**" if slow - fast > EVEN else "about equal"


def figure(runs):
    parts = []
    for workload, rows in runs.items():
        found = gains(rows)
        nodes = sorted({row["nodes"] for row in rows})
        parts.append(page.Rows(f"{FIGURE}{TITLES[workload]}: gain over static, %", ["nodes", *nodes],
                               [[label(strategy), *(percent(found[strategy, n]) for n in nodes)] for strategy in ALL],
                               shown=True))
    return parts


def claims(runs):
    rows = []
    for workload, paper in PAPER_GAINS.items():
        found = gains(runs[workload])
        most = max(nodes for _, nodes in found)
        for strategy, gain in paper.items():
            verdict = ("calibration: no evidence" if (workload, strategy) == CALIBRATED
                       else close(found[strategy, most], gain))
            rows.append([f"{TITLES[workload]}: {strategy} over static", f"{100 * gain:.2f}",
                         percent(found[strategy, most]), verdict])
        over = (1 + found["full", most]) / (1 + found["guided", most]) - 1
        rows.append([f"{TITLES[workload]}: full over guided", f"{100 * OVER_GUIDED[workload]:.2f}",
                     percent(over), close(over, OVER_GUIDED[workload])])
    return page.table(["gain", "the paper, %", "the model, %", "verdict"], rows)


def orders(runs):
    rows = []
    for workload in runs:
        found = gains(runs[workload])
        most = max(nodes for _, nodes in found)
        rows += [[f"{TITLES[workload]}: {slow} < {fast}", percent(found[slow, most]), percent(found[fast, most]),
                  compare(found[slow, most], found[fast, most])] for slow, fast in ORDER]
    return page.table(["the paper's order", "the first, %", "the second, %", "verdict"], rows)


def details(runs):
    rows = []
    for workload in runs:
        most = max(row["nodes"] for row in runs[workload])
        for row in runs[workload]:
            if row["nodes"] == most:
                fraction = "" if row["fraction"] is None else f"{row['fraction']:.3f}"
                rows.append([f"{TITLES[workload]}: {label(row['strategy'])}", f"{row['step_ns'] / 1e6:.3f}",
                             percent(row["slack"]), fraction, percent(row["moved"])])
    return page.Rows("What the strategies did", ["on the most nodes", "step, ms", "slack, % of a step",
                                                 "static fraction", "iterations moved, %"], rows)


def at_limits(found):
    """[(parameter and limit, gains, pairs that change their order)]"""
    rows, base = [], None
    for name, end, run in found:
        gain = {strategy: value for (strategy, _), value in gains(run).items()}
        base = base or gain
        changed = [f"{slow} and {fast}" for slow, fast in ORDER
                   if (gain[slow] - gain[fast]) * (base[slow] - base[fast]) < 0
                   and abs(gain[slow] - gain[fast]) > EVEN]
        rows.append((f"{name} {end}".strip() or "as given", gain, changed))
    return rows


def limits(workload, found):
    """Gains of the paper's strategies with a parameter at a limit, and pairs that change their order."""
    return page.Rows(f"Parameters at their limits, {TITLES[workload]}: gain over static, %",
                     ["parameter", *PAPER[1:], "pairs in another order"],
                     [[limit, *(percent(gain[s]) for s in PAPER[1:]), ", ".join(changed) or "none"]
                      for limit, gain, changed in at_limits(found)])


def robust(found):
    """Strategies whose gain over static stays above zero at all limits."""
    each = [{strategy: value for (strategy, _), value in gains(run).items()} for _, _, run in found]
    return {strategy: min(gain[strategy] for gain in each) > 0 for strategy in PAPER[1:]}


def parameters(rows):
    return page.table(["parameter", "value", "low", "high", "unit", "what", "source"],
                      [[f"`{row['name']}`", *(f"{row[end]:g}" for end in ("value", "low", "high")), row["unit"],
                        row["meaning"], row["source"]] for row in rows])


def sentence(workload, found):
    kept = robust(found)
    lost = [strategy for strategy, yes in kept.items() if not yes]
    said = (f"at the limits {', '.join(lost)} may lose to static" if lost
            else "each strategy is faster than static at every limit of every parameter")
    turned = [f"{' and '.join(changed)} with {limit}" for limit, _, changed in at_limits(found) if changed]
    return f"{TITLES[workload]}: {said}. Pairs in another order: {'; '.join(turned) or 'none'}.\n"


def report(data):
    scale, ends = data["scale"], data["limits_scale"]
    return [
        page.badge("virtual", data["written_by"]["date"], data["written_by"]["commit"], 1),
        f"Seed {data['seed']}; means of {scale['steps']} steps after {scale['warm']} that are not counted.\n",
        *figure(data["runs"]),
        f"### Against the paper, on {max(scale['nodes'])} nodes\n", claims(data["runs"]), orders(data["runs"]),
        details(data["runs"]),
        f"### Parameters at their limits, on {ends['nodes'][0]} nodes\n",
        f"One parameter at a time; means of {ends['steps']} steps after {ends['warm']}.\n",
        *(part for workload, found in data["limits"].items()
          for part in (sentence(workload, found), limits(workload, found))),
        "### Parameters\n", parameters(data["parameters"])]
