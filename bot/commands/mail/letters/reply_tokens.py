"""The part of an answer's address that says about which game it is, and on which position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from bot.engine import GameId

TOKEN = re.compile(r"([1-9]\d{0,8}|0)-([1-9]\d{0,8}|0)-([a-z2-7]{26})")


@dataclass(frozen=True)
class ReplyToken:
    """The content of an answer's address: the game and position it is about, or for no game (0) the day it was
    written; and the seal on that.
    """

    game: GameId
    version: int
    seal: str

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = TOKEN.fullmatch(text.lower())
        return cls(GameId(int(found[1])), int(found[2]), found[3]) if found else None

    def __str__(self) -> str:
        return f"{self.game}-{self.version}-{self.seal}"


def find_tokens(text: str, own_address: str) -> list[ReplyToken]:
    """The tokens in those of the bot's addresses that stand in a text, in order."""
    local, _, domain = own_address.partition("@")
    own = re.compile(rf"{re.escape(local)}\+([\w-]{{1,60}})@{re.escape(domain)}", re.I)
    return [token for found in own.finditer(text) if (token := ReplyToken.read(found[1]))]


DAY = 86_400.0


def day_of(now: float) -> int:
    return int(now // DAY)


def with_token(address: str, token: ReplyToken) -> str:
    local, _, domain = address.partition("@")
    return f"{local}+{token}@{domain}"
