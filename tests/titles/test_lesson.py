"""Lessons: the line that they teach goes through, every other legal move is answered, and their length is bounded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.engine.ids import PlayerId, seat
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.actions import RunRoutes
from bot.i18n import tr, use_language
from bot.service.features.lessons import Course, lesson_of, titles_with_lesson
from bot.service.parser.moves import parse_moves
from bot.titles.lessons import OTHER, Lesson, LessonStep
from bot.titles.registry import TITLES

LEARNER = PlayerId(seat(1))
LESSONS = titles_with_lesson(TITLES)
MOST_STEPS, MOST_WORDS = 40, 2500


def lesson(title: str) -> Lesson:
    found = lesson_of(title)
    assert found is not None
    return found


def begun(title: str) -> Game:
    taught = lesson(title)
    return Game.new(TITLES[title], ["You", *taught.others], taught.options, taught.seed)


def play_line(game: Game, step: LessonStep) -> None:
    for line in step.line:
        for action in parse_moves(game, line, (LEARNER,)):
            game.apply(action)
            assert step.answer_to(game, action) == ""


def play_rest(game: Game, step: LessonStep) -> None:
    for text in step.then:
        game.apply(parse_action(game.title, text))


def positions(title: str) -> Iterator[tuple[int, LessonStep, Game]]:
    """Every step with the position in which it waits."""
    game = begun(title)
    for number, step in enumerate(lesson(title).steps):
        yield number, step, game
        play_line(game, step)
        play_rest(game, step)


@pytest.mark.parametrize("title", LESSONS)
def test_every_step_waits_for_the_learner_and_its_own_line_does_it(title: str) -> None:
    for number, _, game in positions(title):
        assert game.players_to_act() == (LEARNER,), number


@pytest.mark.parametrize("title", LESSONS)
def test_every_legal_move_is_answered_or_leads_to_the_end(title: str) -> None:
    """A move that a step takes although its line is another lets all that follows go on as it is written."""
    steps, answers = lesson(title).steps, dict[int, set[str]]()
    for number, step, game in positions(title):
        for action in moves_to_try(game):
            after = game.copy()
            try:
                after.apply(action)
            except Rejected:
                continue
            answer = step.answer_to(after, action)
            answers.setdefault(number, set()).add(answer)
            if not answer:
                play_rest(after, step)
                for later in steps[number + 1 :]:
                    play_line(after, later)
                    play_rest(after, later)
        assert "" in answers[number]
        assert {slip.answer for slip in step.slips} <= answers[number], number
    assert sum(OTHER in some for some in answers.values()) == 0


def moves_to_try(game: Game) -> Iterator[object]:
    """The legal moves, and worse runs than the one that is listed."""
    for action in game.legal_actions():
        yield action
        if isinstance(action, RunRoutes):
            yield RunRoutes(action.by, action.runs[:1])


@pytest.mark.parametrize("title", LESSONS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_lesson_is_short(title: str, language: str) -> None:
    taught = lesson(title)
    texts = [taught.end, *(text for step in taught.steps for text in (step.task, step.told))]
    texts += [slip.answer for step in taught.steps for slip in step.slips]
    with use_language(language):
        assert sum(len(tr(text).split()) for text in texts) <= MOST_WORDS
    assert len(taught.steps) <= MOST_STEPS


@pytest.mark.parametrize("title", LESSONS)
def test_a_course_knows_its_place_by_the_moves_alone(title: str) -> None:
    """Also where a forced pass was made by nobody, and within the moves of the others."""
    taught, made = lesson(title), list[str]()
    game = begun(title)
    for number, step in enumerate(taught.steps):
        assert (Course(game.title, taught, made).done, Course(game.title, taught, made).due) == (number, [])
        for line in step.line:
            for action in parse_moves(game, line, (LEARNER,)):
                game.apply(action)
                made.append(str(action_text(action)))
        for place, text in enumerate(step.then):
            assert Course(game.title, taught, made).due == list(step.then[place:])
            game.apply(parse_action(game.title, text))
            made.append(text)
    assert Course(game.title, taught, made).step is None


def action_text(action: object) -> str:
    from bot.engine.notation.text import format_action

    return format_action(action)  # type: ignore[arg-type]
