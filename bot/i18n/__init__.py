"""Other languages than English: what players read is put into theirs at the door, by a catalogue of messages.

Stored sentences and sentences of the engine are templates with values (`bot/engine/message.py`): a sentence of the log
is written once, and may be read by people with different languages years later. `say` makes text of it, or of a
template of its own, in the reader's language. `assets/language/de.po` and the `de.po` of each title's folder hold the
catalogue of German in gettext's form; `docs/internals/languages.md` says how to add a language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from bot.engine import Message, PlayerId, Rejected, Text, Value, isolate

from .po import ENGLISH as ENGLISH
from .po import catalogue, former_templates
from .second_person import PRONOUNS, address_reader, begin_with_capital

LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""Every language with its own name; all but English have a catalogue."""

_reader: ContextVar[str] = ContextVar("language of the reader", default=ENGLISH)

_name: ContextVar[str] = ContextVar("name of the reader who is addressed", default="")


def language_of(wanted: str) -> str:
    """The language of that code (`de`, `de-AT`, `en_GB`), English where there is none."""
    code = wanted.replace("_", "-").partition("-")[0].lower()
    return code if code in LANGUAGES else ENGLISH


def set_reader_language(language: str) -> None:
    """Set the language of this task, and of the tasks that it starts."""
    _reader.set(language_of(language))


@contextmanager
def use_language(language: str) -> Iterator[None]:
    token = _reader.set(language_of(language))
    try:
        yield
    finally:
        _reader.reset(token)


def set_reader_name(name: str) -> None:
    """Say "you" to this player, in this task and the tasks that it starts; to nobody if it is empty."""
    _name.set(name)


def pronoun_for(name: str) -> str:
    """The word for this player in sentences to the reader: a pronoun if it is the reader."""
    return PRONOUNS[_reader.get()] if name and name == _name.get() and _reader.get() in PRONOUNS else name


def current_language() -> str:
    return _reader.get()


def tr(text: Text, *values: Value, names: Mapping[PlayerId, str] | None = None) -> str:
    """A sentence in the language that is spoken: `tr("{name} has begun.", name)`; a sentence that the catalogue does
    not have stays English. A text among the values is a name, a sign or a finished text and stays as it is, even if the
    catalogue has it; a word that is to be translated is a `msg`. `names` are those of seats now.
    """
    sentence = text if isinstance(text, Message) else Message(text, values)
    text = sentence.render(lambda value: (names or {}).get(value) or str(value), _translate)
    return begin_with_capital(text, _reader.get()) if _name.get() else text


def _translate(template: str, texts: Mapping[str, str]) -> str:
    language, name = _reader.get(), _name.get()
    translated = catalogue(language).get(template, template)
    own = [gap for gap, text in texts.items() if text == isolate(name)] if name else []
    return address_reader(template, translated, own, language) if own else translated


def present_template(template: str) -> str:
    return former_templates().get(template, template)


def tr_lines(sentences: Iterable[Message], names: Mapping[PlayerId, str]) -> list[str]:
    """Messages in the current language, each with a capital at the beginning; `names` are the current names of the
    seats.
    """
    texts = (sentence.render(lambda value: names.get(value, str(value)), _translate) for sentence in sentences)
    return [f"{text[:1].upper()}{text[1:]}" for text in texts]


def tr_error(refusal: Rejected) -> str:
    return tr(refusal.sentence_with_rule)
