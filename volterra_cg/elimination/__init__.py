"""Elimination: from a posed problem to the straight-line program that solves it."""
