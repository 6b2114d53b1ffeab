"""Help for a command, a kind of move or a thing; what commands are called in German."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.message import msg
from bot.engine.notation.examples import example_of
from bot.engine.notation.text import find_verbs, verb_of, verb_words
from bot.engine.notation.verb import near_words
from bot.engine.refusals import ParseError
from bot.i18n import current_language, tr
from bot.service.parser.german import GERMAN_COMMANDS, NOT_PLAIN, UMLAUTS, written_words
from bot.service.parser.suggestions import BEST, moves_called
from bot.service.parser.vocabulary import other_words, verb_of_word, with_names
from bot.service.views.position_text import is_thing, thing_text

from .session import Session

THINGS = ("company", "private", "train", "cousin", "minor", "ferry")
"""Words before a name: a single command, listed in help under the first of them."""

MOST_SHOWN = 12
"""Maximum number of moves of a kind that are listed."""


def find_command(word: str) -> str:
    """The command that a word means, also a German word; the word in lower case where it means none."""
    small = word.lower()
    return NOT_PLAIN.get(small) or GERMAN_COMMANDS.get(small.translate(UMLAUTS), small)


def german_commands() -> list[str]:
    return written_words(GERMAN_COMMANDS) if current_language() == "de" else []


async def help_about(session: Session, word: str, commands: dict[str, str]) -> None:
    """Help for a command, or for a kind of move: its parts, an example, its legal moves now."""
    typed, word = word, find_command(word)
    if word in commands:
        session.screen.say(tr(commands[word]).strip())
        return
    game = await session.position()
    verb = verb_of_word(game.title, word.translate(UMLAUTS))
    verbs = list(dict.fromkeys(find_verbs(game.title, verb)))
    if not verbs and word in THINGS:
        session.screen.say(tr(commands[THINGS[0]]).strip())
        return
    if not verbs and is_thing(game, word):
        session.screen.say(thing_text(game, word))
        return
    if not verbs:
        known: Sequence[str] = [*verb_words(game.title), *other_words(game.title), *commands, *german_commands()]
        raise ParseError(
            "There is no command or move called {word}{known}.", "", typed[:40], near_words(word, written_words(known))
        )
    legal, others = moves_called(game, verb, MOST_SHOWN)
    for found in verbs:
        if not found.needs:
            session.screen.say("Nothing follows after {verb}.", verb)
        elif legal:
            session.screen.say("{verb} needs {needs}.", verb, msg(found.needs))
        else:
            session.screen.say("{verb} needs {needs}, for example:", verb, msg(found.needs))
        if not legal:
            session.screen.write(f"    {BEST if verb == 'run' else with_names(game, example_of(game.title, found))}")
    shown = [f"    {text}" for text in legal]
    more = [tr("... and {number} more like these", others)] if others else []
    if shown:
        session.screen.say("\n".join([tr("Legal now:"), *shown, *more]))
    else:
        kinds = [kind for kind in game.title.verbs if verb_of(kind) in verbs]
        session.screen.say("Nothing of this kind is legal now. {when}", game.when_possible(*kinds))
