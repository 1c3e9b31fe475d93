"""Where the time of a build goes."""

from volterra_cg.clock import Clock


def test_the_clock_adds_up_and_tells(monkeypatch):
    heard = []
    clock = Clock(lambda moment: heard.append((moment.stage, moment.done, moment.seconds is None)))
    for _ in range(2):
        with clock("derive"):
            clock.tell("derive", 0.5)
    seconds = clock.seconds()
    assert heard == [("derive", 0.0, True), ("derive", 0.5, True), ("derive", 1.0, False)] * 2
    assert 0 < seconds["derive"] <= seconds["total"]
    assert seconds["emit"] == 0.0
