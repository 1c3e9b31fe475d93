"""Where the time of a build goes."""

from volterra_cg.clock import Clock


def test_the_clock_adds_up_and_tells(monkeypatch):
    heard = []
    clock = Clock(lambda stage, seconds: heard.append((stage, seconds is None)))
    for _ in range(2):
        with clock("derive"):
            pass
    seconds = clock.seconds()
    assert heard == [("derive", True), ("derive", False)] * 2
    assert 0 < seconds["derive"] <= seconds["total"]
    assert seconds["emit"] == 0.0
