"""Texts that only the bot can have written: the part of an answer's address that says who may move, and the names of
mails."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from bot.engine import NO_GAME, GameId, PersonId
from bot.service.features.board_links import TOKEN_BYTES as LINK_BYTES
from bot.store import write_file

from .letters.reply_tokens import ReplyToken, with_token

__all__ = ["AddressSigner", "ReplyToken", "with_token"]

KEY_BYTES, SEAL_BYTES = 32, 16
"""A seal has 128 bits: more than anybody can guess."""


class AddressSigner:
    """This bot's secret. It is beside the database, not in it: a reader of a backup cannot write to games."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def load_or_create(cls, folder: Path) -> AddressSigner:
        """The secret of this data folder; a new secret where there is none.

        :raises OSError: it can be neither read nor written.
        """
        path = folder / "mail.key"
        if not path.exists() or len(path.read_bytes()) < KEY_BYTES:
            write_file(path, secrets.token_bytes(KEY_BYTES))
        return cls(path.read_bytes())

    @property
    def fingerprint(self) -> int:
        """31 bits by which bots see that they have the same secret; they do not reveal it."""
        return int.from_bytes(hmac.digest(self._secret, b"mark", sha256)[:4]) >> 1

    def token(self, person: PersonId, address: str, game_id: GameId = NO_GAME, version: int = 0) -> ReplyToken:
        """The token with which this person answers, from this address, about this game at that version."""
        sealed = hmac.digest(self._secret, f"{person}\n{address}\n{game_id}\n{version}".encode(), sha256)
        return ReplyToken(game_id, version, b32encode(sealed[:SEAL_BYTES]).decode().lower().rstrip("="))

    def verify(self, token: ReplyToken, person: PersonId, address: str) -> bool:
        own = self.token(person, address, token.game, token.version)
        return hmac.compare_digest(own.seal, token.seal)

    def link(self, person: PersonId, game_id: GameId, made_at: float) -> str:
        """The token of this person's play link made at that time."""
        sealed = hmac.digest(self._secret, f"link {person} {game_id} {made_at!r}".encode(), sha256)
        return urlsafe_b64encode(sealed[:LINK_BYTES]).decode()

    def name_of(self, key: str) -> str:
        """The first part of the Message-ID for that key: the same every time, and not guessable."""
        return hmac.digest(self._secret, f"message {key}".encode(), sha256)[:SEAL_BYTES].hex()
