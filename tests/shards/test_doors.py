"""The board page and mail beside several bots: one of them serves both, for all games, and the next one when it is gone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, CookieJar

from tests.mail.conftest import CID, OWN
from tests.mail.servers import ABSENT, Client, MailServers, are_here
from tests.mail.test_servers import answered, new, servers
from tests.shards.community import Club, Community
from tests.web.conftest import OWN as BY_THE_PAGE

pytestmark = [pytest.mark.postgres, pytest.mark.skipif(not are_here(), reason=ABSENT)]

__all__ = ["servers"]


class Page:
    """Somebody's browser."""

    def __init__(self, session: ClientSession, port: int) -> None:
        self.session, self.origin = session, f"http://127.0.0.1:{port}"

    async def post(self, path: str, **data: Any) -> tuple[int, str]:
        """What the page itself would send."""
        headers = {**BY_THE_PAGE, "Origin": self.origin}
        async with self.session.post(self.origin + path, json=data, headers=headers) as answer:
            return answer.status, await answer.text()

    async def move(self, club: Club) -> None:
        """The next move of the auction, made here."""
        who, text = club.made % 3 + 1, f"buy P{club.made + 1}"
        status, told = await self.post(f"/g/{club.game}/move", version=club.made, move=f"@{who} {text}")
        assert status == 200, told
        club.made += 1
        await club.told()


@pytest_asyncio.fixture
async def page(unused_tcp_port: int) -> AsyncIterator[Page]:
    """A browser that knows nothing yet."""
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield Page(session, unused_tcp_port)


def position(mail: Any) -> tuple[str, ...]:
    """The game and the position that a mail is about."""
    found = re.search(r"\+(\d+)-(\d+)-", str(mail["Reply-To"]))
    return found.groups() if found else ()


async def turn_mail(club: Club, client: Client) -> Any:
    """The mail that asks for the next move."""
    while position(mail := await new(client)) != (str(club.game), str(club.made)):
        pass
    return mail


async def by_mail(club: Club, client: Client, mail: Any) -> None:
    """Whoever is asked by that mail answers with the next move."""
    await answered(client, mail, f"buy P{club.made + 1}")
    club.made += 1
    await club.told()


async def test_one_bot_serves_pages_and_mail_and_then_the_next(
    community: Community, servers: MailServers, page: Page, unused_tcp_port: int, tmp_path: Path
) -> None:
    doors = {"SIGNALBOX_WEB": str(unused_tcp_port), **servers.environment(OWN)}
    first = await community.bot("0-1/4", **doors)
    await first.logged("once for all")
    second = await community.bot("2-3/4", **doors)
    # A folder of its own has a secret of its own: answers to mails of the others would mean nothing to it.
    stranger = await community.bot("auto/4", wait=False, **{**doors, "SIGNALBOX_DATA": str(tmp_path / "own")})
    await stranger.logged("another mail.key")
    community.double.expect("bot: ended by itself")
    await community.served()
    club, client = community.clubs[2], servers.client(CID)
    await club.open()
    ann, _, cid = club.people
    shown = await ann.slash("board mine", club.thread)
    link = re.search(r"<(http\S+)>", shown.text)
    assert link is not None and link[1].startswith(page.origin), shown.text
    await cid.slash("mail address", club.thread, address=CID)
    await answered(client, await new(client), "yes")
    await cid.slash("mail send", club.thread, what="turns")
    mail = None
    for serving in (first, second):
        await serving.logged("the mailbox is open")
        assert (await page.post("/enter", token=link[1].partition("#")[2]))[0] == 200
        if mail is not None:
            # An answer to what the bot before has written.
            await by_mail(club, client, mail)
        await page.move(club)
        await club.moved()
        mail = await turn_mail(club, client)
        if serving is first:
            assert not any("the mailbox is open" in line for line in second.lines)
            await first.kill()
            await second.logged("once for all")
    await by_mail(club, client, mail)
    await community.settled()
    assert club.tellers() == {second.pid}, "whoever serves the doors does not tell the game"
    made = community.rows("SELECT number, text FROM moves WHERE kind = 'move' ORDER BY number")
    assert [number for number, _ in made] == [1, 2, 3, 4, 5, 6]
    asked = [position(mail) for mail in await asyncio.to_thread(client.mails) if position(mail)]
    turns = [version for game, version in asked if game == str(club.game)]
    assert len(turns) == len(set(turns)), asked
