"""Whom a title is owed to, and whether its rules are whole, each in one sentence."""

from __future__ import annotations

from bot.engine.message import Message, msg
from bot.titles.registry import Permission, title_folders

PERMISSIONS = {
    Permission.NOT_ASKED: msg("not asked"),
    Permission.ASKED: msg("asked, no answer so far"),
    Permission.GIVEN: msg("given"),
}


def credit_line(title: str) -> Message | None:
    """Designer, publisher, where the rules are, and the state of their permission; None where the title does not say it."""
    place = title_folders().get(title)
    if place is None or place.record.credits is None:
        return None
    owed = place.record.credits
    return msg(
        "{title}: designed by {designer}, published by {publisher}; rules: {rules} (permission for Signalbox: {permission}).",
        place.record.name,
        owed.designer,
        owed.publisher,
        owed.rules,
        PERMISSIONS[owed.permission],
    )


def unwritten_line(title: str) -> Message | None:
    """That rules of the title are not written yet; None if it is whole."""
    place = title_folders().get(title)
    if place is None or not place.record.unwritten:
        return None
    sentence = "{title} is not whole: {number} of its rules are not written yet; its page names them."
    return msg(sentence, place.record.name, len(place.record.unwritten))


def title_lines(title: str) -> list[Message]:
    """Everything that a player reads about a title before its rules."""
    return [line for line in (credit_line(title), unwritten_line(title)) if line is not None]
