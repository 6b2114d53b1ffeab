"""How a game went, in pictures: what a replay finds, charts of it, the map as an animated picture."""

from __future__ import annotations

import io
from itertools import combinations, pairwise

import msgspec
import pytest
from PIL import Image

from bot.ai.fuzzer import RandomGame, play
from bot.engine.games.game_record import GameRecordFile
from bot.engine.games.history import GameHistory, RoundSummary, build_history
from bot.engine.ids import as_company, seat
from bot.engine.refusals import IllegalMove
from bot.i18n import use_language
from bot.render.history_pictures import history_picture, round_ends
from bot.render.painting.painter import Painter, build_gif
from bot.render.scenes.chart import chart_scene, nice_step, spread
from bot.render.shapes.scene import Curve, Scene, Text
from bot.render.worker import Renderer
from bot.titles.registry import OLDER_VERSIONS, TITLES

TITLE = TITLES["1848"]


@pytest.fixture(scope="module")
def course() -> GameRecordFile:
    """The first 150 moves of a random game."""
    texts = play(TITLE, 3, 5).texts
    return GameRecordFile("1848", ("Player 1", "Player 2", "Player 3"), tuple(texts[:150]), seed=5)


def test_a_replay_finds_what_everybody_had_after_every_round(course: GameRecordFile) -> None:
    chronicle = build_history(TITLE, course)
    labels = [standing.label for standing in chronicle.standings]
    assert labels[:3] == ["start", "AR 1", "SR 1"]
    assert "OR 1.1" in labels
    *_, (game, _) = course.positions(TITLE)
    last = chronicle.standings[-1]
    assert last.worth == {player.id: TITLE.rules.worth(game, player.id) for player in game.state.players}
    assert last.prices["BOE"] == 70  # type: ignore[index]
    start = chronicle.standings[0]
    assert start.cash[seat(1)] == 840
    assert sum(sum(standing.income.values()) for standing in chronicle.standings) > 0


def test_what_a_moderator_set_right_counts(course: GameRecordFile) -> None:
    *_, (game, _) = course.positions(TITLE)
    correction = f"correct cash @1 {game.state.cash[seat(1)] + 1000}"
    corrected = msgspec.structs.replace(course, moves=(*course.moves, correction))
    before, after = (build_history(TITLE, one).standings[-1] for one in (course, corrected))
    assert after.worth[seat(1)] == before.worth[seat(1)] + 1000


def test_the_chart_of_incomes_has_no_holes_where_nobody_is_paid(course: GameRecordFile) -> None:
    chronicle = build_history(TITLE, course)
    assert any(not any(standing.income.values()) for standing in chronicle.standings)
    rounds = chart_scene(TITLE, chronicle, "income").texts("round")
    paid = [standing.label for standing in chronicle.standings if any(standing.income.values())]
    assert rounds == paid


def test_what_privates_pay_as_a_round_begins_is_the_income_of_that_round(course: GameRecordFile) -> None:
    """1848 §7.2: privates pay at the start of operating rounds."""
    earned = {one.label: sum(one.income.values()) for one in build_history(TITLE, course).standings}
    assert earned["SR 1"] == 0 < earned["OR 1.1"]


def prices(**values: tuple[int | None, ...]) -> Scene:
    """A chart of these prices, round by round."""
    standings = [
        RoundSummary(
            f"OR {number}.1", {}, {}, {}, {as_company(sign): price for sign, price in now if price is not None}
        )
        for number, now in enumerate(
            zip(*([(sign, one) for one in line] for sign, line in values.items()), strict=True), 1
        )
    ]
    return chart_scene(TITLE, GameHistory({}, standings), "prices")


def test_a_line_is_broken_while_its_company_has_no_price() -> None:
    line, *_ = [shape for shape in prices(VR=(100, 90, None, 70, 80)).over if shape.role == "line"]
    assert isinstance(line, Curve)
    assert line.path.count("M") == 2


def test_names_of_companies_that_close_together_lie_apart() -> None:
    scene = prices(VR=(100, 100, 100), QR=(90, 60, None), NSW=(80, 60, None), SAR=(70, 60, None))
    names = [shape for shape in scene.over if isinstance(shape, Text) and shape.role == "ended"]
    assert len(names) == 3
    for one, other in combinations(names, 2):
        assert abs(one.at[1] - other.at[1]) >= one.size


def test_companies_that_have_closed_are_named_where_their_line_ends() -> None:
    standings = [
        RoundSummary(
            f"OR {number}.1", {}, {}, {}, {as_company("VR"): 100, **({as_company("QR"): 70} if number < 3 else {})}
        )
        for number in range(1, 5)
    ]
    scene = chart_scene(TITLE, GameHistory({}, standings), "prices")
    assert scene.texts("ended") == ["QR"]
    assert scene.texts("end") == ["VR £100"]


def test_rounds_are_called_as_whoever_reads_calls_them() -> None:
    with use_language("de"):
        scene = prices(VR=(100, 100))
    assert scene.texts("round") == ["BR 1.1", "BR 2.1"]
    assert "BR 1.1 bis BR 2.1." in scene.alt


@pytest.mark.parametrize("kind", ["worth", "income", "prices"])
def test_charts_name_every_line_and_say_its_values(course: GameRecordFile, kind: str) -> None:
    scene = chart_scene(TITLE, build_history(TITLE, course), kind)
    ends = scene.texts("end")
    who = "BOE £70" if kind == "prices" else "Player 2 £"
    assert any(text.startswith(who) for text in ends)
    assert "at most" in scene.alt
    assert len(scene.alt) <= 1024
    looks = {(shape.stroke, shape.dashes) for shape in scene.over if shape.role == "line"}  # type: ignore[union-attr]
    assert len(looks) == len(ends)


def test_scales_are_round_and_names_keep_apart() -> None:
    assert [nice_step(raw) for raw in (0.3, 3, 16, 70, 201)] == [1, 5, 20, 100, 500]
    places = spread([100, 101, 102, 400], 50, 300)
    assert all(b - a >= 27 for a, b in pairwise(places))
    assert places[-1] <= 300


def test_the_map_grows_round_by_round_in_an_animated_picture(course: GameRecordFile) -> None:
    picture = history_picture(Painter(), "timelapse", course)
    assert picture.name == "timelapse.gif"
    film = Image.open(io.BytesIO(picture.png))
    assert film.n_frames > 1  # type: ignore[attr-defined]
    assert film.width == 800
    assert len(round_ends(TITLE, course)) == len(build_history(TITLE, course).standings) - 1


def test_a_film_that_is_too_large_loses_every_other_frame() -> None:
    frames = [Image.effect_noise((60, 40), 80 + index).convert("RGB") for index in range(8)]
    whole, short = build_gif(frames, 60, 10**9), build_gif(frames, 60, 12_000)
    assert Image.open(io.BytesIO(whole)).n_frames == 8  # type: ignore[attr-defined]
    assert 2 <= Image.open(io.BytesIO(short)).n_frames < 8  # type: ignore[attr-defined]


async def test_the_studio_replays_in_a_process_of_its_own(course: GameRecordFile) -> None:
    studio = Renderer()
    try:
        assert (await studio.history_picture("worth", course)).png.startswith(b"\x89PNG")
        with pytest.raises(IllegalMove):
            await studio.history_picture("photograph", course)
    finally:
        studio.close()


def test_a_game_by_older_rules_is_replayed_by_them() -> None:
    moves = sold_first()
    course = GameRecordFile("18GB", ("Player 1", "Player 2"), moves, rules=1)
    assert history_picture(Painter(), "worth", course).png
    with pytest.raises(IllegalMove, match="first stock round"):
        history_picture(Painter(), "worth", msgspec.structs.replace(course, rules=2))


def sold_first() -> tuple[str, ...]:
    """Moves of 18GB by version 1 of the rules up to a sale in the first stock round, which version 2 forbids."""
    table = RandomGame(OLDER_VERSIONS["18GB", 1], 2, 0, {}, is_audited=False)
    next(game for game in table.moves() if " sell " in table.texts[-1])
    return tuple(table.texts)
