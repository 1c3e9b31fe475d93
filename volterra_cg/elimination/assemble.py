"""The functions of a model, from a posed problem and its solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from volterra_cg.elimination.event_changes import changes
from volterra_cg.elimination.reactions import with_reactions
from volterra_cg.elimination.solution import Solution
from volterra_cg.formulations import charts
from volterra_cg.formulations.problem import Problem
from volterra_cg.program.field import depends
from volterra_cg.program.nodes import Node, Role
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Entry, Program, Section, Slopes


@dataclass(frozen=True)
class Slot:
    """Where a result lies in the vector of outputs."""

    name: str
    offset: int
    size: int
    labels: tuple[str, ...]
    user: bool = False


@dataclass(frozen=True)
class Assembly:
    """The program and the layout of its outputs; `invariants` names what stays constant along a motion."""

    program: Program
    slots: tuple[Slot, ...]
    invariants: tuple[str, ...]


def assemble(problem: Problem, solution: Solution, work: bool, charted: bool = False) -> Assembly:
    """All functions of the model; rates give way to their solution wherever the state is [q, u].

    If it is `charted`, one of several charts, the rows that tell how regular it is are among them.
    """
    kinematics = problem.kinematics
    graph, inputs = kinematics.graph, kinematics.inputs
    known: dict[Node, Node] = dict(zip(inputs.rates, solution.rates, strict=True))
    solved = [*solution.speed_rates, *solution.accelerations, *solution.forcing]
    solved_in_states = substitute(solved, known)
    speeds, count = len(problem.speeds), len(inputs.rates)
    speed_rates, forcing = solved_in_states[:speeds], solved_in_states[speeds + count :]
    accelerations = solved_in_states[speeds : speeds + count]
    power = graph.add(graph.zero, *(q * rate for q, rate in zip(kinematics.forces, inputs.rates, strict=True)))
    extra = substitute([power], known) if work else ()
    mass = tuple(node for row in solution.mass for node in row)
    outputs, checks = with_reactions(kinematics)
    changed, impacts = changes(kinematics, known)
    slots, measured, invariants = _measured(problem, power, work, outputs)
    start = (*inputs.coordinates, *(row.value for row in problem.speeds), *([graph.zero] if work else []))
    parts = (solution.rates, mass, forcing, speed_rates)
    sections = tuple(Section(title, nodes) for title, nodes in zip(problem.titles, parts, strict=True))
    embedded = [integral.row.value for integral in problem.integrals if integral.value is not None]
    entries = (
        Entry("initial", (*kinematics.start[0], *kinematics.start[1])),
        Entry("start", (*start, *embedded)),
        Entry("rhs", (*solution.rates, *speed_rates, *extra), sections),
        Entry("motion", (*solution.rates, *accelerations)),
        Entry("measure", measured),
        Entry("matrices", (*mass, *forcing)),
        *_gaps(problem),
        *([_frame(problem)] if charted else ()),
        *changed,
    )
    return Assembly(Program(graph, entries, (*solution.checks, *checks, *impacts)), slots, invariants)


def _gaps(problem: Problem) -> tuple[Entry, ...]:
    """The holonomic constraints and their derivatives by the coordinates, where there are any."""
    kinematics = problem.kinematics
    rows = [(row, row.position) for row in kinematics.rows if row.position is not None]
    count, zero = len(kinematics.inputs.coordinates), kinematics.graph.zero
    slopes = tuple(row.columns.get(j, zero) for row, _ in rows for j in range(count))
    return (Entry("gaps", (*(position for _, position in rows), *slopes)),) if rows else ()


def _frame(problem: Problem) -> Entry:
    """The rows whose independence makes a problem solvable, in coordinates of about unit mass."""
    zero, units = problem.kinematics.graph.zero, charts.units(problem.kinematics)
    entries = [row.columns.get(j, zero) * unit for row in charts.frame(problem) for j, unit in enumerate(units)]
    return Entry("frame", tuple(entries))


def _measured(
    problem: Problem, power: Node, work: bool, outputs: Mapping[str, Node]
) -> tuple[tuple[Slot, ...], tuple[Node, ...], tuple[str, ...]]:
    """Layout of the outputs, those computed from coordinates and rates, and the names of the invariants."""
    kinematics = problem.kinematics
    zero, rows = kinematics.graph.zero, kinematics.rows
    names = tuple(coordinate.name for coordinate in kinematics.inputs.coordinates)
    kinetic, potential = kinematics.kinetic, kinematics.potential
    groups: list[tuple[str, tuple[str, ...], tuple[Node, ...]]] = [
        ("kinetic_energy", (), (kinetic,)),
        ("potential_energy", (), (potential,)),
        ("momenta", tuple(row.name for row in problem.momenta), tuple(row.value for row in problem.momenta)),
        ("constraints", tuple(row.name for row in rows), tuple(row.value for row in rows)),
    ]
    holonomic = [(row.name, row.position) for row in rows if row.position is not None]
    groups.append(("positions", tuple(name for name, _ in holonomic), tuple(node for _, node in holonomic)))
    invariants = [f"momentum {row.name}" for row in problem.momenta]
    if _conserves_energy(problem, power, work):
        groups.append(("energy", (), (_energy(problem, work),)))
        invariants.insert(0, "energy")
    if kinematics.project:  # the constraints as rows, for the projection of start values at run time
        groups.append(("jacobian", (), tuple(r.columns.get(j, zero) for r in rows for j in range(len(names)))))
        groups.append(("drift", (), tuple(r.rest for r in rows)))
    impacts = [(event.name, event.gap.value) for event in kinematics.events if event.gap is not None]
    if impacts:  # how fast their gaps open, for the runtime to tell bounces from rounding
        groups.append(("gap_rates", tuple(name for name, _ in impacts), tuple(node for _, node in impacts)))
    if computed := kinematics.computed_signals:
        groups.append(("signals", tuple(computed), tuple(computed.values())))
    slots = [Slot("rates", 0, len(names), names), Slot("accelerations", len(names), len(names), names)]
    for name, labels, nodes in groups:
        slots.append(Slot(name, slots[-1].offset + slots[-1].size, len(nodes), labels))
    for name in outputs:
        slots.append(Slot(name, slots[-1].offset + slots[-1].size, 1, (), user=True))
    measured = [node for _, _, nodes in groups for node in nodes]
    return tuple(slots), (*measured, *outputs.values()), tuple(invariants)


def _energy(problem: Problem, work: bool) -> Node:
    """T + V, less the work of the forces without potential where it is integrated, Eq. (80)."""
    energy = problem.kinematics.kinetic + problem.kinematics.potential
    return energy - work_input(problem) if work else energy


def work_input(problem: Problem) -> Node:
    """The work integral as a state."""
    return problem.kinematics.graph.input(Role.WORK, 0, "work")


def _conserves_energy(problem: Problem, power: Node, work: bool) -> bool:
    """Whether T + V - work is an invariant: nothing moves by itself, and no work goes uncounted."""
    kinematics = problem.kinematics
    time = kinematics.inputs.time
    drifting = any(body.center.drift or (body.frame and _moves(body.frame.drift)) for body in kinematics.bodies)
    affine = any(not row.rest.is_zero for row in kinematics.rows)
    explicit = depends((kinematics.kinetic, kinematics.potential), time, kinematics.graph.field.seed)
    return not (drifting or affine or explicit) and (work or power.is_zero)


def _moves(drift: tuple[Node, Node, Node]) -> bool:
    return any(not component.is_zero for component in drift)


def slopes(problem: Problem, work: bool) -> tuple[Slopes, ...]:
    """The derivatives that a model may be asked for: of the derivative of the state, and of states and momenta at the start."""
    inputs = problem.kinematics.inputs
    states = (*inputs.coordinates, *problem.speed_inputs, *([work_input(problem)] if work else []))
    return (
        Slopes("jacobian", "rhs", states),
        Slopes("sensitivity", "rhs", (*inputs.parameters, *problem.momentum_inputs, *inputs.signals)),
        Slopes("start_sensitivity", "start", (*inputs.coordinates, *inputs.rates, *inputs.parameters)),
    )
