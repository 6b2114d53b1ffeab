"""Help for a command, a kind of move or a thing; what commands are called in German."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.message import said
from bot.engine.notation.examples import example_of
from bot.engine.notation.text import verb_of, verb_words, verbs_called
from bot.engine.notation.verb import near_words
from bot.engine.refusals import ParseError
from bot.i18n import say, spoken
from bot.service.parser.german import GERMAN_COMMANDS, NOT_PLAIN, UMLAUTS, spelt
from bot.service.parser.suggestions import BEST, moves_called
from bot.service.parser.vocabulary import other_words, verb_of_word, with_names
from bot.service.views.position_text import is_thing, thing_text

from .session import Session

THINGS = ("company", "private", "train", "cousin", "minor", "ferry")
"""Words before the name of a thing: one command, which help tells by the first of them."""

MOST_SHOWN = 12
"""So many moves of a kind are listed."""


def command_called(word: str) -> str:
    """The command that a word means, also a German one; the word in small letters where it means none."""
    small = word.lower()
    return NOT_PLAIN.get(small) or GERMAN_COMMANDS.get(small.translate(UMLAUTS), small)


def german_commands() -> list[str]:
    """German words for commands, for whoever reads German."""
    return spelt(GERMAN_COMMANDS) if spoken() == "de" else []


async def help_about(session: Session, word: str, commands: dict[str, str]) -> None:
    """Help for a command, or for one kind of move: what it needs, an example, what of it is legal now."""
    typed, word = word, command_called(word)
    if word in commands:
        session.screen.say(say(commands[word]).strip())
        return
    game = await session.position()
    verb = verb_of_word(game.title, word.translate(UMLAUTS))
    verbs = list(dict.fromkeys(verbs_called(game.title, verb)))
    if not verbs and word in THINGS:
        session.screen.say(say(commands[THINGS[0]]).strip())
        return
    if not verbs and is_thing(game, word):
        session.screen.say(thing_text(game, word))
        return
    if not verbs:
        known: Sequence[str] = [*verb_words(game.title), *other_words(game.title), *commands, *german_commands()]
        raise ParseError(
            "There is no command or move called {word}{known}.", "", typed[:40], near_words(word, spelt(known))
        )
    legal, others = moves_called(game, verb, MOST_SHOWN)
    for found in verbs:
        if not found.needs:
            session.screen.say("Nothing follows after {verb}.", verb)
        elif legal:
            session.screen.say("{verb} needs {needs}.", verb, said(found.needs))
        else:
            session.screen.say("{verb} needs {needs}, for example:", verb, said(found.needs))
        if not legal:
            session.screen.write(f"    {BEST if verb == 'run' else with_names(game, example_of(game.title, found))}")
    shown = [f"    {text}" for text in legal]
    more = [say("... and {number} more like these", others)] if others else []
    if shown:
        session.screen.say("\n".join([say("Legal now:"), *shown, *more]))
    else:
        kinds = [kind for kind in game.title.verbs if verb_of(kind) in verbs]
        session.screen.say("Nothing of this kind is legal now. {when}", game.asked_where(*kinds))
