"""Sentences that differ only in what they are about, told as one: `P1, P2 and P5 close.`"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from bot.engine.message import GAP, Message, Value, said, together

EVERY = "every_"
"""With this begin the names of gaps that hold what the gathered sentences had there, one after another."""

SEVERAL: Mapping[str, str] = {
    "{private} {name} closes.": "{every_private} close.",
    "{private} pays {owner} {price}.": "{every_private} pay {owner} {every_price}.",
    "{who} is now {role} of {company}.": "{who} is now {role} of {every_company}.",
    "{company} places a token on {hex}.": "{company} places tokens on {every_hex}.",
}
"""What is said of several things at once by what is said of one, in any title. Where the name of a gap is the same, all have the
same there; a title has its own (`Words.several`)."""


def gathered(sentences: Iterable[Message], own: Mapping[str, str]) -> Iterator[Message]:
    """The sentences in order, each once, those about several things in the place of the first of them."""
    several, groups = {**SEVERAL, **own}, dict[Hashable, list[Message]]()
    for one in dict.fromkeys(sentences):
        template, values = several.get(one.template, ""), values_of(one)
        alike = tuple(values[gap] for gap in GAP.findall(template) if gap in values)
        groups.setdefault((template, alike) if template else one, []).append(one)
    for every in groups.values():
        yield every[0] if len(every) == 1 else as_one(several[every[0].template], every)


def as_one(template: str, every: Sequence[Message]) -> Message:
    """The sentence about what all of these are about."""
    first, lists = values_of(every[0]), [values_of(one) for one in every]
    gaps = GAP.findall(template)
    return said(
        template,
        *(first[gap] if gap in first else together(one[gap.removeprefix(EVERY)] for one in lists) for gap in gaps),
    )


def values_of(sentence: Message) -> dict[str, Value]:
    """What fills a sentence's gaps, by their names."""
    return dict(zip(GAP.findall(sentence.template), sentence.values, strict=False))
