"""The log on the page: rounds, times, passes that share a line."""

from __future__ import annotations

from bot.commands.web.log_view import log_lines
from bot.service.game_service import GameService

from .conftest import OPENING, STOCK, Browser, play_all


async def test_passes_share_a_line_and_rounds_are_marked(
    tables: GameService, game_id: int, browser: Browser, look: str
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    story = await tables.queries.log_since(game_id)
    lines = log_lines(story, 15)
    by_number = {line.number: line for line in lines}
    folded = by_number[max(number for number in by_number if " pass." in by_number[number].said)]
    assert folded.said.count(",") + folded.said.count(" and ") >= 1
    assert next(line.begins for line in lines if line.begins) == "SR 1"
    # An entry within the folded ones is here when it is shown.
    assert next(line for line in log_lines(story, folded.number - 1) if line.is_here).number == folded.number - 1
    status, whole = await browser.get(f"{look}log")
    assert status == 200 and "<h2>SR 1</h2>" in whole and '<a href="./">' in whole and "UTC</time>" in whole
    _, page = await browser.get(look)
    assert 'class="begins">OR 1.1' in page and 'aria-current="step"' in page


async def test_a_pass_that_was_undone_stands_alone(tables: GameService, game_id: int) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK[:2], "pass", "pass"])
    table = await tables.desk.table(game_id)
    story = await tables.queries.log_since(game_id)
    last = log_lines(story, table.record.version)[-1]
    assert last.number == table.record.version and " and " in last.said
    person = table.seats[int(story[-1].record.text.split(" ")[0][1:]) - 1].person
    await tables.moves.undo(game_id, person)
    lines = log_lines(await tables.queries.log_since(game_id), table.record.version + 1)
    last = table.record.version
    assert [(line.number, line.is_undone) for line in lines[-3:]] == [
        (last - 1, False),
        (last, True),
        (last + 1, False),
    ]


async def test_charts_are_drawn_for_everybody(tables: GameService, game_id: int, browser: Browser, look: str) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    for kind in ("worth", "prices", "income"):
        status, chart = await browser.get(f"{look}chart/{kind}")
        assert status == 200 and chart.startswith(f'<svg id="chart-{kind}"') and 'aria-label="' in chart
    assert ">VR<" in (await browser.get(f"{look}chart/prices"))[1]
    for kind in ("chances", "nothing", "..%2Fworth"):
        assert (await browser.get(f"{look}chart/{kind}"))[0] == 404, kind
