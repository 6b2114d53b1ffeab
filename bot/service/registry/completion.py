"""The suggestions while somebody types: values that fit, each with its label."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from bot.engine import PlayerId
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.actions import Bid
from bot.service.features.standing_orders.orders import WAKE
from bot.service.parser import menus
from bot.service.parser.components_info import component_note
from bot.service.parser.moves import suggest
from bot.store import StoreError

if TYPE_CHECKING:
    from .command import Request

Offers = Sequence[tuple[str, str]]
MOST = 25
MOST_RECORDS = 200


def fitting(offers: Iterable[tuple[str, str]], typed: str) -> Offers:
    """The offers whose label contains what was typed."""
    wanted = typed.lower().strip()
    return [(value, label) for value, label in offers if wanted in label.lower()][:MOST]


async def position_of(request: Request) -> Game | None:
    try:
        return await request.position()
    except (Rejected, StoreError):
        return None


async def seats(request: Request, typed: str) -> Offers:
    try:
        table = await request.table()
    except (Rejected, StoreError):
        return []
    return fitting(((str(held.number), f"{held.number}: {held.name}") for held in table.seats), typed)


async def log_entries(request: Request, typed: str) -> Offers:
    """The latest log entries, the newest first."""
    try:
        entries = await request.tables.queries.log_since((await request.table()).record.id)
    except (Rejected, StoreError):
        return []
    numbered = ((entry.record.number, " ".join(entry.tr_lines) or entry.record.text) for entry in reversed(entries))
    return fitting([(str(number), f"{number}: {text}") for number, text in numbered][:MOST_RECORDS], typed)


async def own_games(request: Request, typed: str) -> Offers:
    try:
        found = await request.tables.queries.games_of(request.person)
    except (Rejected, StoreError):
        return []
    records = (status.record for status in found)
    return fitting(((str(one.id), f"{one.id}: {one.title}, {one.status}") for one in records), typed)


async def own_plans(request: Request, typed: str) -> Offers:
    """The plans of the person who asks, and nobody else's."""
    try:
        found = await request.tables.orders.own_orders(await request.game_id(), request.person)
    except (Rejected, StoreError):
        return []
    return fitting(((str(number), f"{number}: {plan.text}") for number, plan in enumerate(found, 1)), typed)


async def plan_texts(request: Request, typed: str) -> Offers:
    """Examples with the names of this game; reveals nobody's plans."""
    game = await position_of(request)
    if game is None:
        return []
    texts = ["pass", *(f"pass until {word}" for word in WAKE), "pass until sale buy start", "refuse", "agree"]
    for company, record in game.state.companies.items():
        if record.position is not None and not record.closed:
            texts += [f"buy {company}", f"run {company} pay", f"run {company} withhold"]
    texts += [
        f"bid {private.id} up to {private.price}" for private in game.state.privates.values() if not private.owner
    ]
    return fitting(((text, text) for text in texts), typed)


# -- the position -------------------------------------------------------------------------------------


def companies_of(game: Game) -> list[tuple[str, str]]:
    """Companies in play by abbreviation and name, those with a share price first."""
    found = sorted(game.state.companies.values(), key=lambda company: (company.closed, company.position is None))
    return [(str(one.id), f"{one.id}: {game.title.companies[one.id].name}") for one in found]


async def playing_companies(request: Request, typed: str) -> Offers:
    game = await position_of(request)
    return fitting(companies_of(game), typed) if game else []


async def owners(request: Request, typed: str) -> Offers:
    """Players, then companies."""
    game = await position_of(request)
    if game is None:
        return []
    return fitting([*((one.name, one.name) for one in game.state.players), *companies_of(game)], typed)


async def players(request: Request, typed: str) -> Offers:
    game = await position_of(request)
    return fitting(((one.name, one.name) for one in game.state.players), typed) if game else []


async def components(request: Request, typed: str) -> Offers:
    """Companies, privates and trains, by abbreviation and name."""
    game = await position_of(request)
    if game is None:
        return []
    signs = [*game.state.companies, *game.state.privates, *game.title.trains]
    return fitting(((str(sign), f"{sign}: {component_note(game, sign)}") for sign in signs), typed)


async def map_parts(request: Request, typed: str) -> Offers:
    """Companies with tokens, and hexes with names."""
    game = await position_of(request)
    if game is None:
        return []
    started = [sign for sign, record in game.state.companies.items() if record.position is not None]
    named = [(str(sign), f"{sign}: {game.title.companies[sign].name}") for sign in started]
    named += [(str(h), f"{h}: {space.name}") for h, space in game.board_rules.map.hexes.items() if space.name]
    return fitting(named, typed)


async def lots(request: Request, typed: str) -> Offers:
    """The lots that can be bid for now, then privates that nobody owns."""
    game = await position_of(request)
    if game is None:
        return []
    legal = await asyncio.to_thread(lambda: menus.legal_for(game.copy(), game.players_to_act()))
    signs = [str(action.lot) for action in legal if isinstance(action, Bid)]
    signs += [str(one.id) for one in game.state.privates.values() if one.owner is None and not one.closed]
    names = {str(private.id): private.name for private in game.title.privates.values()}
    names |= {str(company.id): company.name for company in game.title.companies.values()}
    return fitting(
        ((sign, f"{sign}: {names[sign]}" if sign in names else sign) for sign in dict.fromkeys(signs)), typed
    )


async def cities(request: Request, typed: str) -> Offers:
    """Hexes with a city; each city of a hex separately."""
    game = await position_of(request)
    if game is None:
        return []
    found = []
    for hex_id, space in game.board_rules.map.hexes.items():
        for number, _ in enumerate(game.tile_at(hex_id).cities):
            sign = f"{hex_id}.{number}" if number else str(hex_id)
            found.append((sign, f"{sign} {space.name}".strip()))
    return fitting(found, typed)


async def tile_names(request: Request, typed: str) -> Offers:
    """Colours of tiles, then their numbers."""
    game = await position_of(request)
    if game is None:
        return []
    shown = [tile for tile in game.board_rules.tiles.values() if not tile.is_hidden]
    colours = dict.fromkeys(str(tile.colour) for tile in shown)
    numbered = [(str(tile.id), f"{tile.id} {tile.colour}") for tile in shown]
    return fitting([*((colour, colour) for colour in colours), *numbered], typed)


# -- moves --------------------------------------------------------------------------------------------


async def own_moves(request: Request, typed: str) -> Offers:
    """One's own legal moves. Earlier clauses are kept; completion is for the last clause."""
    try:
        table = await request.table()
    except (Rejected, StoreError):
        return []
    own = table.seats_of(request.person)
    return await moves_of(table.game, typed, own) if own and table.game else []


async def any_moves(request: Request, typed: str) -> Offers:
    return await moves_of(await position_of(request), typed, None)


async def sandbox_moves(request: Request, typed: str) -> Offers:
    try:
        found = await request.tables.sandbox.add((await request.table()).record.id, request.person)
    except (Rejected, StoreError):
        return []
    return await moves_of(found.preview.game, typed, None)


async def moves_of(game: Game | None, typed: str, own: Sequence[PlayerId] | None) -> Offers:
    """Legal moves of these seats (None: of all), listed in a thread, since some boards are large."""
    if game is None:
        return []
    found = await asyncio.to_thread(lambda: suggest(game.copy(), typed, seats=own))
    return [(text, text) for text in found]


# -- beside the game ----------------------------------------------------------------------------------


async def option_texts(request: Request, typed: str) -> Offers:
    """The options of the title that has been chosen so far."""
    from bot.titles.registry import TITLES

    title = TITLES.get(str(request.chosen.get("title", "")))
    before, sign, last = typed.rpartition(",")
    head = f"{before}, " if sign else ""
    options = title.options if title else ()
    offers = ((f"{option.name}={choice}", text) for option in options for choice, text in option.choices.items())
    return [(head + value, f"{head}{value}: {text}") for value, text in offers if last.strip().lower() in value.lower()]


@cache
def zone_names() -> tuple[str, ...]:
    """All time zones that are named after a place."""
    return tuple(sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


async def zones(request: Request, typed: str) -> Offers:
    return fitting(((name, name) for name in zone_names()), typed.replace(" ", "_"))
