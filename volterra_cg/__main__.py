"""`python -m volterra_cg` is the command line."""

from .cli.main import entry

entry()
