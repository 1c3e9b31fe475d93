"""Every error the package raises, by who is at fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SHOWN = 160  # characters of a line of a spec


class VolterraError(Exception):
    """Base of all errors raised on purpose; `exit_code` is what the command line returns."""

    exit_code = 1


@dataclass(frozen=True, order=True)
class Place:
    """A spot in a file, or the name of what is told elsewhere; lines and columns count from 1, and 0 is for none."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a spec: what, where, and what to do about it."""

    place: Place
    message: str
    remedy: str = ""
    source: str = ""  # the offending line of the file, for the caret display

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}"
        if self.remedy:
            head += f" ({self.remedy})"
        if not self.source:
            return head
        if not self.place.column:
            return f"{head}\n    {self.source[:SHOWN]}"
        first = max(0, self.place.column - SHOWN // 2) if len(self.source) > SHOWN else 0  # the part around the caret
        return f"{head}\n    {self.source[first : first + SHOWN]}\n    {' ' * (self.place.column - 1 - first)}^"

    def as_dict(self) -> dict[str, str | int]:
        """The same as plain data."""
        where: dict[str, str | int] = {"file": self.place.file, "line": self.place.line, "column": self.place.column}
        return {**where, "message": self.message, "remedy": self.remedy, "source": self.source}


class SpecError(VolterraError):
    """The spec is wrong; carries every problem found, in source order."""

    exit_code = 3

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.place))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class NotToml(SpecError):  # noqa: N818
    """A file is not TOML."""


class LimitError(SpecError):
    """A spec holds more than the limits allow; reading ends there."""


class ModelError(VolterraError):
    """The mechanism as described cannot be posed: dependent constraints, singular speeds, no mass.

    `subject` names the spec entry at fault as (table, key), so that a caller who knows the file can give its place.
    """

    exit_code = 3

    def __init__(self, message: str, subject: tuple[str, str] | None = None, remedy: str = "") -> None:
        self.subject = subject
        self.remedy = remedy
        super().__init__(message)


class ModelErrors(ModelError):  # noqa: N818
    """One or several reasons why a mechanism cannot be posed."""

    def __init__(self, errors: Sequence[ModelError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors), errors[0].subject, errors[0].remedy)


class OptionError(VolterraError):
    """An option or argument is wrong."""

    exit_code = 2


class ImpossibleParameters(OptionError):  # noqa: N818
    """No body has the masses, sizes or inertias, and no impact the restitution, that the parameters make."""


class WriteError(OptionError):
    """A file cannot be written where it was asked for: no space, or no permission; the file system is at fault."""

    exit_code = 4


class BuildError(VolterraError):
    """The C compiler, Cython or the file system refused."""

    exit_code = 4


class IntegrationError(VolterraError):
    """A simulation could not go on; `time` is where it stopped, `run` what was computed until then, if anything.

    `status` is how the run ended, a volterra_cg.runtime.Status.
    """

    exit_code = 5

    def __init__(self, message: str, time: float, run: Any = None, status: Any = None) -> None:
        self.time = time
        self.run = run
        self.status = status
        super().__init__(message)


class DoubtfulRun(IntegrationError):  # noqa: N818
    """A simulation that was to be strict drifted from what its model conserves by more than its tolerances allow."""


class Interrupted(IntegrationError, KeyboardInterrupt):  # noqa: N818
    """A simulation was interrupted from the keyboard; `run` is what was computed until then."""

    exit_code = 130


class WorkerError(VolterraError):
    """A process or machine that was to compute something is gone."""

    exit_code = 5


class SingularConfiguration(VolterraError):  # noqa: N818
    """A divisor of the model vanished; `block` names it, `time` is None when only the parameters are to blame."""

    exit_code = 5

    def __init__(self, message: str, block: str, time: float | None) -> None:
        self.block = block
        self.time = time
        super().__init__(message)


class StartError(VolterraError):
    """The start values contradict the constraints."""

    exit_code = 3


class InternalError(VolterraError):
    """A defect of this package."""
