"""What is offered while somebody types: seats, records of the log, companies, players, spaces, time zones, his own orders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache
from zoneinfo import available_timezones

from discord import app_commands

from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.actions import Bid
from bot.service.parser import menus
from bot.store import StoreError

from .client import Interaction
from .game_channels import here
from .responses import person_of

Words = list[app_commands.Choice[str]]
Numbers = list[app_commands.Choice[int]]

MOST = 25
LONGEST = 100
MOST_RECORDS = 200
"""So many records of the log are looked through."""


async def game_here(interaction: Interaction) -> Game | None:
    """The game of this channel as it stands, None where there is none."""
    try:
        _, game = await interaction.client.tables.desk.begun(await here(interaction))
    except (Rejected, StoreError):
        return None
    return game


def words(found: Iterable[tuple[str, str]], typed: str) -> Words:
    """Values with what is shown of them, those that hold what was typed."""
    wanted = typed.lower().strip()
    fits = [(value, shown) for value, shown in found if wanted in shown.lower() and len(value) <= LONGEST]
    return [app_commands.Choice(name=shown[:LONGEST], value=value) for value, shown in fits][:MOST]


def numbers(found: Iterable[tuple[int, str]], typed: str) -> Numbers:
    """Numbers with what they stand for, those that hold what was typed."""
    wanted = typed.lower().strip()
    fits = [(number, f"{number}: {shown}") for number, shown in found]
    return [app_commands.Choice(name=s[:LONGEST], value=n) for n, s in fits if wanted in s.lower()][:MOST]


async def seats(interaction: Interaction, typed: str) -> Numbers:
    """The seats with who sits there."""
    try:
        table = await interaction.client.tables.desk.table(await here(interaction))
    except (Rejected, StoreError):
        return []
    return numbers(((record.number, record.name) for record in table.seats), typed)


async def records(interaction: Interaction, typed: str) -> Numbers:
    """The latest records of the log, the newest first."""
    try:
        entries = await interaction.client.tables.looking.story(await here(interaction))
    except (Rejected, StoreError):
        return []
    latest = reversed(entries[-MOST_RECORDS:])
    return numbers(((one.record.number, " ".join(one.told) or one.record.text) for one in latest), typed)


async def own_games(interaction: Interaction, typed: str) -> Numbers:
    """The games of whoever asks."""
    try:
        found = await interaction.client.tables.looking.games_of(person_of(interaction.user))
    except (Rejected, StoreError):
        return []
    return numbers(((one.record.id, f"{one.record.title}, {one.record.status}") for one in found), typed)


async def own_orders(interaction: Interaction, typed: str) -> Numbers:
    """The standing orders of whoever asks, and nobody else's."""
    try:
        found = await interaction.client.tables.orders.own_orders(await here(interaction), person_of(interaction.user))
    except (Rejected, StoreError):
        return []
    return numbers(((number, one.text) for number, one in enumerate(found, 1)), typed)


def companies_of(game: Game) -> list[tuple[str, str]]:
    """Companies in play by sign and name, those with a price first."""
    found = sorted(game.state.companies.values(), key=lambda company: (company.closed, company.position is None))
    return [(str(one.id), f"{one.id}: {game.title.companies[one.id].name}") for one in found]


async def companies(interaction: Interaction, typed: str) -> Words:
    """Companies in play."""
    game = await game_here(interaction)
    return words(companies_of(game), typed) if game else []


async def owners(interaction: Interaction, typed: str) -> Words:
    """Players, then companies."""
    game = await game_here(interaction)
    return words([*((one.name, one.name) for one in game.state.players), *companies_of(game)], typed) if game else []


async def lots(interaction: Interaction, typed: str) -> Words:
    """What can be bid for now, then privates that nobody owns."""
    game = await game_here(interaction)
    if game is None:
        return []
    legal = await asyncio.to_thread(lambda: menus.legal_for(game.copy(), game.asked()))
    signs = [str(action.lot) for action in legal if isinstance(action, Bid)]
    signs += [str(one.id) for one in game.state.privates.values() if one.owner is None and not one.closed]
    names = {str(private.id): private.name for private in game.title.privates.values()}
    names |= {str(company.id): company.name for company in game.title.companies.values()}
    named = [(sign, f"{sign}: {names[sign]}" if sign in names else sign) for sign in dict.fromkeys(signs)]
    return words(named, typed)


async def cities(interaction: Interaction, typed: str) -> Words:
    """Spaces with a city, each city of a space by itself."""
    game = await game_here(interaction)
    if game is None:
        return []
    found = []
    for hex_id, space in game.land.map.hexes.items():
        for number, _ in enumerate(game.geometry(hex_id).cities):
            sign = f"{hex_id}.{number}" if number else str(hex_id)
            found.append((sign, f"{sign} {space.name}".strip()))
    return words(found, typed)


async def tiles(interaction: Interaction, typed: str) -> Words:
    """Colours of tiles, then their numbers."""
    game = await game_here(interaction)
    if game is None:
        return []
    nouns = [tile for tile in game.land.tiles.values() if not tile.is_hidden]
    colours = dict.fromkeys(tile.colour for tile in nouns)
    return words(
        [*((one, one) for one in colours), *((str(tile.id), f"{tile.id} {tile.colour}") for tile in nouns)], typed
    )


@cache
def zone_names() -> tuple[str, ...]:
    """All time zones that are called after a place."""
    return tuple(sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


async def zones(interaction: Interaction, typed: str) -> Words:
    """Time zones."""
    return words(((name, name) for name in zone_names()), typed.replace(" ", "_"))
