"""Emission: from a program to C, Cython and the equations for reading."""
