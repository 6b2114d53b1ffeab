"""Merges sentences that differ only in their subject: `P1, P2 and P5 close.`"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from bot.engine.message import GAP, Message, Value, join_and, msg

EVERY = "every_"
"""Prefix of gaps that hold what the gathered sentences had there, one after another."""

SEVERAL: Mapping[str, str] = {
    "{private} {name} closes.": "{every_private} close.",
    "{private} pays {owner} {price}.": "{every_private} pay {owner} {every_price}.",
    "{who} is now {role} of {company}.": "{who} is now {role} of {every_company}.",
    "{company} places a token on {hex}.": "{company} places tokens on {every_hex}.",
}
"""The sentence about several things for the sentence about one, in any title. Gaps with the same name have the
same value in all of them; a title has its own (`Words.several`).
"""


def merge_alike(sentences: Iterable[Message], own: Mapping[str, str]) -> Iterator[Message]:
    """The sentences in order, each once, a sentence about several things in the place of the first."""
    several, groups = {**SEVERAL, **own}, dict[Hashable, list[Message]]()
    for one in dict.fromkeys(sentences):
        template, values = several.get(one.template, ""), values_of(one)
        alike = tuple(values[gap] for gap in GAP.findall(template) if gap in values)
        groups.setdefault((template, alike) if template else one, []).append(one)
    for every in groups.values():
        yield every[0] if len(every) == 1 else as_one(several[every[0].template], every)


def as_one(template: str, every: Sequence[Message]) -> Message:
    first, lists = values_of(every[0]), [values_of(one) for one in every]
    gaps = GAP.findall(template)
    return msg(
        template,
        *(first[gap] if gap in first else join_and(one[gap.removeprefix(EVERY)] for one in lists) for gap in gaps),
    )


def values_of(sentence: Message) -> dict[str, Value]:
    return dict(zip(GAP.findall(sentence.template), sentence.values, strict=False))
