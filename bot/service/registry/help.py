"""Help: the moves that are possible now, the commands of a door, or one command, kind of move or component."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import Message, ParseError, Rejected, Text, literal, msg
from bot.engine.notation.fields import near_words
from bot.engine.notation.text import find_verbs, verb_of, verb_words
from bot.engine.notation.verb import example_of
from bot.engine.play.game import Game
from bot.i18n import current_language, tr
from bot.service.parser.german import GERMAN_COMMANDS, UMLAUTS, written_words
from bot.service.parser.suggestions import BEST, INTRODUCTION, help_text, moves_called
from bot.service.parser.vocabulary import kind_of_train, other_words, verb_of_word, with_names
from bot.service.sessions import GameSession
from bot.service.views.credits import credit_line, title_lines, unwritten_line
from bot.service.views.position_text import is_thing, thing_text
from bot.service.views.terms import label_text, term_elsewhere, term_names, term_text
from bot.store import StoreError
from bot.threads import run_in_thread
from bot.titles.registry import TITLES, example_title

from .command import Command, Door, Reply, Request
from .command_line import english_word, find_line, spellings, usage

MOST_SHOWN = 12
"""Maximum number of moves of a kind that are listed."""

LIST = ("commands", "befehle")

GLOSSARY = ("glossary", "words", "glossar", "wörter")

CREDITS = ("credits", "urheber")


async def help_about(request: Request, about: str) -> Reply:
    """The moves that are possible now, the list of commands, the list of words, or help about something.

    :raises ParseError: nothing has that name.
    """
    table, game = await _find_started(request)
    if not about:
        if table is None or game is None:
            credits = request.spell("help", about=CREDITS[0])
            owed = msg("Who designed and published the titles, and their rulebooks: {credits}.", credits)
            return Reply([*introduction(request.tables.desk.offered), further_help(request), owed])
        own = table.seats_of(request.person)
        now = await run_in_thread(help_text, game.copy(), own)
        return Reply([now, further_help(request), *title_lines(game.title.id)])
    title = game.title if game is not None else None
    if english_word(about) in LIST:
        return Reply(command_lines(request.door), long="commands.txt")
    if english_word(about) in GLOSSARY:
        return Reply([msg("Words: {words}. `help WORD` explains one.", ", ".join(term_names(title)))])
    if english_word(about) in CREDITS:
        return Reply(credit_lines(request.tables.desk.offered))
    term = term_text(about, title) or (label_text(game, about) if game is not None else None)
    if term is None:
        term = await run_in_thread(find_elsewhere, about, request.tables.desk.offered)
    said: list[Text] = [term] if term is not None else []
    line = find_line(about, request.door)
    if line is not None and not line.rest:
        return Reply([*said, *command_help(line.command, request.door)])
    if term is not None and (game is None or is_only_like_a_move(game, about)):
        return Reply(said)
    try:
        said += await run_in_thread(move_help, await request.position(), about.split()[0], request.door)
    except ParseError:
        if term is None:
            raise
    return Reply(said)


def is_only_like_a_move(game: Game, about: str) -> bool:
    """Whether a word is only another word for a verb of the title: to float."""
    word = about.split()[0].lower().translate(UMLAUTS)
    return word not in verb_words(game.title) and verb_of_word(game.title, word) in verb_words(game.title)


def find_elsewhere(typed: str, titles: Sequence[str]) -> Message | None:
    """The explanation of a word that only other titles use."""
    return term_elsewhere(typed, (TITLES[title] for title in titles))


async def _find_started(request: Request) -> tuple[GameSession, Game] | tuple[None, None]:
    try:
        return await request.require_started()
    except (Rejected, StoreError):
        return None, None


def introduction(offered: Sequence[str]) -> list[Message]:
    """How to begin where no game is open, the titles that can be begun, and rules of theirs that are not written yet."""
    example = example_title() if example_title() in offered else offered[0]
    titles = msg("Titles: {titles}", ", ".join(offered))
    return [msg(INTRODUCTION, example), titles, *filter(None, map(unwritten_line, offered))]


def credit_lines(offered: Sequence[str]) -> list[Message]:
    return [*filter(None, map(credit_line, offered))]


def further_help(request: Request) -> Message:
    """Where the commands and the words of the game are."""
    commands, words = (request.spell("help", about=about) for about in (LIST[0], GLOSSARY[0]))
    return msg("Commands: {commands}. The words of the game: {words}.", commands, words)


def german_commands() -> list[str]:
    """The words for commands that a German reader may type."""
    return written_words(GERMAN_COMMANDS) if current_language() == "de" else []


def command_lines(door: Door) -> list[Text]:
    """All commands of a door, each with how it is typed and what it does."""
    shown = dict.fromkeys(command for command, _ in spellings(door).values())
    return [msg("Commands:"), *(f"    {usage(command, door)}   {tr(command.help)}" for command in shown)]


def command_help(command: Command, door: Door) -> list[Text]:
    """How a command is typed, what it does, its parameters, an example."""
    example = [msg("For example: {example}.", literal(command.example))] if command.example else []
    parts = [msg("    {name}: {text}", one.name, msg(one.help)) for one in command.parameters]
    return [literal(usage(command, door)), msg("{text}.", msg(command.help)), *parts, *example]


def move_help(game: Game, typed: str, door: Door) -> Sequence[Text]:
    """Help for a kind of move: its parts, an example, its legal moves now; or for a component.

    :raises ParseError: nothing has that name.
    """
    verb = verb_of_word(game.title, english_word(typed).translate(UMLAUTS))
    verbs = find_verbs(game.title, verb)
    if not verbs and is_thing(game, kind_of_train(typed)):
        return [thing_text(game, kind_of_train(typed))]
    if not verbs:
        known = [*verb_words(game.title), *other_words(game.title), *spellings(door), *german_commands()]
        raise ParseError(
            "There is no command or move called {word}{known}.", "", typed[:40], near_words(typed, written_words(known))
        )
    legal, others = moves_called(game, verb, MOST_SHOWN)
    lines: list[Text] = []
    for found in verbs:
        if not found.needs:
            lines.append(msg("Nothing follows after {verb}.", verb))
        else:
            needs = "{verb} needs {needs}." if legal else "{verb} needs {needs}, for example:"
            lines.append(msg(needs, verb, msg(found.needs)))
        if not legal:
            lines.append(f"    {BEST if verb == 'run' else with_names(game, example_of(game.title, found))}")
    if legal:
        more = [msg("... and {number} more like these", others)] if others else []
        return [*lines, msg("Legal now:"), *(f"    {text}" for text in legal), *more]
    kinds = [kind for kind in game.title.verbs if verb_of(kind) in verbs]
    return [*lines, msg("Nothing of this kind is legal now. {when}", game.when_possible(*kinds))]
