"""A painted picture: what all others need to know of painting. Who only passes pictures on does not load what paints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    name: str
    png: bytes
    alt: str
