"""The functions of Vicino's headers and of its Python package, as pages: from their own declarations and comments.

    api.py            prints the list of all of them, docs/reference/api.md
    api.py FOLDER     writes a page for each header, and one for Python, into the folder

libclang reads the headers and griffe the package; both are of PyPI, and scripts/site/build has them. A comment belongs to
the declaration below it, and to those that follow without a blank line. What is below a comment that begins with
"From here on: parts of" is not for users, nor is what is in a namespace `detail` or has a name that ends in `_`.

Comments are plain text. What is indented by four is code, `- ` begins an item, and a word with two blanks behind is what the
text beside it explains.
"""

import re
import sys
from pathlib import Path

import clang.cindex as clang
import griffe

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "include/vicino"
PACKAGE = ROOT / "packaging/python"
FOLDER = "reference/api"    # of the site
PYTHON = "python"
NOT_FOR_USERS = "From here on: parts of"

Kind = clang.CursorKind
TYPES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE)
FUNCTIONS = (Kind.FUNCTION_DECL, Kind.FUNCTION_TEMPLATE, Kind.CXX_METHOD, Kind.CONSTRUCTOR)
SHOWN = (*TYPES, *FUNCTIONS, Kind.TYPEDEF_DECL, Kind.FIELD_DECL, Kind.MACRO_DEFINITION)


class Entry:
    """Declarations that share a comment."""

    def __init__(self, owner, about):
        self.owner, self.about = owner, about
        self.names, self.declarations = [], []

    def title(self):
        owner = self.owner + "::" if self.owner else ""
        return ", ".join(f"`{owner}{name}`" for name in dict.fromkeys(self.names))


class Page:
    def __init__(self, name, title, source, language, about, entries):
        self.name, self.title, self.source, self.language = name, title, source, language
        self.about, self.entries = about, entries


def _plain(comment):
    """A comment's text without its marks."""
    if comment.startswith("/*"):
        lines = comment[2:-2].split("\n")
        lines = [lines[0].removeprefix(" "), *(re.sub(r"^ *\* ?", "", line) for line in lines[1:])]
    else:
        lines = [re.sub(r"^ *// ?", "", line) for line in comment.split("\n")]
    return "\n".join(line.rstrip() for line in lines).strip("\n")


class _Header:
    def __init__(self, path):
        self.path, self.text = path, path.read_text(encoding="utf-8")
        self.bytes = self.text.encode()
        self.lines = self.text.split("\n")
        self.comments = self._comments()
        begins = [begin for begin, text in self.comments.values() if text.startswith(NOT_FOR_USERS)]
        self.end = min(begins, default=len(self.lines) + 1)

    def _comments(self):
        """Line of a comment's end -> (line of its beginning, text); only those that have their lines for themselves."""
        found = {}
        for match in re.finditer(r"^ *(?:/\*.*?\*/|//[^\n]*(?:\n *//[^\n]*)*)$", self.text, re.DOTALL | re.MULTILINE):
            first = self.text.count("\n", 0, match.start()) + 1
            found[first + match[0].count("\n")] = first, _plain(match[0].strip())
        return found

    def about(self):
        name, _, text = self.comments[min(self.comments)][1].partition(": ")
        if name != self.path.name:
            raise ValueError(f"{self.path}: the first comment begins with {name!r}, not with the file's name and a colon")
        return text[0].upper() + text[1:]

    def read(self):
        """The entries, in the order of the file."""
        plus = self.path.suffix == ".hpp"
        arguments = ["-xc++", "-std=c++20"] if plus else ["-xc", "-std=c11"]
        options = clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        unit = clang.Index.create().parse(str(self.path), [*arguments, f"-I{HEADERS.parent}", *_compilers_headers()],
                                          options=options)
        errors = [str(one) for one in unit.diagnostics if one.severity >= clang.Diagnostic.Error]
        if errors:
            raise ValueError(f"{self.path}: libclang does not understand it: {errors[0]}")
        found = sorted(self._declared(unit.cursor, ""), key=lambda one: one[0].extent.start.offset)
        entries, last = [], None
        for cursor, owner in found:
            line, end = cursor.extent.start.line, cursor.extent.end.line
            if line > self.end:
                break
            name = cursor.spelling.partition("<")[0]    # a template's constructor is range<T>
            if last is not None and last[1] >= end:    # the type of a typedef that has been shown, or a member in a type
                if cursor.kind == Kind.FIELD_DECL and last[0] == line:
                    entries[-1].names.append(name)
                continue
            about = self.comments.get(line - 1, (0, ""))[1]
            joins = not about and last is not None and entries[-1].owner == owner and line == last[1] + 1
            if not joins:
                entries.append(Entry(owner, about))
            entries[-1].names.append(name)
            entries[-1].declarations.append(self._declaration(cursor))
            last = line, line - 1 if self._has_members(cursor) else end
        return entries

    def _declared(self, cursor, owner):
        for one in cursor.get_children():
            here = one.location.file and Path(one.location.file.name) == self.path
            if one.kind == Kind.NAMESPACE and one.spelling != "detail" and here:
                yield from self._declared(one, owner)
            elif one.kind in (Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL):
                yield from self._declared(one, owner)
            elif here and one.kind in SHOWN and self._for_users(one):
                yield one, owner
                if self._has_members(one):
                    yield from self._declared(one, (owner and owner + "::") + one.spelling)

    def _for_users(self, cursor):
        if cursor.kind == Kind.MACRO_DEFINITION and cursor.spelling == re.sub(r"\W", "_", f"VICINO_{self.path.name}").upper():
            return False    # the guard
        if cursor.spelling.startswith("<"):
            return False    # a deduction guide
        return not cursor.spelling.endswith("_") and cursor.access_specifier.name not in ("PRIVATE", "PROTECTED")

    @staticmethod
    def _has_members(cursor):
        """Whether a type's members are shown one by one: those of a type that has functions."""
        return cursor.kind in TYPES and any(one.kind in FUNCTIONS for one in cursor.get_children())

    def _declaration(self, cursor):
        first, last = cursor.extent.start, cursor.extent.end
        text = self.bytes[first.offset:last.offset].decode()
        if cursor.kind == Kind.MACRO_DEFINITION:
            return "#define " + re.match(r"\w+(?:\([^)]*\))?", text)[0]
        if cursor.kind == Kind.FIELD_DECL:
            text = self.lines[first.line - 1].strip()
        elif self._has_members(cursor):
            text = text.partition("{")[0].partition(" : ")[0].rstrip()
        elif cursor.kind in FUNCTIONS:
            text = _head(text)
        indent = " " * (len(self.lines[first.line - 1]) - len(self.lines[first.line - 1].lstrip()))
        return text.replace("\n" + indent, "\n").rstrip().rstrip(";") + ";"


def _head(text):
    """A function's declaration without what initializes members, and without its body."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "(<[") - (letter in ")]" or letter == ">" and text[at - 1] != "-")
        if depth == 0 and (letter == "{" or re.match(r"\s:\s", text[at:])):
            return text[:at]
    return text


def _compilers_headers():
    """PyPI's libclang has no headers of its own, such as stddef.h: gcc's do."""
    folders = sorted(Path("/usr/lib/gcc").glob("*/*/include/stddef.h"), key=lambda path: int(path.parts[-3].split(".")[0]))
    if not folders:
        raise ValueError("no gcc in /usr/lib/gcc, whose stddef.h libclang needs")
    return ["-isystem", str(folders[-1].parent)]


def headers():
    """The headers in the order in which vicino.h includes them, then the others."""
    first = re.findall(r"#include <vicino/(\S+)>", (HEADERS / "vicino.h").read_text(encoding="utf-8"))
    names = sorted(path.name for path in HEADERS.glob("*.h*"))
    return ["vicino.h", *first, *(name for name in names if name not in ("vicino.h", *first))]


def page_of(name):
    header = _Header(HEADERS / name)
    language = "cpp" if name.endswith(".hpp") else "c"
    return Page(name, f"vicino/{name}", f"include/vicino/{name}", language, header.about(), header.read())


def _signature(function, name):
    parameters = []
    for one in function.parameters:
        if one.name != "self":
            parameters.append(one.name + ("" if one.default is None else f"={one.default}"))
    return f"vicino.{name}({', '.join(parameters)})"


def python_page():
    package = griffe.load("vicino", search_paths=[str(PACKAGE)], resolve_aliases=True)
    entries = []
    for name in package.exports:
        member = package[str(name)]
        member = member.final_target if member.is_alias else member
        entry = Entry("", member.docstring.value if member.docstring else "")
        entry.names.append(f"vicino.{name}")
        if member.is_function:
            entry.declarations.append(_signature(member, name))
        else:
            made = member.members.get("__init__")
            bases = ", ".join(map(str, member.bases))
            entry.declarations.append(_signature(made, name) if made else f"class vicino.{name}({bases})")
        entries.append(entry)
    return Page(PYTHON, "The Python package", "packaging/python/vicino", "python", package.docstring.value, entries)


def pages():
    return [*map(page_of, headers()), python_page()]


# From plain text to Markdown.
CODE = re.compile(r"""`[^`]*`
    | (?P<page>\bdocs/[\w/-]+\.md\b)
    | <?\bvicino/(?P<header>[a-z]+\.h(?:pp)?)\b>?
    | \*?(?:\w+::)*[A-Za-z]\w*(?:\[[^\]\s]*\])*\((?:[^()\s]|,\ |\s[*+-]\s|\([^()]*\))*\)    # a call
    | \b\w+(?:\[(?:[^][]|\[[^][]*\])*\])+    # an element
    | (?:[A-Za-z]\w*::)+\w+ | \b[A-Za-z]\w*_\w*(?:=\w+)? | \*[A-Za-z]\w*
    | (?P<mark>[*<_|])""", re.VERBOSE)


def _inline(text, source):
    """Code in backquotes; headers as links to their pages from that of the header `source`, unless it is None."""
    def marked(match):
        if match["page"]:
            return f"[{Path(match['page']).name}](../{Path(match['page']).relative_to('docs/reference')})"
        if match["header"]:
            name = f"vicino/{match['header']}"
            return f"`{name}`" if source in (None, match["header"]) else f"[{name}]({match['header']}.md)"
        if match["mark"]:
            return "&lt;" if match["mark"] == "<" else "\\" + match["mark"]
        return match[0] if match[0].startswith("`") else f"`{match[0]}`"

    return CODE.sub(marked, text)


def _blocks(text):
    """Pairs (kind, lines): "code", "item", "term" or "text"."""
    kind, lines, indent = None, [], 0
    for line in text.split("\n"):
        own = len(line) - len(line.lstrip())
        item = re.match(r" *- (?=\S)", line)
        term = re.match(r" {0,3}\S+(?: \S+)* {2,}(?=\S)", line)
        if kind == "code" and (not line or own >= 4) or lines and kind in ("item", "term") and line and own >= indent:
            lines.append(line)
            continue
        if kind == "text" and line and own < 4 and not item and not term:
            lines.append(line)
            continue
        if lines:
            yield kind, lines
        kind = "item" if item else "code" if own >= 4 else "term" if term else "text"
        indent = item.end() if item else term.end() if term else 0
        lines = [line] if line else []
    if lines:
        yield kind, lines


def markdown(text, language, source):
    """The text of a comment. A paragraph is one line, as long as it may be."""
    out, before = [], None
    for kind, lines in _blocks(text):
        joined = " ".join(line.strip() for line in lines)
        if kind == "code":
            code = "\n".join(line[4:] for line in lines).strip("\n")
            out += ["", f"```{language}", code, "```"]
        elif kind == "text":
            out += ["", _inline(joined, source)]
        else:
            head = re.match(r" {0,3}(\S+(?: \S+)*) {2,}", lines[0]) if kind == "term" else None
            about = _inline(joined[len(head[0].strip()):].strip() if head else joined[2:], source)
            out += ([] if before in ("item", "term") else [""]) + ([f"- `{head[1]}`: {about}"] if head else [f"- {about}"])
        before = kind
    return "\n".join(out).strip("\n")


def as_markdown(page):
    out = [f"# {page.title}", "", markdown(page.about, page.language, page.name), "",
           f"From [{page.source}](../../repository/{page.source}{'' if page.name == PYTHON else '.md'})."]
    if page.name == PYTHON:
        out[-1] = f"From `{page.source}`. How to use it: [Vicino for Python](../python.md)."
    for entry in page.entries:
        out += ["", "## " + entry.title(), f"```{page.language}", *entry.declarations, "```"]
        if entry.about:
            out += ["", markdown(entry.about, page.language, page.name)]
    return "\n".join(out) + "\n"


def _first_sentence(entry):
    kind, lines = next(_blocks(entry.about), ("", []))
    text = " ".join(line.strip() for line in lines)
    return _inline(re.split(r"(?<=[.])\s+", text)[0].rstrip(" .:"), None)


HEAD = """\
# Functions of C, C++ and Python

<!-- Written by scripts/site/api.py. -->

All that the headers and the Python package offer, and the first sentence of each comment. The comments themselves are in
the headers, above what they explain. They are in [include/vicino](../../include/vicino), and are installed with the library:
`#include <vicino/vicino.h>` has all functions for C but those of `vicino/forall.h`, [linking.md](linking.md) says how to link.

With examples: [loops](loops-api.md), [task graphs](graphs-api.md), [recorded tasks](recorded-graphs.md),
[Python](python.md).
"""


def as_list(them):
    out = [HEAD]
    for page in them:
        source = f"[{page.title}](../../{page.source})" if page.name != PYTHON else page.title
        out += [f"## {source}", "", f"<!-- on the site: {FOLDER.removeprefix('reference/')}/{page.name}.md -->", "",
                "| | |", "|---|---|"]
        out += [f"| {entry.title()} | {_first_sentence(entry)} |" for entry in page.entries] + [""]
    return "\n".join(out)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        for one in pages():
            Path(sys.argv[1], one.name + ".md").write_text(as_markdown(one), encoding="utf-8")
    else:
        print(as_list(pages()), end="")
