"""Lobbies that are open to other servers or to everybody: who sees what of them, who may join, who hears of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.service.features.open_tables import MOST_OPEN, OpenTable, TableFilter, hour_ranges
from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store import LobbyScope, NoticeKind, Place, Server, TableLevel
from tests.service.conftest import ANN, BOB, CID, EVE, Clock
from tests.service.test_privacy import everything

ANY = TableFilter()
HERE, PARTNER, STRANGE = "1", "2", "3"
RUDE = "RudeWords"


def at(person: str, guild: str = "", manages: bool = False) -> Actor:
    """Somebody who asks from a server."""
    return Actor(person, "Name", is_there=guild == HERE, manages=manages, guild=guild)


async def opened(tables: GameService, reach: LobbyScope | None = None, title: str = "toy", note: str = "") -> int:
    game = await tables.lobby.create(title, ANN, [(ANN, RUDE)])
    await tables.desk.store.games.set_place(Place(game, HERE, f"{game}0"))
    if reach is not None:
        await tables.open_tables.open(game, ANN, reach, note=note)
    return game


async def seen(tables: GameService, person: str, guild: str, wanted: TableFilter = ANY) -> list[int]:
    return [one.game_id for one in await tables.open_tables.list_for(person, guild, wanted)]


def words(found: list[OpenTable]) -> str:
    return "\n".join(tr(one.line) for one in found)


async def test_who_sees_and_joins_a_lobby_follows_from_how_far_it_is_open(tables: GameService) -> None:
    await tables.open_tables.set_sharing(HERE, True)
    await tables.open_tables.set_sharing(PARTNER, True)
    games = {reach: await opened(tables, reach) for reach in (None, LobbyScope.SHARED, LobbyScope.EVERYBODY)}
    for guild, reaches in (
        (HERE, {None, LobbyScope.SHARED, LobbyScope.EVERYBODY}),
        (PARTNER, {LobbyScope.SHARED, LobbyScope.EVERYBODY}),
        (STRANGE, {LobbyScope.EVERYBODY}),
        ("", {LobbyScope.EVERYBODY}),
    ):
        assert set(await seen(tables, BOB, guild)) == {games[reach] for reach in reaches}, guild
        for reach, game in games.items():
            if reach in reaches:
                await tables.lobby.join(game, at(BOB, guild), "Bob")
                await tables.lobby.leave(game, BOB)
            else:
                with pytest.raises(IllegalMove, match="not open to you"):
                    await tables.lobby.join(game, at(BOB, guild), "Bob")


async def test_a_server_that_shares_no_more_is_out_at_once(tables: GameService) -> None:
    with pytest.raises(IllegalMove, match="does not share"):
        await opened(tables, LobbyScope.SHARED)
    for guild in (HERE, PARTNER):
        await tables.open_tables.set_sharing(guild, True)
    game = await opened(tables, LobbyScope.SHARED)
    assert await seen(tables, BOB, PARTNER) == [game]
    await tables.open_tables.set_sharing(HERE, False)
    assert await seen(tables, BOB, PARTNER) == []
    with pytest.raises(IllegalMove, match="not open to you"):
        await tables.lobby.join(game, at(BOB, PARTNER), "Bob")


async def test_nothing_that_somebody_typed_is_shown_elsewhere_before_a_moderator_has_vouched(
    tables: GameService,
) -> None:
    game = await opened(tables, LobbyScope.EVERYBODY, note="Come and play")
    inside, outside = [await tables.open_tables.list_for(BOB, guild, ANY) for guild in (HERE, STRANGE)]
    assert "Come and play" in words(inside) and "Come and play" not in words(outside)
    for troll in (at(ANN, HERE), at(BOB, STRANGE, manages=False), at(ANN)):
        with pytest.raises(IllegalMove, match="vouch"):
            await tables.open_tables.vouch(game, troll)
    await tables.open_tables.vouch(game, at(CID, HERE, manages=True))
    assert "Come and play" in words(await tables.open_tables.list_for(BOB, STRANGE, ANY))
    await tables.open_tables.open(game, ANN, LobbyScope.EVERYBODY, note="Something else")
    assert "Something else" not in words(await tables.open_tables.list_for(BOB, STRANGE, ANY)), "that was another note"
    assert RUDE not in words(await tables.open_tables.list_for(BOB, STRANGE, ANY)), "nor any name"


async def test_bounds_of_what_one_person_opens_and_joins(tables: GameService) -> None:
    for _ in range(MOST_OPEN):
        await opened(tables, LobbyScope.EVERYBODY)
    with pytest.raises(IllegalMove, match="open tables, the limit"):
        await opened(tables, LobbyScope.EVERYBODY)
    first, *_ = await seen(tables, BOB, "")
    await tables.open_tables.open(first, ANN, LobbyScope.EVERYBODY, TableLevel.BEGINNERS)
    for number in range(2):
        for guest in (CID, EVE):
            game = await tables.lobby.create("toy", f"discord:{number}{guest}", [])
            await tables.open_tables.open(game, f"discord:{number}{guest}", LobbyScope.EVERYBODY)
            await tables.lobby.join(game, at(BOB), "Bob")
    await tables.lobby.join(first, at(BOB), "Bob")
    second = (await seen(tables, BOB, ""))[-1]
    with pytest.raises(IllegalMove, match="lobbies of other players, the limit"):
        await tables.lobby.join(second, at(BOB), "Bob")
    await tables.lobby.join(second, at(BOB, HERE), "Bob")


async def test_people_who_do_not_want_to_meet_do_not(tables: GameService, place: Path | Server) -> None:
    game = await opened(tables, LobbyScope.EVERYBODY)
    await tables.lobby.join(game, at(EVE), "Eve")
    assert await tables.open_tables.set_block(ANN, EVE, True) == [game]
    assert [held.person for held in (await tables.desk.table(game)).seats] == [ANN]
    for guild in (HERE, ""):
        assert await seen(tables, EVE, guild) == []
        with pytest.raises(IllegalMove, match="You cannot join this game"):
            await tables.lobby.join(game, at(EVE, guild), "Eve")
    code = await tables.lobby.invite(game, ANN)
    await tables.lobby.join(game, at(EVE), "Eve", code)
    await tables.open_tables.set_block(ANN, EVE, False)
    await tables.open_tables.set_block(BOB, ANN, True)
    assert await seen(tables, BOB, "") == []
    await tables.privacy.forget_person(BOB)
    assert BOB not in everything(place)


async def test_whoever_wishes_for_a_table_hears_of_it_once(tables: GameService) -> None:
    await tables.open_tables.wish(BOB, "toy", "")
    await tables.open_tables.wish(CID, "toy", HERE)
    await tables.open_tables.wish(EVE, "toy", "")
    await tables.open_tables.set_block(ANN, EVE, True)
    await tables.mail.request_confirmation("cid@home.example", CID)
    await tables.mail.confirm_address(CID, "cid@home.example")
    await tables.mail.set_delivery(CID, "turns")
    game = await opened(tables, LobbyScope.EVERYBODY)
    calls = [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]
    assert [(one.game, one.lines[0]) for one in calls] == [(game, BOB)], "Cid hears by mail, Eve not at all"
    assert [one.person for one in await tables.desk.store.mail.list_waiting(50) if one.key.startswith("wish-")] == [CID]
    await opened(tables, LobbyScope.EVERYBODY)
    assert len([one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]) == 1
    assert [wish.person for wish in await tables.desk.store.openings.wishes_for("toy")] == [EVE]
    with pytest.raises(IllegalMove):
        await tables.open_tables.wish(BOB, "no such title", "")


async def test_filters(tables: GameService) -> None:
    game = await opened(tables, LobbyScope.EVERYBODY)
    await tables.reminders.set_default_quiet_hours(ANN, "Europe/Berlin", 22, 8)
    await tables.reminders.set_default_quiet_hours(BOB, "America/Los_Angeles", 20, 12)
    for wanted, fits in (
        (TableFilter(title="toy"), True),
        (TableFilter(title="1848"), False),
        (TableFilter(players=2), True),
        (TableFilter(players=7), False),
        (TableFilter(pace="normal"), True),
        (TableFilter(pace="fast"), False),
        (TableFilter(level=TableLevel.BEGINNERS), False),
        (TableFilter(awake=1), True),
        (TableFilter(awake=3), False),
    ):
        assert (await seen(tables, BOB, "", wanted) == [game]) == fits, wanted
    (found,) = await tables.open_tables.list_for(CID, "", ANY)
    assert found.awake is not None and hour_ranges(found.awake) == "6-20", "in June"


async def test_a_lobby_that_was_forgotten_or_has_begun_is_shown_no_longer(tables: GameService, clock: Clock) -> None:
    old = await opened(tables, LobbyScope.EVERYBODY)
    clock.advance(days=31)
    begun = await opened(tables, LobbyScope.EVERYBODY)
    assert await seen(tables, BOB, "") == [begun]
    with pytest.raises(IllegalMove, match="not open to you"):
        await tables.lobby.join(old, at(BOB), "Bob")
    await tables.lobby.join(begun, at(BOB), "Bob")
    await tables.lobby.start(begun, ANN)
    assert await seen(tables, BOB, "") == []


async def test_a_change_of_a_lobby_tells_its_message_wherever_it_comes_from(tables: GameService) -> None:
    game = await opened(tables, LobbyScope.EVERYBODY)
    before = len(await tables.outbox.waiting_notices())
    await tables.lobby.join(game, at(BOB), "Bob")
    notices = (await tables.outbox.waiting_notices())[before:]
    assert [(one.kind, one.game) for one in notices] == [(NoticeKind.LOBBY, game)]
