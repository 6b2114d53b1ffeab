"""Moves that are too many to be listed, put together question by question on a phone, through Discord's double."""

from __future__ import annotations

import pytest

from bot.commands.discord.slash.move_menus import ConfirmMoveButton, MultiSelectMenu
from bot.service.parser.menus import Menu, MenuOption
from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double
from tests.discord_double.user import Reply, ScriptedUser


async def to_the_first_stock_round(table: Table) -> list[ScriptedUser]:
    """1820, nobody bids for cousins or trains: the order of play in the first stock round."""
    await table.open("1820")
    order: list[ScriptedUser] = []
    for _ in range(3):
        await table.wait(lambda: table.pings() and table.turn()[0] not in order, "the next bidder")
        person, _ = table.turn()
        order.append(person)
        await person.slash("move", table.thread, move="pass")
    for person in order:
        await person.slash("move", table.thread, move="pass")
    return order


@pytest.mark.whole
async def test_a_lobby_and_a_company_are_put_together_by_menus(table: Table) -> None:
    ann, *others = await to_the_first_stock_round(table)
    shown = await ann.slash("help", table.thread)
    # The sum of a lobby is typed into a form.
    panel = await table.use(ann, shown, label="fund …")
    assert "How much will it hold then? Usual amounts: £20 to £200." in panel.text
    refused = await table.use(ann, await ann.click(panel, "another amount …"), sum="55")
    assert "multiple of £10" in refused.text and "1820 §6.5.2.1" in refused.text
    panel = await table.use(ann, await ann.click(panel, "another amount …"), sum="90")
    assert "would do this" in panel.text
    await table.use(ann, panel, label="Do it: fund 90")
    for person in (*others, ann):
        await person.slash("move", table.thread, move="pass")
    shown = await ann.slash("help", table.thread)
    assert {"float …", "pass"} <= {button.label for button in shown.buttons}
    panel = await table.use(ann, shown, label="float …")
    assert "Which company?" in panel.text
    panel = await table.use(ann, panel, "LSR")
    panel = await table.use(ann, panel, "£71")
    assert "Where is its station?" in panel.text and "`float · LSR · £71 · …`" in panel.text
    assert [file.filename for file in panel.files] == ["crop.png"]
    panel = await table.use(ann, panel, next(label for label in labels(panel) if label.split()[0] == "G7"))
    assert "Which tile?" in panel.text and [file.filename for file in panel.files] == ["tiles.png"]
    panel = await table.use(ann, panel, labels(panel)[0])
    assert "Which rotation?" in panel.text
    panel = await table.use(ann, panel, labels(panel)[0])
    assert "A second station?" in panel.text
    panel = await table.use(ann, panel, "no second station")
    assert "Who buys shares?" in panel.text
    names = [person.name for person in table.people]
    panel = await table.use(ann, panel, *names[:2])
    assert "How many shares does" in panel.text
    # A step back, and another number of people.
    panel = await table.use(ann, panel, label="back")
    await table.bot.restart(kill=True)
    panel = await table.use(ann, panel, *names)
    for _ in names:
        assert "How many shares does" in panel.text
        panel = await table.use(ann, panel, "1 share")
    assert "would do this" in panel.text and all(f"{name}:1" in panel.text for name in names)
    label = next(button.label for button in panel.buttons if button.label.startswith("Do it"))
    done = await table.use(ann, panel, label=label)
    assert f"{ann.name} proposes: start LSR with 5 shares at £71 on G7 (Birmingham), sold to: " in done.text


def labels(panel: Reply) -> list[str]:
    """The options of all menus of a panel."""
    return [
        option["label"]
        for row in panel.message.components
        for part in row.get("components", ())
        for option in part.get("options", ())
    ]


async def test_buttons_hold_the_way_to_a_long_move_instead_of_its_text() -> None:
    path = (30, 3, 77, 2, 5, 1, 80, 1, 4, 0, 2**14 - 1, *range(14))
    found = Menu("FloatCompany", path, "", "Who?", (), (MenuOption("Ann"), MenuOption("Bob")), (), least=1, most=2)
    place = (1234, 5678, "FloatCompany", path)
    for item in (ConfirmMoveButton(*place, label="Do it"), MultiSelectMenu(*place, found=found)):
        match = item.template.fullmatch(str(item.custom_id))
        assert match is not None and item.id_form.parse(match)["path"] == path and item.fits
