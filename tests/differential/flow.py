"""The derivative of the state z = [q, u] as a function of everything, by the oracle, and its slopes by complex steps."""

from dataclasses import dataclass

import numpy as np

STEP = 1e-30


@dataclass
class Flow:
    """A choice of states: quasi-velocities, embedded momenta and constraints by name; `work` is one more state."""

    mechanism: object
    speeds: list
    embedded: list
    constraints: list
    work: bool

    def start(self, q, rates, t, parameters, signals):
        """z and the momenta of coordinates and rates."""
        place = self.mechanism.at(q, rates, t, parameters, signals)
        momenta = place.found().momenta
        speeds = [row.value for row in place.speeds(self.speeds).values()]
        return np.array([*q, *speeds, *[0.0] * self.work, *(momenta[name] for name in self.embedded)])

    def rates(self, q, u, g, t, parameters, signals):
        """q' from [Y; M'; a] q' = ...; without a where the speeds and momenta are as many as the coordinates."""
        place = self.mechanism.at(q, 0.0 * q, t, parameters, signals)
        found = place.found()
        rows = [(row.a, value - row.rest) for row, value in zip(place.speeds(self.speeds).values(), u, strict=True)]
        for name, value in zip(self.embedded, g, strict=True):
            j = self.mechanism.names.index(name)
            rows.append((found.momentum_rows[j], value - found.momentum_rest[j]))
        if len(rows) < len(q):
            rows += [(found.constraints[name].a, -found.constraints[name].rest) for name in self.constraints]
        return np.linalg.solve(np.array([a for a, _ in rows]), np.array([b for _, b in rows]))

    def rhs(self, q, u, g, t, parameters, signals):
        """dz/dt, off the constraints too."""
        rates = self.rates(q, u, g, t, parameters, signals)
        place = self.mechanism.at(q, rates, t, parameters, signals)
        found = place.found()
        du = [row.a @ found.q2 + row.bias for row in place.speeds(self.speeds).values()]
        return np.array([*rates, *du, *[found.power] * self.work])

    def slopes(self, function, t, **given):
        """The derivatives of `function` by each of its arrays or dicts, as matrices by their names."""
        return {name: self._matrix(function, t, given, name) for name in given}

    def _matrix(self, function, t, given, name):
        count = len(given[name])
        columns = [_column(function, t, given, name, i) for i in range(count)]
        rows = len(function(t=t, **given))
        return np.array(columns).reshape(count, rows).T


def _column(function, t, given, name, i):
    moved = dict(given)
    if isinstance(given[name], dict):
        key = list(given[name])[i]
        moved[name] = given[name] | {key: given[name][key] + 1j * STEP}
    else:
        moved[name] = given[name].astype(complex)
        moved[name][i] += 1j * STEP
    return np.imag(function(t=t, **moved)) / STEP
