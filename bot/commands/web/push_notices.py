"""Notices to browsers (Web Push): encrypted for the browser, signed with this bot's key. The libraries are loaded when the
first browser wants notices.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from urllib.parse import urlsplit

import msgspec

from bot.engine import IllegalMove
from bot.service.features.public_addresses import check_address

KEPT_BY_SERVICE = 86400
"""Seconds for which a push service keeps a notice for a browser that is away."""
CONTACT = "mailto:operator@example.org"


class PushTarget(msgspec.Struct, forbid_unknown_fields=True):
    """The address for notices to a browser, and the keys with which they are encrypted for it."""

    endpoint: str
    p256dh: str
    auth: str


class PushNotice(msgspec.Struct):
    """The content of a notice, which the service worker shows; `waiting` is the number of games that wait for the reader."""

    title: str
    body: str
    tag: str
    url: str
    waiting: int


def read_target(fields: object) -> PushTarget:
    """The target that a browser sent, checked by encrypting something for it.

    :raises IllegalMove: it is nothing to which notices can be sent.
    """
    try:
        target = msgspec.convert(fields, PushTarget)
        check_address(target.endpoint)
        encrypt(target, b"{}")
    except (ValueError, TypeError, IndexError) as error:
        raise IllegalMove("This browser takes no notices.") from error
    return target


def encrypt(target: PushTarget, content: bytes) -> bytes:
    """The content as only that browser can read it.

    :raises ValueError: its keys cannot be used.
    """
    from pywebpush import WebPusher

    try:
        keys = {"p256dh": target.p256dh, "auth": target.auth}
        return bytes(WebPusher({"endpoint": target.endpoint, "keys": keys}).encode(content)["body"])
    except Exception as error:
        # The library and what it uses report unusable keys by errors of many kinds.
        raise ValueError("no keys of a browser") from error


def new_key() -> str:
    from py_vapid import Vapid02

    key = Vapid02()
    key.generate_keys()
    return str(key.private_pem().decode())


def public_key(private: str) -> str:
    """The key as browsers want it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    point = Vapid02.from_pem(private.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")


def push_headers(private: str, target: PushTarget, origin: str, tag: str) -> dict[str, str]:
    from py_vapid import Vapid02

    parts = urlsplit(target.endpoint)
    claims = {"sub": origin if origin.startswith("https://") else CONTACT, "aud": f"{parts.scheme}://{parts.netloc}"}
    return {
        **Vapid02.from_pem(private.encode()).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_BY_SERVICE),
        "Topic": tag,
        "Urgency": "high",
    }
