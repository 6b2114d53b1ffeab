"""What a verb is: how one kind of action is written and read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from bot.engine.data.actions import Action
from bot.engine.ids import Owner
from bot.engine.play.title import Title
from bot.engine.refusals import Unreadable
from bot.engine.said import Said, Text, or_else, said

Reader = Callable[[Title, Owner, Sequence[str]], Action | None]
"""Makes an action of a title, whoever acts and the words from the verb on; None when that is not its form."""


@dataclass(frozen=True)
class Verb:
    """How one kind of action is written.

    `words` are the verbs that begin it, `needs` says what follows them, `write` gives all but the actor.
    """

    words: tuple[str, ...]
    needs: str
    example: str
    write: Callable[[Any], str]
    read: Reader


def check_name(what: Text, word: str, names: Collection[str]) -> str:
    """The word, if it is one of the known names.

    :raises Unreadable: it is not; the sentence gives the nearest ones.
    """
    if word in names:
        return word
    raise Unreadable("There is no {what} {word}{names}.", "", said(what), word, near_words(word, names))


def near_words(word: str, known: Iterable[str]) -> Said:
    """The known names that look most like the word, as the end of a sentence: `; perhaps 57 or 58`, or nothing."""
    close = closest(word, known, 3, 0.6 if len(word) > 3 else 0.5)
    return said("; perhaps {names}", or_else(close)) if close else said("")


def closest(word: str, known: Iterable[str], number: int, cutoff: float) -> list[str]:
    """The known names most like the word, whatever the case of letters; of equals the one named first comes first."""
    matcher = SequenceMatcher(None, "", word.lower(), autojunk=False)
    found: list[tuple[float, str]] = []
    for name in dict.fromkeys(known):
        matcher.set_seq1(name.lower())
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), name))
    return [name for _, name in sorted(found, key=lambda pair: -pair[0])[:number]]
