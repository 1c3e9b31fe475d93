"""The compiled model cart_pendulum, written by volterra_cg 0.1.0.

`rhs(t, z, out=None)` is the derivative of z for the parameters and start values of the spec; `start(q, qd, params)`
binds others and returns an object with the same methods.
"""

import json as _json

from volterra_cg.runtime import METHODS as _METHODS, Model as _Model

from . import _model

_DESCRIPTION = r"""
{
 "name": "cart_pendulum",
 "formulation": "reduced-volterra",
 "arithmetic": "fused",
 "generator": "0.1.0",
 "abi": 6,
 "spec": "8b26a3392a0788e2",
 "m": 3,
 "r": 1,
 "p": 2,
 "s": 1,
 "equations": 1,
 "states": 4,
 "coordinates": [
  "theta1",
  "theta2",
  "x"
 ],
 "ignorable": [
  "x"
 ],
 "embedded": [
  "x"
 ],
 "quasi_velocities": [
  "u"
 ],
 "dropped_quasi_velocities": [
  "x_rate"
 ],
 "state_names": [
  "theta1",
  "theta2",
  "x",
  "u"
 ],
 "parameters": {
  "m1": 1.0,
  "m2": 0.5,
  "l": 0.2,
  "g": 9.81
 },
 "signals": {},
 "units": {
  "theta1": "rad",
  "theta2": "rad",
  "x": "m",
  "m1": "kg",
  "m2": "kg",
  "l": "m",
  "g": "m/s^2",
  "tau": "N m"
 },
 "constraints": [
  "wheel"
 ],
 "outputs": [
  {
   "name": "rates",
   "offset": 0,
   "size": 3,
   "labels": [
    "theta1",
    "theta2",
    "x"
   ],
   "user": false
  },
  {
   "name": "accelerations",
   "offset": 3,
   "size": 3,
   "labels": [
    "theta1",
    "theta2",
    "x"
   ],
   "user": false
  },
  {
   "name": "kinetic_energy",
   "offset": 6,
   "size": 1,
   "labels": [],
   "user": false
  },
  {
   "name": "potential_energy",
   "offset": 7,
   "size": 1,
   "labels": [],
   "user": false
  },
  {
   "name": "momenta",
   "offset": 8,
   "size": 1,
   "labels": [
    "x"
   ],
   "user": false
  },
  {
   "name": "constraints",
   "offset": 9,
   "size": 1,
   "labels": [
    "wheel"
   ],
   "user": false
  },
  {
   "name": "positions",
   "offset": 10,
   "size": 0,
   "labels": [],
   "user": false
  },
  {
   "name": "energy",
   "offset": 10,
   "size": 1,
   "labels": [],
   "user": false
  }
 ],
 "events": [],
 "invariants": [
  "energy",
  "momentum x"
 ],
 "checks": [
  "quasi-velocity u does not determine the rate of der(theta1) (choose other quasi-velocities)",
  "constraint wheel does not determine the rate of theta2 (choose other quasi-velocities); it rests on the value of l",
  "conserved momentum x does not determine the rate of x (choose other quasi-velocities); it rests on the value of m1, m2",
  "the reduced mass matrix is not positive definite, at der(theta1)",
  "quasi-velocity u does not determine the rate of der(theta1) (choose other quasi-velocities)",
  "the reduced mass matrix is not positive definite, at der(theta1)"
 ],
 "limits": [
  {
   "what": "the mass of 'cart'",
   "rule": "a mass is above zero",
   "parameters": [
    "m1"
   ]
  },
  {
   "what": "the mass of 'bar1'",
   "rule": "a mass is above zero",
   "parameters": [
    "m2"
   ]
  },
  {
   "what": "the moment of inertia zz of 'bar1'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "m2",
    "l"
   ]
  }
 ],
 "matrices": true,
 "smooth": true,
 "work": false,
 "project": [],
 "operations": {
  "total": 55,
  "add": 15,
  "mul": 34,
  "div": 2,
  "function": 4,
  "prepare": 76
 },
 "instructions": 42,
 "simulation": {
  "t_end": 50.0,
  "dt": 0.01,
  "rtol": 1e-08,
  "atol": 1e-10
 },
 "notes": [
  "quasi-velocities left to the conserved momenta: x_rate"
 ],
 "about": "A cart with a two-bar pendulum; a wheel at its end C rolls along the second bar (Sec. 3.1 of the paper).",
 "scene": {
  "bodies": [
   {
    "name": "cart",
    "at": 0,
    "mass": 3,
    "axes": 4,
    "shape": "box",
    "axis": 2,
    "sizes": 13,
    "count": 3,
    "moved": 16
   },
   {
    "name": "bar1",
    "at": 28,
    "mass": 31,
    "frame": "AB",
    "axes": 32,
    "spin": 2,
    "inertia": 41
   },
   {
    "name": "bar2",
    "at": 50,
    "mass": 53,
    "frame": "BC",
    "axes": 54,
    "spin": 2,
    "inertia": 63
   }
  ],
  "lines": [
   {
    "kind": "arm",
    "name": "G1",
    "first": 0,
    "second": 28,
    "frame": "AB"
   },
   {
    "kind": "arm",
    "name": "B",
    "first": 0,
    "second": 72,
    "frame": "AB"
   },
   {
    "kind": "arm",
    "name": "G2",
    "first": 72,
    "second": 50,
    "frame": "BC"
   },
   {
    "kind": "arm",
    "name": "C",
    "first": 72,
    "second": 75,
    "frame": "BC"
   }
  ],
  "joints": [],
  "arrows": [],
  "gravity": 78,
  "size": 81
 },
 "optimise": {
  "order": "dense in other speeds",
  "tried": {
   "dense in other speeds": 55,
   "dense": 76,
   "composite in other speeds": 97,
   "composite": 107,
   "composite from leaves in other speeds": 95,
   "composite from leaves": 102,
   "recursive from leaves": 106,
   "recursive": 125
  },
  "history": {
   "derived": 132,
   "merge": 113,
   "1. factor through": 86,
   "2. share": 68,
   "3. share": 60,
   "4. share": 55,
   "prepare": 55
  },
  "level": 3,
  "solved_in": [
   "der(theta1)"
  ]
 }
}
"""

table = _model.table
address = _model.address
model = _Model(table, address, _json.loads(_DESCRIPTION), __path__[0])
name = model.name
coordinates = model.coordinates
parameters = model.parameters
start = model.start
simulate_many = model.simulate_many

__all__ = ["address", "coordinates", "model", "name", "parameters", "simulate_many", "start", "table", *_METHODS]


def __getattr__(attribute):
    # What belongs to the spec's own start is made when first asked for.
    if attribute not in _METHODS:
        raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")
    value = getattr(model.default, attribute)
    globals()[attribute] = value
    return value


def __dir__():
    return sorted({*globals(), *_METHODS})
