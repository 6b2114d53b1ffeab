"""The one text form of every action, and back: `VR lay 57 H11 1`.

Who acts stands first, then the verb. Forms that begin alike (`buy …`) differ by what they name: privates, companies and
trains of a title never share a name. An action that only one title has carries its own form: a class variable `form` of
type `Verb`; the title's steps, which list the actions they take, make it known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bot.engine import Message, Owner, ParseError, join_or_chain, msg
from bot.engine.play import Title
from bot.engine.state import Action

from .examples import example_of
from .shared import BY_WORD, SHARED, actors
from .verb import Verb, check_name, near_words

TITLES_KEPT = 32
"""Number of titles for which their fixed data is kept, older versions of their rules among them."""

HALF_WRITTEN = "{word} needs {needs}, for example: {examples}."


def format_action(action: Action) -> str:
    """:raises TypeError: no form is known for this kind of action."""
    return f"{action.by} {verb_of(type(action)).write(action)}"


def parse_action(title: Title, text: str) -> Action:
    """Read a text form: exactly what `text_of` writes.

    :raises ParseError: it is not a move; the sentence says what is missing.
    """
    action = parse_words(title, text.split())
    exact = format_action(action)
    if exact != text:
        raise ParseError("{text} is not the exact form, which is: {exact}.", "", text, exact, instead=(exact,))
    return action


def parse_words(title: Title, words: Sequence[str]) -> Action:
    """Read the words of a text form, also one that says what goes without saying (`buy 1 VR from ipo`).

    :raises ParseError: a name is unknown or something is missing; the sentence says what.
    """
    if len(words) < 2:
        raise ParseError("A move names who acts and what is done, for example: VR lay 57 H11 1.")
    by = check_name("company or seat", words[0], actors(title))
    verbs: list[Verb] = []
    problem: ParseError | None = None
    for verb in find_verbs(title, words[1]):
        verbs.append(verb)
        try:
            action = verb.read(title, Owner(by), words[1:])
        except ParseError as found:
            problem = problem or found
        else:
            if action is not None:
                return action
    if not verbs:
        raise ParseError(
            "There is no move called {words}{title}.", "", words[1], near_words(words[1], verb_words(title))
        )
    sentence = usage(title, verbs, words[1])
    raise problem or ParseError(sentence.template, "", *sentence.values)


def usage(title: Title, verbs: Sequence[Verb], word: str, has_examples: bool = True) -> Message:
    needs = dict.fromkeys(verb.needs for verb in verbs if verb.needs)
    if not needs:
        return msg("Nothing follows after {word}.", word)
    if not has_examples:
        return msg("{verb} needs {needs}.", word, join_or_chain(map(msg, needs)))
    examples = join_or_chain(dict.fromkeys(example_of(title, verb) for verb in verbs))
    return msg(HALF_WRITTEN, word, join_or_chain(map(msg, needs)), examples)


def verb_of(kind: type[Action]) -> Verb:
    found = SHARED.get(kind) or getattr(kind, "form", None)
    if not isinstance(found, Verb):
        raise TypeError(f"{kind.__name__} has no text form")
    return found


@lru_cache(maxsize=TITLES_KEPT)
def own_verbs(title: Title) -> tuple[Verb, ...]:
    return tuple(verb_of(kind) for kind in title.verbs if kind not in SHARED)


def find_verbs(title: Title, word: str) -> Iterator[Verb]:
    """Shared verbs first; the title's steps are looked at only after those."""
    yield from BY_WORD.get(word, ())
    yield from (verb for verb in own_verbs(title) if word in verb.words)


@lru_cache(maxsize=TITLES_KEPT)
def verb_words(title: Title) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*BY_WORD, *(word for verb in own_verbs(title) for word in verb.words)]))
