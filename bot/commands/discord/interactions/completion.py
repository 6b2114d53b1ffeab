"""The suggestions while somebody types: seats, records of the log, companies, players, hexes, time zones, their own
orders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache
from zoneinfo import available_timezones

from discord import app_commands

from bot.engine import Rejected
from bot.engine.play import Game
from bot.engine.state import Bid
from bot.service.parser import menus
from bot.store import StoreError

from .client import Interaction
from .game_channels import current_game
from .responses import person_of

Words = list[app_commands.Choice[str]]
Numbers = list[app_commands.Choice[int]]

MOST = 25
LONGEST = 100
MOST_RECORDS = 200


async def find_current_game(interaction: Interaction) -> Game | None:
    try:
        _, game = await interaction.client.tables.desk.require_started(await current_game(interaction))
    except (Rejected, StoreError):
        return None
    return game


def words(found: Iterable[tuple[str, str]], typed: str) -> Words:
    """Pairs of value and shown text, those that contain what was typed."""
    wanted = typed.lower().strip()
    fits = [(value, shown) for value, shown in found if wanted in shown.lower() and len(value) <= LONGEST]
    return [app_commands.Choice(name=shown[:LONGEST], value=value) for value, shown in fits][:MOST]


def numbers(found: Iterable[tuple[int, str]], typed: str) -> Numbers:
    """Pairs of number and shown text, those that contain what was typed."""
    wanted = typed.lower().strip()
    fits = [(number, f"{number}: {shown}") for number, shown in found]
    return [app_commands.Choice(name=s[:LONGEST], value=n) for n, s in fits if wanted in s.lower()][:MOST]


async def seats(interaction: Interaction, typed: str) -> Numbers:
    try:
        table = await interaction.client.tables.desk.table(await current_game(interaction))
    except (Rejected, StoreError):
        return []
    return numbers(((record.number, record.name) for record in table.seats), typed)


async def records(interaction: Interaction, typed: str) -> Numbers:
    """The latest log entries, the newest first."""
    try:
        entries = await interaction.client.tables.queries.log_since(await current_game(interaction))
    except (Rejected, StoreError):
        return []
    latest = reversed(entries[-MOST_RECORDS:])
    return numbers(((one.record.number, " ".join(one.tr_lines) or one.record.text) for one in latest), typed)


async def own_games(interaction: Interaction, typed: str) -> Numbers:
    try:
        found = await interaction.client.tables.queries.games_of(person_of(interaction.user))
    except (Rejected, StoreError):
        return []
    return numbers(((one.record.id, f"{one.record.title}, {one.record.status}") for one in found), typed)


async def own_orders(interaction: Interaction, typed: str) -> Numbers:
    """The plans of the user, and nobody else's."""
    try:
        found = await interaction.client.tables.orders.own_orders(
            await current_game(interaction), person_of(interaction.user)
        )
    except (Rejected, StoreError):
        return []
    return numbers(((number, one.text) for number, one in enumerate(found, 1)), typed)


def companies_of(game: Game) -> list[tuple[str, str]]:
    """Companies in play by abbreviation and name, those with a share price first."""
    found = sorted(game.state.companies.values(), key=lambda company: (company.closed, company.position is None))
    return [(str(one.id), f"{one.id}: {game.title.companies[one.id].name}") for one in found]


async def companies(interaction: Interaction, typed: str) -> Words:
    game = await find_current_game(interaction)
    return words(companies_of(game), typed) if game else []


async def owners(interaction: Interaction, typed: str) -> Words:
    """Players, then companies."""
    game = await find_current_game(interaction)
    return words([*((one.name, one.name) for one in game.state.players), *companies_of(game)], typed) if game else []


async def lots(interaction: Interaction, typed: str) -> Words:
    """The lots that can be bid for now, then privates that nobody owns."""
    game = await find_current_game(interaction)
    if game is None:
        return []
    legal = await asyncio.to_thread(lambda: menus.legal_for(game.copy(), game.players_to_act()))
    signs = [str(action.lot) for action in legal if isinstance(action, Bid)]
    signs += [str(one.id) for one in game.state.privates.values() if one.owner is None and not one.closed]
    names = {str(private.id): private.name for private in game.title.privates.values()}
    names |= {str(company.id): company.name for company in game.title.companies.values()}
    named = [(sign, f"{sign}: {names[sign]}" if sign in names else sign) for sign in dict.fromkeys(signs)]
    return words(named, typed)


async def cities(interaction: Interaction, typed: str) -> Words:
    """Hexes with a city; each city of a hex separately."""
    game = await find_current_game(interaction)
    if game is None:
        return []
    found = []
    for hex_id, space in game.board_rules.map.hexes.items():
        for number, _ in enumerate(game.tile_at(hex_id).cities):
            sign = f"{hex_id}.{number}" if number else str(hex_id)
            found.append((sign, f"{sign} {space.name}".strip()))
    return words(found, typed)


async def tiles(interaction: Interaction, typed: str) -> Words:
    """Colours of tiles, then their numbers."""
    game = await find_current_game(interaction)
    if game is None:
        return []
    nouns = [tile for tile in game.board_rules.tiles.values() if not tile.is_hidden]
    colours = dict.fromkeys(tile.colour for tile in nouns)
    return words(
        [*((one, one) for one in colours), *((str(tile.id), f"{tile.id} {tile.colour}") for tile in nouns)], typed
    )


@cache
def zone_names() -> tuple[str, ...]:
    """All time zones that are named after a place."""
    return tuple(sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


async def zones(interaction: Interaction, typed: str) -> Words:
    return words(((name, name) for name in zone_names()), typed.replace(" ", "_"))
