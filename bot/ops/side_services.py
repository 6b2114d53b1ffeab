"""The services beside a front door, as it knows them: board pages and mail. `bot/main.py` builds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from bot.service.game_service import GameService
from bot.store import LinkKind

from .rate_limit import RateLimiter
from .settings import Settings


class BoardPages(Protocol):
    """The board pages of all games."""

    async def open(self) -> None:
        """Listen.

        :raises OSError: the port is taken.
        """

    async def close(self) -> None: ...

    def link_address(self, kind: LinkKind, token: str) -> str: ...


class MailLetters(Protocol):
    """Letters in, mails out."""

    def begin(self) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class SideServices:
    """Builders of what runs beside a front door; each loads its libraries only when it is called. `mail` also takes the
    renderer; `mail_fingerprint` tells the key of the data folder's mail addresses apart from others.
    """

    board: Callable[[GameService, int, str, RateLimiter | None, bool], BoardPages]
    mail: Callable[[GameService, Settings, Any, RateLimiter], MailLetters]
    mail_fingerprint: Callable[[Settings], int | None]
