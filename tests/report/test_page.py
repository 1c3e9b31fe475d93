"""The report: every text in its place, small, and alive in a browser."""

import re
from html.parser import HTMLParser

import pytest

from tests.runtime.show.conftest import SCENE
from volterra_cg import driver
from volterra_cg.build.cache import Cache
from volterra_cg.options import Options
from volterra_cg.report import report
from volterra_cg.report.compare import compared
from volterra_cg.report.page import wrapped

pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def made(compiled, workshop, tmp_path_factory):
    """The report of a spec whose texts mean harm."""
    path = tmp_path_factory.mktemp("report") / "hostile.toml"
    path.write_text(SCENE)
    return report(path, compiled(SCENE).simulate(), "volterra-cg report '<b>'", Options(), compare=False)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_no_text_of_a_spec_becomes_markup(made):
    tags = Tags()
    tags.feed(made)
    assert tags.open == []
    assert not {tag for tag, _ in tags.found} & {"img", "iframe", "link", "object", "b"}
    assert [tag for tag, _ in tags.found].count("script") == 2
    assert not [name for _, attrs in tags.found for name in attrs if name.startswith("on") or name in ("src", "href")]
    assert len(made.encode()) < 3e6


def test_the_page_tells_what_a_reader_wants_to_know(made):
    text = re.sub(r"<script.*?</script>|<style.*?</style>", "", made, flags=re.DOTALL)
    for title in ("What was compiled", "Equations", "What is conserved", "How to repeat it"):
        assert f"<h2>{title}</h2>" in text
    assert "<math" in text
    assert "der(" not in re.sub(r"<pre>.*?</pre>|<p>.*?</p>|<td>.*?</td>", "", text, flags=re.DOTALL)
    assert "volterra-cg report &#x27;&lt;b&gt;&#x27;" in text
    assert "2 coordinates, 0 constraints, 2 degrees of freedom" in text
    assert "<th>coordinate</th><th>unit</th><th>ignorable" in text  # nothing is said of what they are


def test_the_page_lives_in_a_browser(made, browser, tmp_path):
    page = tmp_path / "report.html"
    page.write_text(made, encoding="utf-8")
    browser.open(page)
    assert browser.run("return viewer.view.gl.getError()") == 0  # drawn
    assert browser.seconds() < 1  # until the first picture and all plots are there
    browser.run("viewer.player.set(1.5)")
    assert browser.run("return document.querySelector('.clock').textContent") == "t = 1.50 s"
    assert browser.run("return document.querySelectorAll('svg.plot path.curve').length") >= 4
    assert browser.run("return document.querySelectorAll('math').length") > 3
    before = browser.run("return document.querySelector('.legend .number').textContent")
    browser.run(
        "const p = document.querySelector('svg.plot'), b = p.getBoundingClientRect();"
        "p.dispatchEvent(new PointerEvent('pointermove', {clientX: b.left + b.width * 0.8, clientY: b.top + 20}))"
    )
    assert browser.run("return document.querySelector('.legend .number').textContent") != before
    browser.run("document.querySelector('math').style.fontSize = '600px'")
    width = "return document.querySelector('math').getBoundingClientRect().width"
    assert browser.run(width) > 700
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.run(width) < 700  # paper does not scroll
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert browser.run(width) > 700
    browser.require_quiet()


def test_long_sums_are_cut_between_their_terms():
    term = "<mrow><mo>-</mo><mi>a</mi></mrow>" + "<mspace></mspace>" * 50
    math = f'<math display="block"><mrow><mi>L</mi><mo>=</mo><mrow>{term}<mo>+</mo>{term}<mo>-</mo>{term}</mrow></mrow></math>'
    tags = Tags()
    tags.feed(wrapped(math))
    assert tags.open == []
    assert [tag for tag, _ in tags.found].count("math") == 3
    assert re.sub("<[^>]*>", "", wrapped(math)).split() == ["L=-a", "+-a", "--a"]
    assert wrapped(math.replace("<mspace></mspace>", "")) == math.replace("<mspace></mspace>", "")
    product = math.replace("<mo>+</mo>", "<mi>b</mi>").replace("</mrow><mo>-</mo>", "</mrow>")
    assert wrapped(product) == product


def test_formulations_are_compared(compiled, workshop, tmp_path, monkeypatch):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    path = tmp_path / "scene.toml"
    path.write_text(SCENE)
    run = driver.model(path, Options(), Cache(workshop / "cache")).simulate(1.0)
    rows = {row.formulation: row for row in compared(path, run, Options(), ("reduced-volterra", "kane", "routh"))}
    assert rows["kane"].equations == 2
    assert rows["kane"].operations > 0
    assert rows["routh"].remark  # no coordinate is ignorable
    assert rows["routh"].equations == 0
