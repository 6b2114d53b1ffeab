"""Commands to take over a seat in a game that others have begun."""

from __future__ import annotations

from bot.engine import GameId, IllegalMove, Text, msg
from bot.engine.notation.messages import question
from bot.service.features.substitutes import describe_offer
from bot.service.views.position_text import player_text, status_text
from bot.service.views.report import log_lines, report_text
from bot.titles.registry import NAMES

from .command import FollowUp, Number, Reply, Request, Words, command, parameter
from .lobby_commands import GAME
from .table_commands import polls_reply

OFF = "off"
LATEST = 12


@command(
    "substitute on",
    "Take over seats in games of these titles; you hear when a seat is free",
    changes=True,
    is_sealed=True,
    titles=parameter(Words(200), "Titles, separated by spaces; off turns this off"),
    example="substitute on 1848",
)
async def volunteer(request: Request, titles: str) -> Reply:
    chosen = [] if titles.strip() == OFF else titles.split()
    await request.tables.substitutes.volunteer(request.person, chosen)
    if not chosen:
        return Reply([msg("You no longer take over seats.")])
    lines = [msg("You will hear when a seat is free in a game of these titles: {titles}.", ", ".join(chosen))]
    return Reply([*lines, *(await show_seats(request)).lines])


@command("substitute list", "Seats that you can take over", words=("substitute",))
async def show_seats(request: Request) -> Reply:
    found = await request.tables.substitutes.offered_seats(request.person)
    lines = [describe_offer(one, NAMES.get(one.title, one.title)) for one in found]
    follow_ups = [
        FollowUp(
            msg("Take seat {seat} of game {game}", one.offer.seat, one.offer.game),
            "substitute take",
            {"game": one.offer.game, "seat": one.offer.seat},
        )
        for one in found[:5]
    ]
    return Reply(lines or [msg("No seat is offered at the moment.")], follow_ups=follow_ups)


@command(
    "substitute take",
    "Ask a table for a seat that it offers",
    changes=True,
    game=parameter(Number(1, 999_999_999), "Number of the game"),
    seat=parameter(Number(1, 20), "Which seat, if several are offered"),
    name=parameter(Words(128, is_rest=True), "Your name at the table"),
    example="substitute take 12 2 Zoe",
)
async def take_seat(request: Request, game: int, seat: int | None = None, name: str = "") -> Reply:
    game_id, called = GameId(game), name or request.name
    if not called:
        raise IllegalMove(
            "Who joins? For example: {example}.", "", request.spell("substitute take", game=1, name="Ann")
        )
    asker = await request.asker(game_id)
    poll = await request.tables.substitutes.take(game_id, asker, called, seat)
    if not poll.is_open and any(
        held.person == request.person for held in (await request.tables.desk.table(game_id)).seats
    ):
        return await brief(request, game_id)
    return polls_reply(request, [poll])


@command(
    "substitute brief",
    "A game on one page, for somebody who takes over a seat",
    right="look",
    words=("brief",),
    game=GAME,
)
async def show_brief(request: Request, game: int | None = None) -> Reply:
    game_id = await request.game_id() if game is None else GameId(game)
    table = await request.tables.desk.table(game_id)
    request.tables.desk.check(table, await request.asker(game_id), "look")
    return await brief(request, game_id)


async def brief(request: Request, game_id: GameId) -> Reply:
    """The position of a game, what the reader's seats hold, and what happened last."""
    table, game = await request.tables.desk.require_started(game_id)
    own = [held.name for held in table.held_by(request.person)]
    log = log_lines(await request.tables.queries.log_since(game_id, table.record.version - LATEST))
    verdict = await request.tables.clocks.verdict(table)
    lines: list[Text] = [
        msg("Game {number}: {name}. {question}", game_id, game.title.name, question(game)),
        *(player_text(game, name) for name in own),
        status_text(game),
        report_text(game, verdict),
        msg("Latest log entries:"),
        *log,
    ]
    return Reply(lines, opened=game_id, long="brief.txt")
