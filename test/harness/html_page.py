"""What each page that Vicino writes must be: whole, of one file, and readable by those who do not see it.

`faults(text)` says what is not so.
"""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

# Elements without an end.
VOID = {"meta", "link", "br", "hr", "img", "input"}
# Attributes by which a page asks for another file.
ASKING = {"src", "srcset", "href", "data", "poster", "action", "xlink:href", "background"}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.faults, self.open, self.ids, self.used = [], [], [], set()
        self.labelled, self.texts = {}, {}

    def handle_starttag(self, tag, attributes):
        its = dict(attributes)
        if "id" in its:
            self.ids.append(its["id"])
        for name, value in attributes:
            if name in ASKING and not (value.startswith("#") or value == "data:,"):
                self.faults.append(f"<{tag} {name}={value!r}> asks for another file")
            if name in ASKING and value.startswith("#"):
                self.used.add(value[1:])
            if name.startswith("on"):
                self.faults.append(f"<{tag} {name}>: a script in an attribute")
            self.used.update(re.findall(r"url\(#([\w-]+)\)", value or ""))
        self.used.update(filter(None, its.get("aria-labelledby", "").split()))
        inside = {tag for tag, _ in self.open}
        if tag == "svg" and not (its.get("aria-hidden") == "true" or its.get("role") == "img" and its.get("aria-label")):
            self.faults.append(f"a picture without a label: {its}")
        if its.get("role") in ("img", "group", "region") and not its.get("aria-label"):
            self.faults.append(f"<{tag} role={its['role']}> without a label")
        if tag == "th" and its.get("scope") not in ("row", "col"):
            self.faults.append("<th> without a scope")
        if tag == "section" and not (its.get("aria-label") or its.get("aria-labelledby")):
            self.faults.append("a section without a name")
        if tag in ("table", "button"):
            self.labelled[len(self.open)] = its.get("aria-label", "")
        if tag == "caption" and "table" not in inside:
            self.faults.append("a caption outside of tables")
        if tag not in VOID:
            self.open.append((tag, its))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
            return
        self.open.pop()
        if tag in ("table", "button") and not self.labelled.pop(len(self.open), "").strip():
            self.faults.append(f"a {tag} without a {'caption' if tag == 'table' else 'text'}")

    def handle_data(self, data):
        where = [tag for tag, _ in self.open]
        for depth in self.labelled:
            if where[depth] == "button" or "caption" in where[depth:]:
                self.labelled[depth] += data
        if where and where[-1] in ("title", "h1", "h2"):
            self.texts.setdefault(where[-1], []).append(data)
        if where and where[-1] in ("style", "script"):
            self.used.update(re.findall(r"url\(#([\w-]+)\)", data))
            if re.search(r"@import|url\((?!#)|https?:|//[a-z]|fetch\(|XMLHttp|\bimport\b", data):
                self.faults.append(f"<{where[-1]}> asks for another file")


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def faults(text):
    reader = read(text)
    found = reader.faults + [f"<{tag}> is not closed" for tag, _ in reader.open]
    found += [f"the id {one!r} is there twice" for one in set(reader.ids) if reader.ids.count(one) > 1]
    found += [f"nothing has the id {one!r}" for one in reader.used - set(reader.ids)]
    if not text.startswith("<!DOCTYPE html>"):
        found.append("no doctype")
    for needed in ('<html lang="en">', '<meta charset="utf-8">', 'name="viewport"', "prefers-color-scheme: dark"):
        if needed not in text:
            found.append(f"{needed} is not there")
    for tag in ("title", "h1"):
        if len(reader.texts.get(tag, [])) == 0:
            found.append(f"no {tag}")
    for picture in re.findall(r"<svg.*?</svg>", text, re.S):
        try:
            ElementTree.fromstring(picture)
        except ElementTree.ParseError as error:
            found.append(f"a picture is no XML: {error}: {picture[:80]}")
    return found
