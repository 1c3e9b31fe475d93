"""Types of the compiled memory of a run."""

from contextvars import ContextVar
from threading import Event

stop: ContextVar[Event | None]
