"""Colours of tiles, terrain and tokens, with their contrasts."""

from __future__ import annotations

TILE = {
    "white": "#f1ead8",
    "yellow": "#ffe14d",
    "green": "#8ccf6b",
    "brown": "#cf9560",
    "gray": "#c3c6ca",
    "red": "#e88a7d",
    "blue": "#a9d3ec",
    "purple": "#c9b3dc",
}
"""Grounds of hexes and tiles, and of values by phase."""

PIPS = {"yellow": "•", "green": "••", "brown": "•••", "gray": "••••"}
"""Dots beside a tile's number that tell its colour without colour."""

INK = "#141414"
TRACK = "#141414"
PAPER = "#f7f4ec"
HEX_EDGE = "#8d8673"
BORDER = "#7a1fa0"
WATER = "#0a5fb0"
MOUNTAIN = "#6b4a2b"
HILL = "#7a5b1e"
DESERT = "#b06a00"
PROVINCE = "#a3123a"
WALL = "#1b1b1b"
STUB = "#ffe14d"
GROUND_DARK = "#26343d"
GROUND_BRIGHT = "#ffe89a"
FAINT = "#5d5748"
SHADE = "#eae4d3"
ZONE = {"c": "#3a3a3a", "p": "#f6b8b0", "e": "#9cc4f2", "b": "#e7dcc0"}
OTHER_ZONES = ("#ffe9a8", "#c9e7b4", "#dcc6ea", "#ffd0a0", "#bfe6e4")
"""Grounds of market zones: by letter, and for letters that have none in their order."""

ROUTES = ("#d6001c", "#0050d8", "#7a00b8", "#00734d", "#b85c00", "#111111")
ROUTE_DASHES = ("", "14 7", "4 6", "20 6 4 6", "9 4", "2 5")
LAST_MOVE = "#d6001c"

RIMS = ("", "solid", "ticks", "dots", "half", "thirds", "thick", "gaps", "bars")
"""Patterns of the rim of a token: with the initials and the colour they tell companies apart."""


def tint(name: str) -> str:
    """The ground of a tile colour; `#rrggbb` is returned unchanged."""
    return name if name.startswith("#") else TILE.get(name, "#ffffff")


def channels(colour: str) -> tuple[int, int, int]:
    """0 to 255 each."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def lighten(colour: str) -> str:
    """Mixed with white: dark letters are legible on it."""
    mixed = (round(value + (255 - value) * 0.6) for value in channels(colour))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def luminance(colour: str) -> float:
    """0 to 1."""
    parts = [part / 255 for part in channels(colour)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def difference(one: str, other: str) -> float:
    """Weighted distance in red, green and blue, 0 to about 765."""
    (r1, g1, b1), (r2, g2, b2) = channels(one), channels(other)
    mean = (r1 + r2) / 2
    red, green, blue = r1 - r2, g1 - g2, b1 - b2
    return float(((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2) ** 0.5)


def choose_text_colour(colour: str) -> str:
    return "#000000" if contrast("#000000", colour) >= contrast("#ffffff", colour) else "#ffffff"
