"""How one kind of action is written, and what typed words give of it: both from the declaration of the action."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

from msgspec import NODEFAULT, structs

from bot.engine import BANK, Owner, ParseError, Text, join_and, msg
from bot.engine.play import Title
from bot.engine.state import Action

from .fields import FieldType, field_type

CLAUSE = re.compile(r"\[([^]]+)\]")
GAP = re.compile(r"(?:([a-z]+) )?\{(\w+)(\*?)\}")


class Gap(NamedTuple):
    """A field in a form. `keyword` is the word before it, `default` its usual value: without it, an optional field is the actor."""

    name: str
    keyword: str
    type: FieldType
    is_many: bool
    is_optional: bool
    default: Any

    def write(self, value: Any) -> str:
        if value is None or value == ():
            return self.type.none
        return " ".join(map(self.type.write, value)) if self.is_many else self.type.write(value)


class Verb:
    """How a kind of action is written. `words` are the verbs that begin it, `needs` says what follows them, `gaps` are its
    fields, those first that it needs.
    """

    def __init__(self, kind: type[Action]) -> None:
        """:raises TypeError: players have no words for a field."""
        form = kind.form or _usual_form(kind)
        head = form.partition("[")[0].split(" ")[0]
        body = form[len(head) :]
        every = _gaps(kind, head, body)
        self.types = {name: gap.type for name, gap in every.items()}
        self.kind, self.head = kind, every.pop(head.strip("{}"), None)
        self.words = self.head.type.words if self.head else tuple(head.split("|"))
        self.gaps = tuple(sorted(every.values(), key=lambda gap: gap.is_optional))
        self.keywords = {gap.keyword: gap for gap in every.values() if gap.keyword}
        self._needed = [gap for gap in self.gaps if not gap.is_optional]
        self._positional = [*self._needed, *(gap for gap in self.gaps if gap.is_optional and not gap.keyword)]
        self._is_joined = ".{" in body
        self._pieces = [
            (_template(piece), [every[one[1]] for one in GAP.findall(piece)]) for piece in CLAUSE.split(body)
        ]

    @property
    def needs(self) -> Text:
        nouns = [msg(gap.type.noun) for gap in self.gaps if not gap.is_optional or gap.default is NODEFAULT]
        return self.kind.needs or (join_and(nouns) if nouns else "")

    def write(self, action: Action) -> str:
        """The text of an action without its actor."""
        written = [self.head.write(getattr(action, self.head.name)) if self.head else self.words[0]]
        for number, (piece, gaps) in enumerate(self._pieces):
            is_said, texts = not number % 2, []
            # A field that means the actor where it is left out is written all the same, as every release has done.
            for gap in gaps:
                is_said |= getattr(action, gap.name) != gap.default
            if is_said:
                for gap in gaps:
                    texts.append(gap.write(getattr(action, gap.name)))
                written.append(piece % tuple(texts))
        return "".join(written)

    def read(self, title: Title, words: Sequence[str]) -> Draft:
        """As much of an action as words from the verb on give.

        :raises ParseError: a value of several parts has a wrong part.
        """
        said: dict[str, Any] = {self.head.name: self.head.type.read(title, words[0])} if self.head else {}
        many: list[Gap] = []
        wanted = wrong = None
        for word in " ".join(words[1:]).replace(".", " ").split() if self._is_joined else words[1:]:
            if not wanted and word in self.keywords and (keyword := self.keywords[word]).name not in said:
                wanted, many = keyword, []
                continue
            rest = [gap for gap in self._positional if gap.name not in said and gap.keyword not in words]
            places = [wanted] if wanted else many + rest
            found, wanted = _place(title, places, word, said), None
            many = [found] if found and found.is_many else []
            wrong = wrong or (None if found else (places, word))
        if wanted:
            wrong = wrong or ([wanted], "")
        return Draft(self, said, [gap for gap in self._needed if gap.name not in said], wrong)


def _place(title: Title, places: Sequence[Gap], word: str, said: dict[str, Any]) -> Gap | None:
    """Put a word into the first of these fields that it fits; returns that field."""
    for gap in places:
        if word == gap.type.none:
            said[gap.name] = gap.default
            return gap
        value = gap.type.read(title, word)
        if value is not None:
            said[gap.name] = (*said.get(gap.name, ()), value) if gap.is_many else value
            return gap
    return None


@dataclass
class Draft:
    """An action as far as words give it: the values by the names of fields, the fields that are `missing`, and the first
    word that is `wrong`, with the fields where it should fit.
    """

    verb: Verb
    said: dict[str, Any]
    missing: Sequence[Gap]
    wrong: tuple[Sequence[Gap], str] | None

    @property
    def weight(self) -> int:
        """How much of it the words give: names say more than numbers."""
        return sum(
            2 if gap.type.names else 1 for gap in self.verb.gaps if gap.name in self.said and not gap.is_optional
        )

    def action(self, by: Owner) -> Action:
        """The action, with the usual values of what is not said."""
        others = {gap.name: by for gap in self.verb.gaps if gap.default is NODEFAULT}
        return self.verb.kind(by, **others | self.said)

    def refusal(self, title: Title) -> ParseError | None:
        """The refusal of the wrong word; None where it only stands at a wrong place."""
        places, word = self.wrong or ((), "")
        gap = next((gap for gap in places if gap.type.names), next(iter(places), None))
        if gap is None:
            return None
        if not word:
            return ParseError("{keyword} is followed by {what}.", "", gap.keyword, msg(gap.type.noun))
        return gap.type.refuse(title, word)

    @property
    def is_whole(self) -> bool:
        return self.wrong is None and not self.missing


def example_of(title: Title, verb: Verb) -> str:
    """A move of this verb in the title's names; it need not be legal now. Fields with a usual value are left out unless
    their types have an example.

    :raises TypeError: the type of a field that is needed has none.
    """
    if verb.kind.example:
        return verb.kind.example
    said: dict[str, Any] = {}
    for gap in (*verb.gaps, *([verb.head] if verb.head else [])):
        value = gap.type.example(title)
        if value is None and not gap.is_optional:
            value = next(iter(gap.type.names(title))) if gap.type.names else gap.type.read(title, "1")
        if value is not None:
            said[gap.name] = (value,) if gap.is_many else value
    return verb.write(verb.kind(BANK, **said))


def _usual_form(kind: type[Action]) -> str:
    """The tag, the fields that are needed, and the others with their names as keywords."""
    hints, form = get_type_hints(kind, include_extras=True), str(kind.__struct_config__.tag)
    for one in structs.fields(kind):
        if one.name != "by":
            gap = f"{{{one.name}{'*' if _type_of(kind, one.name, hints)[1] else ''}}}"
            form += f" {gap}" if one.default is NODEFAULT else f"[ {one.name} {gap}]"
    return form


def _gaps(kind: type[Action], head: str, body: str) -> dict[str, Gap]:
    """The gaps of a form by the names of their fields."""
    hints, usual = get_type_hints(kind, include_extras=True), {one.name: one.default for one in structs.fields(kind)}
    optional = {name for clause in CLAUSE.findall(body) for _, name, _ in GAP.findall(clause)}
    return {
        name: Gap(name, keyword, _type_of(kind, name, hints)[0], bool(star), name in optional, usual[name])
        for keyword, name, star in GAP.findall(head) + GAP.findall(CLAUSE.sub(r"\1", body))
    }


def _template(piece: str) -> str:
    return GAP.sub(lambda gap: f"{gap[1]} %s" if gap[1] else "%s", piece)


def _type_of(kind: type[Action], name: str, hints: dict[str, Any]) -> tuple[FieldType, bool]:
    try:
        return field_type(hints[name])
    except KeyError:
        raise TypeError(f"{kind.__name__}: players have no words for the field {name}") from None
