"""The one text form of every action, and back: `VR lay 57 H11 1`.

Who acts stands first, then the verb. Forms that begin alike (`buy …`) differ by what they name: privates, companies and
trains of a title never share a name. An action that only one title has is known by the title's steps, which list the
actions they take.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from bot.engine import Message, Owner, ParseError, join_or_chain, msg
from bot.engine.play import Title
from bot.engine.state import Action, actions

from .fields import actors, check_name, near_words
from .verb import Draft, Verb, example_of

TITLES_KEPT = 32
"""Number of titles for which their fixed data is kept, older versions of their rules among them."""

HALF_WRITTEN = "{word} needs {needs}, for example: {examples}."


def format_action(action: Action) -> str:
    return f"{action.by} {verb_of(type(action)).write(action)}"


def parse_action(title: Title, text: str) -> Action:
    """Read a text form: exactly what `format_action` writes.

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
    by, draft = check_name("company or seat", words[0], actors(title)), read_draft(title, words[1:])
    if not draft.is_whole:
        raise refusal(title, draft, words[1])
    return draft.action(Owner(by))


def read_draft(title: Title, words: Sequence[str]) -> Draft:
    """As much of an action as words from the verb on give: of the kind that they fit best.

    :raises ParseError: there is no such verb, or nothing of that name for it.
    """
    drafts: list[Draft] = []
    for verb in find_verbs(title, words[0]):
        draft = verb.read(title, words)
        if draft.is_whole:
            return draft
        drafts += [draft]
    if not drafts:
        raise ParseError(
            "There is no move called {words}{title}.", "", words[0], near_words(words[0], verb_words(title))
        )
    best = max(drafts, key=lambda draft: draft.weight)
    if len(drafts) > 1 and best.weight < 2 and len(words) > 1:
        names = [
            name for draft in drafts for gap in draft.verb.gaps if gap.type.names for name in gap.type.names(title)
        ]
        raise ParseError("There is no {name}{near}.", "", words[1], near_words(words[1], names))
    return best


def refusal(title: Title, draft: Draft, word: str) -> ParseError:
    """Why a draft is no action: a word in it is wrong, or something is missing."""
    verbs = [draft.verb] if draft.said else find_verbs(title, word)
    sentence = usage(title, verbs, word)
    return draft.refusal(title) or ParseError(sentence.template, "", *sentence.values)


def usage(title: Title, verbs: Sequence[Verb], word: str, has_examples: bool = True) -> Message:
    needs = dict.fromkeys(verb.needs for verb in verbs if verb.needs)
    if not needs:
        return msg("Nothing follows after {word}.", word)
    if not has_examples:
        return msg("{verb} needs {needs}.", word, join_or_chain(map(msg, needs)))
    examples = join_or_chain(dict.fromkeys(example_of(title, verb) for verb in verbs))
    return msg(HALF_WRITTEN, word, join_or_chain(map(msg, needs)), examples)


verb_of = cache(Verb)
"""The verb of a kind of action."""

SHARED = {
    kind: verb_of(kind) for kind in vars(actions).values() if isinstance(kind, type) and Action in kind.__mro__[1:]
}
"""The verbs that more than one title knows."""

BY_WORD: dict[str, tuple[Verb, ...]] = {
    word: tuple(verb for verb in SHARED.values() if word in verb.words)
    for word in dict.fromkeys(word for verb in SHARED.values() for word in verb.words)
}


@lru_cache(maxsize=TITLES_KEPT)
def own_verbs(title: Title) -> tuple[Verb, ...]:
    return tuple(verb_of(kind) for kind in title.verbs if kind not in SHARED)


@lru_cache(maxsize=TITLES_KEPT * 64)
def find_verbs(title: Title, word: str) -> tuple[Verb, ...]:
    """Shared verbs first; the title's steps are looked at only after those."""
    return (*BY_WORD.get(word, ()), *(verb for verb in own_verbs(title) if word in verb.words))


@lru_cache(maxsize=TITLES_KEPT)
def verb_words(title: Title) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*BY_WORD, *(word for verb in own_verbs(title) for word in verb.words)]))
