"""The text of a lobby's message, and the buttons below it."""

from __future__ import annotations

import discord

from bot.engine import GameId
from bot.engine.play import Title
from bot.i18n import tr
from bot.service.game_service import GameSession
from bot.service.registry.lobby_commands import lobby_terms

from .persistent_items import Button, PersistentItem, view_of
from .responses import escape


class LobbyButton(
    PersistentItem, form="lobby:{game}:{verb:join|leave|start|options|computer}", command="game {0.verb}"
):
    def build(self) -> Button:
        style = discord.ButtonStyle.success if self.verb == "start" else self.style
        label = "Add a computer player" if self.verb == "computer" else self.verb.capitalize()
        return Button(label=tr(label), style=style)


def lobby_buttons(game_id: GameId, title: Title) -> list[LobbyButton]:
    verbs = ("join", "leave", "start", "computer", *(["options"] if title.options else []))
    return [LobbyButton(game_id, verb) for verb in verbs]


def lobby_view(game_id: GameId, title: Title) -> discord.ui.View:
    return view_of(lobby_buttons(game_id, title))


def lobby_text(table: GameSession, title: Title) -> str:
    names = ", ".join(escape(record.name) for record in table.seats) or tr("nobody yet")
    least, most, pace = title.players.start, title.players.stop - 1, f"{table.record.pace_hours:g}"
    head = "**Game {game}: {title}**, {least} to {most} players, {hours} hours a turn"
    options = ", ".join(f"{name}: {choice}" for name, choice in table.record.options.items())
    lines = [tr(head, table.record.id, title.name, least, most, pace) + (f" ({options})" if options else "")]
    terms = [escape(tr(line)) for line in lobby_terms(table.record)]
    return "\n".join([*lines, *terms, tr("In: {names}", names)])
