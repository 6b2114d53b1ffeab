"""A scripted user, who can do what a Discord client allows and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.discord_double.calls import Upload
from tests.discord_double.client_commands import ClientRefuses, resolve, typed_options
from tests.discord_double.client_forms import choose, fill_modal, pick
from tests.discord_double.interactions import Interaction
from tests.discord_double.model import (
    ADMINISTRATOR,
    DM,
    PERMISSIONS,
    SELECTS,
    Attachment,
    Button,
    Channel,
    Json,
    PostedMessage,
    User,
)

if TYPE_CHECKING:
    from tests.discord_double.double import Double

PATIENCE = 60.0
"""Seconds that a user waits for the bot to have done thinking."""


@dataclass(frozen=True)
class Choice:
    """One line of a completion."""

    name: str
    value: Any


class Unanswered(AssertionError):
    """The client shows: the application did not respond."""


@dataclass
class Reply:
    """What the bot made of an interaction: `message` (which stays up to date), `modal`, further messages."""

    interaction: Interaction

    @property
    def message(self) -> PostedMessage:
        """The answering message; for an update, the one whose component was used."""
        assert self.interaction.original is not None, f"{self.interaction} was answered without a message"
        return self.interaction.original

    @property
    def modal(self) -> Json:
        """The form that was opened."""
        assert self.interaction.modal is not None, f"{self.interaction} opened no modal"
        return self.interaction.modal

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.message.text

    @property
    def ephemeral(self) -> bool:
        """Whether only this user sees the answer."""
        return self.message.ephemeral

    @property
    def files(self) -> list[Attachment]:
        """The answer's files: `.data` bytes, `.alt` text."""
        return self.message.attachments

    @property
    def buttons(self) -> list[Button]:
        """The answer's buttons."""
        return self.message.buttons

    @property
    def followups(self) -> list[PostedMessage]:
        """Messages sent after the answer."""
        return self.interaction.followups


class ScriptedUser:
    """A person with a Discord client."""

    def __init__(self, double: Double, account: User) -> None:
        self.double = double
        self.account = account
        self.id = account.id
        self.name = account.name
        self.mention = f"<@{account.id}>"

    def __repr__(self) -> str:
        return f"<ScriptedUser {self.name}>"

    @property
    def dm(self) -> Channel:
        """The conversation with the bot."""
        return self.double.world.dm_with(self.account)

    @property
    def pings(self) -> list[PostedMessage]:
        """Messages that mention this user, oldest first."""
        every = [message for channel in self.double.world.channels.values() for message in channel.messages]
        found = [
            message for message in every if message.mentions_user(self.account) and message.author is not self.account
        ]
        return sorted(found, key=lambda message: message.id)

    # -- commands -------------------------------------------------------------------------------------

    async def slash(self, command: str, channel: Channel, *, wait: float = PATIENCE, **options: Any) -> Reply:
        """Use a registered command (`"game new"`) and wait until the bot has done thinking.

        A member is given as a ScriptedUser, a file as `(name, bytes)`.

        :raises ClientRefuses: the client would not let it be sent.
        :raises Unanswered: the bot did not answer in time.
        """
        path = resolve(self.double.world, command, channel, self._is_admin(channel))
        entered = typed_options(self.double.payloads, path, options, channel)
        interaction = self._begin("command", path.name, channel, path.data(entered.options, entered.resolved))
        return await self._answered(interaction, wait)

    async def autocomplete(
        self, command: str, channel: Channel, option: str, typed: str = "", **options: Any
    ) -> list[Choice]:
        """What the client offers for an option when `typed` stands in it.

        :raises ClientRefuses: the option has no completion.
        """
        path = resolve(self.double.world, command, channel, self._is_admin(channel))
        entered = typed_options(self.double.payloads, path, options, channel, focused=(option, typed))
        interaction = self._begin(
            "autocomplete", f"{path.name} {option}", channel, path.data(entered.options, entered.resolved)
        )
        await self._first_answer(interaction)
        return [Choice(choice["name"], choice["value"]) for choice in interaction.choices]

    def _is_admin(self, channel: Channel) -> bool:
        return bool(self.double.payloads.permissions(channel, self.account) & ADMINISTRATOR)

    # -- components -----------------------------------------------------------------------------------

    async def click(self, message: PostedMessage | Reply, button: str, *, wait: float = PATIENCE) -> Reply:
        """Press a button of the message as it now stands, named by label or custom_id.

        :raises ClientRefuses: there is no such button, it is disabled, or this user does not see the message.
        """
        message = self._seen(message)
        component = pick(message, button, lambda part: part["type"] == 2 and part.get("custom_id"))
        data = {"custom_id": component["custom_id"], "component_type": 2, "id": component["id"]}
        return await self._component(message, button, data, wait)

    async def select(
        self, message: PostedMessage | Reply, *values: Any, menu: str | None = None, wait: float = PATIENCE
    ) -> Reply:
        """Choose options by label or value (or people), from the message's only select or the one with this custom_id.

        :raises ClientRefuses: no such select or option, or too few or too many.
        """
        message = self._seen(message)
        component = pick(message, menu, lambda part: part["type"] in SELECTS)
        chosen, resolved = choose(component, values, self.double.payloads, message.channel)
        data = {
            "custom_id": component["custom_id"],
            "component_type": component["type"],
            "id": component["id"],
            "values": chosen,
        }
        if resolved:
            data["resolved"] = resolved
        return await self._component(message, component["custom_id"], data, wait)

    async def submit_modal(
        self, reply: Reply, fields: Mapping[str, Any] | None = None, *, wait: float = PATIENCE, **more: Any
    ) -> Reply:
        """Fill in the opened form, fields named by custom_id or label, and send it.

        :raises ClientRefuses: a required field is empty, a text too long, a field unknown.
        """
        source = reply.interaction
        data = fill_modal(reply.modal, {**(fields or {}), **more}, self.double.payloads, source.channel)
        interaction = self.double.interactions.begin(
            "modal", str(reply.modal.get("title")), self.account, source.channel, data, source.message, source
        )
        return await self._answered(interaction, wait)

    async def _component(self, message: PostedMessage, name: str, data: Json, wait: float) -> Reply:
        interaction = self.double.interactions.begin("component", name, self.account, message.channel, data, message)
        return await self._answered(interaction, wait)

    def _seen(self, message: PostedMessage | Reply) -> PostedMessage:
        found = message.message if isinstance(message, Reply) else message
        if not found.is_seen_by(self.account):
            raise ClientRefuses(f"{self.name} does not see this message")
        return found

    # -- text -----------------------------------------------------------------------------------------

    async def say(
        self,
        channel: Channel,
        text: str,
        *,
        mention_bot: bool = False,
        reply_to: PostedMessage | Reply | None = None,
        files: Sequence[tuple[str, bytes]] = (),
    ) -> PostedMessage:
        """Write a message; `mention_bot` puts the bot's mention before it.

        :raises ClientRefuses: longer than 2000 characters, empty, or not a place where this user can write.
        """
        if mention_bot:
            text = f"<@{self.double.world.bot.id}> {text}"
        if len(text) > 2000 or not (text.strip() or files):
            raise ClientRefuses(f"a message of {len(text)} characters")
        if not channel.is_open_to(self.account) or channel.locked or not self._may_write(channel):
            raise ClientRefuses(f"{self.name} cannot write there")
        target = self._seen(reply_to) if reply_to is not None else None
        uploads = [Upload(number, name, data) for number, (name, data) in enumerate(files)]
        return self.double.messages.say(self.account, channel, text, target, uploads)

    def _may_write(self, channel: Channel) -> bool:
        need = "send_messages_in_threads" if channel.is_thread else "send_messages"
        return channel.type == DM or bool(self.double.payloads.permissions(channel, self.account) & PERMISSIONS[need])

    def edit(self, message: PostedMessage, text: str) -> None:
        """Edit one's own message."""
        if message.author is not self.account:
            raise ClientRefuses("only one's own messages can be edited")
        self.double.messages.edit(message, {"content": text})

    def delete(self, message: PostedMessage) -> None:
        """Delete one's own message."""
        if message.author is not self.account:
            raise ClientRefuses("only one's own messages can be deleted")
        self.double.messages.delete(message)

    def refuse_dms(self) -> None:
        """Close direct messages: the bot's are refused with 50007, which is then expected."""
        self.account.takes_dms = False
        self.double.expect("403 50007", optional=True)

    # -- waiting --------------------------------------------------------------------------------------

    def _begin(self, kind: str, name: str, channel: Channel, data: Json) -> Interaction:
        if not channel.is_open_to(self.account):
            raise ClientRefuses(f"{self.name} does not see this channel")
        if channel.guild is not None and self.double.world.bot.id not in channel.guild.members:
            raise ClientRefuses("the bot is not in this server")
        may = self.double.payloads.permissions(channel, self.account)
        if kind != "component" and channel.type != DM and not may & PERMISSIONS["use_application_commands"]:
            raise ClientRefuses(f"{self.name} may use no commands there")
        if channel.type == DM and self.double.world.bot not in channel.recipients:
            raise ClientRefuses("commands go to channels with the bot")
        return self.double.interactions.begin(kind, name, self.account, channel, data)

    async def _first_answer(self, interaction: Interaction) -> None:
        patience = self.double.interactions.patience + 1
        await self.double.pulse.until(
            lambda: interaction.answer or interaction.is_dead, patience, f"an answer to {interaction}"
        )
        if interaction.is_dead:
            raise Unanswered(f"the application did not respond: {interaction}\n{self.double.log_tail()}")

    async def _answered(self, interaction: Interaction, wait: float) -> Reply:
        await self._first_answer(interaction)
        try:
            await self.double.pulse.until(lambda: interaction.is_settled, wait)
        except TimeoutError:
            self.double.interactions.give_up(interaction, wait)
            raise Unanswered(f"still thinking after {wait} s: {interaction}\n{self.double.log_tail()}") from None
        return Reply(interaction)
