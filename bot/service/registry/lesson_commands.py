"""The lesson and puzzles: begin them, go on with them, a hint, an answer."""

from __future__ import annotations

from bot.engine import GameId, IllegalMove, Text, literal, msg
from bot.service.features.puzzles import PuzzleCourse, course_of, puzzle_of_day, puzzles_of
from bot.service.sessions import puzzle_number
from bot.store import GameStatus
from bot.titles.registry import NAMES

from .command import Choice, FollowUp, Number, Reply, Request, command, parameter

PARTS = {"hint": "the line to type for this step", "again": "from the first step, in a new game"}
GERMAN = {"hinweis": "hint", "nochmal": "again"}


@command(
    "lesson",
    "Learn 18xx by playing, in about twenty minutes, or see your current task again",
    words=("tutorial",),
    changes=True,
    part=parameter(
        Choice(PARTS, GERMAN | {part: part for part in PARTS}), "Get a hint, or start again from the first step"
    ),
    example="lesson hint",
)
async def show_lesson(request: Request, part: str = "") -> Reply:
    lessons = request.tables.lessons
    game_id = await lessons.find_open(request.person)
    if game_id is not None and part == "again":
        await request.tables.moderation.set_status(game_id, await request.asker(game_id), GameStatus.FINISHED, "")
        game_id = None
    if game_id is None and part == "hint":
        raise IllegalMove("You have no lesson open. Begin with: {command}.", "", request.spell("lesson"))
    where: list[Text] = []
    if game_id is None:
        await request.place_for_new()
        game_id = await lessons.create(request.tables.lobby, request.person, request.name)
        place = await request.place_for_start(game_id)
        await request.tables.lobby.start(game_id, await request.asker(game_id), "list", place)
        if found := await request.describe(place):
            where = [msg("Your lesson is in {place}.", literal(found))]
    task = await lessons.task(await request.tables.desk.table(game_id))
    if task is None:
        return Reply([msg("The lesson makes the next moves.")], opened=game_id)
    if part == "hint" and task.line:
        return Reply([msg("Type: {line}", task.line)], opened=game_id)
    hint = FollowUp(msg("Hint"), "lesson", {"part": "hint"})
    again = FollowUp(msg("Begin again"), "lesson", {"part": "again"})
    return Reply([*where, *task.lines], follow_ups=[hint] if task.line else [again], opened=game_id)


# -- puzzles ------------------------------------------------------------------------------------------

TODAY, ANSWER = "today", "answer"
PUZZLES = Choice(
    {TODAY: "the puzzle of the day", ANSWER: "the best line of the puzzle here", **NAMES},
    {"heute": TODAY, "lösung": ANSWER, TODAY: TODAY, ANSWER: ANSWER},
)


@command(
    "puzzle",
    "A turn as a puzzle: the puzzle of the day or of a title, or its answer",
    changes=True,
    which=parameter(PUZZLES, "A title, today or answer"),
    number=parameter(Number(1, 999), "Which of the title's puzzles (default: the next)"),
    example="puzzle 1848 3",
)
async def show_puzzle(request: Request, which: str = TODAY, number: int | None = None) -> Reply:
    tables = request.tables
    if which == ANSWER:
        course = await tables.lessons.find_course(await request.table())
        if not isinstance(course, PuzzleCourse):
            raise IllegalMove("This game is no puzzle. Begin with: {command}.", "", request.spell("puzzle"))
        return Reply([course.answer])
    if which == TODAY:
        found = puzzle_of_day(tables.desk.offered, tables.desk.clock())
        if found is None:
            raise IllegalMove("There are no puzzles here.")
    else:
        if which not in tables.desk.offered or not puzzles_of(which).puzzles:
            known = [name for name in tables.desk.offered if puzzles_of(name).puzzles]
            raise IllegalMove("There are puzzles of: {titles}.", "", ", ".join(known) or msg("nothing"))
        found = which, number or await next_number(request, which)
    game_id, where = await open_puzzle(request, *found)
    table = await tables.desk.table(game_id)
    answer = FollowUp(msg("Answer"), "puzzle", {"which": ANSWER})
    return Reply([*where, *await tables.lessons.task_lines(table)], follow_ups=[answer], opened=game_id)


async def next_number(request: Request, title: str) -> int:
    """The number after that of the puzzle that is meant, else the first."""
    try:
        table = await request.table()
    except IllegalMove:
        return 1
    last = puzzle_number(table.seats) if table.record.title == title else None
    return (last or 0) % len(puzzles_of(title).puzzles) + 1


async def open_puzzle(request: Request, title: str, number: int) -> tuple[GameId, list[Text]]:
    """The person's game of a puzzle, and its place in words; other puzzles of theirs end.

    :raises IllegalMove: there is no such puzzle.
    """
    tables, asker = request.tables, request.person
    course, others = course_of(title, number, request.name)
    for record in await tables.desk.store.games.list_of(asker):
        if record.unrated and record.status == GameStatus.RUNNING:
            found = puzzle_number((await tables.desk.table(record.id)).seats)
            if (record.title, found) == (title, number):
                return record.id, []
            if found is not None:
                await tables.moderation.set_status(record.id, await request.asker(record.id), GameStatus.FINISHED, "")
    place = await request.place_for_new()
    game_id = await tables.transfer.import_game(course, asker, others, place=place)
    where = await request.describe(place)
    return game_id, [msg("Your puzzle is in {place}.", literal(where))] if where else []
