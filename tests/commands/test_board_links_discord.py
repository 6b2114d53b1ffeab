"""Links to the board page in Discord."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def address_in(text: str) -> str:
    """The link of an answer."""
    found = re.search(r"<(http\S+)>", text)
    assert found, text
    return found[1]


async def test_links_are_asked_for_used_and_withdrawn(double: Double, tmp_path: Path) -> None:
    port = free_port()
    table = Table(double, await double.launch(data=tmp_path, environment={"SIGNALBOX_WEB": str(port)}))
    await table.open()
    ann, bob, _ = table.people
    look = await ann.slash("board link", table.thread)
    assert not look.ephemeral and address_in(look.text).startswith(f"http://127.0.0.1:{port}/b/")
    mine = await bob.slash("board mine", table.thread)
    assert mine.ephemeral and f":{port}/enter#" in address_in(mine.text)
    given = await bob.slash("board token", table.thread)
    address, _, token = address_in(given.text).partition("#")
    assert given.ephemeral and address == f"http://127.0.0.1:{port}/api/v1" and "/board withdraw" in given.text
    headers = {"Authorization": f"Bearer {token}"}
    async with ClientSession() as browser:
        async with browser.get(address_in(look.text)) as page:
            assert page.status == 200 and "Ann: buy a private or lower a price." in await page.text()
        async with browser.get(f"{address}/position", headers=headers) as answer:
            assert answer.status == 200 and (await answer.json())["title"] == "1848"
        assert "program's token, made" in (await bob.slash("board links", table.thread)).text
        assert "Links withdrawn: 2." in (await bob.slash("board withdraw", table.thread)).text
        async with browser.get(f"{address}/position", headers=headers) as answer:
            assert answer.status == 401
        assert "Links withdrawn: 1." in (await ann.slash("board withdraw", table.thread)).text
        async with browser.get(address_in(look.text)) as page:
            assert page.status == 403
    assert "no seat" in (await double.dora.slash("board mine", table.thread)).text


@pytest.mark.whole
async def test_a_bot_without_pages_says_so(table: Table) -> None:
    await table.open()
    assert "shows no boards in the browser" in (await table.people[0].slash("board link", table.thread)).text


async def test_records_have_a_button_that_shows_each_his_own_link(double: Double, tmp_path: Path) -> None:
    environment = {"SIGNALBOX_WEB": str(free_port())}
    table = Table(double, await double.launch(data=tmp_path, environment=environment))
    await table.open()
    record = table.boards()[-1]
    bob, dora = await table.people[1].click(record, "Board"), await double.dora.click(record, "Board")
    assert bob.ephemeral and "/enter#" in address_in(bob.text)
    assert dora.ephemeral and "/b/" in address_in(dora.text)
    async with ClientSession() as browser, browser.get(address_in(dora.text)) as page:
        assert page.status == 200


@pytest.mark.whole
async def test_a_bot_without_pages_has_no_such_button(table: Table) -> None:
    await table.open()
    labels = [button.label for button in table.boards()[-1].buttons]
    assert "Map" in labels and "Board" not in labels
