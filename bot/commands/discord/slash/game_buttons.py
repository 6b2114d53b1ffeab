"""The buttons below a game's posts and answers, and what they show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import discord

from bot.commands.discord.interactions import (
    LONGEST,
    Button,
    Interaction,
    PersistentItem,
    edit,
    escape,
    person_of,
    respond,
    view_of,
    whole_lines,
)
from bot.engine import GameId, PersonId, PlayerId
from bot.engine.notation import parse_action, question
from bot.engine.play.game import Game
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.render.worker import Renderer
from bot.service.features.sandbox import MovePreview
from bot.service.game_service import GameSession, MoveResult
from bot.service.parser.company_turn_builder import company_composing
from bot.service.parser.menus import hexes_of, ways
from bot.service.parser.preview import outcome
from bot.service.parser.suggestions import BEST, help_lines
from bot.service.sessions.queries import LogEntry
from bot.service.views.turn_text import events_since, turn_text
from bot.store import GameStatus, MoveKind
from bot.threads import run_in_thread

from .command_buttons import plan_button
from .move_buttons import CompanyTurnButton, GuideButton, MoveButton

MOST_BUTTONS = 20
MOST_HELP = 1500
"""Maximum number of characters of help, in whole lines."""
LOOKS = {
    "map": "Map",
    "market": "Market",
    "help": "What can I do?",
    "news": "What happened?",
    "routes": "Best routes",
    "auto": "Plan ahead",
    "turn": "My turn",
    "board": "Board",
}

ALWAYS = ("map", "market", "help", "news", "auto")
"""The last row of every question."""

RECORD_LOOKS = ALWAYS
"""The buttons below the record that is written now."""

LAST_ROW = 4

MOST_NEWS = 1700
"""Maximum number of characters of news."""

MOST_RECORDS = 12
"""Maximum number of records that are shown where nothing has happened since the user's last turn, or they have no
seat.
"""


class LookButton(PersistentItem, form=r"look:{game}:{what:[a-z]+}{mark:(?::\d{1,9})?}"):
    """Shows the presser something of the game. A mark, `:` and a number, distinguishes its post from all others."""

    what: str
    mark = ""

    def build(self) -> Button:
        row = LAST_ROW if self.what in ALWAYS and not self.mark else None
        return Button(label=tr(LOOKS.get(self.what, self.what)), style=self.style, row=row)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        client = interaction.client
        if self.what == "news":
            async with respond(interaction):
                await show_news(interaction, self.game)
        elif self.what == "auto":
            await client.run_command(interaction, "auto list", {}, self.game)
        elif self.what == "board":
            table = await client.tables.desk.table(self.game)
            link = "mine" if table.seats_of(person_of(interaction.user)) else "link"
            await client.run_command(interaction, f"board {link}", {}, self.game)
        else:
            await client.run_command(interaction, self.what if self.what in LOOKS else "help", {}, self.game)


async def show_news(interaction: Interaction, number: GameId) -> None:
    """Show what has happened since the user's last turn, else the latest of the game."""
    queries = interaction.client.tables.queries
    table, _ = await interaction.client.tables.desk.require_started(number)
    last = max((await queries.last_moves(number, person_of(interaction.user))).values(), default=table.record.version)
    log = await queries.log_since(number, min(last, table.record.version - MOST_RECORDS))
    lines = events_since([entry for entry in log if entry.record.number > last], MOST_NEWS)
    lines = lines or events_since(log[-MOST_RECORDS:], MOST_NEWS)
    await edit(interaction, escape("\n".join(lines)))


async def moves_help(table: GameSession, game: Game, person: PersonId) -> tuple[str, discord.ui.View]:
    """A person's legal moves, in turn or out of it: lines to paste, and their own buttons."""
    seats = table.seats_of(person)
    text = escape(tr(question(game)))
    if seats and table.record.status == GameStatus.RUNNING:
        lines = await run_in_thread(lambda: help_lines(game.copy(), seats=seats))
        if set(seats).isdisjoint(game.players_to_act()):
            text += f"\n{tr('It is not your turn.')} {tr('Out of turn you can:') if lines else ''}".rstrip(" ")
        if lines:
            shown = "\n".join(whole_lines(lines, MOST_HELP))
            hint = tr("Press a button, type it after /move, or write it and mention me.")
            text += f"\n```\n{shown}\n```{hint}"
    return text, await turn_view(table.record.id, table.record.version, game, seats)


async def news_picture(studio: Renderer, game: Game, since: Sequence[LogEntry]) -> list[Picture]:
    """The part of the board that has changed since a player's last turn."""
    changed = changed_hexes(game, since)
    return await studio.try_picture(game, "news", changed) if changed else []


def changed_hexes(game: Game, entries: Sequence[LogEntry]) -> list[str]:
    moves = [entry.record.text for entry in entries if entry.record.kind == MoveKind.MOVE and not entry.is_undone]
    return list(dict.fromkeys(space for text in moves for space in hexes_of(game, parse_action(game.title, text))))


async def turn_view(game_id: GameId, version: int, game: Game, seats: Collection[PlayerId]) -> discord.ui.View:
    """The usual moves of the open step, each labelled with its text command, and the other views."""
    moves = (await moves_at_hand(game_id, version, game, seats))[:MOST_BUTTONS]
    has_train = any(train.owner == game.frame.entity for train in game.state.trains)
    looks = (*(["routes"] if has_train else []), *ALWAYS)
    return view_of([*moves, *(LookButton(game_id, what) for what in looks)])


async def moves_at_hand(
    game_id: GameId, version: int, game: Game, seats: Collection[PlayerId], has_little_room: bool = False
) -> list[PersistentItem]:
    """A button for a company's whole turn, for every usual move of these seats, and for every kind of move that is
    composed in menus.
    """
    found = await run_in_thread(lambda: ways(game.copy(), seats, has_little_room)) if seats else []
    company = company_composing(game, seats) if found else None
    buttons: list[PersistentItem] = []
    if company:
        buttons.append(CompanyTurnButton(game_id, version, 0, "open", label=tr("Operate {company}", company)))
    for way in found:
        if way.kind:
            buttons.append(GuideButton(game_id, version, way.kind, label=way.label))
        else:
            buttons.append(MoveButton(game_id, version, way.text, label=way.label, is_usual=True))
    return [button for button in buttons if button.fits]


def outcomes(game: Game, buttons: Collection[discord.ui.Item[Any]]) -> list[str]:
    """Costs and effects of these buttons' moves, a line for each whose label does not say them."""
    moves = [one for one in buttons if isinstance(one, MoveButton) and one.move != BEST]
    told = [(one.item.label, outcome(game, parse_action(game.title, one.move))) for one in moves]
    return [f"`{label}` {escape(words)}" for label, words in told if words]


async def preview_pictures(studio: Renderer, preview: MovePreview) -> list[Picture]:
    """The part of the board that would change; nothing where nothing would change or it cannot be painted."""
    spaces = [str(space) for space in preview.changed_hexes]
    return await studio.try_picture(preview.game, "crop", spaces) if spaces else []


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
        lines += await interaction.client.tables.lessons.task_lines(table)
        if own and table.record.status == GameStatus.RUNNING:
            view = await turn_view(game_id, table.record.version, table.game, seats)
            costs = await run_in_thread(outcomes, table.game.copy(), view.children)
        elif not own:
            offers = await interaction.client.tables.plans.offers(game_id, person_of(interaction.user))
            view = view_of([plan_button(game_id, offer.plan, offer.label, offer.is_draft) for offer in offers])
    asked = escape("\n".join(lines))
    told = [asked, *whole_lines(costs, LONGEST - len(asked) - 1)]
    await edit(interaction, "\n".join(told), view=view or discord.ui.View())
