"""Kinematics: how the bodies of a system move, and what acts on them, over program nodes."""
