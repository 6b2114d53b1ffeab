"""Commands in a letter that change something. Each may have been done before an interruption: then it is not done twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

from bot.ai.title_parameters import STRENGTHS
from bot.engine import GameId, IllegalMove, Message, PersonId, StalePosition, literal, msg
from bot.i18n import LANGUAGES, current_language
from bot.service.features.language_preferences import check_language
from bot.service.features.standing_orders.parser import EXAMPLES
from bot.service.game_service import GameService
from bot.service.sessions import DEFAULT_STRENGTH, Actor
from bot.store import GameStatus, MailRecord

Lines = list[Message | str]

MOST_HOURS = 336
NO_GAME = "Which game? Answer a mail about it; games lists yours."


@dataclass
class MailRequest:
    """The writer's request about a game, of which they have seen the position `version`; `game` becomes the game
    that they open or join. `noted` is the row of their letter.
    """

    tables: GameService
    person: PersonId
    game: GameId | None
    version: int | None
    noted: MailRecord
    pages: str
    own_address: str

    @property
    def number(self) -> GameId:
        """The game that is meant.

        :raises IllegalMove: none is.
        """
        if self.game is None:
            raise IllegalMove(NO_GAME)
        return self.game

    async def has_begun(self) -> bool:
        return (await self.tables.desk.table(self.number)).game is not None

    @property
    def was_begun(self) -> bool:
        """Whether the letter was begun before: its commands may have been done."""
        return bool(self.noted.id)


async def move(order: MailRequest, text: str) -> Lines:
    """Make moves on the position that the writer saw, all or none."""
    if order.version is None:
        raise IllegalMove("To move, reply to a mail about the game; this shows which position you saw.")
    try:
        played = await order.tables.moves.submit(order.number, order.person, text, order.version)
    except StalePosition:
        if await is_already_done(order):
            return [msg("Your moves have been made.")]
        raise
    return list(played.lines)


async def undo(order: MailRequest, rest: str) -> Lines:
    if rest and not (rest.isdecimal() and len(rest) < 6):
        raise IllegalMove("How many moves? For example: undo 3.")
    try:
        played = await order.tables.moves.undo(order.number, order.person, int(rest or 1), order.version)
    except StalePosition:
        if await is_already_done(order):
            return [msg("Your moves have been taken back.")]
        raise
    return list(played.lines)


async def is_already_done(order: MailRequest) -> bool:
    """Whether the first log entry after the writer's position is their own, made since their letter was begun."""
    if not order.was_begun or order.version is None:
        return False
    since = await order.tables.queries.moves_after(order.number, order.version)
    return bool(since) and since[0].person == order.person and since[0].made_at >= order.noted.made_at


# -- games --------------------------------------------------------------------------------------------


async def new(order: MailRequest, rest: str) -> Lines:
    """Open a game; the writer is its moderator and has a seat."""
    words = rest.split()
    options = dict(word.split("=", 1) for word in words if "=" in word)
    words = [word for word in words if "=" not in word]
    if len(words) < 2:
        raise IllegalMove(
            "Which title, and what is your name? For example: new 1848 Ann. Titles: {titles}.",
            "",
            ", ".join(order.tables.desk.titles),
        )
    if order.was_begun and (before := await find_opened_lobby(order)) is not None:
        order.game = before
        return [msg("Game {number} is open.", before), *await invite(order, "")]
    order.game = await order.tables.lobby.create(words[0], order.person, [(order.person, " ".join(words[1:]))], options)
    await order.tables.languages.set_game_language(order.game, order.person, current_language())
    return [msg("Game {number} is open.", order.game), *await invite(order, "")]


async def find_opened_lobby(order: MailRequest) -> GameId | None:
    """The lobby that the writer has opened since their letter was begun."""
    own = await order.tables.queries.games_of(order.person)
    return next(
        (
            one.record.id
            for one in own
            if one.record.moderator == order.person
            and one.record.status == GameStatus.LOBBY
            and one.record.created_at >= order.noted.made_at
        ),
        None,
    )


async def join(order: MailRequest, rest: str) -> Lines:
    """Take a seat in a lobby to which the writer was invited."""
    words = rest.split()
    if len(words) < 3 or not (words[0].isdecimal() and len(words[0]) < 10):
        raise IllegalMove("To join, write the game, its code and your name: join 3 CODE Ann.")
    number, code, name = GameId(int(words[0])), words[1], " ".join(words[2:])
    table = await order.tables.desk.table(number)
    if not (order.was_begun and table.seats_of(order.person)):
        await order.tables.lobby.join(number, Actor(order.person), name, code)
    order.game = number
    return [msg("{name} has joined.", literal(name))]


async def leave(order: MailRequest, rest: str) -> Lines:
    await order.tables.lobby.leave(order.number, order.person)
    return [msg("You have left game {number}.", order.number)]


async def start(order: MailRequest, rest: str) -> Lines:
    if order.was_begun and await order.has_begun():
        return [msg("Game {number} has begun.", order.number)]
    await order.tables.lobby.start(order.number, order.person, rest or "lot")
    return [msg("Game {number} has begun.", order.number)]


async def invite(order: MailRequest, rest: str) -> Lines:
    """The line with which others join; an older line becomes invalid."""
    code = await order.tables.lobby.invite(order.number, order.person)
    line = " ".join(("join", str(order.number), code, "NAME"))
    return [
        msg(
            "Give this line to the people you invite; each sends it to {address} with their own name:",
            order.own_address,
        ),
        line,
        f"mailto:{order.own_address}?subject=Signalbox&body={quote(line)}",
    ]


async def option(order: MailRequest, rest: str) -> Lines:
    name, sign, choice = (part.strip() for part in rest.partition("="))
    if not sign:
        raise IllegalMove("An option is chosen like: option rules=rulebook.")
    await order.tables.lobby.choose_option(order.number, order.person, name, choice)
    return [msg("Chosen: {option}.", f"{name}={choice}")]


async def computer(order: MailRequest, rest: str) -> Lines:
    """Give the next seat to a computer player, or remove them all."""
    if rest == "none":
        await order.tables.lobby.remove_computers(order.number, order.person)
        return [msg("There is no computer player in this game.")]
    if rest and rest not in STRENGTHS:
        raise IllegalMove("Computer players: {strengths}; or write: computer none.", "", ", ".join(STRENGTHS))
    await order.tables.lobby.add_computer(order.number, order.person, rest or DEFAULT_STRENGTH)
    return [msg("A computer player has joined.")]


async def vote(order: MailRequest, rest: str) -> Lines:
    """Answer the table's question, or ask all who have moved since to agree to an undo of one's own last move."""
    word, _, which = rest.lower().partition(" ")
    if word == "undo":
        number = await order.tables.moves.version_before_last_move(order.number, order.person)
        if number is None:
            raise IllegalMove("There is nothing to take back.")
        asked = await order.tables.votes.start_poll(order.number, order.person, "undo", {"number": number})
        return [asked.text, asked.line]
    polls = await order.tables.votes.polls(order.number)
    if not polls:
        raise IllegalMove("There is no open vote.")
    if word not in ("yes", "no", "ja", "nein") or (len(polls) > 1 and not which):
        raise IllegalMove(
            "Reply with vote yes or vote no, and with the number if there are several: {votes}",
            "",
            " ".join(f"{poll.record.id}. {poll.text}" for poll in polls),
        )
    poll = next((one for one in polls if str(one.record.id) == which), polls[0] if len(polls) == 1 else None)
    if poll is None:
        raise IllegalMove("There is no such vote.")
    poll = await order.tables.votes.answer_poll(poll.record.id, order.person, word in ("yes", "ja"))
    return [poll.text, poll.line]


# -- standing orders and reminders ----------------------------------------------------------------------


async def auto(order: MailRequest, rest: str) -> Lines:
    orders, word = order.tables.orders, rest.partition(" ")[0].lower()
    lines: Lines = []
    if word == "drop":
        which = rest.partition(" ")[2].strip()
        if which and not (which.isdecimal() and len(which) < 10):
            raise IllegalMove("Which standing order? For example: auto drop 1.")
        dropped = await orders.cancel_orders(order.number, order.person, int(which) if which else None)
        lines.append(msg("Standing orders dropped: {dropped}.", dropped))
    elif rest and word != "list":
        given = await orders.give_order(order.number, order.person, rest)
        lines.append(msg("Noted: {text}", given.text))
    for one in await orders.own_orders(order.number, order.person):
        lines.append(f"{one.record.id}. {one.text}")
    return lines or [msg("There are no standing orders. For example: auto {example}.", EXAMPLES[1])]


async def snooze(order: MailRequest, rest: str) -> Lines:
    hours = number_in(rest or "24", MOST_HOURS, "For how many hours? For example: snooze 24.")
    await order.tables.reminders.snooze(order.number, order.person, hours)
    return [msg("You will get no reminders of this game for {hours} hours.", hours)]


async def mute(order: MailRequest, rest: str) -> Lines:
    await order.tables.reminders.mute(order.number, order.person, rest.lower() != "off")
    return [msg("You will get reminders again." if rest.lower() == "off" else "No more reminders of this game.")]


async def away(order: MailRequest, rest: str) -> Lines:
    """Be on holiday, in all games."""
    days = number_in(rest or "0", 60, "For how many days? For example: away 7; away 0 when you are back.")
    await order.tables.reminders.set_holiday(order.person, days)
    return [msg("You will get no reminders for {days} days.", days) if days else msg("You are back.")]


async def quiet(order: MailRequest, rest: str) -> Lines:
    """Quiet hours, in all games: only answers are sent then."""
    words = rest.split()
    if len(words) != 3 or not all(word.isdecimal() and len(word) < 3 for word in words[1:]):
        raise IllegalMove("Which hours, and where? For example: quiet Europe/Berlin 22 8.")
    await order.tables.reminders.set_default_quiet_hours(order.person, words[0], int(words[1]), int(words[2]))
    return [msg("From {begin}:00 to {end}:00 you only get answers.", words[1], words[2])]


def number_in(text: str, most: int, refusal: str) -> int:
    """A number from 0 to `most`.

    :raises IllegalMove: it is not such a command.
    """
    if not (text.isdecimal() and len(text) < 5 and int(text) <= most):
        raise IllegalMove("{refusal}", "", msg(refusal))
    return int(text)


# -- what one is sent, and what is kept ------------------------------------------------------------------


def preference_command(wish: str, told: Message) -> Callable[[MailRequest, str], Awaitable[Lines]]:

    async def save_preference(order: MailRequest, rest: str) -> Lines:
        await order.tables.mail.set_delivery(order.person, wish)
        return [told]

    return save_preference


async def language(order: MailRequest, rest: str) -> Lines:
    if not rest:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise IllegalMove("Which language? There are: {known}.", "", known)
    check_language(rest.lower())
    await order.tables.languages.set_language(order.person, rest.lower())
    return [msg("Your language is now {language}.", LANGUAGES[rest.lower()])]


async def add_address(order: MailRequest, rest: str) -> Lines:
    if not rest:
        raise IllegalMove("Which address? For example: also ann+games@example.org; also none ends it.")
    known = await order.tables.mail.add_alias(order.person, rest)
    if not known:
        return [msg("Only replies from your first address count now.")]
    return [msg("Replies from these addresses also count as yours: {addresses}", literal(", ".join(known)))]


async def privacy(order: MailRequest, rest: str) -> Lines:
    return [
        msg(
            "The file holds everything stored about you. To be erased, write: forget me. {promise}",
            order.tables.privacy.promise,
        )
    ]


async def forget(order: MailRequest, rest: str) -> Lines:
    if rest.lower() not in ("me", "mich"):
        raise IllegalMove("To be erased from all games for good, write: forget me")
    await order.tables.privacy.forget_person(order.person)
    return []


ACTS: dict[str, Callable[[MailRequest, str], Awaitable[Lines]]] = {
    "new": new,
    "join": join,
    "leave": leave,
    "start": start,
    "invite": invite,
    "option": option,
    "computer": computer,
    "vote": vote,
    "undo": undo,
    "auto": auto,
    "snooze": snooze,
    "mute": mute,
    "away": away,
    "quiet": quiet,
    "turns": preference_command("turns", msg("You get a mail for every turn of yours, and reminders.")),
    "digest": preference_command("digest", msg("You get one mail a day with the games that wait for you.")),
    "reminders": preference_command("reminders", msg("You only get reminders.")),
    "stop": preference_command(
        "nothing", msg("You now only get answers to your own mails. To get your turns again: turns")
    ),
    "language": language,
    "also": add_address,
    "privacy": privacy,
    "forget": forget,
}
"""Every command that changes something, by its word."""

SEALED = ("forget", "privacy", "also", "stop", "turns", "digest", "reminders", "away", "quiet", "language")
"""Commands about a person's whole account, allowed only in an answer to a mail of the bot: a mail server that
vouches for a sender can be deceived. They erase somebody, send what is stored about them, or make their tables
wait for somebody who gets no messages. The other commands (`new`, `join`) take nothing away, are confirmed to the
sender immediately, and undone by `leave`.
"""
