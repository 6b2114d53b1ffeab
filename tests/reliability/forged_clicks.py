"""What no honest client sends: messages with components that the bot never made, and values that no menu offers.

discord.py itself drops a component that its message does not hold, so the message is forged with it.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

from tests.discord_double.double import Double
from tests.discord_double.model import TEXT_INPUT, Channel, PostedMessage
from tests.discord_double.user import PATIENCE, Reply, ScriptedUser

ROW, BUTTON, MENU = 1, 2, 3

SHAPES = (
    "mv:{game}:{version}:{text}",
    "look:{game}:{word}",
    "lobby:{game}:{verb}",
    "op:{game}:{number}",
    "gd:{game}:{version}:{kind}:{path}:{number}",
    "gs:{game}:{version}:{kind}:{path}:{number}",
    "gw:{game}:{version}:{kind}:{path}",
    "gm:{game}:{version}:{kind}:{path}",
    "sum:{game}:{version}:{kind}:{path}",
    "au:{game}:{order}:{number}",
    "if:{game}:{version}:{trial}",
    "qa:{number}:{answer}",
    "rw:{game}:{version}:{number}",
    "tu:{game}:{version}:0:{what}",
    "ts:{game}:{version}:{number}",
    "gx:{game}:{version}:{kind}:{path}",
    "gp:{game}:{version}:{kind}:{path}",
    "pn:{game}:{text}",
    "un:{game}:{version}",
    "vu:{game}:{number}",
    "se:{number}:enter",
    "{text}",
)
"""Ids as the bot makes them, with a place for everything that can be lied about."""

MENUS = ("op:", "gs:", "gx:", "ts:")
NUMBERS = ("0", "1", "2", "3", "7", "25", "999", "999999999", "9" * 30, "-1", "٣", "1.5", "")
WORDS = {
    "word": ("map", "market", "help", "news", "routes", "auto", "nonsense", "a" * 60),
    "verb": ("join", "leave", "start", "options", "begin"),
    "kind": ("lay", "buy", "par", "bid", "sell", "token", "run", "pass", "x" * 40, "_"),
    "path": ("", "0", "0.1", "0.0.0", "99.99", ".", "...", "9" * 30, "1.1.1.1.1.1.1.1"),
    "order": ("pass", "wake", "drop", "keep"),
    "trial": ("commit", "back", "drop", "again"),
    "what": (
        "open",
        "+buy P1",
        "<",
        "!",
        "!2",
        "!999999999",
        "!many",
        "?",
        "?G10:0",
        "?G10:many",
        "?:" + "9" * 30,
        "nonsense",
    ),
    "answer": ("yes", "no", "perhaps"),
    "text": (
        "buy P1",
        "@1 pass",
        "@2 buy P2 for 70",
        "pass",
        "VR lay 57 H11 1",
        "'; DROP TABLE games; --",
        "\u202e\u0000\ud7ff",
        "../../etc/passwd",
        "@everyone <@1>",
        "%s{0}{}\\",
        "🚂" * 20,
    ),
}


def forged_ids(seed: int) -> Iterator[str]:
    """Ids without end, at most as long as Discord lets one be, and never empty."""
    chance = random.Random(seed)
    while True:
        shape = chance.choice(SHAPES)
        parts = {name: chance.choice(words) for name, words in WORDS.items()}
        parts |= {name: chance.choice(NUMBERS) for name in ("number", "version")}
        parts["game"] = chance.choice(NUMBERS) if chance.random() < 0.4 else "1"
        text = shape.format(**parts)
        if chance.random() < 0.1:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(":.0a\n\u2028é") + text[at:]
        if text.strip():
            yield text[:100]


async def send(double: Double, user: ScriptedUser, on: PostedMessage, custom_id: str, value: str = "0") -> Reply:
    """Let a user's forged client use a component with this id on a message."""
    is_menu = custom_id.startswith(MENUS)
    part = {"type": MENU if is_menu else BUTTON, "custom_id": custom_id, "id": 2}
    part |= {"options": [{"label": "?", "value": value}]} if is_menu else {"style": 1, "label": "?"}
    message = dataclasses.replace(on, components=[{"type": ROW, "id": 1, "components": [part]}])
    data = {"custom_id": custom_id, "component_type": part["type"], "id": 2}
    if is_menu:
        data["values"] = [value]
    interaction = double.interactions.begin("component", custom_id, user.account, on.channel, data, message)
    return await user._answered(interaction, PATIENCE)


async def send_form(
    double: Double, user: ScriptedUser, channel: Channel, custom_id: str, field: str, text: str
) -> Reply:
    """Let a user's forged client send a form that was never opened, with one field."""
    part = {"type": TEXT_INPUT, "id": 2, "custom_id": field, "value": text}
    data = {"custom_id": custom_id, "components": [{"type": ROW, "id": 1, "components": [part]}]}
    interaction = double.interactions.begin("modal", custom_id, user.account, channel, data)
    return await user._answered(interaction, PATIENCE)
