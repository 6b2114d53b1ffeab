"""Buttons that survive a restart: everything they need stands in their id."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import discord

from bot.engine.actions import Action, Answer, BuyPrivate, BuyTrain, DiscardTrain, Dividend, Pass, RunRoutes, TakeLoan
from bot.engine.game import Game
from bot.tables.reading import short_text
from bot.tables.tables import Played

from .answers import answering, edit, person_of, plain

if TYPE_CHECKING:
    from .bot import Signalbox

MOST_BUTTONS = 15
LONGEST_ID = 100
USUAL = (RunRoutes, Dividend, BuyTrain, BuyPrivate, DiscardTrain, Answer, TakeLoan, Pass)
"""What gets a button when not every legal move does."""


class MoveButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"mv:(?P<game>\d+):(?P<version>\d+):(?P<move>.+)"
):
    """One move; its label is the text command that it stands for."""

    def __init__(self, game: int, version: int, move: str) -> None:
        self.game, self.version, self.move = game, version, move
        style = discord.ButtonStyle.secondary if move.endswith("pass") else discord.ButtonStyle.primary
        super().__init__(discord.ui.Button(label=move[:80], style=style, custom_id=f"mv:{game}:{version}:{move}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> MoveButton:
        """The button that was pressed, whatever process made it."""
        return cls(int(match["game"]), int(match["version"]), match["move"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Make the move on the position that the button was made for."""
        client: Signalbox = interaction.client
        async with answering(interaction):
            played = await client.tables.play(self.game, person_of(interaction.user), self.move, self.version)
            await answer_move(interaction, played)


class LobbyButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"lobby:(?P<game>\d+):(?P<verb>join|leave|start)"
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
            if self.verb == "start":
                await lobby.start(interaction, self.game, "lot")
            elif self.verb == "join":
                await lobby.join(interaction, self.game, interaction.user.display_name)
            else:
                await lobby.leave(interaction, self.game)


def lobby_view(game: int) -> discord.ui.View:
    """The buttons below a lobby."""
    view = discord.ui.View(timeout=None)
    for verb in ("join", "leave", "start"):
        view.add_item(LobbyButton(game, verb))
    return view


def move_view(number: int, version: int, game: Game) -> discord.ui.View | None:
    """Buttons for the usual moves of the open step; None when there are none."""
    texts = usual_moves(game)
    if not texts:
        return None
    view = discord.ui.View(timeout=None)
    for text in texts:
        view.add_item(MoveButton(number, version, text))
    return view


def usual_moves(game: Game) -> list[str]:
    """All legal moves if they are few, else the usual kinds; `run best` stands for the search."""
    legal = list(game.legal())
    texts = list(dict.fromkeys(_text(game, action) for action in legal))
    if len(texts) > MOST_BUTTONS:
        texts = list(dict.fromkeys(_text(game, action) for action in _usual(legal)))
    return [text for text in texts if len(f"mv:{10**9}:{10**6}:{text}") <= LONGEST_ID][:MOST_BUTTONS]


def _usual(legal: Iterable[Action]) -> list[Action]:
    return [action for kind in USUAL for action in legal if isinstance(action, kind)]


def _text(game: Game, action: Action) -> str:
    return "run best" if isinstance(action, RunRoutes) and action.runs else short_text(game, action)


async def answer_move(interaction: discord.Interaction[Any], played: Played) -> None:
    """What the move did; the next buttons where the same person is asked again."""
    client: Signalbox = interaction.client
    table = await client.tables.table(played.game)
    view = None
    if table.game is not None and set(table.game.asked()) & set(table.seats_of(person_of(interaction.user))):
        view = move_view(played.game, played.version, table.game)
    await edit(interaction, plain("\n".join([*played.lines, played.question])), view=view)
