"""Sentences as they are made and kept: a template with named gaps and what fills them, until somebody reads them.

Readers of a sentence have a language, and players have names that change; so neither is in it. `bot.i18n` shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from msgspec import Struct

from .ids import BANK, DEPOT, IPO, POOL, Owner, PersonId, PlayerId

GAP = re.compile(r"\{(\w+)\}")
PLACES = {BANK: "the bank", IPO: "the bank", POOL: "the pool", DEPOT: "the bank"}
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
SEAT = re.compile(r"(?<!\w)(@\d+)\b")
COUNTED = re.compile(r"(?<![\w.])(\d+) ((?:\S+ )?\w+?)(y?)\((s|e|n)\)")
"""A number before what is counted: `2 lobby(s)`, `1 3+ train(s)`; in German `2 Kredit(e)`, `1 Aktie(n)`."""


class FormerPlayer(Struct, frozen=True, array_like=True, tag="guest"):
    """A person without a seat, by their id and their name at that time."""

    person: PersonId
    name: str


class Message(Struct, frozen=True, array_like=True, tag="said"):
    """A sentence, or a part of one, in English: the `template` is what catalogues translate, `values` fill its gaps in
    order. A text among them is shown as it is, except seats (`@1`), which are shown as their players; a word to be translated
    is a `Message` itself."""

    template: str
    values: tuple[int | str | Message | FormerPlayer, ...] = ()

    def __str__(self) -> str:
        return self.render(str, lambda template, _: template)

    def render(self, called: Callable[[Any], str], say: Callable[[str, Mapping[str, str]], str]) -> str:
        """`say` gives the translation of a template whose gaps have these texts, `called` the words for a number, a
        text or a seat.
        """

        def text_of(value: Value) -> str:
            if isinstance(value, Message):
                return value.render(called, say)
            return isolate(value.name if isinstance(value, FormerPlayer) else called(value))

        gaps = GAP.findall(self.template)
        texts = dict(zip(gaps, map(text_of, self.values), strict=False))
        return COUNTED.sub(pluralise, GAP.sub(lambda gap: texts.get(gap[1], gap[0]), say(self.template, texts)))


def isolate(text: str) -> str:
    """Words set apart where they hold letters that go from right to left: sums beside them stay where they are."""
    return text if text.isascii() or not FROM_RIGHT.search(text) else f"{ISOLATE}{text}{END_ISOLATE}"


def without_isolates(text: str) -> str:
    """The text as it is typed: people paste names as they are shown."""
    return text.replace(ISOLATE, "").replace(END_ISOLATE, "")


def pluralise(found: re.Match[str]) -> str:
    number, words, y, ending = found.groups()
    return f"{number} {words}{y}" if number == "1" else f"{number} {words}{'ie' if y else ''}{ending}"


Value = int | str | Message | FormerPlayer

Text = str | Message
"""A sentence or some words; without placeholders only the template."""

Sentence = str | Callable[[Any, Any], Message | None]
"""A template whose placeholders are an event's fields, or a function that builds the sentence from the game and the event.
"""


def msg(text: Text, *values: Value) -> Message:
    """A sentence of this template: `said("{by} buys {company}.", "@1", "VR")`; one that is made already is as it is."""
    return text if isinstance(text, Message) else Message(text, values)


def join_values(separator: str, values: Iterable[Value]) -> Message:
    every = tuple(values)
    return Message(separator.join(f"{{{number}}}" for number in range(1, len(every) + 1)), every)


def join_and(values: Iterable[Value]) -> Message:
    """`a, b and c`; a value that has an `and` in it is set off by commas."""
    return _join_list(list(values), "and", "{first} and {last}", "{first}, and {last}")


def join_or(values: Iterable[Value]) -> Message:
    """`a, b or c`; a value that has an `or` in it is set off by commas."""
    return _join_list(list(values), "or", "{first} or {last}", "{first}, or {last}")


def _join_list(values: list[Value], word: str, template: str, with_comma: str) -> Message:
    if len(values) < 2:
        return join_values("", values)
    *first, last = values
    is_long = any(f" {word} " in str(value) for value in values)
    return msg(with_comma if is_long else template, join_values(", ", first), last)


def join_or_chain(values: Iterable[Value]) -> Message:
    first, *others = list(values) or [""]
    return reduce(lambda left, right: msg("{left} or {right}", left, right), others, join_values("", [first]))


def owner_name(owner: Owner) -> Value:
    """The bank, the pool and the like by their words, all others by their signs."""
    return msg(PLACES[owner]) if owner in PLACES else owner


def literal(text: str) -> Message:
    """A text that is the same in every language, except for the players in it: `ask @3 for LSR`."""
    return join_values("", SEAT.split(text))


def names_to_seats(sentence: Message, names: Mapping[PlayerId, str]) -> Message:
    """The sentence with seats in place of the players of these names."""
    return _exchange(sentence, {name: seat for seat, name in names.items()})


def seats_to_names(sentence: Message, names: Mapping[PlayerId, str]) -> Message:
    """The sentence with the players of these names in place of seats."""
    return _exchange(sentence, dict(names.items()))


def _exchange(sentence: Message, values: Mapping[Value, Value]) -> Message:
    found = (_exchange(one, values) if isinstance(one, Message) else values.get(one, one) for one in sentence.values)
    return Message(sentence.template, tuple(found))


def parse_names(text: str, names: Mapping[PlayerId, str]) -> Message:
    """A finished text whose players, called by these names of seats, are seats again."""
    seats = {name: seat for seat, name in names.items() if name}
    by_length = sorted(seats, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in by_length)
    parts = re.split(f"({pattern})", text) if pattern else [text]
    if GAP.search(text):
        return join_values("", [seats.get(part, part) for part in parts])
    template = "".join(f"{{{1 + number // 2}}}" if number % 2 else part for number, part in enumerate(parts))
    return Message(template, tuple(seats[part] for part in parts[1::2]))
