"""Commands about games that are over, and how well people play."""

from __future__ import annotations

from bot.engine.message import literal, msg
from bot.service.features.record_text import person_lines, title_lines
from bot.service.features.results import results_text
from bot.store import Audience
from bot.threads import run_in_thread
from bot.titles.registry import TITLES

from .command import Choice, Door, Reply, Request, Words, command, parameter
from .completion import record_subjects
from .lobby_commands import GAME

AUDIENCES = {
    "nobody": "only you see your record",
    "tables": "the people in your games see it too",
    "everybody": "everybody here may see it",
    "public": "anybody may see it, with your name, on the public pages too",
}
RATED = {"rated": "the game counts for ratings", "unrated": "the game changes no rating"}


@command("results", "Finished games on this server, or your own, and the records you may see")
async def show_results(request: Request) -> Reply:
    guild, records = request.guild(), request.tables.records
    is_own = not guild and request.door is not Door.TERMINAL
    found = await records.outcomes(guild, person=request.person if is_own else None)
    people = {one.held.person for outcome in found for one in outcome.seats}
    around = {one.person for one in await request.known_people()}
    shown = await records.visible_people(request.person, people, around)
    return Reply([await run_in_thread(results_text, found, shown)], long="results.txt")


@command(
    "record",
    "Games, wins and rating: your own, of a player who lets you see theirs, or of a title",
    about=parameter(Words(64), "A player or a title (default: you)", record_subjects, shown="PLAYER|TITLE"),
    example="record Ann",
)
async def show_record(request: Request, about: str = "") -> Reply:
    around = {one.person for one in await request.known_people()}
    if about in TITLES:
        found = await request.tables.records.record_of_title(about, request.person, around)
        return Reply(await run_in_thread(title_lines, found), long="record.txt")
    person = (await request.find_person(about)).person if about else request.person
    record = await request.tables.records.record_of(person, request.person, around)
    return Reply(list(person_lines(record)), long="record.txt")


@command(
    "privacy record",
    "Who may see your record: nobody (the default), your tables, everybody, or the whole web",
    changes=True,
    is_sealed=True,
    audience=parameter(Choice(AUDIENCES), "Who may see it"),
    example="privacy record tables",
)
async def choose_audience(request: Request, audience: str) -> Reply:
    await request.tables.records.choose_audience(request.person, audience_of(audience))
    return Reply([msg("Your record: {audience}.", msg(AUDIENCES[audience]))])


def audience_of(word: str) -> Audience:
    return Audience.NOBODY if word == "nobody" else Audience(word)


@command(
    "game rating",
    "Whether the game counts for ratings, before it begins",
    right="options",
    changes=True,
    choice=parameter(Choice(RATED), "Rated (the default) or unrated"),
    game=GAME,
    example="game rating unrated",
)
async def choose_rating(request: Request, choice: str, game: int | None = None) -> Reply:
    game_id = await request.lobby_id(game)
    table = await request.tables.lobby.choose_rating(game_id, await request.asker(game_id), choice == "unrated")
    await request.lobby_changed(table)
    return Reply([msg("Game {game}: {choice}.", literal(str(game_id)), msg(RATED[choice]))], subject=table)
