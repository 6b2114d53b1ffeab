"""Texts and choices of people, read against a position."""
