"""Buttons that run a command. Everything they need is in their id, so that they survive a restart."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import discord

from bot.commands.discord.interactions.failure_kinds import brief
from bot.commands.discord.interactions.responses import escape, is_ephemeral, person_of
from bot.engine import GameId
from bot.i18n import tr, use_language
from bot.service.features.votes import Poll
from bot.service.registry.command import Polls

log = logging.getLogger(__name__)

Button = discord.ui.Button[Any]
Shown = discord.ui.DynamicItem[Button]

QUICK = {
    "pass": "Pass until the round ends",
    "wake": "Pass until shares move",
}
"""Plans with a button of their own."""

QUICK_TEXTS = {"pass": "pass", "wake": "pass until sale buy start president"}


class UndoButton(Shown, template=r"un:(?P<game>\d{1,9}):(?P<version>\d{1,9})"):
    """Undoes one's own last move, while nothing has followed it."""

    def __init__(self, game_id: GameId, version: int) -> None:
        self.game, self.version = game_id, version
        super().__init__(
            Button(label=tr("Undo"), style=discord.ButtonStyle.secondary, custom_id=f"un:{game_id}:{version}")
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> UndoButton:
        return cls(GameId(int(match["game"])), int(match["version"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.run_command(interaction, "undo", {}, self.game, self.version)


class SnoozeButton(Shown, template=r"sn:(?P<game>\d{1,9})"):
    """Delays the next reminder by a day."""

    def __init__(self, game_id: GameId) -> None:
        self.game = game_id
        super().__init__(
            Button(label=tr("Remind me tomorrow"), style=discord.ButtonStyle.secondary, custom_id=f"sn:{game_id}")
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> SnoozeButton:
        return cls(GameId(int(match["game"])))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.run_command(interaction, "clock snooze", {"hours": 24}, self.game)


class OrderButton(Shown, template=r"au:(?P<game>\d{1,9}):(?P<verb>pass|wake|drop):(?P<order>\d{1,9})"):
    """Gives a usual plan, or drops a plan. Its label counts one's own plans: a number of the database would reveal
    others'.
    """

    def __init__(self, game_id: GameId, verb: str, order: int = 0, number: int = 0) -> None:
        self.game, self.verb, self.order = game_id, verb, order
        label = QUICK.get(verb, tr("Drop {number}", number))
        style = discord.ButtonStyle.danger if verb == "drop" else discord.ButtonStyle.secondary
        super().__init__(Button(label=tr(label), style=style, custom_id=f"au:{game_id}:{verb}:{order}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> OrderButton:
        return cls(GameId(int(match["game"])), match["verb"], int(match["order"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        client, is_update = interaction.client, is_ephemeral(interaction)
        if self.verb == "drop":
            drop = partial(client.tables.orders.cancel_orders, self.game, person_of(interaction.user), self.order)
            await client.run_command(interaction, "auto list", {}, self.game, is_update=is_update, before=drop)
        else:
            values = {"order": QUICK_TEXTS[self.verb]}
            await client.run_command(interaction, "auto say", values, self.game, is_update=is_update)


class SandboxButton(Shown, template=r"if:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<verb>commit|back|drop)"):
    """Makes the sandbox's moves, removes the last move, or empties it."""

    LABELS = {"commit": "Make these moves", "back": "Take back the last move", "drop": "Discard the moves"}
    COMMANDS = {"commit": "make", "back": "back", "drop": "drop"}

    def __init__(self, game_id: GameId, version: int, verb: str) -> None:
        self.game, self.version, self.verb = game_id, version, verb
        style = discord.ButtonStyle.success if verb == "commit" else discord.ButtonStyle.secondary
        super().__init__(Button(label=tr(self.LABELS[verb]), style=style, custom_id=f"if:{game_id}:{version}:{verb}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> SandboxButton:
        return cls(GameId(int(match["game"])), int(match["version"]), match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.run_command(
            interaction,
            f"whatif {self.COMMANDS[self.verb]}",
            {},
            self.game,
            self.version,
            is_update=is_ephemeral(interaction),
        )


class RewindButton(Shown, template=r"rw:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<number>\d{1,9})"):
    """Rewinds, unless somebody has moved since the preview."""

    def __init__(self, game_id: GameId, version: int, number: int) -> None:
        self.game, self.version, self.number = game_id, version, number
        super().__init__(
            Button(
                label=tr("Go back to {number}", number),
                style=discord.ButtonStyle.danger,
                custom_id=f"rw:{game_id}:{version}:{number}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> RewindButton:
        return cls(GameId(int(match["game"])), int(match["version"]), int(match["number"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        values = {"record": self.number, "sure": True}
        await interaction.client.run_command(
            interaction, "moderate rewind", values, self.game, self.version, is_update=is_ephemeral(interaction)
        )


# -- votes --------------------------------------------------------------------------------------------


class QuestionButton(Shown, template=r"qa:(?P<question>\d{1,9}):(?P<answer>yes|no)"):
    def __init__(self, question: int, answer: str) -> None:
        self.question, self.answer = question, answer
        label, style = (
            ("Agree", discord.ButtonStyle.success) if answer == "yes" else ("Refuse", discord.ButtonStyle.danger)
        )
        super().__init__(Button(label=tr(label), style=style, custom_id=f"qa:{question}:{answer}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> QuestionButton:
        return cls(int(match["question"]), match["answer"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        client = interaction.client
        reply = await client.run_command(interaction, f"vote {self.answer}", {"vote": self.question})
        if reply is None or not isinstance(reply.subject, Polls):
            return
        if interaction.message is not None and not is_ephemeral(interaction):
            poll = reply.subject.polls[0]
            found = await client.tables.queries.record(poll.record.game)
            with use_language(found.language if found else ""):
                await refresh(interaction.message, poll)


class AskUndoButton(Shown, template=r"vu:(?P<game>\d{1,9}):(?P<number>\d{1,9})"):
    """Asks all who have moved since an entry whether they agree to undo back to it."""

    def __init__(self, game_id: GameId, number: int) -> None:
        self.game, self.number = game_id, number
        super().__init__(
            Button(label=tr("Ask the others"), style=discord.ButtonStyle.primary, custom_id=f"vu:{game_id}:{number}")
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> AskUndoButton:
        return cls(GameId(int(match["game"])), int(match["number"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.run_command(
            interaction, "vote undo", {"record": self.number}, self.game, is_update=is_ephemeral(interaction)
        )


async def refresh(message: discord.Message, poll: Poll) -> None:
    """Update a question's message; a message that cannot be changed stays as it is."""
    view = question_view(poll) if poll.record.closed_at is None else None
    try:
        await message.edit(content=question_text(poll), view=view)
    except discord.HTTPException as error:
        # The answer is saved, even if its message cannot show it.
        log.info("a question's message was not changed (%s)", brief(error))


def question_view(poll: Poll) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for answer in ("yes", "no"):
        view.add_item(QuestionButton(poll.record.id, answer))
    return view


def question_text(poll: Poll) -> str:
    return f"**{escape(poll.text)}** {escape(poll.line)}"


# -- follow-ups ---------------------------------------------------------------------------------------

FOLLOW_UPS: Mapping[str, Callable[[GameId, int, Mapping[str, Any]], Shown]] = {
    "vote undo": lambda game, version, values: AskUndoButton(game, values["record"]),
    "vote yes": lambda game, version, values: QuestionButton(values["vote"], "yes"),
    "vote no": lambda game, version, values: QuestionButton(values["vote"], "no"),
    "moderate rewind": lambda game, version, values: RewindButton(game, version, values["record"]),
    "whatif make": lambda game, version, values: SandboxButton(game, version, "commit"),
    "whatif back": lambda game, version, values: SandboxButton(game, version, "back"),
    "whatif drop": lambda game, version, values: SandboxButton(game, version, "drop"),
}
"""The button that runs a command with these values in a game at this position."""
