"""Questions to the table in Discord: buttons for the people who are asked, and a line that says who is waited for."""

from __future__ import annotations

import logging
import re
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions import completion
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.failure_kinds import brief
from bot.commands.discord.interactions.game_channels import asker_of, current_game
from bot.commands.discord.interactions.responses import edit, escape, is_ephemeral, person_of, respond
from bot.engine import GameId
from bot.i18n import tr, use_language
from bot.service.features.votes import Poll

log = logging.getLogger(__name__)

vote_group = app_commands.Group(name="vote", description="Ask the table", guild_only=True)


class QuestionButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"qa:(?P<question>\d{1,9}):(?P<answer>yes|no)"
):
    def __init__(self, question: int, answer: str) -> None:
        self.question, self.answer = question, answer
        label, style = (
            ("Agree", discord.ButtonStyle.success) if answer == "yes" else ("Refuse", discord.ButtonStyle.danger)
        )
        super().__init__(discord.ui.Button(label=tr(label), style=style, custom_id=f"qa:{question}:{answer}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> QuestionButton:
        return cls(int(match["question"]), match["answer"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        tables = interaction.client.tables
        async with respond(interaction):
            poll = await tables.votes.answer_poll(self.question, person_of(interaction.user), self.answer == "yes")
            await edit(interaction, tr("Noted. {line}", escape(poll.line)))
            if interaction.message is not None and not is_ephemeral(interaction):
                found = await tables.queries.record(poll.record.game)
                with use_language(found.language if found else ""):
                    await refresh(interaction.message, poll)


class AskUndoButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"vu:(?P<game>\d{1,9}):(?P<number>\d{1,9})"
):
    """Asks all who have moved since an entry whether they agree to undo back to it."""

    def __init__(self, game_id: GameId, number: int) -> None:
        self.game, self.number = game_id, number
        button = discord.ui.Button[Any](
            label=tr("Ask the others"), style=discord.ButtonStyle.primary, custom_id=f"vu:{game_id}:{number}"
        )
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> AskUndoButton:
        return cls(GameId(int(match["game"])), int(match["number"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            asker = await asker_of(interaction, self.game)
            poll = await interaction.client.tables.votes.start_poll(self.game, asker, "undo", {"number": self.number})
            await edit(interaction, question_text(poll), view=discord.ui.View())


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


async def ask(interaction: Interaction, kind: str, **data: Any) -> None:
    async with respond(interaction):
        game = await current_game(interaction)
        poll = await interaction.client.tables.votes.start_poll(game, await asker_of(interaction, game), kind, data)
        await edit(interaction, question_text(poll))


@vote_group.command(name="undo", description="Go back to a log entry, if everyone who moved since agrees")
@app_commands.describe(record="The log entry after which the game continues")
async def vote_undo(interaction: Interaction, record: app_commands.Range[int, 0]) -> None:
    await ask(interaction, "undo", number=record)


@vote_group.command(name="end", description="End the game now, if all agree")
async def vote_end(interaction: Interaction) -> None:
    await ask(interaction, "end")


@vote_group.command(name="replace", description="Give away the seat of a player who has been silent for a week")
@app_commands.describe(seat="The silent player's seat", member="Who takes it over")
async def vote_replace(interaction: Interaction, seat: app_commands.Range[int, 1, 7], member: discord.Member) -> None:
    """Replace a player who does not answer."""
    await ask(interaction, "replace", seat=seat, newcomer=person_of(member), name=member.display_name)


@vote_group.command(
    name="computer", description="Let a computer play for a player silent for a week, until they return"
)
@app_commands.describe(seat="The silent player's seat")
async def vote_computer(interaction: Interaction, seat: app_commands.Range[int, 1, 7]) -> None:
    """Replace a player who does not answer by a computer player."""
    await ask(interaction, "computer", seat=seat)


@vote_group.command(name="skip", description="Pass for a player who is slower than the pace allows, if most agree")
@app_commands.describe(seat="The player who is too slow")
async def vote_skip(interaction: Interaction, seat: app_commands.Range[int, 1, 7]) -> None:
    """Pass for a late player."""
    await ask(interaction, "skip", seat=seat)


@vote_group.command(name="fine", description="Fine a player who is slower than the pace allows, if all others agree")
@app_commands.describe(seat="The player who is too slow", amount="The amount to pay to the bank")
async def vote_fine(
    interaction: Interaction, seat: app_commands.Range[int, 1, 7], amount: app_commands.Range[int, 1, 999999]
) -> None:
    """Fine a late player."""
    await ask(interaction, "fine", seat=seat, amount=amount)


_command: app_commands.Command[Any, ..., Any]
for _command in (vote_replace, vote_computer, vote_skip, vote_fine):
    _command.autocomplete("seat")(completion.seats)
vote_undo.autocomplete("record")(completion.records)


@vote_group.command(name="list", description="Open votes at this table")
async def vote_list(interaction: Interaction) -> None:
    async with respond(interaction):
        polls = await interaction.client.tables.votes.polls(await current_game(interaction))
        view = question_view(polls[0]) if len(polls) == 1 else None
        await edit(interaction, "\n".join(map(question_text, polls)) or "There is no open vote.", view=view)
