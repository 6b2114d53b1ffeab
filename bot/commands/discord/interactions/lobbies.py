"""The text of a lobby's message, and the buttons below it."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.engine import GameId
from bot.engine.play import Title
from bot.i18n import tr
from bot.service.game_service import GameSession

from .responses import escape


class LobbyButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"lobby:(?P<game>\d{1,9}):(?P<verb>join|leave|start|options|computer)",
):
    def __init__(self, game_id: GameId, verb: str) -> None:
        self.game, self.verb = game_id, verb
        style = discord.ButtonStyle.success if verb == "start" else discord.ButtonStyle.secondary
        label = "Add a computer player" if verb == "computer" else verb.capitalize()
        super().__init__(discord.ui.Button(label=tr(label), style=style, custom_id=f"lobby:{game_id}:{verb}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> LobbyButton:
        return cls(GameId(int(match["game"])), match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.run_command(interaction, f"game {self.verb}", {}, self.game)


def lobby_view(game_id: GameId, title: Title) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for verb in ("join", "leave", "start", "computer"):
        view.add_item(LobbyButton(game_id, verb))
    if title.options:
        view.add_item(LobbyButton(game_id, "options"))
    return view


def lobby_text(table: GameSession, title: Title) -> str:
    names = ", ".join(escape(record.name) for record in table.seats) or tr("nobody yet")
    least, most, pace = title.players.start, title.players.stop - 1, f"{table.record.pace_hours:g}"
    head = "**Game {game}: {title}**, {least} to {most} players, {hours} hours a turn"
    options = ", ".join(f"{name}: {choice}" for name, choice in table.record.options.items())
    lines = [tr(head, table.record.id, title.name, least, most, pace) + (f" ({options})" if options else "")]
    return "\n".join([*lines, tr("In: {names}", names)])
