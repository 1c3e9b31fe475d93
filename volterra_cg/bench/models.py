"""The models to compare: one spec, compiled by every formulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from volterra_cg import driver
from volterra_cg.build import load
from volterra_cg.errors import SpecError
from volterra_cg.options import FORMULATIONS, REDUCED, Options
from volterra_cg.runtime import Model

REFERENCE = REDUCED
DENSE = f"{REFERENCE} dense"
LABELS = (*(name for name in FORMULATIONS if name != REFERENCE), DENSE, REFERENCE)  # in the order of tables and figures
Say = Callable[[str], None]


@dataclass(frozen=True)
class Built:
    """A model under the name that the tables give it."""

    label: str
    model: Model
    folder: Path


def models(spec: Path, formulations: Sequence[str], optimise: int, say: Say) -> tuple[list[Built], dict[str, str]]:
    """The models of all formulations that apply, and the reasons of those that do not."""
    built: list[Built] = []
    refused: dict[str, str] = {}
    for label, options in _variants(formulations, optimise):
        say(f"{spec.stem}: building {label}")
        try:
            folder = driver.build(spec, options).folder
        except SpecError as error:
            if options.formulation == REFERENCE:
                raise
            refused[label] = "; ".join(problem.message for problem in error.problems)
        else:
            built.append(Built(label, load(folder).model, folder))
    return built, refused


def _variants(formulations: Sequence[str], optimise: int) -> Iterator[tuple[str, Options]]:
    """The reduced form appears twice: in the order that the compiler chose, and with the dense solve of the others."""
    for formulation in formulations:
        yield formulation, Options(formulation, optimise=optimise)
        if formulation == REFERENCE:
            yield DENSE, Options(formulation, order="dense", optimise=optimise)
