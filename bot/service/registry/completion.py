"""The suggestions while somebody types: values that fit, each with its label."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache, wraps
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from bot.engine import PlayerId, Rejected
from bot.engine.play.game import Game
from bot.engine.state.actions import Bid
from bot.service.parser import menus
from bot.service.parser.components_info import component_note
from bot.service.parser.moves import suggest
from bot.service.plans.conditions import WAKES
from bot.store import StoreError
from bot.threads import run_in_thread
from bot.titles.registry import NAMES, TITLES

if TYPE_CHECKING:
    from .command import Completer, Request

Offers = Sequence[tuple[str, str]]
MOST = 25
MOST_RECORDS = 200
ENTRY = "ENTRY"
"""Stands for the number of a log entry in help."""


def unless_refused(complete: Completer) -> Completer:
    """The completer, which offers nothing where the request is refused."""

    @wraps(complete)
    async def complete_or_nothing(request: Request, typed: str) -> Offers:
        try:
            return await complete(request, typed)
        except (Rejected, StoreError):
            return []

    return complete_or_nothing


def offers(listing: Callable[[Request], Awaitable[Iterable[tuple[str, str]]]]) -> Completer:
    """A completer of everything that is listed: it offers what contains the typed text."""

    @unless_refused
    @wraps(listing)
    async def complete(request: Request, typed: str) -> Offers:
        return fitting(await listing(request), typed)

    return complete


def fitting(found: Iterable[tuple[str, str]], typed: str) -> Offers:
    """The offers whose label contains what was typed."""
    wanted = typed.lower().strip()
    return [(value, label) for value, label in found if wanted in label.lower()][:MOST]


@offers
async def seats(request: Request) -> Offers:
    return [(str(held.number), f"{held.number}: {held.name}") for held in (await request.table()).seats]


@offers
async def log_entries(request: Request) -> Offers:
    """The latest log entries, the newest first."""
    entries = await request.tables.queries.log_since((await request.table()).record.id)
    latest = [(entry.record.number, " ".join(entry.tr_lines) or entry.record.text) for entry in entries[-MOST_RECORDS:]]
    return [(str(number), f"{number}: {text}") for number, text in reversed(latest)]


@offers
async def own_games(request: Request) -> Offers:
    records = [status.record for status in await request.tables.queries.games_of(request.person)]
    return [(str(one.id), f"{one.id}: {one.title}, {one.status}") for one in records]


@offers
async def known_seasons(request: Request) -> Offers:
    found = await request.tables.seasons.list_for(request.person, request.guild())
    return [(str(one.id), f"{one.id}: {one.name}") for one in found]


@offers
async def own_plans(request: Request) -> Offers:
    """The plans of the person who asks, and nobody else's."""
    found = await request.tables.plans.own_plans(await request.game_id(), request.person)
    return [(str(number), f"{number}: {plan.text}") for number, plan in enumerate(found, 1)]


@offers
async def plan_texts(request: Request) -> Offers:
    """Examples with the names of this game; reveals nobody's plans."""
    game = await request.position()
    texts = ["pass", *(f"pass until {word}" for word in WAKES), "pass until sale buy start", "refuse", "agree"]
    for company, record in game.state.companies.items():
        if record.position is not None and not record.closed:
            texts += [f"buy {company}", f"run {company} pay", f"run {company} withhold"]
    texts += [
        f"bid {private.id} up to {private.price}" for private in game.state.privates.values() if not private.owner
    ]
    return [(text, text) for text in texts]


# -- the position -------------------------------------------------------------------------------------


def companies_of(game: Game) -> list[tuple[str, str]]:
    """Companies in play by abbreviation and name, those with a share price first."""
    found = sorted(game.state.companies.values(), key=lambda company: (company.closed, company.position is None))
    return [(str(one.id), f"{one.id}: {game.title.companies[one.id].name}") for one in found]


def players_of(game: Game) -> list[tuple[str, str]]:
    return [(player.name, player.name) for player in game.state.players]


@offers
async def playing_companies(request: Request) -> Offers:
    return companies_of(await request.position())


@offers
async def players(request: Request) -> Offers:
    return players_of(await request.position())


@offers
async def record_subjects(request: Request) -> Offers:
    """The people in one's games, then titles."""
    people = [(one.name, one.name) for one in await request.known_people()]
    return [*people, *((title, f"{title}: {name}") for title, name in NAMES.items())]


@offers
async def owners(request: Request) -> Offers:
    """Players, then companies."""
    game = await request.position()
    return [*players_of(game), *companies_of(game)]


@offers
async def components(request: Request) -> Offers:
    """Companies, privates and trains, by abbreviation and name."""
    game = await request.position()
    signs = [*game.state.companies, *game.state.privates, *game.title.trains]
    return [(str(sign), f"{sign}: {component_note(game, sign)}") for sign in signs]


@offers
async def map_parts(request: Request) -> Offers:
    """Companies with tokens, and hexes with names."""
    game = await request.position()
    started = [sign for sign, record in game.state.companies.items() if record.position is not None]
    named = [(str(sign), f"{sign}: {game.title.companies[sign].name}") for sign in started]
    return named + [(str(h), f"{h}: {space.name}") for h, space in game.board_rules.map.hexes.items() if space.name]


@offers
async def lots(request: Request) -> Offers:
    """The lots that can be bid for now, then privates that nobody owns."""
    game = await request.position()
    legal = await run_in_thread(lambda: menus.legal_for(game.copy(), game.players_to_act()))
    signs = [str(action.lot) for action in legal if isinstance(action, Bid)]
    signs += [str(one.id) for one in game.state.privates.values() if one.owner is None and not one.closed]
    names = {str(private.id): private.name for private in game.title.privates.values()}
    names |= {str(company.id): company.name for company in game.title.companies.values()}
    return [(sign, f"{sign}: {names[sign]}" if sign in names else sign) for sign in dict.fromkeys(signs)]


@offers
async def cities(request: Request) -> Offers:
    """Hexes with a city; each city of a hex separately."""
    game = await request.position()
    found = []
    for hex_id, space in game.board_rules.map.hexes.items():
        for number, _ in enumerate(game.tile_at(hex_id).cities):
            sign = f"{hex_id}.{number}" if number else str(hex_id)
            found.append((sign, f"{sign} {space.name}".strip()))
    return found


@offers
async def tile_names(request: Request) -> Offers:
    """Colours of tiles, then their numbers."""
    game = await request.position()
    shown = [tile for tile in game.board_rules.tiles.values() if not tile.is_hidden]
    colours = dict.fromkeys(str(tile.colour) for tile in shown)
    return [*((colour, colour) for colour in colours), *((str(tile.id), f"{tile.id} {tile.colour}") for tile in shown)]


# -- moves --------------------------------------------------------------------------------------------


@unless_refused
async def own_moves(request: Request, typed: str) -> Offers:
    """One's own legal moves. Earlier clauses are kept; completion is for the last clause."""
    table, game = await request.require_started()
    own = table.seats_of(request.person)
    return await moves_of(game, typed, own) if own else []


@unless_refused
async def any_moves(request: Request, typed: str) -> Offers:
    return await moves_of(await request.position(), typed, None)


@unless_refused
async def sandbox_moves(request: Request, typed: str) -> Offers:
    found = await request.tables.sandbox.add((await request.table()).record.id, request.person)
    return await moves_of(found.preview.game, typed, None)


async def moves_of(game: Game, typed: str, own: Sequence[PlayerId] | None) -> Offers:
    """Legal moves of these seats (None: of all), listed in a thread, since some boards are large."""
    found = await run_in_thread(lambda: suggest(game.copy(), typed, seats=own))
    return [(text, text) for text in found]


# -- beside the game ----------------------------------------------------------------------------------


async def option_texts(request: Request, typed: str) -> Offers:
    """The options of the title that has been chosen so far."""
    title = TITLES.get(str(request.chosen.get("title", "")))
    before, sign, last = typed.rpartition(",")
    head = f"{before}, " if sign else ""
    options = title.options if title else ()
    found = ((f"{option.name}={choice}", text) for option in options for choice, text in option.choices.items())
    return [(head + value, f"{head}{value}: {text}") for value, text in found if last.strip().lower() in value.lower()]


@cache
def zone_names() -> tuple[str, ...]:
    """All time zones that are named after a place."""
    return tuple(sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


async def zones(request: Request, typed: str) -> Offers:
    return fitting(((name, name) for name in zone_names()), typed.replace(" ", "_"))
