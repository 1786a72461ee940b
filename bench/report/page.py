"""Markdown tables, and a page whose measured part is replaced while the fixed text stays."""

BEGIN = "<!-- measured: written by the benchmark, do not edit -->"
END = "<!-- end of measured -->"


def table(head, rows):
    """The first column is text; the others are figures and are aligned to the right."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def figure(value):
    """The value with about three significant digits."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def duration(ns):
    if ns < 1e4:
        return figure(ns)
    return f"{figure(ns / 1e3)} µs" if ns < 1e7 else f"{figure(ns / 1e6)} ms"


def ratio(r):
    return f"{r['ratio']:.2f} [{r['low']:.2f}, {r['high']:.2f}]"


def rewrite(path, measured):
    head, _, tail = _parts(path)
    path.write_text(f"{head}{BEGIN}\n\n{measured.strip()}\n\n{END}{tail}", encoding="utf-8")


def measured_of(path):
    """The page's measured part as it is."""
    return _parts(path)[1].strip()


def _parts(path):
    head, found, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    measured, ended, tail = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"{path} lacks the marks between which figures go")
    return head, measured, tail


def preamble(facts, noise, settings=""):
    cores = f"{facts['cores']} cores" + (" of a virtual machine" if facts["virtual"] else "")
    rows = [
        ("taken", facts["date"]),
        ("machine", f"{facts['processor']}, {cores}, {facts['kernel']}"),
        ("load average at start", f"{facts['load']:.2f}"),
        ("CPU time taken by others, meanwhile", f"{noise['others']:.1%}"),
        ("CPU time withheld by the hypervisor", f"{noise['steal']:.1%}"),
        *((f"compiler: {name}", version) for name, version in facts["compilers"].items()),
        *((f"runtime: {name}", version) for name, version in facts["runtimes"].items()),
        ("settings", settings or " ".join(f"{k}={v}" for k, v in facts["settings"].items()) or
         "none but OMP_NUM_THREADS"),
    ]
    text = "".join(f"- {name}: {value}\n" for name, value in rows)
    if facts["load"] > 0.5 or noise["others"] > 0.05:
        text += "\n**The machine was not quiet: read these figures as a rehearsal.**\n"
    return text
