"""Buttons that survive a restart: everything they need stands in their id."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import discord

from bot.commands.discord.interactions.answers import answering, edit, is_panel, person_of, plain
from bot.engine.ids import PlayerId, as_company
from bot.engine.play.game import Game
from bot.engine.refusals import NotAllowed, Stale
from bot.engine.words.narration import question
from bot.tables.reading.guide import ways
from bot.tables.reading.moves import help_lines
from bot.tables.tables import Played
from bot.tables.texts.routes import routes_shown
from bot.tables.texts.turn import news, turn_text

from .guide import LONGEST_ID, GuideButton
from .orders import show_orders

if TYPE_CHECKING:
    from bot.commands.discord.bot import Signalbox

MOST_BUTTONS = 20
LOOKS = {
    "map": "Map",
    "market": "Market",
    "help": "What can I do?",
    "news": "What happened?",
    "routes": "Best routes",
    "auto": "Autopilot",
}
"""What a button below a question shows, and its label."""

ALWAYS = ("map", "market", "help", "news", "auto")
"""What stands in the last row of every question."""

LAST_ROW = 4

LATEST = 12
"""So many records are shown where nothing has happened since one's last turn, or one has no seat."""


class MoveButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"mv:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<move>.+)"
):
    """One move; its label is the text command that it stands for."""

    def __init__(self, game: int, version: int, move: str, label: str = "", is_usual: bool = False) -> None:
        self.game, self.version, self.move = game, version, move
        style = discord.ButtonStyle.primary if is_usual else discord.ButtonStyle.success
        style = discord.ButtonStyle.secondary if move.endswith("pass") else style
        shown = (label or move)[:80]
        super().__init__(discord.ui.Button(label=shown, style=style, custom_id=f"mv:{game}:{version}:{move}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> MoveButton:
        """The button that was pressed, whatever process made it."""
        return cls(int(match["game"]), int(match["version"]), match["move"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Make the move on the position that the button was made for."""
        client: Signalbox = interaction.client
        person = person_of(interaction.user)
        async with answering(interaction, is_update=is_panel(interaction)):
            try:
                played = await client.tables.play(self.game, person, self.move, self.version)
            except Stale as refusal:
                await show_turn(interaction, self.game, str(refusal))
            else:
                await answer_move(interaction, played)


class LookButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"look:(?P<game>\d{1,9}):(?P<what>[a-z]+)"):
    """Shows something of the game to whoever presses it."""

    def __init__(self, game: int, what: str) -> None:
        self.game, self.what = game, what
        row = LAST_ROW if what in ALWAYS else None
        super().__init__(
            discord.ui.Button(
                label=LOOKS.get(what, what),
                style=discord.ButtonStyle.secondary,
                custom_id=f"look:{game}:{what}",
                row=row,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> LookButton:
        """The button that was pressed."""
        return cls(int(match["game"]), match["what"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show it."""
        async with answering(interaction):
            await look(interaction, self.game, self.what)


async def look(interaction: discord.Interaction[Any], number: int, what: str) -> None:
    """Map, market, what can be done, the best routes of the company in turn, or the news.

    :raises NotAllowed: the game has not begun, or runs no trains now.
    """
    client: Signalbox = interaction.client
    table, game = await client.tables.begun(number)
    person = person_of(interaction.user)
    if what in ("map", "market"):
        await edit(interaction, plain(question(game)), [await client.studio.picture(game, what)])
    elif what == "routes":
        company = game.frame.entity if not game.state.finished else None
        if company not in game.state.companies:
            raise NotAllowed("No company is in turn now; /routes shows those of any company.")
        name = as_company(company or "")
        text, shown = await asyncio.to_thread(routes_shown, game.copy(), name)
        await edit(interaction, plain(text), [await client.studio.picture(game, "routes", (), shown)])
    elif what == "news":
        has_turns = bool(table.seats_of(person))
        lines = news(await client.tables.since_last_turn(number, person), 1700) if has_turns else []
        lines = lines or news((await client.tables.story(number))[-LATEST:], 1700)
        await edit(interaction, plain("\n".join(lines)))
    elif what == "auto":
        await show_orders(interaction, number)
    else:
        await show_help(interaction, number)


async def show_help(interaction: discord.Interaction[Any], number: int) -> None:
    """What whoever asks can do now, in turn or out of it: lines to paste, and his own buttons."""
    client: Signalbox = interaction.client
    table, game = await client.tables.begun(number)
    seats = table.seats_of(person_of(interaction.user))
    text = plain(question(game))
    if seats and table.record.status == "running":
        lines = await asyncio.to_thread(lambda: help_lines(game.copy(), seats=seats))
        if set(seats).isdisjoint(game.asked()):
            text += "\nYou are not asked now." + (" Out of turn you can:" if lines else "")
        if lines:
            shown = "\n".join(lines)[:1500]
            text += f"\n```\n{shown}\n```Press a button, or type it after /move or with a mention of me."
    view = await turn_view(number, table.record.version, game, seats)
    await edit(interaction, text, view=view)


class LobbyButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"lobby:(?P<game>\d{1,9}):(?P<verb>join|leave|start|options)",
):
    """Join, leave or start a game."""

    def __init__(self, game: int, verb: str) -> None:
        self.game, self.verb = game, verb
        style = discord.ButtonStyle.success if verb == "start" else discord.ButtonStyle.secondary
        super().__init__(discord.ui.Button(label=verb.capitalize(), style=style, custom_id=f"lobby:{game}:{verb}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> LobbyButton:
        """The button that was pressed."""
        return cls(int(match["game"]), match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do it."""
        from . import lobby

        async with answering(interaction):
            if self.verb == "options":
                await lobby.show_options(interaction, self.game)
            elif self.verb == "start":
                await lobby.start(interaction, self.game, "lot")
            elif self.verb == "join":
                await lobby.join(interaction, self.game, interaction.user.display_name)
            else:
                await lobby.leave(interaction, self.game)


def lobby_view(game: int, has_options: bool = False) -> discord.ui.View:
    """The buttons below a lobby."""
    view = discord.ui.View(timeout=None)
    for verb in ("join", "leave", "start"):
        view.add_item(LobbyButton(game, verb))
    if has_options:
        view.add_item(LobbyButton(game, "options"))
    return view


async def turn_view(number: int, version: int, game: Game, seats: Collection[PlayerId]) -> discord.ui.View:
    """The usual moves of the open step, each labelled with its text command, and what else is at hand."""
    found = await asyncio.to_thread(lambda: ways(game.copy(), seats)) if seats else []
    view = discord.ui.View(timeout=None)
    for way in found[:MOST_BUTTONS]:
        if way.kind:
            view.add_item(GuideButton(number, version, way.kind, label=way.label))
        elif len(f"mv:{number}:{version}:{way.text}") <= LONGEST_ID:
            view.add_item(MoveButton(number, version, way.text, way.label, is_usual=True))
    if any(train.owner == game.frame.entity for train in game.state.trains):
        view.add_item(LookButton(number, "routes"))
    for what in ALWAYS:
        view.add_item(LookButton(number, what))
    return view


async def answer_move(interaction: discord.Interaction[Any], played: Played) -> None:
    """What the move did; the next buttons where the same person is asked again."""
    await show_turn(interaction, played.game, "\n".join(played.lines))


async def show_turn(interaction: discord.Interaction[Any], number: int, before: str = "") -> None:
    """The present question after some words, with its buttons where the user is asked."""
    client: Signalbox = interaction.client
    table = await client.tables.table(number)
    seats = table.seats_of(person_of(interaction.user))
    view, lines = None, [before] if before else []
    if table.game is not None:
        own = [player for player in table.game.asked() if player in seats]
        lines.append(turn_text(table.game, own[0]) if own else question(table.game))
        if own and table.record.status == "running":
            view = await turn_view(number, table.record.version, table.game, seats)
    await edit(interaction, plain("\n".join(lines)), view=view or discord.ui.View())
