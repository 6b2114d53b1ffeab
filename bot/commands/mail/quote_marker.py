"""By what our own mails are known when they come back in an answer."""

from __future__ import annotations

from functools import cache

from bot.i18n import LANGUAGES, tr, use_language

NAME = "Signalbox"
"""The sender's name of the bot's mails."""


def marker() -> str:
    """The first line of every mail of the bot: everything below it, in any form in which it comes back, was written by
    the bot.
    """
    return tr("Please write your answer above this line")


@cache
def markers() -> frozenset[str]:
    """The marker in every language, in lower case."""
    found = set()
    for language in LANGUAGES:
        with use_language(language):
            found.add(marker().lower())
    return frozenset(found)
