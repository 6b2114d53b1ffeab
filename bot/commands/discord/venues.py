"""The channel of a game, or the direct messages of its players."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.service.game_service import GameSession
from bot.store import SeatRecord

from .interactions import GameClient

Spot = tuple[discord.abc.Messageable, str]
"""A channel, and its id."""

Reader = SeatRecord | None
"""Who reads a message: the holder of a seat, or everybody in the channel."""


@dataclass(frozen=True)
class ChannelVenue:
    """A game's thread or channel."""

    channel: discord.abc.Messageable
    spot: str

    def readers(self, table: GameSession) -> list[Reader]:
        return [None]

    async def spot_of(self, held: Reader) -> Spot:
        return self.channel, self.spot


@dataclass(frozen=True)
class DirectVenue:
    """The direct messages of the players of a game that has no place in Discord, since it was opened by mail or in a
    terminal. They play by their buttons; nobody else sees such a game, and no server's moderators have rights in it.
    """

    client: GameClient

    def readers(self, table: GameSession) -> list[Reader]:
        """A seat of each player who is in Discord."""
        return list({held.person: held for held in table.seats if is_in_discord(held)}.values())

    async def spot_of(self, held: Reader) -> Spot:
        """:raises discord.HTTPException: Discord does not open it."""
        assert held is not None
        direct = await self.client.create_dm(discord.Object(user_of(held)))
        return direct, str(direct.id)


Venue = ChannelVenue | DirectVenue


def is_in_discord(held: SeatRecord) -> bool:
    return held.person.startswith("discord:")


def user_of(held: SeatRecord) -> int:
    """The number of a player who is in Discord."""
    return int(held.person.removeprefix("discord:"))


def slot_of(kind: str, reader: Reader) -> str:
    return kind if reader is None else f"{kind}:{reader.number}"
