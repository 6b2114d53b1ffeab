"""Commands from the first idea of a game to its first move."""

from __future__ import annotations

import shlex
from dataclasses import replace

from bot.ai.title_parameters import STRENGTHS
from bot.engine import GameId, IllegalMove, Message, literal, msg
from bot.engine.notation.messages import question
from bot.engine.play.title import Title
from bot.i18n import current_language
from bot.service.features.lobby import CODE
from bot.service.sessions import DEFAULT_STRENGTH, PACES, PRESETS, GameSession, parse_people
from bot.service.views.clock_text import LENGTHS, describe_clock
from bot.store import GameRecord, GameStatus, Penalty
from bot.titles.registry import NAMES, TITLES

from .command import (
    Absence,
    Choice,
    Door,
    Flag,
    FollowUp,
    ForumChannel,
    Number,
    Reply,
    Request,
    Spelling,
    Words,
    command,
    parameter,
)
from .completion import option_texts, own_games

TITLE = Choice(dict(NAMES.items()))
PACE = Choice({name: msg("{name}: {hours} waking hours a turn", name, f"{hours:g}") for name, hours in PACES.items()})
NO_CLOCK = "none"
CLOCK = Choice({NO_CLOCK: "a turn may take as long as it takes", **{name: msg(LENGTHS[name]) for name in PRESETS}})
NO_COMPUTERS = "none"
STRENGTH = Choice(dict.fromkeys((*STRENGTHS, NO_COMPUTERS), ""))
ORDER = Choice({"lot": "random seats", "list": "seats in the order of joining"})
SEATS = "How many seats each other player may take (default: 1)"
GAME = parameter(Number(1, 999_999_999), "Number of the game (default: the game here)")
OWN_GAME = replace(GAME, complete=own_games)
MOST_DIGITS = 10


@command(
    "new",
    "Start a game on this screen, e.g. new 1848 me computer computer; without players, open a lobby",
    absent=dict.fromkeys((Door.DISCORD, Door.MAIL, Door.PAGE), Absence.SCREEN),
    changes=True,
    title=parameter(TITLE, "Which title"),
    players=parameter(Words(400), "Who plays, in seat order; options like rules=rulebook or seed=7"),
    example="new 1848 Ann Bob Cid",
)
async def begin_here(request: Request, title: str, players: str = "") -> Reply:
    if not players:
        return await open_lobby(request, title)
    names, options, seed = parse_players(players)
    found = request.tables.desk.title(title)
    if len(names) not in found.players:
        least, most = found.players.start, found.players.stop - 1
        raise IllegalMove(
            "{title} is for {least} to {most} players, not {number}.", "", found.name, least, most, len(names)
        )
    seats = parse_people(names, request.person)
    game_id = await request.tables.lobby.create(title, request.person, seats, options, seed)
    await request.tables.lobby.start(game_id, request.person, "list")
    who = ", ".join(name for _, name in seats)
    return Reply([msg("Game {number}: {name} with {names}.", game_id, found.name, who)], opened=game_id)


def parse_players(text: str) -> tuple[list[str], dict[str, str], int | None]:
    """Names, options and seed of `Ann "Bob B" --seed 7 rules=rulebook`.

    :raises IllegalMove: a quotation mark is missing, or the seed is no number.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise IllegalMove("A quotation mark is missing.") from error
    while "--seed" in words:
        at = words.index("--seed")
        words[at : at + 2] = [f"seed={''.join(words[at + 1 : at + 2])}"]
    options = dict(word.lstrip("-").split("=", 1) for word in words if "=" in word)
    seed = options.pop("seed", None)
    if seed is not None and not (seed.isascii() and seed.isdecimal() and len(seed) <= MOST_DIGITS):
        raise IllegalMove("A seed is a number, for example: --seed 7.")
    return [word for word in words if "=" not in word], options, None if seed is None else int(seed)


@command(
    "open",
    "Go to a game on this screen",
    absent=dict.fromkeys((Door.DISCORD, Door.MAIL, Door.PAGE), Absence.SCREEN),
    game=parameter(Number(1, 999_999_999), "Number of the game", own_games),
    example="open 2",
)
async def open_game(request: Request, game: GameId) -> Reply:
    table = await request.tables.desk.table(game)
    if table.record.status == GameStatus.LOBBY:
        return await lobby_reply(request, table)
    _, position = await request.tables.desk.require_started(game)
    text = "Game {number}: {name}. {question}"
    return Reply([msg(text, str(game), position.title.name, question(position))], opened=game)


@command(
    "game new",
    "Open a lobby, which others can join",
    words=(
        Spelling("lobby", door=Door.TERMINAL, may_be_move=True),
        Spelling("lobby", door=Door.PAGE, may_be_move=True),
        Spelling("new", door=Door.MAIL),
        Spelling("new", door=Door.PAGE),
    ),
    changes=True,
    is_public=True,
    title=parameter(TITLE, "Which game"),
    name=parameter(Words(200, is_rest=True), "Your name at the table; on a shared screen, the names of all players"),
    pace=parameter(PACE, "How long a turn may take"),
    options=parameter(Words(200), "For example: rules=18xx.games", option_texts),
    seats=parameter(Number(1, 7), SEATS),
    clock=parameter(CLOCK, "How much time players have"),
    forum=parameter(ForumChannel(), "The forum to post the game in (default: the forum where you type this)"),
    example="game new 1848",
)
async def open_lobby(
    request: Request,
    title: str,
    name: str = "",
    pace: str = "normal",
    options: str = "",
    seats: int = 1,
    clock: str = "",
    forum: object = None,
) -> Reply:
    names, chosen, seed = parse_players(name)
    place = await request.lobby_place(title, forum)
    chosen |= parse_options(title, options)
    people = [(request.person, each) for each in names or ([request.name] if request.name else [])]
    if request.door is Door.TERMINAL:
        people = parse_people(names, request.person)
    game_id = await request.tables.lobby.create(
        title, request.person, people, chosen, seed, pace, seats, place, PRESETS.get(clock)
    )
    await request.tables.languages.set_game_language(game_id, request.person, current_language())
    return await lobby_reply(request, await request.tables.lobby.require_lobby(game_id))


def parse_options(title: str, text: str) -> dict[str, str]:
    """Options as typed: `rules=18xx.games, order=elephant`; a choice without a name where only one option has it.

    :raises IllegalMove: a choice that no option has.
    """
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, choice = (word.strip() for word in part.partition("="))
        if not sign:
            owners = [option.name for option in TITLES[title].options if name in option.choices]
            if len(owners) != 1:
                known = ", ".join(f"{o.name}={c}" for o in TITLES[title].options for c in o.choices)
                raise IllegalMove(
                    "There is no option {name}. You can choose: {known}.", "", name, known or msg("nothing")
                )
            name, choice = owners[0], name
        chosen[name] = choice
    return chosen


def lobby_lines(table: GameSession, title: Title) -> list[Message]:
    """Which game it is, and who is in."""
    least, most = title.players.start, title.players.stop - 1
    names = ", ".join(held.name for held in table.seats)
    return [
        msg("Game {number}: {name}, {start} to {stop} players.", table.record.id, title.name, least, most),
        msg("In: {names}", literal(names) if names else msg("nobody yet")),
        *lobby_terms(table.record),
    ]


def lobby_terms(record: GameRecord) -> list[Message]:
    """The terms that everybody who joins accepts: the clock, no rating, people who follow."""
    return [
        *([describe_clock(record.clock)] if record.clock is not None else []),
        *([msg("The game changes no rating.")] if record.unrated else []),
        *([msg("Anybody may follow the game; they see no names.")] if record.watchable else []),
    ]


async def lobby_reply(request: Request, table: GameSession) -> Reply:
    """The lobby as it is: who is in, which options there are, and what can be done next."""
    title = request.tables.desk.title(table.record.title)
    lines = lobby_lines(table, title)
    for option in title.options:
        lines.append(msg("Option {name}: {explanation}", option.name, msg(option.explanation)))
        for choice, explanation in option.choices.items():
            mark = "*" if table.record.options.get(option.name) == choice else " "
            typed = request.spell("game option", option=f"{option.name}={choice}")
            lines.append(msg("    {mark} {typed}   {explanation}", mark, typed, msg(explanation)))
    follow_ups = [
        FollowUp(msg("Join"), "game join"),
        FollowUp(msg("Leave"), "game leave"),
        FollowUp(msg("Options"), "game options"),
        FollowUp(msg("Start"), "game start"),
    ]
    return Reply(lines, follow_ups=follow_ups, subject=table, opened=table.record.id)


@command(
    "rematch",
    "Open a lobby like this game, which is over, and invite its players",
    right="own",
    changes=True,
    is_public=True,
)
async def open_rematch(request: Request) -> Reply:
    game_id = await request.game_id()
    table = await request.tables.desk.table(game_id)
    request.tables.desk.check(table, request.person, "own")
    if table.record.status != GameStatus.FINISHED:
        raise IllegalMove("This game is not over yet.")
    place = await request.lobby_place(table.record.title, None)
    return await lobby_reply(request, await request.tables.lobby.rematch(game_id, request.person, place))


@command(
    "game join",
    "Take a seat in a lobby",
    words=(Spelling("join", in_lobby=True, in_game=rf"\d{{1,9}} {CODE.pattern} \S.*"),),
    changes=True,
    game=GAME,
    name=parameter(Words(128, is_rest=True), "Your name at the table; give several names for several seats"),
    invitation=parameter(Words(64), "The code that the opener gave you, if the lobby is on another server"),
    example="join Ann",
)
async def join_lobby(request: Request, game: int | None = None, name: str = "", invitation: str = "") -> Reply:
    """Typed, an invitation stands before the name: `join 3 CODE Ann`."""
    game_id = await request.lobby_id(game)
    first, _, rest = name.partition(" ")
    if game is not None and not invitation and CODE.fullmatch(first):
        name, invitation = rest, first
    name = name or request.name
    if not name:
        raise IllegalMove("Who joins? For example: {example}.", "", request.spell("game join", name="Ann"))
    table = await request.tables.lobby.join(game_id, await request.asker(game_id), name, invitation)
    await request.lobby_changed(table)
    text = msg("{name} is in game {game}.", literal(table.seats[-1].name), game_id)
    clock = table.record.clock
    consent = [describe_clock(clock)] if clock is not None and clock.penalty == Penalty.LOSS else []
    return Reply([text, *consent], subject=table, opened=game_id)


@command(
    "game leave",
    "Give up your seats in a lobby, or see how to leave a game that has begun",
    words=(Spelling("leave", in_lobby=True, in_game=r"(\d{1,9})? ?(sure)?"),),
    changes=True,
    game=OWN_GAME,
    sure=parameter(Flag(), "Free your seats in a game that has begun"),
)
async def leave_game(request: Request, game: int | None = None, sure: bool = False) -> Reply:
    game_id = await request.lobby_or_game_id(game)
    table = await request.tables.desk.table(game_id)
    if table.record.status == GameStatus.LOBBY:
        table = await request.tables.lobby.leave(game_id, request.person)
        await request.lobby_changed(table)
        return Reply([msg("You have left game {game}.", game_id)], subject=table)
    request.tables.desk.check(table, request.person, "own")
    if table.record.status == GameStatus.FINISHED:
        raise IllegalMove("This game is over.")
    if sure:
        await request.tables.moderation.leave_seat(game_id, request.person)
        await request.tables.substitutes.offer_seats(game_id)
        return Reply([msg("You have left game {game}.", game_id)])
    own = table.held_by(request.person)[0].number
    ways = msg(
        "This game has begun. Name a sitter for some days ({sitter}), give your seat to another player ({player}), or "
        "free it for the moderator to give away.",
        request.spell("game sitter", member="NAME", days=14),
        request.spell("moderate replace", seat=own, member="NAME"),
    )
    return Reply([ways], follow_ups=[FollowUp(msg("Free my seat"), "game leave", {"game": game_id, "sure": True})])


@command(
    "game invite",
    "Invite people from elsewhere to your lobby, with a code that lets them join",
    right="invite",
    words=(Spelling("invite", in_lobby=True),),
    changes=True,
    game=GAME,
)
async def invite(request: Request, game: int | None = None) -> Reply:
    game_id = await request.lobby_id(game)
    code = await request.tables.lobby.invite(game_id, await request.asker(game_id))
    return Reply(await request.invitation_lines(game_id, code))


@command(
    "game options",
    "The options that can be chosen before the game begins",
    right="look",
    words=(Spelling("options", in_lobby=True),),
    or_else=dict.fromkeys((Door.TERMINAL, Door.MAIL, Door.PAGE), "game option"),
    game=GAME,
)
async def show_options(request: Request, game: int | None = None) -> Reply:
    table = await request.tables.lobby.require_lobby(await request.lobby_id(game))
    request.tables.desk.check(table, await request.asker(table.record.id), "look")
    return await lobby_reply(request, table)


@command(
    "game option",
    "Choose an option of the lobby",
    right="options",
    words=(Spelling("option", in_lobby=True, is_old=True),),
    changes=True,
    option=parameter(Words(100), "For example rules=rulebook"),
    game=GAME,
    example="options rules=rulebook",
)
async def choose_option(request: Request, option: str, game: int | None = None) -> Reply:
    game_id = await request.lobby_id(game)
    name, sign, choice = (part.strip() for part in option.partition("="))
    if not sign:
        example = request.spell("game option", option="rules=rulebook")
        raise IllegalMove("Choose an option like this: {example}.", "", example)
    table = await request.tables.lobby.choose_option(game_id, await request.asker(game_id), name, choice)
    await request.lobby_changed(table)
    return Reply([msg("Chosen: {option}.", f"{name}={choice}")], subject=table)


@command(
    "game computer",
    "Give the next seat of the lobby to a computer player, or remove them all",
    right="computer",
    words=(Spelling("computer", in_lobby=True),),
    changes=True,
    strength=parameter(STRENGTH, "How well it plays; none removes them all"),
    game=GAME,
    example="computer strong",
)
async def seat_computer(request: Request, strength: str = DEFAULT_STRENGTH, game: int | None = None) -> Reply:
    game_id = await request.lobby_id(game)
    asker, lobby = await request.asker(game_id), request.tables.lobby
    if strength == NO_COMPUTERS:
        table, line = await lobby.remove_computers(game_id, asker), msg("There is no computer player in this game.")
    else:
        table = await lobby.add_computer(game_id, asker, strength)
        line = msg("{name} is in game {game}.", literal(table.seats[-1].name), game_id)
    await request.lobby_changed(table)
    return Reply([line], subject=table)


@command(
    "game start",
    "Start the game (for its opener)",
    right="start",
    words=(Spelling("start", in_lobby=True),),
    changes=True,
    game=OWN_GAME,
    order=parameter(ORDER, "How seats are assigned"),
    example="start list",
)
async def start_game(request: Request, game: int | None = None, order: str = "lot") -> Reply:
    game_id = await request.lobby_id(game)
    asker = await request.asker(game_id)
    request.tables.desk.check(await request.tables.lobby.require_lobby(game_id), asker, "start")
    place = await request.place_for_start(game_id)
    started = await request.tables.lobby.start(game_id, asker, order, place)
    where = await request.describe(place)
    text = (
        msg("Game {game} has begun in {place}.", game_id, literal(where))
        if where
        else msg("Game {game} has begun.", game_id)
    )
    return Reply([text, started.question], opened=game_id)
