"""What commands and buttons need of the bot behind an interaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import discord

from bot.ops.doorman import Doorman
from bot.ops.settings import Settings
from bot.render.worker import Studio
from bot.tables.files.porter import Porter
from bot.tables.tables import Tables

from .patience import Patience

if TYPE_CHECKING:
    from bot.web.server import Board


class Client(discord.Client):
    """A client of Discord with the games behind it; the bot is one."""

    tables: Tables
    settings: Settings
    doorman: Doorman
    """Who may ask now."""

    studio: Studio
    porter: Porter
    """Who carries games in and out."""

    board: Board | None
    """The pages in the browser, where they are served."""

    patience: Patience
    opening: WeakValueDictionary[int, asyncio.Lock]
    """A lock for each game whose thread is being opened: no game gets two, and none waits for another one."""

    def is_elsewhere(self, guild: str) -> bool:
        """Whether another bot that shares the work is told what happens in a server, and this one knows nothing of it."""
        return False


Interaction = discord.Interaction[Client]
