"""Lessons: ordinary games in which a course of tasks waits for the learner's moves, and makes all others."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import GameId, IllegalMove, Message, PersonId, SeatNumber, msg, seat
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game, Title
from bot.engine.refusals import OffCourse
from bot.engine.state import Action, Pass
from bot.i18n import tr
from bot.service.parser.moves import parse_moves
from bot.service.parser.suggestions import BEST
from bot.service.sessions import TEACHER, GameSession, SessionManager, is_lesson, puzzle_number
from bot.store import GameStatus, MoveKind
from bot.titles.lessons import Lesson, LessonStep
from bot.titles.registry import find_title_module, has_title_module, title_folders

from .lobby import Lobby
from .puzzles import PuzzleCourse, Task, puzzles_of

LONGEST_GAME = 10_000
"""Maximum number of records that are read of a lesson's game."""

LEARNER = "Learner"
SEAT = seat(SeatNumber(1))
"""The learner's."""


class Course:
    """The place of a game in its lesson, found by the moves that led to its position: the steps that are done, and the
    recorded moves that are due now. `first` is the version before which nothing is taken back."""

    first = 0

    def __init__(self, title: Title, lesson: Lesson, moves: Iterable[str]) -> None:
        self.title, self.lesson = title, lesson
        self.done = 0
        self.due: list[str] = []
        for text in moves:
            if self.due:
                self._make_due(text)
            elif self.step is not None and isinstance(parse_action(title, text), self.step.kind):
                self._end_step()

    @property
    def is_over(self) -> bool:
        return self.step is None

    @property
    def step(self) -> LessonStep | None:
        """The step that waits; None after the last."""
        return self.lesson.steps[self.done] if self.done < len(self.lesson.steps) else None

    @property
    def task(self) -> Task:
        step = self.step
        if step is None:
            return Task(msg(self.lesson.end))
        heading = msg("Lesson, {number} of {steps}:", self.done + 1, len(self.lesson.steps))
        return Task(msg(step.task), heading, "; ".join(step.line))

    def follow(self, after: Game, action: Action) -> Message | None:
        """Take note of a move of the learner; returns what is said after it.

        :raises OffCourse: the lesson wants another move.
        """
        text, step = format_action(action), self.step
        if self.due:
            if text != self.due[0]:
                raise OffCourse("Wait a moment: the lesson makes the next moves.")
            self._make_due(text)
            return None
        if step is None:
            return None
        if answer := step.answer_to(after, action):
            raise OffCourse(answer)
        self._end_step()
        is_passed = any(parse_action(self.title, text) == Pass(SEAT) for text in step.then)
        return msg("{told} The lesson passes for you.", msg(step.told)) if is_passed else msg(step.told)

    def _end_step(self) -> None:
        self.due = [*self.lesson.steps[self.done].then]
        self.done += 1

    def _make_due(self, text: str) -> None:
        if self.due[0] == text:
            del self.due[0]


class Lessons:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def find_course(self, table: GameSession) -> Course | PuzzleCourse | None:
        """The course of a game that is a lesson or puzzle; None of every other."""
        if not is_lesson(table.seats):
            return None
        title = self.desk.title(table.record.title)
        line = await self.desk.store.moves.branch(table.record.id, table.record.version, LONGEST_GAME)
        texts = [move.text for move in reversed(line) if move.kind == MoveKind.MOVE]
        number = puzzle_number(table.seats)
        if number is not None and table.game is not None:
            return PuzzleCourse(title, number, puzzles_of(title.id).puzzles[number - 1], table.game, texts)
        lesson = lesson_of(title.id)
        return Course(title, lesson, texts) if lesson is not None else None

    async def task(self, table: GameSession) -> Task | None:
        """The present task of the learner; None while others move, and in games that are no lesson."""
        course = await self.find_course(table)
        return course.task if course is not None and not course.due else None

    async def task_lines(self, table: GameSession) -> list[str]:
        """The present task in the reader's language, heading first; nothing in games that are no lesson."""
        task = await self.task(table)
        return [tr(line) for line in task.lines] if task is not None else []

    def wanted_move(self, game: Game, task: Task | None) -> Action | None:
        """A move that does the task; None where there is no task, and for runs, which are not searched for here."""
        if task is None or task.line in ("", BEST):
            return None
        return parse_moves(game, task.line, game.players_to_act())[0]

    async def find_open(self, person: PersonId) -> GameId | None:
        """The newest lesson of a person that is not over."""
        taught = {record.id for record in await self.desk.store.games.list_of(TEACHER)}
        own = await self.desk.store.games.list_of(person)
        return max((one.id for one in own if one.id in taught and one.status != GameStatus.FINISHED), default=None)

    async def create(self, lobby: Lobby, person: PersonId, name: str) -> GameId:
        """Create the lobby of a lesson, to be started with its seats as they are; returns the game's number.

        :raises Rejected: no title that is offered here has a lesson, or the person has too many games.
        """
        title = next(iter(titles_with_lesson(self.desk.offered)), None)
        lesson = lesson_of(title) if title is not None else None
        if title is None or lesson is None:
            raise IllegalMove("None of the titles that can be played here has a lesson.")
        people = [(person, name or LEARNER), *((TEACHER, other) for other in lesson.others)]
        game_id = await lobby.create(title, person, people, lesson.options, lesson.seed)
        await lobby.choose_rating(game_id, person, True)
        return game_id


def lesson_of(title: str) -> Lesson | None:
    module = find_title_module(title, "lesson")
    lesson: Lesson | None = getattr(module, "LESSON", None)
    return lesson


def titles_with_lesson(offered: Iterable[str]) -> list[str]:
    known = set(offered)
    return [title for title in title_folders() if title in known and has_title_module(title, "lesson")]
