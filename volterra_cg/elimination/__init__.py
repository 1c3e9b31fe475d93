"""Elimination: the solution of a posed problem as functions of the state, in one of several elimination orders."""
