"""Each page of the documentation's site in headless Chromium, as wide as a phone: no complaints, nothing asked of a network,
nothing wider than the screen; the front page also in dark colours.

    site_pages_test.py VICINO
"""

import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

import browser
from on_vicino import skip

ROOT = Path(__file__).resolve().parents[2]
PHONE = 390


def _builder():
    loader = importlib.machinery.SourceFileLoader("build", str(ROOT / "scripts/site/build"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("build", loader))
    loader.exec_module(module)
    return module


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name)
        builder = _builder()
        builder.python()
        assert builder.main(cls.site) == 0
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, page, **how):
        self.browser.open(page, width=PHONE, **how)
        self.assertEqual(self.browser.said, [])
        self.assertEqual([url for url in self.browser.asked if not url.startswith(("file:", "data:", "blob:"))], [])
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), PHONE)

    def test_each_page(self):
        pages = [page for page in sorted(self.site.rglob("*.html")) if page.name != "404.html"]
        self.assertGreater(len(pages), 50)
        for page in pages:
            with self.subTest(page=str(page.relative_to(self.site))):
                self.open(page)

    def test_search_from_the_disk(self):
        self.open(self.site / "index.html")
        self.browser.run("""(() => { const input = document.querySelector('[data-md-component=search-query]');
            document.querySelector('#__search').click(); input.focus(); input.value = 'pthread_mutex_lock';
            input.dispatchEvent(new KeyboardEvent('keyup', {key: 'k'})); })()""")
        found = self.browser.run("""new Promise((done) => { const look = () => {
            const links = [...document.querySelectorAll('.md-search-result__link')].map((one) => one.getAttribute('href'));
            if (links.length) done(links); else setTimeout(look, 50); }; look(); setTimeout(() => done([]), 20000); })""")
        self.assertTrue(any("reference/limits.html" in link for link in found), found)
        self.assertEqual(self.browser.said, [])

    def test_dark(self):
        grounds = set()
        for dark in (False, True):
            self.open(self.site / "index.html", dark=dark)
            self.browser.run("localStorage.clear()")  # the page keeps what it chose
            self.open(self.site / "index.html", dark=dark)
            grounds.add(self.browser.run("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(grounds), 2)


if __name__ == "__main__":
    if not browser.is_there():
        skip("there is no chromium (scripts/need browser)")
    unittest.main(argv=sys.argv[:1])
