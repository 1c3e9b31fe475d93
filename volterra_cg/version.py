"""The version, alone, so that the packaging can read it."""

__version__ = "0.1.0"
