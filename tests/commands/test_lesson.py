"""The lesson at the terminal: its transcript, wrong moves, undo, leaving and coming back, both languages."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.terminal.console import run_console
from bot.engine.refusals import IllegalMove, OffCourse, ParseError
from bot.i18n import use_language
from bot.service.game_service import GameService
from bot.service.sessions import TEACHER
from bot.store import Store
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.golden import lesson as golden

LEARNER = "console"


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[GameService]:
    store = await Store.open(tmp_path / "signalbox.db")
    yield GameService(store, TITLES, editions=OLDER_VERSIONS)
    await store.close()


async def begun(service: GameService) -> int:
    game = await service.lessons.create(service.lobby, LEARNER, "Ann")
    await service.lobby.start(game, LEARNER, "list")
    return game


async def play(service: GameService, game: int, *lines: str) -> None:
    for line in lines:
        await service.moves.submit(game, LEARNER, line)
        await service.computers.wait_idle(game)


async def heading(service: GameService, game: int) -> str:
    task = await service.lessons.task(await service.desk.table(game))
    assert task is not None
    return str(task.heading)


async def test_the_transcript_is_what_the_program_says(tmp_path: Path) -> None:
    """`make golden` writes it anew. No move fills more than a screen, whatever the others did."""
    text = await golden.typed(golden.lines_of_lesson(), tmp_path)
    assert text == golden.PATH.read_text(encoding="utf-8")
    screens = text.split(f"\n{golden.PROMPT}")
    assert len(screens) == len(golden.lines_of_lesson())
    assert max(len(screen.splitlines()) for screen in screens) <= golden.LINES
    assert "\nThat was the lesson." in screens[-1] and "No: " not in text


def test_what_the_lesson_asks_for_is_the_first_move_of_the_table() -> None:
    """The same verb about the same thing: the hex of a lay, the company of a share, the train and its seller."""
    screens = golden.PATH.read_text(encoding="utf-8").split(f"\n{golden.PROMPT}")
    for screen, line in zip(screens, golden.lines_of_lesson()[1:], strict=False):
        verb, *words = line.split()
        first = next(text for text in screen.splitlines() if text.startswith(f"    {verb}"))
        shown = [
            text for text in screen.splitlines() if re.match(r"    (par|buy|sell|lay|run|pay|withhold|pass)\b", text)
        ]
        asked = words[1:2] if verb == "lay" else [word for word in words if word != "75"]
        assert shown[0] == first and {*asked} <= {*first.split(), "best"}, line


async def test_a_wrong_move_is_answered_and_changes_nothing(service: GameService) -> None:
    game = await begun(service)
    before = (await service.desk.table(game)).record.version
    with pytest.raises(OffCourse, match=r"five shares cost more than your ¥380") as found:
        await service.moves.submit(game, LEARNER, "par KO 100")
    assert found.value.instead == ()
    assert (await service.desk.table(game)).record.version == before
    await play(service, game, "par KO 75")
    with pytest.raises(OffCourse, match="another player's company"):
        await service.moves.submit(game, LEARNER, "buy IR")
    assert await heading(service, game) == "Lesson, 2 of 23:"


async def test_undo_goes_back_to_the_task_before(service: GameService) -> None:
    game = await begun(service)
    await play(service, game, "par KO 75", "buy KO")
    assert await heading(service, game) == "Lesson, 3 of 23:"
    await service.moves.undo(game, LEARNER)
    assert await heading(service, game) == "Lesson, 2 of 23:"
    await service.moves.redo(game, LEARNER)
    await service.computers.wait_idle(game)
    assert await heading(service, game) == "Lesson, 3 of 23:"
    await play(service, game, "buy KO", "buy KO")
    assert await heading(service, game) == "Lesson, 5 of 23:"


async def test_the_others_move_as_they_are_told_and_belong_to_the_lesson(service: GameService) -> None:
    game = await begun(service)
    await play(service, game, "par KO 75")
    records = (await service.desk.store.moves.list_of(game))[-2:]
    assert [(one.person, one.text, one.auto) for one in records] == [
        (TEACHER, "@2 par IR 65", True),
        (TEACHER, "@3 par KU 70", True),
    ]


async def test_the_next_moves_are_the_lessons_until_they_are_made(service: GameService) -> None:
    """Before the others have moved the learner waits: here nobody wakes them."""
    service.desk.listeners.clear()
    game = await begun(service)
    await service.moves.submit(game, LEARNER, "par KO 75")
    assert await service.lessons.task(await service.desk.table(game)) is None
    with pytest.raises(OffCourse, match="the lesson makes the next moves"):
        await service.moves.submit(game, LEARNER, "par AR 65", as_moderator=True)
    await service.computers.wake()
    await service.computers.listen(game)
    await service.computers.wait_idle(game)
    assert await heading(service, game) == "Lesson, 2 of 23:"


async def test_no_plan_moves_in_a_lesson(service: GameService) -> None:
    game = await begun(service)
    with pytest.raises(IllegalMove, match="without plans"):
        await service.plans.give_plan(game, LEARNER, "pass until start")


async def test_a_lesson_needs_a_title_that_is_offered(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "signalbox.db")
    service = GameService(store, TITLES, offered=["1848"])
    with pytest.raises(IllegalMove, match="has a lesson"):
        await begun(service)
    await store.close()


async def test_after_the_last_step_the_others_think_for_themselves(service: GameService) -> None:
    game = await begun(service)
    await play(service, game, *golden.lines_of_lesson()[1:])
    task = await service.lessons.task(await service.desk.table(game))
    assert task is not None and str(task.text).startswith("That was the lesson.") and not task.line
    version = (await service.desk.table(game)).record.version
    await play(service, game, "pass")
    assert (await service.desk.table(game)).record.version > version + 1


async def test_leaving_and_coming_back_goes_on_where_one_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def said(*lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode())))
        await run_console(tmp_path)
        return capsys.readouterr().out

    first = await said("lesson hint", "lesson", "par KO 75", "new 1848 Ann Bob Cid")
    assert "New to 18xx? Type lesson" in first and "No: You have no lesson open. Begin with: lesson." in first
    again = await said("lesson", "lesson hint", "help", "turn", "lektion hinweis")
    assert "Lesson, 2 of 23:\nAki and Ben have started companies too." in again
    assert again.count("Type: buy KO") == 2 and again.count("Lesson, 2 of 23:") == 2, "lesson, and turn"
    assert "Lesson, 2 of 23:" in (await said("quit"))
    anew = await said("lesson again", "games")
    assert "Lesson, 1 of 23:" in anew and anew.count("(Learner, Aki, Ben), running") == 1, "the old lesson ends"
    with use_language("de"):
        german = await said("language de", "lektion", "par KO 100", "kaufe AR zu 70", "gründe KO zu 75")
    assert "Lektion, 1 von 23:\nDu hast ¥380" in german
    assert "Nein: Bei diesem Startkurs kosten fünf Aktien mehr als deine ¥380." in german
    assert "Lektion, 2 von 23:\nAuch Aki und Ben haben Gesellschaften gegründet." in german


async def test_the_map_around_a_hex_is_drawn_in_the_terminal(tmp_path: Path) -> None:
    text = await golden.typed(["lesson", "map J5", "map"], tmp_path)
    _, around, whole = text.split(f"\n{golden.PROMPT}map")
    assert "J5 Ritsurin Kouen: " in around and "⠒" in around and "A8" not in around
    drawn = [line for line in whole.splitlines() if not line.startswith("Picture: ")]
    assert "A8" in whole and max(map(len, drawn)) <= golden.COLUMNS


async def test_advice_in_a_lesson_is_the_lessons_move(tmp_path: Path) -> None:
    text = await golden.typed(["lesson", "advice", "par KO 75", "advice"], tmp_path)
    assert text.count("\nThe lesson wants: ") == 2
    assert "The lesson wants: par KO 75\n" in text and "The lesson wants: buy KO\n" in text


async def test_where_the_lesson_passes_for_the_learner_it_says_so(service: GameService) -> None:
    game = await begun(service)
    told = [(await service.moves.submit(game, LEARNER, "par KO 75")).lines]
    await service.computers.wait_idle(game)
    for _ in range(3):
        told.append((await service.moves.submit(game, LEARNER, "buy KO")).lines)
        await service.computers.wait_idle(game)
    passed = ["The lesson passes for you." in " ".join(lines) for lines in told]
    assert passed == [False, False, False, True]


async def test_a_share_from_the_pool_is_refused_where_a_new_one_is_cheaper(service: GameService) -> None:
    game = await begun(service)
    lines = golden.lines_of_lesson()[1:]
    await play(service, game, *lines[: lines.index("buy IR")])
    for _ in range(2):
        with pytest.raises(OffCourse, match="A new share costs the par price, ¥65"):
            await service.moves.submit(game, LEARNER, "buy IR from pool")
        await play(service, game, "buy IR")


async def test_a_refusal_calls_a_player_by_name_and_not_by_the_seat(service: GameService) -> None:
    game = await begun(service)
    await play(service, game, *golden.lines_of_lesson()[1:])
    with pytest.raises(IllegalMove, match="Ann can now lay track only by using a private"):
        await service.moves.submit(game, LEARNER, "lay 440 K4")


async def test_a_lay_without_a_tile_is_answered_with_what_fits_on_its_hex(tmp_path: Path) -> None:
    lines = golden.lines_of_lesson()[:5]
    text = await golden.typed(
        [*lines, "lay J5", "lay a town on J5", "lay 3 J5 4", *["buy 2"] * 2, "lay J3 to J1"], tmp_path
    )
    screens = text.split(f"\n{golden.PROMPT}")
    for screen in (screens[5], screens[6]):
        assert "Only tiles with a town fit on J5: 3, 58." in " ".join(screen.split())
        assert "\n    lay 3 J5 4  — to K4" in screen and " J3 " not in screen
    assert screens[-1].partition("for example:\n")[2].startswith("    lay 8 J3 3  — to J1+K4")


async def test_words_that_people_add_are_understood(service: GameService) -> None:
    game = await begun(service)
    await play(service, game, "par KO 75", "buy another share of KO")
    with pytest.raises(ParseError, match="buy needs a company"):
        await service.moves.submit(game, LEARNER, "buy another")
    with use_language("de"):
        await play(service, game, "kaufe noch eine Aktie von KO")
    lines = golden.lines_of_lesson()
    await play(service, game, *lines[4 : lines.index("lay 440 K4 0")])
    for typed in ("K4 ausbauen", "Baue K4 aus"):
        with use_language("de"):
            await play(service, game, typed)
        assert (await service.desk.table(game)).game is not None
        await service.moves.undo(game, LEARNER)


async def test_the_lessons_words_are_explained(tmp_path: Path) -> None:
    words = [
        "off-board",
        "city",
        "town",
        "bank",
        "certs",
        "certificates",
        "holds",
        "forced",
        "tile",
        "auction",
        "float",
    ]
    text = await golden.typed(["lesson", *(f"help {word}" for word in words), "help 2-train"], tmp_path)
    *explained, train = text.split(f"\n{golden.PROMPT}")[1:]
    assert "No: " not in text and "80" in train
    for word, screen in zip(words, explained, strict=True):
        assert screen.splitlines()[1].startswith(word[:4]), word
    assert "Nothing of this kind" not in explained[-1]
