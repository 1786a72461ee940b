"""Pictures of the documentation as SVG: boxes, arrows, bars and texts that follow the reader's colours, light or dark."""

import html

# Near those of Okabe and Ito, as in tools/vicino/page/page.css. Each meaning has a shape or a place of its own besides.
STYLE = """
svg.v{--g:#fff;--t:#1b2026;--s:#55606c;--l:#c8ced6;--b:#eef1f5;--c0:#1f6fb5;--c1:#c9780a;--c2:#00805f;--c3:#a5468c;font:13px system-ui,"Segoe UI","DejaVu Sans",sans-serif}
@media(prefers-color-scheme:dark){svg.v{--g:#14171b;--t:#e7eaee;--s:#a2acb8;--l:#444c57;--b:#20252c;--c0:#56a3e6;--c1:#e69f33;--c2:#2bb38c;--c3:#d07fb8}}
.v .ground{fill:var(--g)}.v text{fill:var(--t)}.v .soft{fill:var(--s)}.v .line{stroke:var(--l);fill:none}
.v .box{fill:var(--b);stroke:var(--s)}.v .own{fill:var(--b);stroke:var(--c0);stroke-width:2}.v .off{fill:var(--b);stroke:var(--c1);stroke-width:2}
.v .cut{stroke:var(--g);fill:none;stroke-width:2}.v .arrow{stroke:var(--s);fill:none;stroke-width:1.5}.v .tip{fill:var(--s)}
.v .c0{fill:var(--c0)}.v .c1{fill:var(--c1)}.v .c2{fill:var(--c2)}.v .c3{fill:var(--c3)}
.v .s0{stroke:var(--c0);fill:none;stroke-width:2}.v .s1{stroke:var(--c1);fill:none;stroke-width:2}.v .s2{stroke:var(--c2);fill:none;stroke-width:2}.v .s3{stroke:var(--c3);fill:none;stroke-width:2}
"""
LINE = 17


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Picture:
    def __init__(self, width, height, title, description):
        self.width, self.height = width, height
        self.parts = [f'<svg class="v" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'role="img" aria-label="{html.escape(title)}">',
                      f"<title>{html.escape(title)}</title><desc>{html.escape(description)}</desc><style>{STYLE}</style>",
                      '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                      'orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
                      f'<rect class="ground" width="{width}" height="{height}"/>']

    def text(self, x, y, text, kind="", anchor="start"):
        kind = f' class="{kind}"' if kind else ""
        anchor = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(f'<text{kind}{anchor} x="{number(x)}" y="{number(y)}">{html.escape(text)}</text>')

    def bar(self, x, y, width, height, kind):
        self.parts.append(f'<rect class="{kind}" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"/>')

    def bars(self, spans, y, height, kind):
        """Bars [(x, width)] of one height, as one path."""
        path = "".join(f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h-{number(width)}z" for x, width in spans)
        self.parts.append(f'<path class="{kind}" d="{path}"/>')

    def box(self, x, y, width, lines, kind="box"):
        """Lines of text in a box, the first of them in the full colour; its place as (x, y, width, height)."""
        height = LINE * len(lines) + 12
        self.parts.append(f'<rect class="{kind}" rx="5" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{height}"/>')
        for row, line in enumerate(lines):
            self.text(x + width / 2, y + 18 + LINE * row, line, "soft" if row else "", "middle")
        return x, y, width, height

    def line(self, path, kind="line"):
        self.parts.append(f'<path class="{kind}" d="{path}"/>')

    def arrow(self, *points):
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        self.parts.append(f'<path class="arrow" marker-end="url(#tip)" d="{path}"/>')

    def mark(self, x, y, which):
        """Four kinds of marks, in the colours 0 to 3."""
        shape = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-4 -4h8v8h-8z", "M0 -5l5 9h-10z", "M0 -5l5 5-5 5-5-5z")[which]
        self.parts.append(f'<path class="c{which}" transform="translate({number(x)} {number(y)})" d="{shape}"/>')

    def __str__(self):
        return "\n".join([*self.parts, "</svg>"]) + "\n"
