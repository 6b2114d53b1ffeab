"""Buttons that survive a restart: everything they need stands in their id."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Sequence
from typing import Any

import discord

from bot.commands.discord.interactions.boards import show_own
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.responses import (
    LONGEST,
    edit,
    escape,
    is_ephemeral,
    person_of,
    respond,
    whole_lines,
)
from bot.engine import GameId, PlayerId, as_company
from bot.engine.notation.messages import question
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, Rejected, StalePosition
from bot.i18n import tr, tr_error
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed, Renderer
from bot.service.game_service import GameSession, MoveResult
from bot.service.parser.company_turn_builder import company_composing
from bot.service.parser.menus import hexes_of, ways
from bot.service.parser.preview import outcome
from bot.service.parser.suggestions import BEST, help_lines
from bot.service.sessions.queries import LogEntry
from bot.service.views.routes import routes_with_picture
from bot.service.views.turn_text import events_since, turn_text
from bot.store import GameStatus

from .move_buttons import LONGEST_ID, CompanyTurnButton, GuideButton, MoveButton
from .orders import show_orders

log = logging.getLogger(__name__)

MOST_BUTTONS = 20
MOST_HELP = 1500
"""Maximum number of characters of help, in whole lines."""
LOOKS = {
    "map": "Map",
    "market": "Market",
    "help": "What can I do?",
    "news": "What happened?",
    "routes": "Best routes",
    "auto": "Autopilot",
    "turn": "My turn",
    "board": "Board",
}

ALWAYS = ("map", "market", "help", "news", "auto")
"""The last row of every question."""

RECORD_LOOKS = ALWAYS
"""The buttons below the record that is written now."""

LAST_ROW = 4

MOST_RECORDS = 12
"""Maximum number of records that are shown where nothing has happened since the user's last turn, or they have no
seat.
"""


async def make_move(pressed: MoveButton, interaction: Interaction) -> None:
    """Make the move, if the position is the button's."""
    person = person_of(interaction.user)
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        try:
            played = await interaction.client.tables.moves.submit(pressed.game, person, pressed.move, pressed.version)
        except StalePosition as refusal:
            await show_turn(interaction, pressed.game, tr_error(refusal))
        else:
            await answer_move(interaction, played)


class LookButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"look:(?P<game>\d{1,9}):(?P<what>[a-z]+)(?::(?P<number>\d{1,9}))?",
):
    """Shows the presser something of the game. A number distinguishes its post from all others."""

    def __init__(self, game_id: GameId, what: str, number: int | None = None) -> None:
        self.game, self.what = game_id, what
        row = LAST_ROW if what in ALWAYS and number is None else None
        super().__init__(
            discord.ui.Button(
                label=tr(LOOKS.get(what, what)),
                style=discord.ButtonStyle.secondary,
                custom_id=f"look:{game_id}:{what}" + (f":{number}" if number is not None else ""),
                row=row,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> LookButton:
        return cls(GameId(int(match["game"])), match["what"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction):
            await look(interaction, self.game, self.what)


async def look(interaction: Interaction, game_id: GameId, what: str) -> None:
    """Show map, market, legal moves, the best routes of the company in turn, or the news.

    :raises IllegalMove: the game has not begun, or runs no trains now.
    """
    client = interaction.client
    table, game = await client.tables.desk.require_started(game_id)
    person = person_of(interaction.user)
    if what in ("map", "market"):
        await edit(interaction, escape(tr(question(game))), [await client.studio.picture(game, what)])
    elif what == "routes":
        company = game.frame.entity if not game.state.finished else None
        if company not in game.state.companies:
            raise IllegalMove("No company is operating now; /routes shows the routes of any company.")
        name = as_company(company or "")
        text, shown = await asyncio.to_thread(routes_with_picture, game.copy(), name)
        await edit(interaction, escape(text), [await client.studio.picture(game, "routes", (), shown)])
    elif what == "news":
        has_turns = bool(table.seats_of(person))
        lines = (
            events_since(await client.tables.queries.log_since_last_turn(game_id, person), 1700) if has_turns else []
        )
        lines = lines or events_since((await client.tables.queries.log_since(game_id))[-MOST_RECORDS:], 1700)
        await edit(interaction, escape("\n".join(lines)))
    elif what == "auto":
        await show_orders(interaction, game_id)
    elif what == "board":
        await show_own(interaction, game_id)
    elif what == "turn":
        await show_own_turn(interaction, table, game)
    else:
        await show_help(interaction, game_id)


async def show_help(interaction: Interaction, game_id: GameId) -> None:
    """Show the user's legal moves, in turn or out of it: lines to paste, and their own buttons."""
    table, game = await interaction.client.tables.desk.require_started(game_id)
    seats = table.seats_of(person_of(interaction.user))
    text = escape(tr(question(game)))
    if seats and table.record.status == GameStatus.RUNNING:
        lines = await asyncio.to_thread(lambda: help_lines(game.copy(), seats=seats))
        if set(seats).isdisjoint(game.players_to_act()):
            text += f"\n{tr('It is not your turn.')} {tr('Out of turn you can:') if lines else ''}".rstrip(" ")
        if lines:
            shown = "\n".join(whole_lines(lines, MOST_HELP))
            hint = tr("Press a button, or type it after /move or with a mention of me.")
            text += f"\n```\n{shown}\n```{hint}"
    view = await turn_view(game_id, table.record.version, game, seats)
    await edit(interaction, text, view=view)


class UndoButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"un:(?P<game>\d{1,9}):(?P<version>\d{1,9})"):
    """Undoes one's own last move, while nothing has followed it."""

    def __init__(self, game_id: GameId, version: int) -> None:
        self.game, self.version = game_id, version
        button = discord.ui.Button[Any](
            label=tr("Undo"), style=discord.ButtonStyle.secondary, custom_id=f"un:{game_id}:{version}"
        )
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> UndoButton:
        return cls(GameId(int(match["game"])), int(match["version"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction):
            person = person_of(interaction.user)
            await answer_move(
                interaction, await interaction.client.tables.moves.undo(self.game, person, 1, self.version)
            )


async def show_own_turn(interaction: Interaction, table: GameSession, game: Game) -> None:
    """Show the user's turn: the question, what has happened since their last turn and where, every button."""
    person = person_of(interaction.user)
    own = [player for player in game.players_to_act() if player in table.seats_of(person)]
    if not own or table.record.status != GameStatus.RUNNING:
        await show_help(interaction, table.record.id)
        return
    since = await interaction.client.tables.queries.log_since_last_turn(table.record.id, person)
    view = await turn_view(table.record.id, table.record.version, game, table.seats_of(person))
    pictures = await news_picture(interaction.client.studio, game, since)
    await edit(interaction, escape(turn_text(game, own[0], since)), pictures, view=view)


async def news_picture(studio: Renderer, game: Game, since: Sequence[LogEntry]) -> list[Picture]:
    """The part of the board that has changed since a player's last turn."""
    changed = changed_hexes(game, since)
    try:
        return [await studio.picture(game, "news", changed)] if changed else []
    except (PictureFailed, Rejected) as error:
        log.error("no picture of what has changed: %s", error)
        return []


def changed_hexes(game: Game, entries: Sequence[LogEntry]) -> list[str]:
    moves = [entry.record.text for entry in entries if entry.record.kind == "move" and not entry.is_undone]
    return list(dict.fromkeys(space for text in moves for space in hexes_of(game, parse_action(game.title, text))))


async def turn_view(game_id: GameId, version: int, game: Game, seats: Collection[PlayerId]) -> discord.ui.View:
    """The usual moves of the open step, each labelled with its text command, and the other views."""
    view = discord.ui.View(timeout=None)
    for button in (await moves_at_hand(game_id, version, game, seats))[:MOST_BUTTONS]:
        view.add_item(button)
    if any(train.owner == game.frame.entity for train in game.state.trains):
        view.add_item(LookButton(game_id, "routes"))
    for what in ALWAYS:
        view.add_item(LookButton(game_id, what))
    return view


async def moves_at_hand(
    game_id: GameId, version: int, game: Game, seats: Collection[PlayerId], has_little_room: bool = False
) -> list[discord.ui.Item[Any]]:
    """A button for a company's whole turn, for every usual move of these seats, and for every kind of move that is
    composed in menus.
    """
    found = await asyncio.to_thread(lambda: ways(game.copy(), seats, has_little_room)) if seats else []
    company = company_composing(game, seats) if found else None
    buttons: list[discord.ui.Item[Any]] = []
    if company:
        buttons.append(CompanyTurnButton(game_id, version, 0, "open", tr("Operate {company}", company)))
    for way in found:
        if way.kind:
            buttons.append(GuideButton(game_id, version, way.kind, label=way.label))
        elif len(f"mv:{game_id}:{version}:{way.text}") <= LONGEST_ID:
            buttons.append(MoveButton(game_id, version, way.text, way.label, is_usual=True))
    return buttons


def outcomes(game: Game, buttons: Collection[discord.ui.Item[Any]]) -> list[str]:
    """Costs and effects of these buttons' moves, a line for each whose label does not say them."""
    moves = [one for one in buttons if isinstance(one, MoveButton) and one.move != BEST]
    told = [(one.item.label, outcome(game, parse_action(game.title, one.move))) for one in moves]
    return [f"`{label}` {escape(words)}" for label, words in told if words]


async def answer_move(interaction: Interaction, played: MoveResult) -> None:
    """Answer with the effect of the move; with the next buttons where the same person is asked again."""
    await show_turn(interaction, played.game, "\n".join(played.lines))


async def show_turn(interaction: Interaction, game_id: GameId, before: str = "") -> None:
    """Show the present question after some words, with its buttons if the user is asked."""
    table = await interaction.client.tables.desk.table(game_id)
    seats = table.seats_of(person_of(interaction.user))
    view, lines, costs = None, [before] if before else [], list[str]()
    if table.game is not None:
        own = [player for player in table.game.players_to_act() if player in seats]
        lines.append(turn_text(table.game, own[0]) if own else tr(question(table.game)))
        if own and table.record.status == GameStatus.RUNNING:
            view = await turn_view(game_id, table.record.version, table.game, seats)
            costs = await asyncio.to_thread(outcomes, table.game.copy(), view.children)
    asked = escape("\n".join(lines))
    told = [asked, *whole_lines(costs, LONGEST - len(asked) - 1)]
    await edit(interaction, "\n".join(told), view=view or discord.ui.View())
