"""Commands about a person: reminders and quiet hours, mail, language, what is stored about them."""

from __future__ import annotations

import re

from bot.engine import IllegalMove, Message, literal, msg
from bot.i18n import LANGUAGES, set_reader_language, tr, use_language
from bot.service.features.language_preferences import check_language
from bot.service.features.notice_services import target_name
from bot.service.sessions.budgets import LONGEST_QUIET

from .command import Absence, Choice, Door, NamedFile, Number, Reply, Request, Spelling, Words, command, parameter
from .completion import zones
from .file_commands import use_line

ZONE = parameter(Words(64), "Your time zone, e.g. Europe/Berlin", zones)
BEGIN = parameter(Number(0, 23), "Start of the quiet hours, 0-23")
END = parameter(Number(0, 23), "End of the quiet hours, 0-23")
FORGET_ME = re.compile(r"(forget |vergiss )?(me|mich)", re.IGNORECASE)
OF_PERSON = {Door.PAGE: Absence.LINK}
AS_SET = "discord"
"""Means the language that Discord is set to."""


# -- reminders ----------------------------------------------------------------------------------------


@command(
    "clock snooze",
    "No reminders for this game for some hours",
    right="remind",
    changes=True,
    words=("snooze",),
    hours=parameter(Number(1, 336), "For how many hours"),
    example="snooze 24",
)
async def snooze(request: Request, hours: int = 24) -> Reply:
    until = await request.tables.reminders.snooze(await request.game_id(), request.person, hours)
    return Reply([msg("You will get no reminders for this game before {until}.", request.moment(until))])


@command(
    "clock mute",
    "Turn reminders for this game off, or back on",
    right="remind",
    changes=True,
    words=("mute",),
    muted=parameter(Choice({"on": "no reminders", "off": "reminders again"}), "Reminders off, or back on"),
    example="mute",
)
async def mute(request: Request, muted: str = "on") -> Reply:
    is_muted = muted == "on"
    await request.tables.reminders.mute(await request.game_id(), request.person, is_muted)
    return Reply([msg("No more reminders for this game." if is_muted else "You will get reminders again.")])


@command(
    "clock away",
    "On holiday: no reminders in any game for some days (0: back again)",
    changes=True,
    is_sealed=True,
    words=("away",),
    days=parameter(Number(0, 60), "For how many days; 0 when you are back"),
    example="away 7",
)
async def go_away(request: Request, days: int = 0) -> Reply:
    until = await request.tables.reminders.set_holiday(request.person, days)
    if until is None:
        return Reply([msg("Welcome back.")])
    lines = [msg("Away until {until}; your tables can see it.", request.moment(until))]
    for game, ends in await request.tables.reminders.holiday_ends(request.person):
        if ends < until:
            lines.append(
                msg(
                    "In game {game} your time counts again from {moment}: you have no holiday left there.",
                    game,
                    request.moment(ends),
                )
            )
    return Reply(lines)


@command(
    "clock quiet",
    "Hours without reminders, in all your games",
    changes=True,
    is_sealed=True,
    words=("quiet",),
    zone=ZONE,
    begin=BEGIN,
    end=END,
    example="quiet Europe/Berlin 22 8",
)
async def set_quiet_hours(request: Request, zone: str, begin: int, end: int) -> Reply:
    games = await request.tables.reminders.set_default_quiet_hours(request.person, zone, begin, end)
    text = "You will get no reminders from {begin}:00 to {end}:00 ({zone}), in {games} game(s) and in new games."
    return Reply([msg(text, begin, end, zone, games), *clock_lines(begin, end)])


@command(
    "game quiet",
    "Hours without reminders for this game",
    right="remind",
    changes=True,
    zone=ZONE,
    begin=BEGIN,
    end=END,
    example="game quiet Europe/Berlin 22 8",
)
async def set_quiet_hours_here(request: Request, zone: str, begin: int, end: int) -> Reply:
    await request.tables.reminders.set_quiet_hours(await request.game_id(), request.person, zone, begin, end)
    line = msg("You will get no reminders from {begin}:00 to {end}:00 ({zone}).", begin, end, zone)
    return Reply([line, *clock_lines(begin, end)])


def clock_lines(begin: int, end: int) -> list[Message]:
    """A sentence for people whose quiet hours are longer than a clock rests."""
    if (end - begin) % 24 <= LONGEST_QUIET:
        return []
    return [msg("In games with a clock, only the first {hours} quiet hours of a day stop your time.", LONGEST_QUIET)]


@command(
    "clock times",
    "How long each player takes for a turn",
    right="look",
    words=("times",),
)
async def show_turn_times(request: Request) -> Reply:
    found = await request.tables.queries.turn_times((await request.table()).record.id)
    lines = [
        msg(
            "{name}: {turns} turns, usually {median}, at most {longest}",
            literal(one.name),
            one.turns,
            duration(one.median),
            duration(one.longest),
        )
        for one in sorted(found, key=lambda one: one.median)
    ]
    return Reply(lines or [msg("Nobody has moved yet.")])


def duration(hours: float) -> Message:
    if hours < 1:
        return msg("{number} min", f"{hours * 60:.0f}")
    return msg("{number} h", f"{hours:.0f}") if hours < 48 else msg("{number} days", f"{hours / 24:.1f}")


# -- notices ------------------------------------------------------------------------------------------

OF_SERVICES = {Door.MAIL: Absence.SECRET, Door.PAGE: Absence.LINK}
SERVICE = parameter(Number(1, 99), "The number in your list of services")


@command(
    "notify add",
    "Send your turns, reminders and ends of games to a phone or a chat too",
    changes=True,
    absent=OF_SERVICES,
    address=parameter(Words(500), "The service's address as Apprise writes it"),
    example="notify add ntfy://my-secret-topic",
)
async def add_service(request: Request, address: str) -> Reply:
    if not request.has_pages():
        raise IllegalMove("This bot shows no boards in the browser, and calls no addresses.")
    found = await request.tables.personal_notices.add(request.person, address.strip())
    told = msg(
        "Your notices also go to {service} from now on, in all your games. {test} tries it, {remove} ends it.",
        literal(target_name(found.target)),
        request.spell("notify test"),
        request.spell("notify remove"),
    )
    return Reply([told])


@command("notify list", "The services that get your notices, and when each was last used", absent=OF_SERVICES)
async def list_services(request: Request) -> Reply:
    found = await request.tables.personal_notices.list_of(request.person)
    lines = [use_line(request, number, link, literal(target_name(link.target))) for number, link in enumerate(found, 1)]
    return Reply(lines or [msg("Your notices go to no service; {command} adds one.", request.spell("notify add"))])


@command("notify remove", "Send no more notices to a service", changes=True, absent=OF_SERVICES, number=SERVICE)
async def remove_service(request: Request, number: int) -> Reply:
    found = await request.tables.personal_notices.remove(request.person, number)
    return Reply([msg("{service} gets no more notices.", literal(target_name(found.target)))])


@command("notify test", "Send a notice to a service to try it", changes=True, absent=OF_SERVICES, number=SERVICE)
async def test_service(request: Request, number: int = 1) -> Reply:
    found = await request.tables.personal_notices.test(request.person, number)
    told = msg(
        "A notice is on its way to {service}; {list} says when a notice last arrived.",
        literal(target_name(found.target)),
        request.spell("notify list"),
    )
    return Reply([told])


# -- mail ---------------------------------------------------------------------------------------------

SENT = {
    "turns": "From now on you get a mail for each of your turns, and reminders.",
    "digest": "From now on you get one mail a day with the games waiting for you.",
    "reminders": "From now on you get reminders by mail, not here.",
    "nothing": "From now on you only get answers to your own mails.",
}
WISHES = {
    "turns": "every turn, and reminders",
    "digest": "one mail a day",
    "reminders": "only reminders",
    "nothing": "only answers to your own mails",
}


@command(
    "mail address",
    "Get mail at this address; confirm it by replying",
    absent=OF_PERSON,
    changes=True,
    is_sealed=True,
    address=parameter(Words(200), "Your address, like ann@example.org"),
    example="mail address ann@example.org",
)
async def set_address(request: Request, address: str) -> Reply:
    request.check_mail()
    if len(address) < 3:
        raise IllegalMove("{address} is not a mail address.", "", literal(address))
    found = await request.tables.mail.request_confirmation(address, request.person)
    if found is None:
        return Reply(
            [msg("A mail went to that address, or to you, a short time ago; look for it, or try again later.")]
        )
    return Reply(
        [
            msg(
                "A mail is on its way to that address. Reply with any text to confirm the address; nothing else is sent "
                "there until then."
            )
        ]
    )


@command(
    "mail send",
    "Which mails you get",
    changes=True,
    is_sealed=True,
    words=(
        Spelling("turns", door=Door.MAIL, rest="turns"),
        Spelling("digest", door=Door.MAIL, rest="digest"),
        Spelling("reminders", door=Door.MAIL, rest="reminders"),
        Spelling("stop", door=Door.MAIL, rest="nothing"),
        Spelling("unsubscribe", door=Door.MAIL, rest="nothing"),
    ),
    what=parameter(Choice(WISHES), "Every turn, one mail a day, only reminders, or nothing"),
    example="mail send digest",
)
async def choose_mails(request: Request, what: str) -> Reply:
    request.check_mail()
    await request.tables.mail.set_delivery(request.person, what)
    return Reply([msg(SENT[what])])


@command(
    "mail also",
    "Accept replies from another of your addresses too; none turns this off",
    absent=OF_PERSON,
    changes=True,
    is_sealed=True,
    words=(Spelling("also", door=Door.MAIL),),
    address=parameter(Words(200), "Your other address, or none"),
    example="mail also ann+games@example.org",
)
async def add_address(request: Request, address: str) -> Reply:
    request.check_mail()
    known = await request.tables.mail.add_alias(request.person, address)
    if not known:
        return Reply([msg("Only replies from your first address count now.")])
    return Reply([msg("Replies from these addresses also count as yours: {addresses}", literal(", ".join(known)))])


@command("mail forget", "Delete your address", absent=OF_PERSON, changes=True, is_sealed=True)
async def forget_address(request: Request) -> Reply:
    request.check_mail()
    await request.tables.mail.forget_address(request.person)
    return Reply([msg("Your address is deleted.")])


# -- language -----------------------------------------------------------------------------------------


@command(
    "language mine",
    "The language I use with you, in every game",
    changes=True,
    is_sealed=True,
    words=("language",),
    language=parameter(Choice({**LANGUAGES, AS_SET: "same as Discord"}), "Which language"),
    example="language de",
)
async def set_language(request: Request, language: str) -> Reply:
    chosen = "" if language == AS_SET else language
    check_language(chosen)
    await request.tables.languages.set_language(request.person, chosen)
    set_reader_language(chosen or request.client_language())
    return Reply([msg("I will use English with you.")])


@command(
    "language game",
    "The language of this game's posts (for its moderator)",
    right="language",
    changes=True,
    language=parameter(Choice(dict(LANGUAGES)), "Which language"),
    example="language game de",
)
async def set_game_language(request: Request, language: str) -> Reply:
    game_id = await request.game_id()
    await request.tables.languages.set_game_language(game_id, await request.asker(game_id), language)
    with use_language(language):
        return Reply([tr("This game's posts are in English from now on.")])


# -- what is stored -----------------------------------------------------------------------------------


@command(
    "privacy export",
    "Everything stored about you, as a file only for you",
    absent=OF_PERSON,
    is_sealed=True,
    words=("privacy",),
)
async def export_personal_data(request: Request) -> Reply:
    data = await request.tables.privacy.personal_data(request.person)
    text = msg(
        "This is everything Signalbox stores about you; Discord itself stores your messages there. {promise}",
        request.tables.privacy.promise,
    )
    return Reply([text], files=[NamedFile("my-data.json", data, tr("Your stored data, as JSON"))])


@command(
    "privacy erase",
    "Delete your data: your seats become free, your name is removed",
    absent=OF_PERSON,
    changes=True,
    is_sealed=True,
    words=(
        Spelling("forget", door=Door.MAIL, is_old=True),
        Spelling("forget", door=Door.TERMINAL, is_old=True),
    ),
    confirm=parameter(Words(40), "Type: forget me", shown="forget me"),
    example="privacy erase forget me",
)
async def erase(request: Request, confirm: str) -> Reply:
    promise = request.tables.privacy.promise
    if not FORGET_ME.fullmatch(confirm.strip()):
        raise IllegalMove(
            "This cannot be undone. {promise} If you mean it: {command}",
            "",
            promise,
            request.spell("privacy erase", confirm="forget me"),
        )
    games = await request.tables.privacy.forget_person(request.person)
    text = "Your data has been erased, in {games} game(s). {promise} You can delete your messages in Discord yourself."
    return Reply([msg(text, games, promise)], is_last=True)
