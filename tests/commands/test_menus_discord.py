"""Moves by menus, through Discord's double: hex, tile, rotation with pictures; sums in a form."""

from __future__ import annotations

import pytest

from tests.commands.discord_table import AUCTION, Table, to_operating_round
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_a_tile_is_chosen_by_space_tile_and_rotation_each_with_a_picture(table: Table) -> None:
    await to_operating_round(table)
    person, ping = table.turn()
    panel = await person.click(ping, "lay …")
    # There is one space only where track can be laid, so that it is not asked.
    assert panel.ephemeral and "Which tile?" in panel.text and "`lay E4 …`" in panel.text
    assert [file.filename for file in panel.files] == ["choices.png"]
    panel = await table.use(person, panel, "57")
    assert "Which rotation?" in panel.text
    assert "track to" in str(panel.message.components)
    back = await table.use(person, panel, label="back")
    assert "Which tile?" in back.text
    panel = await table.use(person, back, "57")
    panel = await table.use(person, panel, "rotation 1")
    assert "would do this" in panel.text and "CAR lays 57 on E4" in panel.text
    boards = table.told()
    done = await table.use(person, panel, label="Do it: lay 57 E4 1")
    assert "CAR lays 57 on E4" in done.text and "buy trains" in done.text
    await table.wait(lambda: table.told() > boards, "the board")
    # The answer took the place of the menus, and its buttons are those of the next step.
    bought = await table.use(person, done, label="buy 2 for 100")
    assert "CAR buys a 2 train" in bought.text


@pytest.mark.whole
async def test_menus_of_an_old_board_do_nothing_and_others_cannot_use_them(table: Table) -> None:
    await to_operating_round(table)
    person, ping = table.turn()
    other = next(one for one in table.people if one is not person)
    assert "not your turn" in (await other.click(ping, "lay …")).text
    panel = await person.click(ping, "lay …")
    await table.move("pass", asks=False)
    late = await table.use(person, panel, "57")
    assert "moved on" in late.text or "not your turn" in late.text


@pytest.mark.whole
async def test_menus_work_after_a_restart(table: Table) -> None:
    await to_operating_round(table)
    person, ping = table.turn()
    panel = await person.click(ping, "lay …")
    await table.bot.restart(kill=True)
    assert "Which rotation?" in (await table.use(person, panel, "57")).text


@pytest.mark.whole
async def test_a_sum_is_entered_in_a_form_also_after_a_restart(table: Table) -> None:
    await table.open()
    for text, _ in AUCTION:
        await table.move(text)
    person, ping = table.turn()
    assert "Since your last turn" in ping.content
    panel = await table.use(person, await person.click(ping, "par …"), "VR")
    assert "At which par price?" in panel.text, panel.text
    form = await person.click(panel, "another amount …")
    assert form.modal["title"] == "How much?"
    refused = await table.use(person, form, sum="5")
    assert "5" in refused.text and refused.ephemeral
    form = await person.click(panel, "another amount …")
    await table.bot.restart(kill=True)
    shown = await table.use(person, form, sum="90")
    assert "Do it: par VR 90" in str(shown.message.components)


@pytest.mark.whole
async def test_what_stands_below_a_question_can_be_looked_at(table: Table) -> None:
    await to_operating_round(table)
    person, ping = table.turn()
    assert "certificates" in ping.content
    record = table.boards()[-1]
    # A company without trains has no routes to look at.
    assert "Best routes" not in [button.label for button in ping.buttons]
    for label, file in (("Map", "map.png"), ("Market", "market.png")):
        shown = await person.click(record, label)
        assert shown.ephemeral and [found.filename for found in shown.files] == [file]
    assert "lay" in (await person.click(record, "What can I do?")).text
    assert "Cid has seat 3 now." in (await person.click(record, "What happened?")).text
    assert "no plans" in (await person.click(record, "Plan ahead")).text
