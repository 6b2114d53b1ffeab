"""Shapes to SVG and PNG."""
