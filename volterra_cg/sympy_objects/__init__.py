"""Mechanisms told as objects of sympy.physics.mechanics, made into the entities of a mechanism."""
