"""Sheets: a company's charter, a player's holdings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.engine import IPO, POOL, CompanyId, HexId, Owner, PlayerId
from bot.engine.notation import money, round_and_phase, run_lines
from bot.engine.play import Game
from bot.engine.play.holdings import format_certificates, president_of, price_of
from bot.engine.state import Company
from bot.i18n import tr
from bot.render.hexes.tokens import token
from bot.render.shapes import (
    GROUND_DARK,
    INK,
    SHADE,
    Rect,
    Scene,
    Shape,
    Text,
    choose_text_colour,
    lighten,
    size_to_fit,
    wrap_words,
)
from bot.render.shapes.alt_text import truncate_alt_text
from bot.render.shapes.hex_view import TokenDrawing, faces_of

WIDTH = 900
HEAD = 84.0
ROW = 50.0
LINE = 34.0
TEXT, LABEL = 26.0, 24.0
SIDE = 20.0
VALUE_LEFT = 230.0
BAR, BAR_LEFT = 44.0, 20.0
CARD = (92.0, 64.0)
EARNED_LEFT = 560.0
SHARE = (760.0, 120.0)
"""The left end of the bar of a share on a player's sheet, and the length for all shares of a company."""

NARROWEST = 34.0
"""A narrower part of a share bar has no text."""

SMALLEST = 15.0
"""If a name would be smaller than this (9 pixels on a phone that shows 550), only the percentage is shown."""

UNSOLD, IN_POOL = "#ffffff", "#c3c6ca"
Line = tuple[str, str]


class CompanySheet:
    def __init__(self, game: Game, title: str, colour: str, text_colour: str, face: TokenDrawing | None = None) -> None:
        left = SIDE if face is None else 96.0
        room = WIDTH - left - SIDE
        self.shapes: list[Shape] = [
            Rect("head", (0, 0), (WIDTH, HEAD), colour),
            Text("title", (left, 40), title, size_to_fit(title, room, 32, True), text_colour, "start", bold=True),
            Text("where", (left, 70), f"{game.title.name} · {tr(round_and_phase(game))}", 20, text_colour, "start"),
        ]
        if face is not None:
            self.shapes += token(face, (52, HEAD / 2), 32, "sheet token")
        self.top = HEAD
        self.rows = 0

    def fact(self, label: str, value: str, face: TokenDrawing | None = None, right: float = WIDTH - SIDE) -> None:
        parts = wrap_words(value.split(" "), right - VALUE_LEFT, TEXT, " ")
        height = ROW + LINE * (len(parts) - 1)
        self._ground(height)
        left = SIDE
        if face is not None:
            self.shapes += token(face, (SIDE + 18, self.top + 25), 18, "sheet token")
            left += 46
        size = size_to_fit(label, VALUE_LEFT - left - 10, LABEL, bold=True)
        self.shapes.append(Text("label", (left, self.top + 33), label, size, "#5d5748", "start", bold=True))
        self.shapes += [
            Text("value", (VALUE_LEFT, self.top + 33 + LINE * number), part, TEXT, INK, "start")
            for number, part in enumerate(parts)
        ]
        self.top += height

    def holding(self, label: str, value: str, earned: str, face: TokenDrawing, percent: int) -> None:
        """A line about a share: beside the words what the company earned last, and a bar as long as the part of it."""
        middle, (left, wide) = self.top + ROW / 2, SHARE
        self.fact(label, value, face, EARNED_LEFT - 10)
        size = size_to_fit(earned, left - EARNED_LEFT - 16, LABEL)
        self.shapes += [
            Text("earned", (EARNED_LEFT, middle + 8), earned, size, "#5d5748", "start"),
            Rect("whole", (left, middle - 11), (wide, 22), "#ffffff", INK, 1.5),
            Rect("part", (left, middle - 11), (wide * percent / 100, 22), face.colour, INK, 1.5),
        ]

    def cards(self, kinds: Sequence[str]) -> None:
        self._ground(CARD[1] + 20)
        wide = min(CARD[0], (WIDTH - 2 * SIDE) / max(1, len(kinds)) - 10)
        for number, kind in enumerate(kinds):
            left = SIDE + number * (wide + 10)
            size = size_to_fit(kind, wide - 10, 34, True)
            self.shapes += [
                Rect("train card", (left, self.top + 10), (wide, CARD[1]), "#ffffff", INK, 2, 8),
                Text("train", (left + wide / 2, self.top + 10 + CARD[1] / 2 + size * 0.36), kind, size, INK, bold=True),
            ]
        self.top += CARD[1] + 20

    def bar(self, parts: Sequence[tuple[int, str, str]]) -> None:
        """Parts are percent, words, colour."""
        self._ground(BAR + 20)
        left, whole = BAR_LEFT, sum(percent for percent, _, _ in parts) or 1
        for percent, words, colour in parts:
            wide = (WIDTH - 2 * BAR_LEFT) * percent / whole
            self.shapes.append(Rect("share", (left, self.top + 10), (wide, BAR), colour, INK, 1.5))
            size = size_to_fit(words, wide - 8, 22)
            if size <= SMALLEST:
                words, size = words.split(" ")[-1], SMALLEST
            if wide > NARROWEST:
                at = (left + wide / 2, self.top + 10 + BAR / 2 + size * 0.36)
                self.shapes.append(Text("share words", at, words, size, choose_text_colour(colour)))
            left += wide
        self.top += BAR + 20

    def _ground(self, height: float) -> None:
        self.rows += 1
        if self.rows % 2 == 0:
            self.shapes.append(Rect("line ground", (0, self.top), (WIDTH, height), SHADE))

    def scene(self, kind: str, alt: Sequence[str]) -> Scene:
        return Scene(kind, WIDTH, round(self.top + 12), truncate_alt_text(alt), tuple(self.shapes))


def company_scene(game: Game, company_id: CompanyId) -> Scene:
    company, noun = game.company(company_id), game.title.companies[company_id]
    state = "" if company.floated else "no longer in play" if company.closed else "not floated"
    title = f"{company_id}: {noun.name}"
    lines = company_lines(game, company)
    sheet = CompanySheet(
        game,
        f"{title} ({tr(state)})" if state else title,
        noun.colour,
        choose_text_colour(noun.colour),
        faces_of(game.title)[company_id],
    )
    sheet.bar(share_parts(game, company))
    trains = [train.kind for train in game.state.trains_of(company_id)]
    if trains:
        sheet.cards(trains)
    for label, value in lines:
        if label != "Trains" or not trains:
            sheet.fact(tr(label), value)
    facts = [f"{tr(label)}: {value}" for label, value in lines]
    alt = [title, *([tr(state)] if state else []), tr(round_and_phase(game)), *facts]
    return sheet.scene("company", alt)


def share_parts(game: Game, company: Company) -> list[tuple[int, str, str]]:
    """Shares held by players are darker than unowned shares; the president's are darkest."""
    colour = game.title.companies[company.id].colour
    parts = []
    for owner in holders_of(game, company):
        percent, is_director = company.percent_held_by(owner), owner == president_of(company)
        words = f"{game.state.name(owner)} {percent}%"
        parts.append((percent, f"★ {words}" if is_director else words, colour if is_director else lighten(colour)))
    unsold, pooled = company.percent_held_by(IPO), company.percent_held_by(POOL)
    rest = [(pooled, f"{tr('pool')} {pooled}%", IN_POOL), (unsold, f"{tr('unsold')} {unsold}%", UNSOLD)]
    return [*parts, *(part for part in rest if part[0])]


def holders_of(game: Game, company: Company) -> list[Owner]:
    """Largest holding first."""
    apart = (IPO, POOL)
    owners = dict.fromkeys(one.owner for one in company.certificates if one.owner not in apart)
    return sorted(owners, key=lambda owner: -company.percent_held_by(owner))


def company_lines(game: Game, company: Company) -> list[Line]:
    president, home = president_of(company), game.title.companies[company.id].home
    holders = [f"{game.state.name(owner)} {company.percent_held_by(owner)}%" for owner in holders_of(game, company)]
    goals = [] if company.id in game.title.look.spent(game) else game.board_rules.map.goals_of(company.id)
    has_price = tr("{money}, par {par}", money(game, price_of(game, company.id)), money(game, company.par or 0))
    has_loans = any(one.loans for one in game.state.companies.values())
    return [
        ("Price", has_price if company.position else tr("none" if company.floated else "not started")),
        ("Treasury", money(game, game.state.cash[company.id])),
        (game.title.director_word.capitalize(), game.state.name(president) if president else tr("nobody")),
        ("Trains", ", ".join(train.kind for train in game.state.trains_of(company.id)) or tr("none")),
        ("Last run", last_run_words(game, company)),
        *([(tr("Home"), ", ".join(place_name(game, hex_id) for hex_id in home))] if home else []),
        *([(tr("Target"), ", ".join(place_name(game, hex_id) for hex_id in goals))] if goals else []),
        ("Tokens on", token_places(game, company)),
        ("Tokens left", tokens_left(game, company)),
        ("Shares", ", ".join(holders) or tr("nobody holds any")),
        ("Unsold, pool", f"{company.percent_held_by(IPO)}%, {company.percent_held_by(POOL)}%"),
        *([("Loans", str(company.loans))] if has_loans else []),
        ("Privates", ", ".join(private.id for private in game.state.privates_of(company.id)) or tr("none")),
    ]


def place_name(game: Game, hex_id: HexId) -> str:
    return f"{hex_id} {game.board_rules.map.hexes[hex_id].name}".strip()


def token_places(game: Game, company: Company) -> str:
    tokens = Counter(place_name(game, hex_id) for hex_id, _ in game.state.board.cities_of(company.id))
    return ", ".join(f"{number}×{place}" if number > 1 else place for place, number in tokens.items()) or tr("none")


def tokens_left(game: Game, company: Company) -> str:
    """The prices of a company's unplaced tokens."""
    prices = (game.title.look.token_price(game, printed) for printed in company.tokens_left)
    return ", ".join(money(game, price) if price else tr("free") for price in prices) or tr("none")


def last_run_words(game: Game, company: Company) -> str:
    last = company.last_run
    if last is None:
        return tr("none")
    runs = "; ".join(run_lines(game, last.trains))
    return tr("{money} (OR {round}): {trains}", money(game, last.revenue), last.round, runs)


def player_scene(game: Game, player: PlayerId) -> Scene:
    name = game.state.name(player)
    sheet = CompanySheet(game, name, GROUND_DARK, "#ffffff")
    facts = [
        (tr("Cash"), money(game, game.state.cash[player])),
        (tr("Certificates"), tr(format_certificates(game, player))),
        (tr("Worth"), money(game, game.title.rules.worth(game, player))),
    ]
    for label, value in facts:
        sheet.fact(label, value)
    faces = faces_of(game.title)
    for company in (one for one in game.state.companies.values() if one.percent_held_by(player)):
        value, earned = holding(game, company, player)
        sheet.holding(company.id, value, earned, faces[company.id], company.percent_held_by(player))
        facts.append((company.id, f"{value}; {earned}" if earned else value))
    for private in game.state.privates_of(player):
        noun = game.title.privates[private.id]
        income = tr(", {money} a round", money(game, noun.income)) if noun.income else ""
        facts.append((private.id, f"{tr(noun.name)}{income}"))
        sheet.fact(*facts[-1])
    return sheet.scene("player", [name, tr(round_and_phase(game)), *(f"{label}: {value}" for label, value in facts)])


def holding(game: Game, company: Company, player: PlayerId) -> tuple[str, str]:
    """A player's holding in a company, its price if any, and the company's last revenue; empty if it has not run."""
    percent, last = company.percent_held_by(player), company.last_run
    role = f", {tr(game.title.director_word)}" if president_of(company) == player else ""
    price = money(game, price_of(game, company.id)) if company.position else ""
    held = tr("{percent}% at {money}{role}", percent, price, role) if price else f"{percent}%{role}"
    return held, tr("last run {money}", money(game, last.revenue)) if last else ""
