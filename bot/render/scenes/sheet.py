"""Sheets: a company's charter, a player's holdings."""

from __future__ import annotations

from bot.engine.holdings.certificates import certificates_said, president_of
from bot.engine.holdings.market import price_of
from bot.engine.ids import IPO, POOL, CompanyId, Owner, PlayerId
from bot.engine.play.game import Game
from bot.engine.words.narration import money, where
from bot.language import say
from bot.render.shapes.alt import cut
from bot.render.shapes.colours import INK, PAPER
from bot.render.shapes.letters import in_lines
from bot.render.shapes.scene import Box, Scene, Shape, Words

WIDTH = 900
HEAD = 84.0
ROW = 50.0
LINE = 34.0
TEXT = 26.0
VALUE_LEFT = 230.0
Line = tuple[str, str]


def company_scene(game: Game, company_id: CompanyId) -> Scene:
    """Price, treasury, trains, tokens, shares, loans, privates."""
    company, noun = game.company(company_id), game.title.companies[company_id]
    president = president_of(company)
    owners: list[Owner] = [*game.state.order, *game.state.privates]
    holders = [f"{game.state.name(owner)} {company.held_by(owner)}%" for owner in owners if company.held_by(owner)]
    tokens = [
        f"{hex_id} {game.land.map.hexes[hex_id].name}".strip() for hex_id, _ in game.state.board.cities_of(company_id)
    ]
    prices = (game.title.look.token_price(game, printed) for printed in company.tokens_left)
    left = ", ".join(money(game, price) if price else "free" for price in prices)
    lines: list[Line] = [
        (
            "Price",
            f"{money(game, price_of(game, company_id))}, par {money(game, company.par or 0)}"
            if company.position
            else "none"
            if company.floated
            else "not started",
        ),
        ("Treasury", money(game, game.state.cash[company_id])),
        (game.title.director_word.capitalize(), game.state.name(president) if president else "nobody"),
        ("Trains", ", ".join(train.kind for train in game.state.trains_of(company_id)) or "none"),
        ("Tokens on", ", ".join(tokens) or "none"),
        ("Tokens left", left or "none"),
        ("Shares", ", ".join(holders) or "nobody holds any"),
        ("Unsold, pool", f"{company.held_by(IPO)}%, {company.held_by(POOL)}%"),
        ("Loans", str(company.loans)),
        ("Privates", ", ".join(private.id for private in game.state.privates_of(company_id)) or "none"),
    ]
    state = "" if company.floated else "no longer in play" if company.closed else "not launched"
    return _sheet(game, "company", f"{company_id}: {noun.name}", lines, noun.colour, noun.text_colour, state)


def player_scene(game: Game, player: PlayerId) -> Scene:
    """Cash, certificates, worth, every holding, privates."""
    lines: list[Line] = [
        ("Cash", money(game, game.state.cash[player])),
        ("Certificates", certificates_said(game, player)),
        ("Worth", money(game, game.title.rules.worth(game, player))),
    ]
    for company in game.state.companies.values():
        percent = company.held_by(player)
        if percent:
            price = price_of(game, company.id)
            role = f", {game.title.director_word}" if president_of(company) == player else ""
            lines.append((company.id, f"{percent}% at {money(game, price)}{role}"))
    for private in game.state.privates_of(player):
        noun = game.title.privates[private.id]
        income = f", {money(game, noun.income)} a round" if noun.income else ""
        lines.append((private.id, f"{noun.name}{income}"))
    return _sheet(game, "player", game.state.name(player), lines, "#26343d", "#ffffff")


def _sheet(
    game: Game, kind: str, title: str, lines: list[Line], colour: str, text_colour: str, state: str = ""
) -> Scene:
    """A head in the company's colour with its state, then a line for each fact."""
    shapes: list[Shape] = [
        Box("head", (0, 0), (WIDTH, HEAD), colour),
        Words("title", (20, 40), f"{title} ({say(state)})" if state else title, 32, text_colour, "start", bold=True),
        Words("where", (20, 70), f"{game.title.name} · {say(where(game))}", 20, text_colour, "start"),
    ]
    top = HEAD
    for index, (label, value) in enumerate(lines):
        parts = in_lines(say(value).split(" "), WIDTH - VALUE_LEFT - 20, TEXT, " ")
        height = ROW + LINE * (len(parts) - 1)
        if index % 2:
            shapes.append(Box("line ground", (0, top), (WIDTH, height), "#eae4d3"))
        shapes.append(Words("label", (20, top + 33), say(label), 24, "#5d5748", "start", bold=True))
        shapes += [
            Words("value", (VALUE_LEFT, top + 33 + LINE * number), part, TEXT, INK, "start")
            for number, part in enumerate(parts)
        ]
        top += height
    alt = cut([title, *([state] if state else []), where(game), *(f"{label}: {value}" for label, value in lines)])
    return Scene(kind, WIDTH, round(top + 12), alt, "", PAPER, tuple(shapes))
