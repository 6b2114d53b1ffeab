"""What only the bot can have written: the part of an answer's address that says who may move, and the names of mails."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from bot.service.features.board_links import TOKEN_BYTES as LINK_BYTES
from bot.store import write_file

from .letters.reply_tokens import ReplyToken, with_token

__all__ = ["AddressSigner", "ReplyToken", "with_token"]

KEY_BYTES, SEAL_BYTES = 32, 16
"""A seal has 128 bits: more than anybody can guess."""


class AddressSigner:
    """The secret of this bot. It lies beside the database, not in it: who reads a backup cannot write to games."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def kept_in(cls, folder: Path) -> AddressSigner:
        """The secret of this data folder; a new one where there is none.

        :raises OSError: it can be neither read nor written.
        """
        path = folder / "mail.key"
        if not path.exists() or len(path.read_bytes()) < KEY_BYTES:
            write_file(path, secrets.token_bytes(KEY_BYTES))
        return cls(path.read_bytes())

    @property
    def mark(self) -> int:
        """31 bits by which bots see that they have the same secret, and from which nobody finds it."""
        return int.from_bytes(hmac.digest(self._secret, b"mark", sha256)[:4]) >> 1

    def token(self, person: str, address: str, game: int = 0, version: int = 0) -> ReplyToken:
        """The token with which this person answers, from this address, about this game as it was then."""
        sealed = hmac.digest(self._secret, f"{person}\n{address}\n{game}\n{version}".encode(), sha256)
        return ReplyToken(game, version, b32encode(sealed[:SEAL_BYTES]).decode().lower().rstrip("="))

    def fits(self, token: ReplyToken, person: str, address: str) -> bool:
        """Whether that token was written to this person at this address."""
        own = self.token(person, address, token.game, token.version)
        return hmac.compare_digest(own.seal, token.seal)

    def link(self, person: str, game: int, made_at: float) -> str:
        """The token of the link to this person's board page that was made then."""
        sealed = hmac.digest(self._secret, f"link {person} {game} {made_at!r}".encode(), sha256)
        return urlsafe_b64encode(sealed[:LINK_BYTES]).decode()

    def name_of(self, key: str) -> str:
        """The first part of the Message-ID of whatever has that key: the same every time, and not to be guessed."""
        return hmac.digest(self._secret, f"message {key}".encode(), sha256)[:SEAL_BYTES].hex()
