"""The message of a lobby, as it is to be."""

from __future__ import annotations

from bot.engine.play import Title
from bot.service.game_service import GameSession

from .interactions.lobbies import lobby_buttons, lobby_text
from .message_slots import SlotContent


def lobby_post(table: GameSession, title: Title) -> SlotContent:
    return SlotContent(lobby_text(table, title), buttons=lobby_buttons(table.record.id, title))
