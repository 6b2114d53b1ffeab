"""Interactions: their tokens, their three seconds, their answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.discord_double.errors import ApiError
from tests.discord_double.gateway import Gateway
from tests.discord_double.model import DM, Channel, Json, PostedMessage, User, World
from tests.discord_double.payloads import ATTACHMENT_LIMIT, Payloads
from tests.discord_double.pulse import Pulse
from tests.discord_double.starvation import Waits, seconds_between

KINDS = {"command": 2, "component": 3, "autocomplete": 4, "modal": 5}
DEADLINE = 3.0
"""Seconds for the first answer."""

LONGEST = 30.0
"""Seconds for it on a machine that is too busy to let the bot run."""

TICK = 0.01
"""Seconds that are too few to wait once more."""

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9


@dataclass(eq=False)
class Interaction:
    """One command, click, completion or modal of a user, and what the bot made of it; `seconds` until the first answer."""

    id: int
    token: str
    kind: str
    name: str
    user: User
    channel: Channel
    data: Json
    message: PostedMessage | None = None
    source: Interaction | None = None
    answer: int = 0
    original: PostedMessage | None = None
    followups: list[PostedMessage] = field(default_factory=list)
    choices: list[Json] = field(default_factory=list)
    modal: Json | None = None
    is_dead: bool = False
    is_expired: bool = False
    begun: float = 0.0
    seconds: float = 0.0
    waits: Waits = field(default_factory=dict)

    @property
    def is_settled(self) -> bool:
        """Whether the user is no longer shown that the bot is thinking."""
        return bool(self.answer) and not (
            self.original is not None and self.original.loading and not self.original.deleted
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.name} of {self.user.name}"

    def metadata(self) -> Json:
        """What a message of the answer tells of where it came from."""
        form: Json = {
            "id": str(self.id),
            "type": KINDS[self.kind],
            "user": {
                "id": str(self.user.id),
                "username": self.user.name.lower(),
                "global_name": self.user.name,
                "discriminator": "0",
                "avatar": None,
                "public_flags": 0,
                "flags": 0,
                "primary_guild": None,
            },
            "authorizing_integration_owners": {"0": str(self.channel.guild.id)} if self.channel.guild else {"0": "0"},
        }
        if self.kind == "component" and self.message is not None:
            form["interacted_message_id"] = str(self.message.id)
        if self.kind == "modal" and self.source is not None:
            form["triggering_interaction_metadata"] = self.source.metadata()
        return form


class Interactions:
    """All interactions; `report` hears of those that were never answered.

    A first answer has three seconds, as Discord has it. While neither the bot nor the emulator gets a processor (`waits` knows),
    the clock stands still. A shorter `deadline`, which a test sets, is kept to the letter.
    """

    def __init__(
        self, world: World, payloads: Payloads, gateway: Gateway, pulse: Pulse, report: Callable[[str], None]
    ) -> None:
        self.world = world
        self.payloads = payloads
        self.gateway = gateway
        self.pulse = pulse
        self.report = report
        self.deadline = DEADLINE
        self.waits: Callable[[], Waits] = dict
        self.all: list[Interaction] = []

    def begin(
        self,
        kind: str,
        name: str,
        user: User,
        channel: Channel,
        data: Json,
        message: PostedMessage | None = None,
        source: Interaction | None = None,
    ) -> Interaction:
        """Send an interaction to the bot and start its three seconds."""
        found = Interaction(
            self.world.new_id(), secrets.token_hex(24), kind, name, user, channel, data, message, source
        )
        self.all.append(found)
        loop = asyncio.get_running_loop()
        found.begun, found.waits = loop.time(), self.waits()
        loop.call_later(self.deadline, self._expire_unanswered, found, self.deadline)
        self.gateway.dispatch("INTERACTION_CREATE", self._event(found))
        return found

    @property
    def patience(self) -> float:
        """After so many seconds there is an answer, or there will be none."""
        return max(self.deadline, LONGEST if self.deadline >= DEADLINE else 0.0)

    def _expire_unanswered(self, interaction: Interaction, deadline: float) -> None:
        if interaction.answer or interaction.is_dead:
            return
        loop = asyncio.get_running_loop()
        starved = seconds_between(interaction.waits, self.waits()) if deadline >= DEADLINE else 0.0
        left = min(deadline + starved, max(deadline, LONGEST)) - (loop.time() - interaction.begun)
        if left > TICK:
            loop.call_later(left, self._expire_unanswered, interaction, deadline)
            return
        interaction.is_dead = True
        self.report(f"unanswered: {interaction} within {deadline} s")

    def give_up(self, interaction: Interaction, seconds: float) -> None:
        """The user waits no longer for a bot that is thinking; later answers still arrive."""
        interaction.is_dead = True
        self.report(f"unanswered: {interaction} is still thinking after {seconds} s")

    def waiting(self) -> list[Interaction]:
        """Those that still show that the bot is thinking."""
        return [each for each in self.all if not each.is_dead and not each.is_settled]

    def abandon(self) -> None:
        """Give up those that wait: whoever would have answered them was killed."""
        for each in self.waiting():
            each.is_dead = True

    def for_callback(self, number: int, token: str) -> Interaction:
        """The interaction that a first answer is for.

        :raises ApiError: 10062 when it is unknown or too old, 40060 when it was answered.
        """
        found = next((each for each in self.all if each.id == number and each.token == token), None)
        if found is None or found.is_dead or found.is_expired:
            raise ApiError(404, 10062)
        if found.answer:
            raise ApiError(400, 40060)
        return found

    def for_webhook(self, application: int, token: str) -> Interaction:
        """The interaction that a later answer belongs to.

        :raises ApiError: 10015 when it has no first answer, 50027 when its 15 minutes are over.
        """
        found = next((each for each in self.all if each.token == token), None)
        if found is None or application != self.world.application_id or not found.answer:
            raise ApiError(404, 10015)
        if found.is_expired:
            raise ApiError(401, 50027)
        return found

    def answered(self, interaction: Interaction, answer: int) -> None:
        """The first answer came."""
        interaction.answer = answer
        interaction.seconds = asyncio.get_running_loop().time() - interaction.begun
        self.pulse.beat()

    def _event(self, interaction: Interaction) -> Json:
        user, channel = interaction.user, interaction.channel
        event: Json = {
            "id": str(interaction.id),
            "application_id": str(self.world.application_id),
            "type": KINDS[interaction.kind],
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": self.payloads.channel(channel) | {"permissions": str(self.payloads.permissions(channel, user))},
            "locale": user.locale,
            "app_permissions": str(self.world.bot_permissions(channel)),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": ATTACHMENT_LIMIT,
            "context": 1 if channel.type == DM else 0,
            "authorizing_integration_owners": {"0": str(channel.guild.id) if channel.guild else "0"},
        }
        if channel.guild is not None:
            event |= {
                "guild_id": str(channel.guild.id),
                "guild": {"id": str(channel.guild.id), "locale": channel.guild.locale, "features": []},
                "guild_locale": channel.guild.locale,
                "member": self.payloads.member(
                    channel.guild, user, permissions=self.payloads.permissions(channel, user)
                ),
            }
        else:
            event["user"] = self.payloads.user(user)
        if interaction.message is not None:
            event["message"] = self.payloads.message(interaction.message)
        return event
