"""Commands to follow games, persons and seasons."""

from __future__ import annotations

from bot.engine import GameId
from bot.engine.message import literal, msg
from bot.service.features.followers import names_of
from bot.store import NewsInterval

from .command import Choice, FollowUp, Member, Number, Person, Reply, Request, command, parameter
from .lobby_commands import GAME
from .record_commands import audience_of
from .season_commands import SEASON, chosen_season

FOLLOWERS = {
    "nobody": "nobody can follow you",
    "tables": "the people in your games can follow you",
    "everybody": "everybody can follow you",
}
WATCHING = {"on": "anybody may follow the game", "off": "nobody else may follow the game"}
INTERVALS = {"day": "once a day", "round": "at the end of each round"}
INTERVAL = parameter(Choice(INTERVALS), "How often its news come (default: once a day)")
MOST_SHOWN = 15


@command("tables watch", "Running games that you can follow")
async def list_watchable(request: Request) -> Reply:
    found = await request.tables.followers.list_watchable(request.person)
    if not found:
        return Reply([msg("No running game lets others follow it at the moment.")])
    follow_ups = [
        FollowUp(msg("Follow game {game}", one.record.id), "follow game", {"game": one.record.id}) for one in found[:5]
    ]
    return Reply([msg("Games that you can follow:"), *(one.line for one in found[:MOST_SHOWN])], follow_ups=follow_ups)


@command(
    "follow game",
    "Hear how a running game goes, if its table allows it",
    changes=True,
    game=parameter(Number(1, 999_999_999), "Number of the game"),
    every=INTERVAL,
    example="follow game 2 round",
)
async def follow_game(request: Request, game: int, every: str = "day") -> Reply:
    await request.tables.followers.follow_game(request.person, GameId(game), NewsInterval(every))
    return Reply([msg("You follow game {game}: you get its news {interval}.", game, msg(INTERVALS[every]))])


@command(
    "follow person",
    "Hear once a day of a person's open tables and results, if they allow it",
    changes=True,
    is_sealed=True,
    member=parameter(Member(), "The person to follow"),
    example="follow person Cid",
)
async def follow_person(request: Request, member: Person) -> Reply:
    await request.tables.followers.follow_person(request.person, member.person, member.name)
    return Reply([msg("You follow {name}: you get their news once a day.", literal(member.name))])


@command(
    "follow season",
    "Hear how a season goes",
    changes=True,
    season=SEASON,
    every=INTERVAL,
    example="follow season 2 round",
)
async def follow_season(request: Request, season: int | None = None, every: str = "day") -> Reply:
    record = await chosen_season(request, season)
    interval = NewsInterval(every)
    name = await request.tables.followers.follow_season(request.person, record.id, request.guild(), interval)
    return Reply(
        [msg("You follow season {season}: you get its news {interval}.", literal(name), msg(INTERVALS[every]))]
    )


@command("follow list", "Everything that you follow, and the number of your followers", words=("follow",))
async def list_follows(request: Request) -> Reply:
    found, number = await request.tables.followers.list_of(request.person)
    lines = [msg("{number}. {what}", at, what) for at, what in enumerate(names_of(found), 1)]
    follow_ups = [
        FollowUp(msg("Stop following {number}", at), "follow stop", {"number": at}) for at, _ in enumerate(found[:5], 1)
    ]
    followed = msg("You have {number} follower(s).", number)
    return Reply([*(lines or [msg("You follow nothing.")]), followed], follow_ups=follow_ups)


@command(
    "follow stop",
    "Stop following something",
    changes=True,
    number=parameter(Number(1, 99), "Its number in the list of what you follow"),
    example="follow stop 1",
)
async def stop_following(request: Request, number: int) -> Reply:
    gone = await request.tables.followers.unfollow(request.person, number)
    return Reply([msg("You no longer follow {what}.", names_of([gone])[0])])


@command(
    "privacy followers",
    "Who may follow you and hear of your tables and results: nobody (the default), your tables, everybody",
    changes=True,
    is_sealed=True,
    audience=parameter(Choice(FOLLOWERS), "Who may follow you"),
    example="privacy followers tables",
)
async def choose_followers(request: Request, audience: str) -> Reply:
    await request.tables.followers.choose_audience(request.person, audience_of(audience))
    return Reply([msg("Followers: {audience}.", msg(FOLLOWERS[audience]))])


@command(
    "game watch",
    "Whether anybody may follow the game, before it begins; news name nobody",
    right="options",
    changes=True,
    choice=parameter(Choice(WATCHING), "Whether they may"),
    game=GAME,
    example="game watch on",
)
async def choose_watching(request: Request, choice: str, game: int | None = None) -> Reply:
    game_id = await request.lobby_id(game)
    table = await request.tables.lobby.choose_watching(game_id, await request.asker(game_id), choice == "on")
    await request.lobby_changed(table)
    return Reply([msg("Game {game}: {choice}.", literal(str(game_id)), msg(WATCHING[choice]))], subject=table)
