"""Commands in a letter that change nothing: they are answered with words; map and market come with every mail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from bot.engine import IllegalMove, Message, msg
from bot.engine.play import Game
from bot.i18n import tr
from bot.service.features.board_links import look_address
from bot.service.parser.suggestions import INTRODUCTION, help_text
from bot.service.views import position_text

from .write_commands import Lines, MailRequest

LOG_LENGTH = 20

EVERYTHING = (
    "new 1848 NAME — open a game; join 3 CODE NAME — join a game; leave",
    "invite; option NAME=CHOICE; computer steady; start — for the opener",
    "status; map; market; company VR; private P1; train 2; log 20; games; help",
    "try MOVES — what they would do, without making them; undo 1",
    "auto pass until sale; auto drop 1 — standing orders",
    "vote yes; vote no — open votes; vote undo — ask everyone who moved since",
    "snooze 24; mute; away 7; quiet Europe/Berlin 22 8 — reminders",
    "turns; digest; reminders; stop — which mails you get",
    "language de; privacy; forget me",
    "also ann+games@example.org — answers from that address are yours too; also none",
    "board — a look link for anyone; board withdraw — end all your links",
)


async def position(order: MailRequest) -> Game:
    """The current position, for a person who may look at the game.

    :raises IllegalMove: no game is meant, it is not theirs, or it has not begun.
    """
    table, game = await order.tables.desk.require_started(order.number)
    order.tables.desk.check(table, order.person, "look")
    return game


async def help_(order: MailRequest, rest: str) -> Lines:
    lines: Lines = [] if order.game else lines_of(INTRODUCTION)
    if order.game and await order.has_begun():
        game = await position(order)
        lines += lines_of(await asyncio.to_thread(help_text, game.copy()))
    return [*lines, *map(tr, EVERYTHING)]


async def render_position(text: Callable[[Game], str], order: MailRequest, rest: str) -> Lines:
    return lines_of(text(await position(order)))


async def component_info(order: MailRequest, rest: str) -> Lines:
    return lines_of(position_text.thing_text(await position(order), rest))


async def log(order: MailRequest, rest: str) -> Lines:
    if rest and not (rest.isdecimal() and len(rest) < 4):
        raise IllegalMove("How many log entries? For example: log 40.")
    await position(order)
    lines: Lines = []
    for entry in (await order.tables.queries.log_since(order.number))[-int(rest or LOG_LENGTH) :]:
        back = tr(" (taken back)") if entry.is_undone else ""
        lines += [f"{entry.record.number}. {line}{back}" for line in entry.tr_lines]
    return lines


async def games(order: MailRequest, rest: str) -> Lines:
    lines: Lines = [
        msg("{number}: {title}. {question}", one.record.id, one.record.title, msg(one.question or "It has not begun."))
        for one in await order.tables.queries.games_of(order.person)
    ]
    return lines or [msg("You are in no game. To open one: new 1848 YOURNAME")]


async def try_(order: MailRequest, rest: str) -> Lines:
    if not rest:
        raise IllegalMove("Which moves? For example: try run best; pay.")
    await position(order)
    tried = await order.tables.sandbox.preview(order.number, order.person, rest)
    return [msg("That would do this:"), *tried.lines, tr("Then: {question}", tried.question)]


async def board(order: MailRequest, rest: str) -> Lines:
    """A link to the board page, or the withdrawal of all links."""
    if rest.lower() in ("withdraw", "zurückziehen"):
        return [msg("Links withdrawn: {ended}.", await order.tables.links.withdraw(order.number, order.person))]
    if not order.pages:
        raise IllegalMove("This bot shows no boards in the browser.")
    token = await order.tables.links.make(order.number, order.person)
    return [look_address(order.pages, token)]


def lines_of(text: str) -> list[Message | str]:
    return [line for line in text.split("\n") if line.strip()]


LOOKS: dict[str, Callable[[MailRequest, str], Awaitable[Lines]]] = {
    "help": help_,
    "?": help_,
    "status": partial(render_position, position_text.status_text),
    "map": partial(render_position, position_text.map_text),
    "market": partial(render_position, position_text.market_text),
    "trains": partial(render_position, position_text.trains_text),
    "tiles": partial(render_position, position_text.tiles_text),
    **dict.fromkeys(("company", "private", "train"), component_info),
    "log": log,
    "games": games,
    "try": try_,
    "board": board,
}
"""Every command that changes nothing, by its word."""
