"""The end of the time."""

from __future__ import annotations


class OutOfTime(Exception):
    """The deadline has passed."""
