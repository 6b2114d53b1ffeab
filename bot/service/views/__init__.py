"""Positions and what happened, in words."""
