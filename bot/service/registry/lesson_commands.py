"""The lesson: begin it, go on with it, a hint."""

from __future__ import annotations

from bot.engine.message import Text, literal, msg
from bot.engine.refusals import IllegalMove

from .command import Choice, FollowUp, Reply, Request, command, parameter

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
    game_id = await lessons.find_open(request.person) if part != "again" else None
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
