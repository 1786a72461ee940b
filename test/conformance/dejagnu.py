"""dejagnu.py: reads the directives that gcc's test sources carry in their comments.

    /* { dg-do run { target { x86_64-*-* && lp64 } } } */

This file understands only the directives that libgomp's run tests use: dg-do, dg-options,
dg-additional-options, dg-additional-sources, dg-require-effective-target, dg-skip-if,
dg-xfail-run-if, dg-set-target-env-var, dg-shouldfail and dg-output. It ignores directives about the
compiler's messages.
"""
import re
import shlex
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

TRIPLE = "x86_64-pc-linux-gnu"
# Dejagnu would find these out by compiling or running a trial program. There is no device: so no
# offload_* but this one, whose trial passes on the host.
EFFECTIVE = {"__float128", "alloca", "bitint", "cas_char", "exceptions", "fd_truncate", "fopenmp",
             "fpic", "init_priority", "large_long_double", "lp64", "lto", "native",
             "offload_device_shared_as", "pthread", "shared", "size32plus", "sse2", "sse2_runtime",
             "sync_char_short", "sync_int_long", "tls", "tls_runtime", "vect_simd_clones"}
if re.search(r"\bavx\b", Path("/proc/cpuinfo").read_text()):
    EFFECTIVE |= {"avx", "avx_runtime"}
DEFAULT_FLAGS = ["-O2"]


@dataclass
class Directives:
    flags: list[str] = field(default_factory=lambda: list(DEFAULT_FLAGS))
    extra_flags: list[str] = field(default_factory=list)
    extra_sources: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    should_fail: bool = False
    output: str = ""
    skip: str = ""


def closing_brace(text: str, start: int) -> int:
    depth, at = 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return -1


def directives(source: str) -> list[list[str]]:
    """The directives in the order of the source, each as a list of its Tcl words."""
    found = []
    for opening in re.finditer(r"\{\s*dg-", source):
        end = closing_brace(source, opening.start())
        if end > 0:
            found.append(words(source[opening.start() + 1:end]))
    return found


WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s{}"]+)', re.S)


def words(text: str) -> list[str]:
    """Splits a Tcl list. A word in braces is taken literally, a quoted word is unescaped."""
    found, at = [], 0
    while at < len(text):
        if text[at] == "{":
            end = closing_brace(text, at)
            found.append(text[at + 1:end].strip())
            at = end + 1
        elif match := WORD.match(text, at):
            found.append(match[2] if match[1] is None else unescape(match[1]))
            at = match.end()
        else:
            at += 1
    return found


def unescape(text: str) -> str:
    named = {"n": "\n", "r": "\r", "t": "\t"}
    return re.sub(r"\\(.)", lambda match: named.get(match[1], match[1]), text, flags=re.S)


def selected(selector: str, language: str) -> bool:
    """Whether a selector like `x86_64-*-* && { ! ia32 }` holds. Adjacent words are alternatives."""
    tokens = re.findall(r"&&|\|\||!|[{}]|[^\s{}!&|]+", selector)
    truth = any_of(tokens, language)
    if tokens:
        raise ValueError(f"selector not understood: {selector}")
    return truth


def any_of(tokens: list[str], language: str) -> bool:
    truth = all_of(tokens, language)
    while tokens and tokens[0] != "}":
        if tokens[0] == "||":
            tokens.pop(0)
        truth = all_of(tokens, language) or truth
    return truth


def all_of(tokens: list[str], language: str) -> bool:
    truth = one(tokens, language)
    while tokens and tokens[0] == "&&":
        tokens.pop(0)
        truth = one(tokens, language) and truth
    return truth


def one(tokens: list[str], language: str) -> bool:
    token = tokens.pop(0)
    if token == "!":
        return not one(tokens, language)
    if token == "{":
        truth = any_of(tokens, language)
        tokens.pop(0)
        return truth
    return token in EFFECTIVE or token == language or fnmatch(TRIPLE, token)


def targeted(rest: list[str], language: str) -> bool:
    """Whether a trailing `{ target SELECTOR }`, if any, selects this machine."""
    for word in rest:
        if word.startswith("target"):
            return selected(word.removeprefix("target"), language)
    return True


def read(source: str, language: str) -> Directives:
    result = Directives()
    for name, *rest in directives(source):
        apply(result, name, rest, language)
    result.flags += result.extra_flags
    return result


def apply(result: Directives, name: str, rest: list[str], language: str) -> None:
    if name == "dg-do":
        if rest[0] != "run":
            result.skip = f"only for {rest[0]}"
        elif not targeted(rest[1:], language):
            result.skip = f"for {rest[1]}"
    elif name == "dg-options" and targeted(rest[1:], language):
        result.flags = shlex.split(rest[0])
    elif name == "dg-additional-options" and targeted(rest[1:], language):
        result.extra_flags += shlex.split(rest[0])
    elif name == "dg-additional-sources":
        result.extra_sources += " ".join(rest).split()
    elif name == "dg-require-effective-target" and not selected(rest[0], language):
        if targeted(rest[1:], language):
            result.skip = f"needs {rest[0]}"
    elif name == "dg-skip-if" and skips(rest, result.flags, language):
        result.skip = f"skipped on {rest[1]}"
    elif name == "dg-xfail-run-if" and selected(rest[1], language):
        result.skip = f"known to fail: {rest[0]}"
    elif name == "dg-set-target-env-var":
        result.environment[rest[0]] = rest[1]
    elif name == "dg-shouldfail":
        # Its selector has no `target` before it.
        result.should_fail = len(rest) < 2 or selected(rest[1].removeprefix("target"), language)
    elif name == "dg-output" and targeted(rest[1:], language):
        result.output += rest[0]


def skips(rest: list[str], flags: list[str], language: str) -> bool:
    """dg-skip-if WHY SELECTOR {flags that skip} {flags that do not}."""
    spared = words(rest[3]) if len(rest) > 3 else []
    return selected(rest[1], language) and not any(flag in flags for flag in spared)
