"""The whole way from a spec to a compiled model, in one screen.

spec -> system -> kinematics -> formulation -> elimination -> passes -> emit -> build -> load

The stages before build, and sympy with them, are imported only where the cache has not kept what they give.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from volterra_cg import build as building
from volterra_cg.build import Built, Cache
from volterra_cg.clock import Clock
from volterra_cg.options import Options

if TYPE_CHECKING:
    from volterra_cg import search
    from volterra_cg.emit.sources import Sources
    from volterra_cg.formulations.problem import Posed
    from volterra_cg.runtime import Model


def model(path: Path, options: Options, cache: Cache | None = None) -> Model:
    """The loaded model of a spec."""
    found: Model = building.load(build(path, options, cache=cache).folder).model
    return found


def build(
    path: Path, options: Options, out: Path | None = None, clock: Clock | None = None, cache: Cache | None = None
) -> Built:
    """The module of a spec, below `out` or in the cache, derived and compiled as far as the cache does not have it."""
    own = Clock() if clock is None else clock
    return building.build(path, options, out, lambda: generate(path, options, own), own, cache)


def generate(path: Path, options: Options, clock: Clock) -> Sources:
    """The sources of a model: what `build` compiles."""
    from volterra_cg import derivation, search
    from volterra_cg.emit import model as emission
    from volterra_cg.spec import read
    from volterra_cg.system.from_spec import from_spec

    with clock("read"):
        spec = read(path, options.allow_include)
        system = from_spec(spec)
    options, reasons = derivation.cheapest(spec, system, options)

    def derived(seed: int) -> list[tuple[Posed, search.Found]]:
        with clock("derive"):
            problem, *sets = derivation.charts(derivation.pose(system, options, seed))
            charts = [replace(problem, notes=(*problem.notes, *reasons)), *sets]
        level, work, jacobian, charted = options.optimise, system.work, options.jacobian, len(charts) > 1
        made: list[tuple[Posed, search.Found]] = []
        for one in charts:
            with clock("derive"):
                found = derivation.solved(one, system, options, like=made[0][1].order if made else None)
            with clock("optimise"):
                made.append((one, search.cheapest(one, found, level, work, jacobian, charted)))
        return made

    with derivation.located(spec.places):
        (problem, best), *others = derivation.over_seeds(derived)
    with clock("emit"), derivation.located(spec.places):
        route = emission.Route(best.order, best.tried, best.history, options.optimise, best.solved_in)
        charts = [(other, found.assembly) for other, found in others]
        head, scene = derivation.heading(spec, system, options), derivation.scene(system)
        return emission.emit(problem, best.assembly, head, route, scene, charts, options.arithmetic)
