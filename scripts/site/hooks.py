"""Hooks of MkDocs (mkdocs.yml): what docs/ links to outside of docs/ becomes a part of the site.

docs/ is read as plain Markdown, too, with relative links into the whole repository. On the site a file FILE outside of
docs/ has the address repository/FILE: a page if it is Markdown, a page with its text in a block if it is a source, the
file itself if it is a picture. A folder stands for its README.md, or for a list of its files. Links are followed from page to page, so that all that a
reader can reach is there.

The pages of api.py are there besides, in the navigation below docs/reference/api.md, whose comments
`<!-- on the site: ADDRESS -->` become links to them.
"""

import functools
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.append(str(Path(__file__).parent))

import api  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("iframe-worker.js")
OUTSIDE = "repository"
PICTURES = (".svg", ".png")
LANGUAGES = {".h": "c", ".c": "c", ".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".sbatch": "bash", ".json": "json"}

FENCE = re.compile(r"^(```|~~~)", re.MULTILINE)
ON_THE_SITE = re.compile(r"<!-- on the site: (\S+) -->")
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def _prose(text):
    """Pairs (text, whether it is in a fenced block)."""
    inside, part = False, []
    for line in text.splitlines(keepends=True):
        if FENCE.match(line):
            if not inside:
                yield "".join(part), False
                part = []
            part.append(line)
            if inside:
                yield "".join(part), True
                part = []
            inside = not inside
        else:
            part.append(line)
    yield "".join(part), inside


def _target(of, link):
    """The repository's file that a link in the repository's file `of` means; None for an address of the network."""
    if "://" in link or link.startswith("mailto:"):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(of), link))
    if (ROOT / path / "README.md").is_file():
        path = posixpath.join(path, "README.md")
    if path.startswith("..") or not (ROOT / path).exists():
        raise PluginError(f"{of} links to {link}, which is not in the repository")
    return path


def _address(path):
    """Where the site has a file of the repository."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.endswith((".md", *PICTURES)):
        return f"{OUTSIDE}/{path}"
    return f"{OUTSIDE}/{path}.md"


def _links(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    for part, fenced in _prose(text):
        if not fenced:
            for _, link, _, _ in LINK.findall(part):
                target = _target(path, link)
                if target:
                    yield target


def _as_page(path):
    if (ROOT / path).is_dir():
        return f"# {path}\n\n" + "\n".join(f"- `{one.name}`" for one in sorted((ROOT / path).iterdir())) + "\n"
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    return f"# {path}\n\n~~~~{LANGUAGES.get(Path(path).suffix, 'text')}\n{text}\n~~~~\n"


@functools.cache
def _api():
    return api.pages()


def _find(nav, page):
    """The list in the navigation that has the page."""
    for one in nav:
        if one == page:
            return nav
        for below in one.values() if isinstance(one, dict) else ():
            found = _find(below, page) if isinstance(below, list) else None
            if found is not None:
                return found
    return None


def on_config(config):
    there = _find(config.nav, "reference/api.md")
    if there is None:
        raise PluginError("mkdocs.yml: the navigation has no list with reference/api.md")
    there += [{page.title: f"{api.FOLDER}/{page.name}.md"} for page in _api()]
    return config


def on_files(files, config):
    left = [f"docs/{file.src_uri}" for file in files if file.src_uri.endswith(".md")]
    seen = set(left)
    while left:
        for target in _links(left.pop()):
            if target in seen:
                continue
            seen.add(target)
            if target.startswith("docs/"):
                continue
            if target.endswith(PICTURES):
                files.append(File.generated(config, _address(target), abs_src_path=str(ROOT / target)))
                continue
            files.append(File.generated(config, _address(target), content=_as_page(target)))
            if target.endswith(".md"):
                left.append(target)
    for page in _api():
        files.append(File.generated(config, f"{api.FOLDER}/{page.name}.md", content=api.as_markdown(page)))
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=str(WORKER)))
    return files


def on_page_markdown(markdown, page, config, files):
    address = page.file.src_uri
    if address.startswith(api.FOLDER + "/"):
        return markdown
    path = address.removeprefix(OUTSIDE + "/") if address.startswith(OUTSIDE + "/") else f"docs/{address}"
    if address.startswith(OUTSIDE + "/") and not (ROOT / path).is_file():
        return markdown  # a source's page, which has no links

    def mapped(match):
        target = _target(path, match[2])
        if target is None:
            return match[0]
        link = posixpath.relpath(_address(target), posixpath.dirname(address) or ".")
        anchor = "" if not target.endswith(".md") else match[3] or ""
        return match[1] + link + anchor + match[4]

    return "".join(part if fenced else ON_THE_SITE.sub(r"[In full](\1)", LINK.sub(mapped, part))
                   for part, fenced in _prose(markdown))
