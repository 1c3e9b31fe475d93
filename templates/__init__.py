"""Texts of the generated files, rendered by the emission stage."""
