"""The compiled model satellite_boom, written by volterra_cg 0.1.0.

`rhs(t, z, out=None)` is the derivative of z for the parameters and start values of the spec; `start(q, qd, params)`
binds others and returns an object with the same methods.
"""

import json as _json

from volterra_cg.runtime import METHODS as _METHODS, Model as _Model

from . import _model

_DESCRIPTION = r"""
{
 "name": "satellite_boom",
 "formulation": "reduced-volterra",
 "arithmetic": "fused",
 "generator": "0.1.0",
 "abi": 6,
 "spec": "89d8c3a1dca7b490",
 "m": 7,
 "r": 0,
 "p": 7,
 "s": 3,
 "equations": 4,
 "states": 12,
 "coordinates": [
  "psi",
  "theta",
  "phi",
  "rho",
  "X",
  "Y",
  "Z"
 ],
 "ignorable": [
  "X",
  "Y",
  "Z"
 ],
 "embedded": [
  "X",
  "Y",
  "Z"
 ],
 "quasi_velocities": [
  "wx",
  "wy",
  "wz",
  "rho_rate"
 ],
 "dropped_quasi_velocities": [
  "X_rate",
  "Y_rate",
  "Z_rate"
 ],
 "state_names": [
  "psi",
  "theta",
  "phi",
  "rho",
  "X",
  "Y",
  "Z",
  "wx",
  "wy",
  "wz",
  "rho_rate",
  "work"
 ],
 "parameters": {
  "m_s": 2000.0,
  "m": 1.0,
  "l": 2.5,
  "a": 0.5,
  "I_xx": 1400.0,
  "I_yy": 900.0,
  "I_zz": 1100.0,
  "I_xy": 5.0,
  "I_xz": 8.0,
  "I_yz": 3.0
 },
 "signals": {},
 "units": {
  "psi": "rad",
  "theta": "rad",
  "phi": "rad",
  "rho": "m",
  "X": "m",
  "Y": "m",
  "Z": "m",
  "m_s": "kg",
  "m": "kg",
  "l": "m",
  "a": "m",
  "I_xx": "kg m^2",
  "I_yy": "kg m^2",
  "I_zz": "kg m^2",
  "I_xy": "kg m^2",
  "I_xz": "kg m^2",
  "I_yz": "kg m^2"
 },
 "constraints": [],
 "outputs": [
  {
   "name": "rates",
   "offset": 0,
   "size": 7,
   "labels": [
    "psi",
    "theta",
    "phi",
    "rho",
    "X",
    "Y",
    "Z"
   ],
   "user": false
  },
  {
   "name": "accelerations",
   "offset": 7,
   "size": 7,
   "labels": [
    "psi",
    "theta",
    "phi",
    "rho",
    "X",
    "Y",
    "Z"
   ],
   "user": false
  },
  {
   "name": "kinetic_energy",
   "offset": 14,
   "size": 1,
   "labels": [],
   "user": false
  },
  {
   "name": "potential_energy",
   "offset": 15,
   "size": 1,
   "labels": [],
   "user": false
  },
  {
   "name": "momenta",
   "offset": 16,
   "size": 3,
   "labels": [
    "X",
    "Y",
    "Z"
   ],
   "user": false
  },
  {
   "name": "constraints",
   "offset": 19,
   "size": 0,
   "labels": [],
   "user": false
  },
  {
   "name": "positions",
   "offset": 19,
   "size": 0,
   "labels": [],
   "user": false
  },
  {
   "name": "energy",
   "offset": 19,
   "size": 1,
   "labels": [],
   "user": false
  }
 ],
 "events": [],
 "invariants": [
  "energy",
  "momentum X",
  "momentum Y",
  "momentum Z"
 ],
 "checks": [
  "quasi-velocity wy, quasi-velocity wz do not determine the rates of psi, theta (choose other quasi-velocities)",
  "conserved momentum X does not determine the rate of X (a singular position); it rests on the value of m_s, m",
  "conserved momentum Y does not determine the rate of Y (a singular position); it rests on the value of m_s, m",
  "conserved momentum Z does not determine the rate of Z (a singular position); it rests on the value of m_s, m",
  "the inertia seen by X is not positive; it rests on the value of m_s, m",
  "the inertia seen by Y is not positive; it rests on the value of m_s, m",
  "the inertia seen by Z is not positive; it rests on the value of m_s, m",
  "the inertia seen by rho_rate is not positive; it rests on the value of m, m_s",
  "the inertia seen by wz is not positive; it rests on the value of I_zz",
  "the inertia seen by wy is not positive",
  "the inertia seen by wx is not positive",
  "the inertia seen by rho_rate is not positive; it rests on the value of m, m_s",
  "the inertia seen by wy is not positive",
  "the inertia seen by wx is not positive"
 ],
 "limits": [
  {
   "what": "the mass of 'satellite'",
   "rule": "a mass is above zero",
   "parameters": [
    "m_s"
   ]
  },
  {
   "what": "the moment of inertia xx of 'satellite'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "I_xx"
   ]
  },
  {
   "what": "the moment of inertia yy of 'satellite'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "I_yy"
   ]
  },
  {
   "what": "the moment of inertia zz of 'satellite'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "I_zz"
   ]
  },
  {
   "what": "the inertia of 'satellite'",
   "rule": "no principal moment is above the sum of the other two; xy, xz, yz are the tensor's entries with their sign",
   "parameters": [
    "I_xx",
    "I_yy",
    "I_zz",
    "I_xy",
    "I_xz",
    "I_yz"
   ]
  },
  {
   "what": "the mass of 'tip'",
   "rule": "a mass is above zero",
   "parameters": [
    "m"
   ]
  }
 ],
 "matrices": true,
 "smooth": true,
 "work": true,
 "project": [],
 "operations": {
  "total": 113,
  "add": 38,
  "mul": 64,
  "div": 3,
  "function": 8,
  "prepare": 60
 },
 "instructions": 79,
 "simulation": {
  "t_end": 50.0,
  "dt": 0.1,
  "rtol": 1e-08,
  "atol": 1e-10
 },
 "notes": [
  "quasi-velocities left to the conserved momenta: X_rate, Y_rate, Z_rate"
 ],
 "about": "A satellite that pushes out a mass on a massless boom (Sec. 3.3 of the paper).",
 "scene": {
  "bodies": [
   {
    "name": "satellite",
    "at": 0,
    "mass": 3,
    "frame": "S",
    "axes": 4,
    "spin": 0,
    "inertia": 13
   },
   {
    "name": "tip",
    "at": 22,
    "mass": 25
   }
  ],
  "lines": [],
  "joints": [],
  "arrows": [],
  "gravity": null,
  "size": 26
 },
 "optimise": {
  "order": "shape",
  "tried": {
   "shape": 113,
   "composite": 118,
   "recursive": 187,
   "composite from leaves": 118,
   "recursive from leaves": 329
  },
  "history": {
   "derived": 150,
   "merge": 137,
   "1. factor through": 123,
   "2. share": 113,
   "prepare": 113
  },
  "level": 3,
  "solved_in": []
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
