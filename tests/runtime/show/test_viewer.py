"""The page in a browser: no errors, no network, and the picture moves as the motion says."""

import json
import re

import numpy as np
import pytest

from volterra_cg.runtime.figure import COLOURS
from volterra_cg.runtime.show import viewer

pytestmark = pytest.mark.compiles


def test_no_text_of_a_spec_gets_out_of_its_place(run):
    page = viewer.page(run)
    assert "<img" not in page
    assert "<b>m" not in page
    assert page.count("</script>") == 2
    [data] = re.findall(r'id="vcg-data">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data)["scene"]["name"] == "hostile"
    assert "http" not in re.sub(r'"http://www.w3.org/2000/svg"|http-equiv', "", page)
    assert len(page) < 3e6


def test_quaternions_have_no_jumps(run):
    turns = np.array(viewer.data(run)["scene"]["bodies"][1]["turn"]).reshape(-1, 4)
    assert np.abs(np.diff(turns, axis=0)).max() < 0.3


def test_the_picture_moves_as_the_motion_says(run, browser, tmp_path):
    run.animate(tmp_path / "motion.html", "angle", "slide")
    browser.open(tmp_path / "motion.html")
    expected = np.array([int(COLOURS[0][k : k + 2], 16) for k in (1, 3, 5)], dtype=float)
    seen = []
    for t in (0.0, 1.4):
        row = int(np.argmin(abs(run.t - t)))
        corner = [float(run["slide"][row]), -0.1, 0.04]
        browser.run(f"viewer.player.play(false); viewer.player.set({run.t[row]})")
        x, y = browser.run(f"return viewer.view.project({corner})")
        seen.append((x, y))
        colour = browser.pixel(x, y)
        angle = colour @ expected / np.linalg.norm(colour) / np.linalg.norm(expected)
        assert angle > 0.97, (t, colour)
    assert np.hypot(*np.subtract(*seen)) > 20
    browser.require_quiet()


def test_buttons_keys_and_scrubbing_work(run, browser, tmp_path):
    run.animate(tmp_path / "motion.html")
    browser.open(tmp_path / "motion.html")
    assert browser.run("return viewer.player.playing") is False  # motion is not wanted here
    browser.click("button.play")
    assert browser.run("return viewer.player.playing") is True
    browser.wait("return viewer.player.t > 0.05")
    browser.press(" ", "canvas.scene")
    assert browser.run("return viewer.player.playing") is False
    browser.run("viewer.player.set(1)")
    browser.press("ArrowRight", "canvas.scene")
    assert browser.run("return viewer.player.t") == pytest.approx(1.03)
    browser.run(
        "const s = document.querySelector('input[type=range]'); s.value = 2; s.dispatchEvent(new Event('input'))"
    )
    assert browser.run("return viewer.player.t") == pytest.approx(2.0)
    assert browser.run("return document.querySelector('.clock').textContent") == "t = 2.00 s"
    for name in ("ghosts", "vectors", "follow", "trails"):
        before = browser.run(f"return viewer.view.shown.{name}")
        browser.click(f"button.{name}")
        assert browser.run(f"return viewer.view.shown.{name}") is not before
    before = browser.run("return viewer.view.distance")
    browser.run("viewer.view.zoom(0.5); viewer.view.orbit(0.3, 0.2); viewer.view.pan(10, 10)")
    assert browser.run("return viewer.view.distance") == pytest.approx(before / 2)
    browser.click("button.reset")
    assert browser.run("return viewer.view.distance") == pytest.approx(before)
    texts = browser.run("return [...document.querySelectorAll('figcaption')].map((each) => each.textContent)")
    assert "angle [rad]" in texts
    browser.require_quiet()
