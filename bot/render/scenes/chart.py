"""Charts of how a game went: net worth, income and share prices over the rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import ceil, log10

from bot.engine import msg
from bot.engine.games.history import GameHistory
from bot.engine.play import Title
from bot.i18n import tr
from bot.i18n.labels import format_round_label
from bot.render.hexes.tokens import token
from bot.render.shapes import (
    FAINT,
    GROUND_DARK,
    INK,
    PAPER,
    ROUTE_DASHES,
    ROUTES,
    Circle,
    Curve,
    Point,
    Polygon,
    Rect,
    Scene,
    Shape,
    Text,
    size_to_fit,
    width_of,
)
from bot.render.shapes.alt_text import truncate_alt_text
from bot.render.shapes.hex_view import faces_of


class ChartKind(StrEnum):
    """The values of a chart for every round."""

    WORTH = "worth"
    INCOME = "income"
    PRICES = "prices"
    CHANCES = "chances"


NAMES = {
    ChartKind.WORTH: "Net worth",
    ChartKind.INCOME: "Income of the round",
    ChartKind.PRICES: "Share prices",
    ChartKind.CHANCES: "Chances of winning",
}

WIDTH, HEIGHT = 1100, 640
LEFT, RIGHT, TOP, BOTTOM = 84.0, 190.0, 70.0, 60.0
LINES = 6
"""Approximate number of horizontal lines."""

GAP = 27.0
"""Minimum distance between two names at the right."""

LABEL = 74.0

ENDED = 14.0

SIGNS = ("disc", "square", "diamond", "triangle", "ring", "cross")


@dataclass(frozen=True)
class ChartLine:
    """A value for every round, None before the line begins or after it ends."""

    name: str
    values: tuple[int | None, ...]
    colour: str
    dashes: str
    sign: str


def chart_scene(title: Title, chronicle: GameHistory, kind: ChartKind) -> Scene:
    """A chart of that kind: a line a player or company, told apart by colour, dashes, signs and its name at the end. Chances
    stand in the place of worth, in percent."""
    standings = [one for one in chronicle.standings if kind != ChartKind.INCOME or any(one.income.values())]
    labels = [format_round_label(standing.label) for standing in standings]
    shown = GameHistory(chronicle.names, standings)
    lines = company_lines(title, shown) if kind == ChartKind.PRICES else player_lines(shown, kind)
    top = max([value for line in lines for value in line.values if value is not None], default=0)
    low = min([0, *(value for line in lines for value in line.values if value is not None)])
    step = nice_step(max(1, top - low) / LINES)
    scale = Scale(len(labels), step * (low // step), step * ceil(max(top, 1) / step))
    base: list[Shape] = [
        Rect("title ground", (0, 0), (WIDTH, 48), GROUND_DARK),
        Text("title", (16, 32), f"{title.name} · {tr(NAMES[kind])}", 22, "#ffffff", "start", bold=True),
    ]
    value = scale.low
    while value <= scale.high:
        y = scale.y(value)
        base.append(Curve("grid", f"M{LEFT:.1f} {y:.1f}L{WIDTH - RIGHT:.1f} {y:.1f}", "#d8d1bd", 1.2))
        base.append(Text("scale", (LEFT - 8, y + 6), format_value(title, kind, value), 17, FAINT, "end"))
        value += step
    every = max(1, ceil(len(labels) * LABEL / (WIDTH - LEFT - RIGHT)))
    for index in range(0, len(labels), every):
        base.append(Text("round", (scale.x(index), HEIGHT - BOTTOM + 26), labels[index], 15, FAINT))
    shapes: list[Shape] = []
    for line in lines:
        shapes += line_shapes(line, scale)
    shapes += names_below_last_points(lines, scale)
    shapes += names_at_end(title, lines, scale, kind)
    return Scene(kind, WIDTH, HEIGHT, alt(title, lines, labels, kind), tuple(base), (), tuple(shapes))


@dataclass(frozen=True)
class Scale:
    """`number` rounds across, values from `low` to `high`."""

    number: int
    low: int
    high: int

    def x(self, index: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * index / max(1, self.number - 1)

    def y(self, value: int) -> float:
        part = (value - self.low) / max(1, self.high - self.low)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def format_value(title: Title, kind: ChartKind, value: int) -> str:
    return f"{value} %" if kind == ChartKind.CHANCES else f"{title.currency}{value}"


def nice_step(raw: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50 …"""
    power: int = 10 ** int(log10(max(1.0, raw)))
    return next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= raw)


def player_lines(chronicle: GameHistory, kind: ChartKind) -> list[ChartLine]:
    return [
        _line(
            chronicle.names[player],
            [
                (standing.income if kind == ChartKind.INCOME else standing.worth).get(player)
                for standing in chronicle.standings
            ],
            ROUTES[index % len(ROUTES)],
            index,
        )
        for index, player in enumerate(chronicle.names)
    ]


def company_lines(title: Title, chronicle: GameHistory) -> list[ChartLine]:
    """Only companies that have had a price."""
    found: list[ChartLine] = []
    faces = faces_of(title)
    for company in title.companies:
        values = [standing.prices.get(company) for standing in chronicle.standings]
        if any(value is not None for value in values):
            found.append(_line(company, values, faces[company].colour, len(found)))
    return found


def _line(name: str, values: Sequence[int | None], colour: str, index: int) -> ChartLine:
    return ChartLine(name, tuple(values), colour, ROUTE_DASHES[index % len(ROUTE_DASHES)], SIGNS[index % len(SIGNS)])


def line_shapes(line: ChartLine, scale: Scale) -> list[Shape]:
    """The line with a dark edge, so that pale colours show, and its sign at every round; broken where it has no value."""
    stretches: list[list[Point]] = [[]]
    for index, value in enumerate(line.values):
        if value is not None:
            stretches[-1].append((scale.x(index), scale.y(value)))
        elif stretches[-1]:
            stretches.append([])
    points = [point for stretch in stretches for point in stretch]
    if not points:
        return []
    path = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in stretch) for stretch in stretches if stretch)
    shapes: list[Shape] = [Curve("line edge", path, INK, 5.2), Curve("line", path, line.colour, 3.6, line.dashes)]
    every = max(1, ceil(len(points) / 24))
    for point in [*points[::every], *(stretch[-1] for stretch in stretches if stretch)]:
        shapes += sign(line, point)
    return shapes


def sign(line: ChartLine, at: Point) -> list[Shape]:
    x, y = at
    size = 5.5
    outlines: Mapping[str, tuple[Point, ...]] = {
        "square": ((x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)),
        "diamond": ((x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)),
        "triangle": ((x, y - 7), (x + 7, y + 6), (x - 7, y + 6)),
    }
    if line.sign in outlines:
        return [Polygon("sign", outlines[line.sign], line.colour, INK, 1.3)]
    if line.sign == "cross":
        return [Curve("sign", f"M{x - 6} {y - 6}L{x + 6} {y + 6}M{x - 6} {y + 6}L{x + 6} {y - 6}", INK, 3)]
    return [Circle("sign", at, 5.5, "#ffffff" if line.sign == "ring" else line.colour, INK, 1.5)]


def names_at_end(title: Title, lines: Sequence[ChartLine], scale: Scale, kind: ChartKind) -> list[Shape]:
    """The names at the right end with the last values, moved apart where lines end close together."""
    ends = sorted(
        ((scale.y(last), line, last) for line in lines if line.values and (last := line.values[-1]) is not None),
        key=lambda end: end[0],
    )
    places = spread([y for y, _, _ in ends], TOP, HEIGHT - BOTTOM)
    faces = {str(face.sign): face for face in faces_of(title).values()}
    shapes: list[Shape] = []
    x = WIDTH - RIGHT + 16
    gap = min([GAP, *(b - a for a, b in pairwise(places))])
    for place, (y, line, last) in zip(places, ends, strict=True):
        shapes.append(Curve("leader", f"M{x - 12:.1f} {y:.1f}L{x:.1f} {place:.1f}", FAINT, 1.2))
        words = f"{line.name} {format_value(title, kind, last)}"
        size = size_to_fit(words, RIGHT - 56, min(18.0, gap * 0.85), bold=True)
        if kind == ChartKind.PRICES:
            shapes += token(faces[line.name], (x + 12, place), min(12.0, gap * 0.55), "chart token")
        else:
            shapes += sign(line, (x + 10, place))
        shapes.append(Text("end", (x + 28, place + size * 0.36), words, size, INK, "start", bold=True))
    return shapes


def names_below_last_points(lines: Sequence[ChartLine], scale: Scale) -> list[Shape]:
    """The names below the last points of lines that end before the others do, of companies that have closed: above each
    other if they would overlap."""
    shapes: list[Shape] = []
    taken: list[tuple[float, float, float]] = []
    for line in lines:
        ended = [index for index, value in enumerate(line.values) if value is not None]
        if not ended or ended[-1] == len(line.values) - 1:
            continue
        x, y = scale.x(ended[-1]), scale.y(line.values[ended[-1]] or 0) + ENDED * 1.4
        half = width_of(line.name, ENDED, bold=True) / 2
        while any(abs(x - at) < half + wide + 4 and abs(y - high) < ENDED for at, high, wide in taken):
            y -= ENDED
        taken.append((x, y, half))
        shapes.append(Text("ended", (x, y), line.name, ENDED, INK, bold=True, halo=PAPER))
    return shapes


def spread(wished: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places in the same order, apart from each other and within bounds."""
    gap = min(GAP, (bottom - top) / max(1, len(wished)))
    places: list[float] = []
    for place in wished:
        places.append(max(place, places[-1] + gap if places else top))
    limit = bottom
    for index in range(len(places) - 1, -1, -1):
        places[index] = min(places[index], limit)
        limit = places[index] - gap
    return places


def alt(title: Title, lines: Sequence[ChartLine], labels: Sequence[str], kind: ChartKind) -> str:
    """First, highest and last value of every line."""
    words = []
    for line in lines:
        values = [value for value in line.values if value is not None]
        if values:
            words.append(
                tr(
                    "{name}: from {first} to {last}, at most {highest}.",
                    line.name,
                    values[0],
                    values[-1],
                    max(values),
                )
            )
    span = tr("{first} to {last}", labels[0], labels[-1]) if labels else tr("no round yet")
    return truncate_alt_text([tr("{chart} in {title}.", msg(NAMES[kind]), title.name), f"{span}.", *words])
