"""Whole pictures as shapes: map, market, sheets, charts."""
