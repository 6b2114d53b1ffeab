"""Mergers, new companies and systems (18BF §12)."""
