"""Random impacts, latches and sampled signals against an event-driven reference, for every integrator.

`pytest -m torture tests/differential/test_events.py` makes thousands of runs.
"""

from itertools import pairwise

import numpy as np
import pytest

from tests.differential import events as reference
from volterra_cg.integrators import IN_LANES, INTEGRATORS
from volterra_cg.runtime import Status

SHARP = {"dt": 0.1, "rtol": 1e-10, "atol": 1e-10, "raises": False}
LOOKS = 0.02  # apart, at most, with the steps below
CERTAIN = 1e-6  # events of the reference that are closer change places
pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def hall(compiled):
    return compiled(reference.HALL, jacobian=True)


@pytest.fixture(scope="module")
def toys(compiled):
    return compiled(reference.TOYS, jacobian=True)


@pytest.fixture(scope="module")
def cart(compiled):
    return compiled(reference.CART, jacobian=True)


@pytest.fixture(scope="module")
def sled(compiled):
    return compiled(reference.SLED)


def certain(story, end, together):
    """Until when the order of the events is certain, and how many there are until then; `together` if equal times are."""
    times = [t for _, t in story.events]
    for number, (before, after) in enumerate(pairwise(times)):
        if after - before < CERTAIN and not (together and after == before):
            return before - CERTAIN, number
    return (story.until - CERTAIN if story.until < end else end), len(times)


def seen(events):
    """Events without what is watched only and crosses zero twice between two looks."""
    kept = []
    for event in events:
        if kept and event[0] == kept[-1][0] in ("level", "mark") and event[1] - kept[-1][1] < LOOKS:
            kept.pop()
        else:
            kept.append(event)
    return kept


def compare(run, story, end, together=True):
    """The same events at the same times; and an end where the reference has one."""
    until, count = certain(story, end, together)
    expected = seen(event for event in story.events[:count] if event[1] < until)
    found = seen((event.name, event.t) for event in run.events if event.t < until)
    assert [name for name, _ in found] == [name for name, _ in expected], (found, expected)
    np.testing.assert_allclose([t for _, t in found], [t for _, t in expected], rtol=0, atol=1e-6)
    assert run.status in (Status.DONE, Status.TOO_MANY_EVENTS), run.message
    if count == len(story.events) and story.until > end:
        assert run.status is Status.DONE, run.message
    return until


def rests(run, story, e):
    """A run that ends in a limit of events does so where the reference does."""
    assert run.status is Status.TOO_MANY_EVENTS, run.message
    assert abs(run.t[-1] - story.until) < 3e-5 / (1 - e), (run.t[-1], story.until)


# --- a ball in a hall ------------------------------------------------------------------------------------------------


def room(random):
    """Parameters, start values and rates of a ball in a hall; the floor slopes, or shakes, or neither."""
    kind = random.integers(4)
    tilt = random.uniform(-0.4, 0.4, 3)
    p = {
        "g": random.choice([0.0, 9.81, random.uniform(1, 20)]),
        "e": random.choice([0.0, 1.0, 0.5, random.uniform(0.2, 0.95)]),
        "k": random.uniform(-0.3, 0.3) if kind == 1 else 0.0,
        "A": random.uniform(0.01, 0.1) if kind == 2 else 0.0,
        "w": random.uniform(3, 15),
        "n1x": np.cos(tilt[0]), "n1y": np.sin(tilt[0]), "n2x": -np.cos(tilt[1]), "n2y": np.sin(tilt[1]),
        "n3x": np.sin(tilt[2]), "n3y": -np.cos(tilt[2]), "level": random.uniform(0.2, 0.8),
    }  # fmt: skip
    if kind == 3:
        p |= {"n1x": 1.0, "n1y": 0.0, "n2x": -1.0, "n2y": 0.0, "n3x": 0.0, "n3y": -1.0}
    return p, random.uniform([0.8, 0.8], [1.2, 1.2]), random.uniform(-3, 3, 2)


def check_hall(model, random, integrator):
    p, q, v = room(random)
    end = 4.0
    story = reference.hall(model.parameters | p, q, v, end)
    start = model.start(q, v, params=p)
    run = start.simulate(end, integrator=integrator, max_step=0.05, **SHARP)
    compare(run, story, end)
    pressed = p["e"] == 0 and p["g"] > 0 and story.events and story.events[-1][0] == "floor"
    if (story.rests or pressed) and p["A"] == 0:
        rests(run, story, p["e"])
    for name in ("floor", "left", "right", "roof"):
        assert run[name].min() > -1e-9, name
    if p["A"] == 0:
        energy = run["kinetic_energy"] + run["potential_energy"]
        assert np.diff(energy).max() < 1e-8 * (1 + np.abs(energy).max())
    if p["e"] == 1 and p["A"] == 0 and run.ok:
        assert energy[-1] == pytest.approx(energy[0], rel=1e-8)


def check_corner(model, random, integrator):
    """Two walls at the same time, up to rounding: both are felt, once each, and none is passed."""
    e, speed, angle = random.uniform(0.3, 1), random.uniform(0.5, 4), random.uniform(0.2, 1.3)
    turn = random.uniform(-0.5, 0.5)  # of the corner
    n1, n2 = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    v = -speed * (np.cos(angle) * n1 + np.sin(angle) * n2)
    hit = random.uniform(0.1, 0.9)
    corner = random.uniform([-2, 6], [2, 8])
    q = corner - hit * v
    p = {"g": 0.0, "e": e, "k": 0.0, "A": 0.0, "level": 50.0}
    p |= {"n1x": n1[0], "n1y": n1[1], "d1": -n1 @ corner, "n2x": n2[0], "n2y": n2[1], "d2": -n2 @ corner}
    p |= {"n3x": 0.0, "n3y": 1.0, "d3": 100.0}
    run = model.start(q, v, params=p).simulate(
        hit + 0.5, integrator=integrator, max_step=random.choice([0.05, 0.3, 1.0]),
        events={"floor": None, "level": None}, **SHARP,
    )  # fmt: skip
    assert sorted(event.name for event in run.events) == ["left", "right"], run
    assert max(abs(event.t - hit) for event in run.events) < 1e-9
    assert min(run["left"].min(), run["right"].min()) > -1e-9
    np.testing.assert_allclose([run["der(x)"][-1], run["der(y)"][-1]], -e * v, atol=1e-9)


# --- balls in a row, and a rod ---------------------------------------------------------------------------------------


def check_row(model, random, integrator):
    """Three balls, some of them touching at the start."""
    p = {f"m{i}": random.choice([1.0, random.uniform(0.3, 3)]) for i in (1, 2, 3)}
    p |= {"e": random.choice([1.0, random.uniform(0.7, 1)]), "g": 0.0, "d": 0.1, "wall": 2.0}
    places = np.sort(random.uniform(0.1, 1.6, 3)) + np.array([0, 0.1, 0.2])
    rates = random.uniform(-2, 2, 3)
    if random.random() < 0.5:
        places[2], rates[1:] = places[1] + p["d"], 0.0
        rates[0] = abs(rates[0])
    q, v = np.array([*places, 1.0, 0.1]), np.array([*rates, 0.0, 0.0])
    story, _ = reference.toys(model.parameters | p, q, v, 3.0)
    run = model.start(q, v, params=p).simulate(3.0, integrator=integrator, max_step=0.1, **SHARP)
    compare(run, story, 3.0)
    assert min(run[name].min() for name in ("left", "first", "second", "right")) > -1e-9
    assert np.diff(run["kinetic_energy"]).max() < 1e-9


def check_rod(model, random, integrator):
    """A rod falls flat, or a little tilted, on a floor that meets both of its ends."""
    flat = random.random() < 0.5
    p = {"er": random.choice([1.0, 0.0, random.uniform(0.1, 0.9)]), "l": random.uniform(0.5, 2), "m": 0.5}
    angle, spin = (0.0, 0.0) if flat else (random.uniform(-0.3, 0.3), random.uniform(-1, 1))
    q, v = np.array([0.2, 0.8, 1.4, 1.0, angle]), np.array([0, 0, 0, random.uniform(-1, 1), spin])
    end = 1.2
    story, motion = reference.toys(model.parameters | p, q, v, end)
    run = model.start(q, v, params=p).simulate(end, integrator=integrator, max_step=0.05, **SHARP)
    assert min(run["one_end"].min(), run["other_end"].min()) > -1e-9
    energy = run["kinetic_energy"] + run["potential_energy"]
    assert np.diff(energy).max() < 1e-8
    if not flat:
        compare(run, story, end, together=False)
    elif p["er"] == 0:
        rests(run, story, 0)
    elif story.until > end:  # which end is first is up to rounding: the mirror image will do
        first = [name for name, t in story.events if t == story.events[0][1]]
        assert sum(event.t < run.events[0].t + 1e-9 for event in run.events) == len(first)
        if len(story.events) == len(first) and run.ok:
            assert run["der(y)"][-1] == pytest.approx(motion.v[3], abs=1e-8)
            assert abs(run["der(a)"][-1]) == pytest.approx(abs(motion.v[4]), abs=1e-8)


# --- a cart, a force and latches -------------------------------------------------------------------------------------


def pulses(random, end):
    """A sampled force with short pulses in long silences."""
    times, values = [0.0], [0.0]
    while times[-1] < end:
        t, width = times[-1] + random.uniform(0.3, 2.0), 10 ** random.uniform(-4, -0.5)
        times += [t, t + width / 2, t + width]
        values += [0.0, random.uniform(-1, 1) * min(2 / width, 60.0), 0.0]
    return np.array(times), np.array(values)


def check_cart(model, random, integrator):
    end = 6.0
    force = pulses(random, end)
    p = {"m": random.uniform(0.5, 2), "e": random.uniform(0.3, 1), "mark": random.uniform(-1, 2)}
    q, v = random.uniform(-1, 0.4), random.choice([0.0, random.uniform(-1, 1)])
    story, motion = reference.cart(model.parameters | p, q, v, force, end)
    run = model.start([q], [v], params=p, signals={"F": force}).simulate(end, integrator=integrator, **SHARP)
    until = compare(run, story, end)
    assert min(run["wall"].min(), run["stop"].min()) > -1e-9
    if until == end:
        np.testing.assert_allclose(run.z[-1], [motion.q[0], motion.v[0]], atol=1e-6)


def check_sled(model, random, count):
    """Many trajectories in lanes, and the same alone: every pulse is felt."""
    end = 6.0
    force, masses = pulses(random, end), random.uniform(0.5, 2, count)
    found = [reference.driven(m, force, end) for m in masses]
    for integrator in IN_LANES:
        runs = model.simulate_many(end, dt=1.5, integrator=integrator, params={"m": masses}, signals={"F": force})
        assert runs.ok.all()
        np.testing.assert_allclose(runs.z[:, -1], found, rtol=0, atol=1e-9)
        alone = model.start(params={"m": masses[0]}, signals={"F": force}).simulate(end, dt=1.5, integrator=integrator)
        np.testing.assert_allclose(alone.z[-1], found[0], rtol=0, atol=1e-9)


# --- two sizes -------------------------------------------------------------------------------------------------------

CHECKS = {
    "hall": (check_hall, 12), "corner": (check_corner, 40), "row": (check_row, 20), "rod": (check_rod, 12),
    "cart": (check_cart, 12),
}  # fmt: skip


def several(request, name, seeds, integrator):
    check, _ = CHECKS[name]
    model = request.getfixturevalue({"corner": "hall", "row": "toys", "rod": "toys"}.get(name, name))
    for seed in seeds:
        try:
            check(model, np.random.default_rng([len(name), INTEGRATORS.index(integrator), seed]), integrator)
        except AssertionError as error:
            error.add_note(f"{name}, {integrator}, seed {seed}")
            raise


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", CHECKS)
def test_events_are_those_of_the_reference(request, name, integrator):
    several(request, name, range(CHECKS[name][1]), integrator)


def test_every_pulse_is_felt_in_lanes(sled):
    for seed in range(3):
        check_sled(sled, np.random.default_rng(seed), 20)


@pytest.mark.torture
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", CHECKS)
def test_many_events_are_those_of_the_reference(request, name, integrator):
    several(request, name, range(1000, 1000 + 30 * CHECKS[name][1]), integrator)


@pytest.mark.torture
def test_many_pulses_are_felt_in_lanes(sled):
    for seed in range(100, 200):
        check_sled(sled, np.random.default_rng(seed), 40)
