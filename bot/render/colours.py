"""Colours of tiles, terrain and tokens, with their contrasts."""

from __future__ import annotations

TILE = {
    "white": "#efe7d3",
    "yellow": "#ffe14d",
    "green": "#8ccf6b",
    "brown": "#cf9560",
    "gray": "#c3c6ca",
    "red": "#e88a7d",
    "blue": "#a9d3ec",
}
INK = "#141414"
TRACK = "#141414"
PAPER = "#f7f4ec"
HEX_EDGE = "#8d8673"
BORDER = "#7a1fa0"
WATER = "#a9d3ec"
MOUNTAIN = "#6b4a2b"
DESERT = "#b06a00"
PHASE = {"yellow": "#ffe14d", "green": "#8ccf6b", "brown": "#cf9560", "gray": "#c3c6ca"}
ZONE = {"c": "#3a3a3a", "p": "#f6b8b0", "e": "#9cc4f2", "b": "#e7dcc0"}
ROUTES = ("#d6001c", "#0050d8", "#7a00b8", "#00734d", "#b85c00", "#111111")
ROUTE_DASHES = ("", "14 7", "4 6", "20 6 4 6", "9 4", "2 5")
LAST_MOVE = "#d6001c"

RINGS = ("", "7 4", "2.5 3", "12 3 3 3")
"""Dashes of the ring on a token: with the initials and the colour they tell companies apart."""


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1."""
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def readable_on(colour: str) -> str:
    """Black or white, whichever reads better."""
    return "#000000" if contrast("#000000", colour) >= contrast("#ffffff", colour) else "#ffffff"
