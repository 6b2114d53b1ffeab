"""The bot as commands and buttons see it behind an interaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

import discord

from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.ops.side_services import BoardPages
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.service.imports.sandbox_process import ImportProcess
from bot.service.registry.command import Reply

from .retry_backoff import PlaceBackoff


class GameClient(discord.Client):
    tables: GameService
    settings: Settings
    doorman: RateLimiter

    studio: Renderer
    porter: ImportProcess

    board: BoardPages | None
    """None where no pages are served."""

    answered_at = 0.0
    """When Discord did last what it was asked for, by the monotonic clock."""

    patience: PlaceBackoff
    opening: WeakValueDictionary[int, asyncio.Lock]
    """A lock for each game whose thread is being opened: no game gets two threads, none waits for another game's."""

    run_command: Callable[..., Awaitable[Reply | None]]
    """`slash.replies.run_command`, for buttons; as below, what they lead to."""
    open_menu: Callable[..., Awaitable[None]]
    edit_company_turn: Callable[..., Awaitable[None]]

    def is_elsewhere(self, guild: str) -> bool:
        """Whether another bot gets the events of this server, and this bot knows nothing of it."""
        return False


Interaction = discord.Interaction[GameClient]
