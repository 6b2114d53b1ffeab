"""Commands about seasons: rounds of games on a server."""

from __future__ import annotations

from bot.engine.message import Message, literal, msg
from bot.engine.refusals import IllegalMove
from bot.i18n import current_language
from bot.service.features.seasons import LONGEST_NAME, MOST_DAYS, MOST_ROUNDS, SeasonView, standing_lines
from bot.service.sessions import from_timestamp
from bot.service.sessions.budgets import PRESETS
from bot.service.sessions.reminder_times import PACES
from bot.store import SeasonRecord, SeasonStatus
from bot.threads import run_in_thread

from .command import DISCORD_ONLY, Choice, FollowUp, Number, Reply, Request, Words, command, parameter
from .completion import known_seasons
from .lobby_commands import CLOCK, PACE, TITLE

BY_LEVEL = "level"
GROUPING = Choice({"lot": "tables are drawn by lot", BY_LEVEL: "players of one strength meet"})
SEASON = parameter(Number(1, 999_999_999), "Number of the season (default: the newest here)", known_seasons)


async def chosen_season(request: Request, season: int | None) -> SeasonRecord:
    """The season of that number, by default the newest that the person who asks may look at.

    :raises IllegalMove: there is none.
    """
    if season is not None:
        return await request.tables.seasons.find(season, request.person, request.guild())
    guild = request.guild()
    found = await request.tables.seasons.list_for(request.person, guild)
    if not found:
        raise IllegalMove("There is no season here.")
    return next((one for one in found if one.guild == guild), found[0])


@command(
    "season open",
    "Open a season here (for the server's managers): rounds of games that begin automatically",
    changes=True,
    is_public=True,
    absent=DISCORD_ONLY,
    title=parameter(TITLE, "Which game"),
    size=parameter(Number(2, 8), "Players at a table"),
    rounds=parameter(Number(1, MOST_ROUNDS), "Number of games of each player"),
    days=parameter(Number(1, MOST_DAYS), "Days until the first round is drawn"),
    name=parameter(Words(LONGEST_NAME), "Its name"),
    pace=parameter(PACE, "How long a turn may take"),
    clock=parameter(CLOCK, "How much time players have"),
    grouping=parameter(GROUPING, "Who meets whom"),
)
async def open_season(
    request: Request,
    title: str,
    size: int = 4,
    rounds: int = 3,
    days: int = 7,
    name: str = "",
    pace: str = "normal",
    clock: str = "",
    grouping: str = "lot",
) -> Reply:
    request.check_server_manager()
    place = await request.place_for_new()
    if place is None:
        raise IllegalMove("There is no place for a game here.")
    season = await request.tables.seasons.open(
        request.person,
        place,
        title,
        name,
        size=size,
        rounds=rounds,
        days=days,
        pace_hours=PACES[pace],
        clock=PRESETS.get(clock),
        by_level=grouping == BY_LEVEL,
        language=current_language(),
    )
    return await season_reply(request, await request.tables.seasons.view(season))


@command(
    "season enter",
    "Enter a season (a running season from its next round on), or change your name in it",
    changes=True,
    absent=DISCORD_ONLY,
    season=SEASON,
    name=parameter(Words(128, is_rest=True), "Your name at its tables"),
)
async def enter_season(request: Request, season: int | None = None, name: str = "") -> Reply:
    record = await chosen_season(request, season)
    entrant = await request.tables.seasons.enter(record.id, request.person, name or request.name, request.guild())
    lines = [
        msg("{name} is in season {season}.", literal(entrant.name), literal(record.name)),
        msg("Everybody on this server can see your name and your results in it."),
    ]
    return Reply(lines, follow_ups=[FollowUp(msg("Leave"), "season leave", {"season": record.id})])


@command(
    "season leave",
    "Leave a season: you are drawn no more; your game goes on until you leave it too",
    changes=True,
    season=SEASON,
    example="season leave 2",
)
async def leave_season(request: Request, season: int | None = None) -> Reply:
    record = await chosen_season(request, season)
    await request.tables.seasons.leave(record.id, request.person, request.guild())
    return Reply([msg("You have left season {season}.", literal(record.name))])


@command(
    "season cancel",
    "End a season before its time (for the server's managers); games under way go on",
    changes=True,
    is_public=True,
    absent=DISCORD_ONLY,
    season=SEASON,
)
async def cancel_season(request: Request, season: int | None = None) -> Reply:
    request.check_server_manager()
    record = await chosen_season(request, season)
    await request.tables.seasons.cancel(record.id, request.guild())
    return Reply([msg("Season {name} is cancelled.", literal(record.name))])


@command("season list", "The seasons here, and those you are in", words=("seasons",))
async def list_seasons(request: Request) -> Reply:
    found = await request.tables.seasons.list_for(request.person, request.guild())
    lines = [(await request.tables.seasons.view(record)).heading for record in found]
    return Reply(lines or [msg("There is no season here.")])


@command(
    "season show",
    "A season's standings and the tables of this round",
    words=("season",),
    season=SEASON,
    example="season 2",
)
async def show_season(request: Request, season: int | None = None) -> Reply:
    record = await chosen_season(request, season)
    return await season_reply(request, await request.tables.seasons.view(record))


async def season_reply(request: Request, view: SeasonView) -> Reply:
    record, lines = view.record, [view.heading, *rule_lines(view.record, request)]
    if record.round:
        lines += await run_in_thread(standing_lines, view.standings)
        lines += [msg("Round {round}:", record.round), *view.table_lines]
    elif view.standings:
        lines.append(msg("In it: {names}", literal(", ".join(one.entrant.name for one in view.standings))))
    can_enter = record.status in (SeasonStatus.SIGN_UP, SeasonStatus.RUNNING) and record.round < record.rounds
    follow_ups = [FollowUp(msg("Enter"), "season enter", {"season": record.id})] if can_enter else []
    return Reply(lines, follow_ups=follow_ups, long="season.txt")


def rule_lines(record: SeasonRecord, request: Request) -> list[Message]:
    """How tables are drawn and points counted, while people may still enter."""
    if record.status != SeasonStatus.SIGN_UP:
        return []
    when = request.moment(from_timestamp(record.draws_at))
    drawn = (
        msg("players of one strength meet: first by ratings, later by points")
        if record.by_level
        else msg("tables are drawn by lot, and nobody meets the same people again if that can be avoided")
    )
    return [
        msg("{rounds} rounds; the first is drawn on {when}, or once enough people are in.", record.rounds, when),
        msg("Who meets whom: {how}.", drawn),
        msg("Points: one for every player you leave behind, half a point for a tie."),
    ]
