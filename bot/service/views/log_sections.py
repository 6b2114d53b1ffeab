"""Stretches of play, each with a record of its own: an auction, a stock round, one company's turn."""

from __future__ import annotations

from bot.engine import Message, is_player, join_values, msg
from bot.engine.play import Game


def section_of(game: Game) -> Message:
    """The stretch of play of a position, as its record is headed: `Stock round 2`, `Operating round 1.1: CAR`."""
    now = game.state.round
    kind = msg(now.kind.capitalize())
    if now.kind == "auction":
        return msg("The auction")
    if now.kind != "operating":
        return msg("{kind} round {number}", kind, now.number)
    turns = (frame.entity for frame in game.state.flow if frame.entity and not is_player(frame.entity))
    company = next((entity for entity in turns if entity in game.state.companies), None)
    found = msg("{kind} round {number}.{part}", kind, now.number, now.part)
    return join_values(": ", (found, company)) if company else found


def changed_pictures(before: Game, after: Game) -> tuple[str, ...]:
    """The pictures that show the changes between two positions: `map`, `market`, or both; the map if nothing has
    changed.
    """
    old, new = before.state, after.state
    marks = after.title.look.marks
    has_map = old.board != new.board or list(marks(before)) != list(marks(after))
    has_market = old.stacks != new.stacks
    return ("map", "market") if has_map and has_market else ("market",) if has_market else ("map",)
