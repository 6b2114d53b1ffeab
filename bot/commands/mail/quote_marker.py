"""By what our own mails are known when they come back in an answer."""

from __future__ import annotations

from functools import cache

from bot.i18n import LANGUAGES, say, speaking

NAME = "Signalbox"
"""As what our mails are sent."""


def marker() -> str:
    """What stands at the top of every mail of ours: whatever is below it, in whatever form it comes back, the bot wrote."""
    return say("Please write your answer above this line")


@cache
def markers() -> frozenset[str]:
    """The marker in every language, in small letters."""
    found = set()
    for language in LANGUAGES:
        with speaking(language):
            found.add(marker().lower())
    return frozenset(found)
