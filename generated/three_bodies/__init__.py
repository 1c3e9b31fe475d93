"""The compiled model three_bodies, written by volterra_cg 0.1.0.

`rhs(t, z, out=None)` is the derivative of z for the parameters and start values of the spec; `start(q, qd, params)`
binds others and returns an object with the same methods.
"""

import json as _json

from volterra_cg.runtime import METHODS as _METHODS, Model as _Model

from . import _model

_DESCRIPTION = r"""
{
 "name": "three_bodies",
 "formulation": "reduced-volterra",
 "arithmetic": "fused",
 "generator": "0.1.0",
 "abi": 6,
 "spec": "cf450277e6134f8f",
 "m": 8,
 "r": 0,
 "p": 8,
 "s": 3,
 "equations": 5,
 "states": 13,
 "coordinates": [
  "psi",
  "theta",
  "phi",
  "gamma1",
  "gamma2",
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
  "gamma1_rate",
  "gamma2_rate"
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
  "gamma1",
  "gamma2",
  "X",
  "Y",
  "Z",
  "wx",
  "wy",
  "wz",
  "gamma1_rate",
  "gamma2_rate"
 ],
 "parameters": {
  "m_s": 100.0,
  "m_p": 10.0,
  "a": 2.0,
  "b": 2.0,
  "c": 2.0,
  "I_xx": 67.0,
  "I_yy": 67.0,
  "I_zz": 67.0,
  "I_xy": 5.0,
  "I_xz": 2.0,
  "I_yz": 0.0
 },
 "signals": {},
 "units": {
  "psi": "rad",
  "theta": "rad",
  "phi": "rad",
  "gamma1": "rad",
  "gamma2": "rad",
  "X": "m",
  "Y": "m",
  "Z": "m",
  "m_s": "kg",
  "m_p": "kg",
  "a": "m",
  "b": "m",
  "c": "m",
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
   "size": 8,
   "labels": [
    "psi",
    "theta",
    "phi",
    "gamma1",
    "gamma2",
    "X",
    "Y",
    "Z"
   ],
   "user": false
  },
  {
   "name": "accelerations",
   "offset": 8,
   "size": 8,
   "labels": [
    "psi",
    "theta",
    "phi",
    "gamma1",
    "gamma2",
    "X",
    "Y",
    "Z"
   ],
   "user": false
  },
  {
   "name": "kinetic_energy",
   "offset": 16,
   "size": 1,
   "labels": [],
   "user": false
  },
  {
   "name": "potential_energy",
   "offset": 17,
   "size": 1,
   "labels": [],
   "user": false
  },
  {
   "name": "momenta",
   "offset": 18,
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
   "offset": 21,
   "size": 0,
   "labels": [],
   "user": false
  },
  {
   "name": "positions",
   "offset": 21,
   "size": 0,
   "labels": [],
   "user": false
  },
  {
   "name": "energy",
   "offset": 21,
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
  "conserved momentum X does not determine the rate of X (a singular position); it rests on the value of m_s, m_p",
  "conserved momentum Y does not determine the rate of Y (a singular position); it rests on the value of m_s, m_p",
  "conserved momentum Z does not determine the rate of Z (a singular position); it rests on the value of m_s, m_p",
  "the inertia seen by the whole is not positive; it rests on the value of m_p, m_s",
  "the inertia seen by the whole is not positive; it rests on the value of m_p, m_s",
  "the inertia seen by the whole is not positive; it rests on the value of m_p, m_s",
  "the inertia seen by gamma2_rate is not positive",
  "the inertia seen by gamma1_rate is not positive",
  "the inertia seen by wz is not positive",
  "the inertia seen by wy is not positive",
  "the inertia seen by wx is not positive",
  "the inertia seen by gamma2_rate is not positive",
  "the inertia seen by gamma1_rate is not positive",
  "the inertia seen by wz is not positive",
  "the inertia seen by wy is not positive",
  "the inertia seen by wx is not positive"
 ],
 "limits": [
  {
   "what": "the mass of 'box'",
   "rule": "a mass is above zero",
   "parameters": [
    "m_s"
   ]
  },
  {
   "what": "the moment of inertia xx of 'box'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "I_xx"
   ]
  },
  {
   "what": "the moment of inertia yy of 'box'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "I_yy"
   ]
  },
  {
   "what": "the moment of inertia zz of 'box'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "I_zz"
   ]
  },
  {
   "what": "the inertia of 'box'",
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
   "what": "the mass of 'plate1'",
   "rule": "a mass is above zero",
   "parameters": [
    "m_p"
   ]
  },
  {
   "what": "the moment of inertia xx of 'plate1'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "m_p",
    "c"
   ]
  },
  {
   "what": "the moment of inertia yy of 'plate1'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "m_p",
    "a",
    "c"
   ]
  },
  {
   "what": "the moment of inertia zz of 'plate1'",
   "rule": "a moment of inertia is not below zero",
   "parameters": [
    "m_p",
    "a"
   ]
  },
  {
   "what": "the inertia of 'plate1'",
   "rule": "no principal moment is above the sum of the other two; xy, xz, yz are the tensor's entries with their sign",
   "parameters": [
    "m_p",
    "a",
    "c"
   ]
  }
 ],
 "matrices": true,
 "smooth": true,
 "work": false,
 "project": [],
 "operations": {
  "total": 289,
  "add": 116,
  "mul": 158,
  "div": 5,
  "function": 10,
  "prepare": 158
 },
 "instructions": 196,
 "simulation": {
  "t_end": 50.0,
  "dt": 0.1,
  "rtol": 1e-08,
  "atol": 1e-10
 },
 "notes": [
  "quasi-velocities left to the conserved momenta: X_rate, Y_rate, Z_rate"
 ],
 "about": "A box with two plates hinged on its edges, free in space (Sec. 3.2 of the paper).",
 "scene": {
  "bodies": [
   {
    "name": "box",
    "at": 0,
    "mass": 3,
    "frame": "S",
    "axes": 4,
    "spin": 0,
    "inertia": 13
   },
   {
    "name": "plate1",
    "at": 22,
    "mass": 25,
    "frame": "P1",
    "axes": 26,
    "spin": 2,
    "inertia": 35
   },
   {
    "name": "plate2",
    "at": 44,
    "mass": 47,
    "frame": "P2",
    "axes": 48,
    "spin": 2,
    "inertia": 57
   }
  ],
  "lines": [
   {
    "kind": "arm",
    "name": "A",
    "first": 0,
    "second": 66,
    "frame": "S"
   },
   {
    "kind": "arm",
    "name": "B",
    "first": 0,
    "second": 69,
    "frame": "S"
   },
   {
    "kind": "arm",
    "name": "G1",
    "first": 66,
    "second": 22,
    "frame": "P1"
   },
   {
    "kind": "arm",
    "name": "G2",
    "first": 69,
    "second": 44,
    "frame": "P2"
   }
  ],
  "joints": [],
  "arrows": [],
  "gravity": null,
  "size": 72
 },
 "optimise": {
  "order": "shape",
  "tried": {
   "shape": 289,
   "composite from leaves": 346,
   "composite": 357,
   "recursive": 400,
   "recursive from leaves": 401
  },
  "history": {
   "derived": 495,
   "merge": 400,
   "1. invariance": 343,
   "2. factor through": 336,
   "3. share": 295,
   "4. share": 289,
   "prepare": 289
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
