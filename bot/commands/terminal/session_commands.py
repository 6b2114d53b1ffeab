"""The console's further commands, which do what Discord's do: lobby, trying, standing orders, the moderator's acts,
games from files, charts, help for one kind of move."""

from __future__ import annotations

import re
import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.engine import GameId, PlayerId
from bot.engine.message import msg
from bot.engine.notation.messages import question
from bot.engine.refusals import IllegalMove
from bot.i18n import LANGUAGES, set_reader_language, tr
from bot.render.worker import PictureFailed
from bot.service.features.language_preferences import check_language
from bot.service.features.moderation import PASSES_SAID, PICTURES_SAID
from bot.service.features.results import results_text
from bot.service.features.sandbox import SandboxState
from bot.service.features.standing_orders.parser import EXAMPLES
from bot.service.imports.file_io import read_file
from bot.service.parser.vocabulary import player_named
from bot.service.sessions.computer_seats import parse_people, parse_strength
from bot.service.sessions.names import plain_name
from bot.service.views.position_text import map_text, market_text, status_text
from bot.service.views.report import report_text
from bot.service.views.turn_text import since_text, table_text, turn_text
from bot.untrusted_input import InvalidFile, read_bounded

from .session import PERSON, Session

Command = Callable[[Session, str], Awaitable[None]]

MORE = {
    "lobby": "lobby 1848 [rules=rulebook]  open a lobby; then join Ann, leave, options, start [lot | list]; join 3 CODE Ann: another lobby",
    "turn": "turn                         your decision, cash, events since your last turn",
    "board": "board [link | mine | withdraw]   everything in words; links to the board in a browser",
    "try": "try buy P1; buy P2           what moves would do, without making them",
    "whatif": "whatif [MOVES | back | drop | make]   a sandbox of the position; its moves can be made",
    "auto": "auto [Ann: pass until sale | drop [1]]   standing orders",
    "moderate": "moderate pause | resume | end | pace fast | passes hand | pictures both | replace 2 Zoe | correct cash Ann 150 REASON | rules",
    "import": "import FILE                  continue a game from JSON of Signalbox or 18xx.games",
    "clone": "clone [12]                   a copy of the game, now or after log entry 12",
    "report": "report                       current standings or final ranking",
    "results": "results                      finished games, and each player's record",
    "chart": "chart [worth | income | prices]   the course of the game as a chart",
    "timelapse": "timelapse                    the board growing round by round, as a moving picture",
    "why": "why                          what computer players did, and why",
    "advice": "advice                       what a strong player would do now; only against computer players",
    "language": "language de                  German; language en: English",
}

NO_COMPUTERS = "No computer player has moved lately."

INVITED = re.compile(r"(?P<game>\d{1,9}) (?P<code>[\w-]{16,}) (?P<name>.+)")
"""A game, its invitation code, a name."""

CHARTS = ("worth", "income", "prices")


# -- the lobby ----------------------------------------------------------------------------------------


async def open_lobby(session: Session, rest: str) -> None:
    """Open a game whose players join one by one, and whose options can be looked at first."""
    title, names, options, seed = parse_new(rest or "?")
    if title == "?":
        raise IllegalMove(
            "Which title? For example: lobby 1848. There are: {titles}.", "", ", ".join(session.tables.desk.titles)
        )
    number = await session.tables.lobby.create(title, PERSON, parse_people(names, PERSON), options, seed)
    session.enter(number)
    await show_lobby(session, number)


def parse_new(rest: str) -> tuple[str, list[str], dict[str, str], int | None]:
    """Title, names, options and seed of `1848 Ann "Bob B" --seed 7 rules=rulebook`.

    :raises IllegalMove: the title is missing, or the seed is no number.
    """
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise IllegalMove("A quotation mark is missing.") from error
    while "--seed" in words:
        at = words.index("--seed")
        words[at : at + 2] = [f"seed={''.join(words[at + 1 : at + 2])}"]
    options = dict(word.lstrip("-").split("=", 1) for word in words if "=" in word)
    names = [word for word in words if "=" not in word]
    seed = options.pop("seed", None)
    if seed is not None and not (seed.isascii() and seed.isdecimal() and len(seed) <= 10):
        raise IllegalMove("A seed is a number, for example: --seed 7.")
    if not names:
        raise IllegalMove("Which title, and who plays? For example: new 1848 Ann Bob Cid.")
    return names[0], names[1:], options, None if seed is None else int(seed)


async def show_lobby(session: Session, game_id: GameId, with_options: bool = True) -> None:
    table = await session.tables.lobby.require_lobby(game_id)
    title = session.tables.desk.title(table.record.title)
    session.screen.say(
        "Game {number}: {name}, {start} to {stop} players.",
        game_id,
        title.name,
        title.players.start,
        title.players.stop - 1,
    )
    session.screen.say("In: {names}", ", ".join(record.name for record in table.seats) or msg("nobody yet"))
    for option in title.options if with_options else ():
        session.screen.say("Option {name}: {explanation}", option.name, msg(option.explanation))
        for choice, explanation in option.choices.items():
            mark = "*" if table.record.options.get(option.name) == choice else " "
            session.screen.write(f"    {mark} option {option.name}={choice}   {tr(explanation)}")
    session.screen.say("Next: join Ann, leave (all), option NAME=CHOICE, start.")


async def lobby_command(session: Session, word: str, rest: str) -> bool:
    """Obey a command that exists only in a lobby; returns whether it was such. With a code somebody joins a lobby
    that is not open here.
    """
    if word == "join" and (invited := INVITED.fullmatch(rest)):
        number = GameId(int(invited["game"]))
        await session.tables.lobby.join(number, PERSON, invited["name"], invited["code"])
        session.enter(number)
        await show_lobby(session, number, with_options=False)
        return True
    if session.number is None or word not in ("join", "leave", "option", "options", "start"):
        return False
    table = await session.tables.desk.table(session.number)
    if table.record.status != "lobby":
        return False
    if word == "join":
        if not rest:
            raise IllegalMove("Who joins? For example: join Ann.")
        strength = parse_strength(rest)
        if strength is None:
            await session.tables.lobby.join(session.number, PERSON, rest)
        else:
            await session.tables.lobby.add_computer(session.number, PERSON, strength)
    elif word == "leave":
        await session.tables.lobby.leave(session.number, PERSON)
    elif word == "option":
        name, sign, choice = (part.strip() for part in rest.partition("="))
        if not sign:
            raise IllegalMove("An option is chosen like: option rules=rulebook.")
        await session.tables.lobby.choose_option(session.number, PERSON, name, choice)
    elif word == "start":
        await session.tables.lobby.start(session.number, PERSON, rest or "lot")
        session.screen.say("Game {number} has begun.", session.number)
        session.screen.say(question(await session.position()))
        return True
    await show_lobby(session, session.number, word in ("option", "options"))
    return True


# -- turns and trying ---------------------------------------------------------------------------------


async def show_turn(session: Session, rest: str) -> None:
    game = await session.position()
    if game.state.finished:
        session.screen.say(report_text(game))
        return
    asked = game.players_to_act()
    if len(asked) > 1:
        session.screen.say(table_text(game, asked))
    for player in asked:
        last = await session.tables.queries.last_move_for(session.open_number(), int(player[1:]))
        since = await session.tables.queries.log_since(session.open_number(), -1 if last is None else last)
        told = (since_text if len(asked) > 1 else turn_text)(game, player, since)
        if told:
            session.screen.say(told.replace("/log", "log"))


async def board(session: Session, rest: str) -> None:
    """The position, the stock market and the map in words; or a link to the board page."""
    if rest:
        await links(session, rest)
        return
    game = await session.position()
    session.screen.say("\n".join([status_text(game), "", market_text(game), "", map_text(game)]))


async def links(session: Session, what: str) -> None:
    number = session.open_number()
    if what == "withdraw":
        ended = await session.tables.links.withdraw(number, PERSON)
        session.screen.say("Links withdrawn: {ended}.", ended)
    elif session.board is None:
        raise IllegalMove("The browser board is off; turn it on with SIGNALBOX_WEB=8018.")
    elif what in ("link", "mine"):
        session.screen.write(await session.board.link(number, "look" if what == "link" else "play"))
    else:
        raise IllegalMove(
            "Which? board link (to look), board mine (to play), board withdraw; just board shows it in words."
        )


async def try_moves(session: Session, rest: str) -> None:
    if not rest:
        raise IllegalMove("Which moves? For example: try run best; pay.")
    tried = await session.tables.sandbox.preview(session.open_number(), PERSON, rest)
    session.screen.say("\n".join([tr("That would do this:"), *(f"  {line}" for line in tried.lines)]))
    session.screen.say("Then: {question}", tried.question)


async def sandbox_command(session: Session, rest: str) -> None:
    """The sandbox: look, add moves, take back, empty it, make its moves."""
    number, tables = session.open_number(), session.tables
    if rest.lower() == "make":
        played = await tables.sandbox.commit(number, PERSON)
        session.screen.say("\n".join([*(f"  {line}" for line in played.lines), tr(played.question)]))
        return
    back: dict[str, int | None] = {"back": 1, "drop": None}
    found: SandboxState = await (
        tables.sandbox.undo(number, PERSON, back[rest.lower()])
        if rest.lower() in back
        else tables.sandbox.add(number, PERSON, rest)
    )
    lines = [f"  {line}" for line in found.preview.lines]
    head = tr("In your sandbox:" if lines else "Your sandbox is empty; make a move in it with: whatif buy P1.")
    lost = [found.lost] if found.lost else []
    hint = [tr("To make these moves: whatif make.")] if found.own else []
    session.screen.say("\n".join([head, *lines, *lost, tr("Then: {question}", found.preview.question), *hint]))


# -- standing orders ----------------------------------------------------------------------------------


async def auto(session: Session, rest: str) -> None:
    """Give, list or drop plans; a name before a colon says for whom."""
    number, tables = session.open_number(), session.tables
    word, _, which = rest.partition(" ")
    if word.lower() == "drop":
        if which and not (which.isdecimal() and len(which) < 10):
            raise IllegalMove("Which standing order? For example: auto drop 1.")
        dropped = await tables.orders.cancel_orders(number, PERSON, int(which) if which else None)
        session.screen.say("{dropped} dropped.", dropped)
    elif rest and word.lower() != "list":
        name, sign, said = rest.partition(":")
        game = await session.position()
        player: PlayerId | None = player_named(game, name.strip()) if sign else None
        if sign and player is None:
            raise IllegalMove("There is no player {name}.", "", name.strip())
        given = await tables.orders.give_order(number, PERSON, said.strip() if sign else rest, player)
        session.screen.say("Noted: {text}", given.text)
    table = await tables.desk.table(number)
    names = {record.number: record.name for record in table.seats}
    orders = await tables.orders.own_orders(number, PERSON)
    for one in orders:
        line = f"{one.record.id}. {names.get(one.record.seat, '')}: {one.text}"
        now = [tr("Over: {now}" if one.is_over else "Now it would: {now}", one.now)] if one.now else []
        session.screen.write(" ".join([line, *now]))
    if not orders:
        session.screen.say("There are no standing orders. For example: auto {examples}.", EXAMPLES[1])


# -- the moderator ------------------------------------------------------------------------------------


async def moderate(session: Session, rest: str) -> None:
    number, tables = session.open_number(), session.tables
    word, _, more = rest.partition(" ")
    status = {"pause": "paused", "resume": "running", "end": "finished"}.get(word.lower())
    if status is not None:
        played = await tables.moderation.set_status(number, PERSON, status, more)
        session.screen.say("\n".join(played.lines))
    elif word == "pace":
        await tables.moderation.set_pace(number, PERSON, more)
        session.screen.say("The pace is {pace} from the next move on.", msg(more))
    elif word == "passes":
        await tables.moderation.set_passes(number, PERSON, more)
        session.screen.say(PASSES_SAID[more])
    elif word == "pictures":
        await tables.moderation.set_pictures(number, PERSON, more)
        session.screen.say(PICTURES_SAID[more])
    elif word == "replace":
        seat, _, name = more.partition(" ")
        if not (seat.isdecimal() and len(seat) < 3 and name):
            raise IllegalMove("Which seat, and who takes it? For example: moderate replace 2 Zoe.")
        await tables.moderation.replace(number, PERSON, int(seat), PERSON, name)
        session.screen.say("{name} has seat {seat} now.", plain_name(name), seat)
    elif word == "correct":
        words = more.split()
        played = await tables.moderation.correct(number, PERSON, " ".join(words[:3]), " ".join(words[3:]))
        session.screen.say("\n".join([*played.lines, tr(played.question)]))
    elif word == "rules":
        played = await tables.rules_upgrade.upgrade_rules(number, PERSON, more == "agree")
        session.screen.say("\n".join([*played.lines, tr(played.question)]))
    else:
        raise IllegalMove("The moderator can: {what}.", "", MORE["moderate"].removeprefix("moderate "))


# -- games in and out ---------------------------------------------------------------------------------


async def import_here(session: Session, rest: str) -> None:
    """Go on with a game from a file, every seat at this screen."""
    if not rest:
        raise IllegalMove("From which file? For example: import game.json.")
    try:
        content = read_bounded(Path(rest).expanduser())
    except InvalidFile as error:
        raise IllegalMove("{reason}.", "", error.said) from error
    found = await session.porter.run(read_file, content, rest)
    for note in found.notes:
        session.screen.say("Note: {note}.", msg(note))
    number = await session.tables.transfer.import_game(found.course, PERSON)
    session.enter(number)
    session.screen.say("Game {number} continues after {moves} move(s).", number, len(found.course.moves))
    session.screen.say(question(await session.position()))


async def clone(session: Session, rest: str) -> None:
    if rest and not (rest.isdecimal() and len(rest) < 9):
        raise IllegalMove("From which log entry? For example: clone 12.")
    old = session.open_number()
    number = await session.tables.transfer.clone(old, PERSON, int(rest) if rest else None)
    session.enter(number)
    session.screen.say("Game {number} is a copy of game {old}; it is now open.", number, old)
    session.screen.say(question(await session.position()))


# -- how it goes --------------------------------------------------------------------------------------


async def report(session: Session, rest: str) -> None:
    session.screen.say(report_text(await session.position()))


async def results(session: Session, rest: str) -> None:
    session.screen.say(results_text(await session.tables.results.finished_games()))


async def chart(session: Session, rest: str) -> None:
    kind = rest or CHARTS[0]
    if kind not in CHARTS:
        raise IllegalMove("Charts: {charts}.", "", ", ".join(CHARTS))
    await show_history_picture(session, kind)


async def timelapse(session: Session, rest: str) -> None:
    if len((await session.tables.queries.game_file(session.open_number())).moves) < 2:
        raise IllegalMove("There is nothing to see yet.")
    await show_history_picture(session, "timelapse")


async def show_history_picture(session: Session, kind: str) -> None:
    try:
        picture = await session.studio.history_picture(
            kind, await session.tables.queries.game_file(session.open_number())
        )
    except PictureFailed as error:
        session.screen.say("No picture: {reason}", error.said)
    else:
        session.keep(picture)


async def show_reasons(session: Session, rest: str) -> None:
    lines = await session.tables.computers.why(session.open_number())
    session.screen.say("\n".join(lines[-int(rest or 20) :] if (rest or "20").isdecimal() else lines) or NO_COMPUTERS)


async def advice(session: Session, rest: str) -> None:
    with session.screen.spinner("The computer players are thinking."):
        said = await session.tables.computers.advise(session.open_number(), PERSON)
    session.screen.say(said)


# -- language -------------------------------------------------------------------------------------------


async def language(session: Session, rest: str) -> None:
    check_language(rest)
    if not rest:
        raise IllegalMove(
            "Which language? {what}.", "", ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        )
    await session.tables.languages.set_language(PERSON, rest)
    set_reader_language(rest)
    session.screen.say("I will use English with you.")


COMMANDS: dict[str, Command] = {
    "lobby": open_lobby,
    "turn": show_turn,
    "board": board,
    "try": try_moves,
    "whatif": sandbox_command,
    "auto": auto,
    "moderate": moderate,
    "import": import_here,
    "clone": clone,
    "report": report,
    "results": results,
    "chart": chart,
    "timelapse": timelapse,
    "why": show_reasons,
    "advice": advice,
    "language": language,
}
