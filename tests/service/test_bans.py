"""The operator's ban from open tables, seasons and messages."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.engine.refusals import IllegalMove, Rejected
from bot.service.game_service import GameService
from bot.service.sessions.rights import BANNED, Actor
from bot.store import GameStatus, LobbyScope, NoticeKind, Server
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, there
from tests.service.test_privacy import everything
from tests.service.test_seasons import GUILD, opened


async def open_lobby(tables: GameService, opener: str, people: list[tuple[str, str]]) -> int:
    game = await tables.lobby.create("toy", opener, people)
    await tables.open_tables.open(game, opener, LobbyScope.EVERYBODY)
    return game


async def test_who_is_banned_reads_one_sentence_at_every_door_to_strangers(tables: GameService, game_id: int) -> None:
    season = await opened(tables)
    theirs = await open_lobby(tables, BOB, [(BOB, "Bob")])
    own = await tables.lobby.create("toy", CID, [(CID, "Cid")])
    assert await tables.bans.ban(CID) == []
    for banned in (
        lambda: tables.open_tables.open(own, CID, LobbyScope.EVERYBODY),
        lambda: tables.open_tables.wish(CID, "toy", ""),
        lambda: tables.lobby.join(theirs, Actor(CID, guild="elsewhere"), "Cid"),
        lambda: tables.lobby.join(theirs, there(CID), "Cid"),
        lambda: tables.substitutes.volunteer(CID, ["toy"]),
        lambda: tables.seasons.enter(season.id, CID, "Cid", GUILD),
        lambda: tables.talk.say(game_id, CID, "You are all stupid."),
        lambda: tables.followers.follow_season(CID, season.id, GUILD),
    ):
        with pytest.raises(IllegalMove) as refused:
            await banned()
        assert str(refused.value) == BANNED
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    assert await tables.bans.lift(CID) and not await tables.bans.lift(CID)
    await tables.talk.say(game_id, CID, "Sorry.")


async def test_seats_among_strangers_are_offered_and_games_among_friends_go_on(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    running = await open_lobby(tables, EVE, [(EVE, "Eve"), (BOB, "Bob"), (ANN, "Ann")])
    await tables.lobby.start(running, EVE, "list")
    lobby = await open_lobby(tables, EVE, [(EVE, "Eve"), (BOB, "Bob")])
    alone = await open_lobby(tables, EVE, [(EVE, "Eve")])
    await tables.moderation.replace(game_id, ANN, 3, EVE, "Eve")
    season = await opened(tables)
    await tables.seasons.enter(season.id, EVE, "Eve", GUILD)
    await tables.open_tables.wish(EVE, "toy", "")
    await tables.substitutes.volunteer(EVE, ["toy"])
    assert sorted(await tables.bans.ban(EVE)) == [running, lobby, alone]
    assert await tables.bans.ban(EVE) == [], "twice does no more"
    table = await tables.desk.table(running)
    assert (table.record.moderator, table.record.status) == (BOB, "running")
    assert [held.person for held in table.seats] == ["", BOB, ANN]
    table = await tables.desk.table(lobby)
    assert (table.record.moderator, [held.person for held in table.seats]) == (BOB, [BOB])
    assert [one.game_id for one in await tables.open_tables.list_open()] == [lobby]
    assert EVE in [held.person for held in (await tables.desk.table(game_id)).seats], "friends keep whom they have"
    assert [one.left_at for one in await tables.desk.store.seasons.entrants_of(season.id)] == [clock.time.timestamp()]
    assert not await tables.desk.store.openings.wishes_for("toy")
    await tables.substitutes.sweep()
    assert [one.offer.game for one in await tables.substitutes.offered_seats(CID)] == [running]
    calls = [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]
    assert [(one.lines[0], str(one.lines[1])) for one in calls] == [(EVE, BANNED)]


async def test_no_accomplice_brings_a_banned_person_to_strangers(tables: GameService, clock: Clock) -> None:
    lobby = await open_lobby(tables, BOB, [(BOB, "Bob")])
    code = await tables.lobby.invite(lobby, BOB)
    full = await open_lobby(tables, BOB, [(BOB, "Bob"), (ANN, "Ann")])
    running = await open_lobby(tables, BOB, [(BOB, "Bob"), (ANN, "Ann"), (EVE, "Eve")])
    await tables.lobby.start(running, BOB, "list")
    friends = await tables.lobby.create("toy", BOB, [(BOB, "Bob"), (CID, "Cid")])
    await tables.bans.ban(CID)
    clock.time += timedelta(days=8)
    for brought, why in (
        (lambda: tables.lobby.join(lobby, CID, "Cid", code), BANNED),
        (lambda: tables.open_tables.open(friends, BOB, LobbyScope.EVERYBODY), "Cid cannot take part"),
        (lambda: tables.moderation.replace(full, BOB, 2, CID, "Cid"), "Cid cannot take part"),
        (lambda: tables.moderation.replace(running, BOB, 1, CID, "Cid"), "Cid cannot take part"),
        (lambda: tables.moderation.replace(running, ANN, 2, CID, "Cid"), "Cid cannot take part"),
        (lambda: tables.moderation.set_sitter(running, BOB, 1, CID, "Cid", 3), "Cid cannot take part"),
        (lambda: tables.moderation.transfer_moderation(running, BOB, CID), "That person cannot take part"),
        (
            lambda: tables.votes.start_poll(running, ANN, "replace", {"seat": 1, "newcomer": CID, "name": "Cid"}),
            "Cid cannot take part",
        ),
    ):
        with pytest.raises(IllegalMove, match=why):
            await brought()
    for game in (lobby, full, running):
        table = await tables.desk.table(game)
        assert CID not in {
            table.record.moderator,
            *(one.person for one in table.seats),
            *(one.sitter for one in table.seats),
        }
    await tables.moderation.replace(friends, BOB, 1, CID, "Zoe")


async def test_what_a_banned_person_had_begun_among_strangers_ends(tables: GameService, clock: Clock) -> None:
    running = await open_lobby(tables, BOB, [(BOB, "Bob"), (ANN, "Ann"), (CID, "Cid")])
    await tables.lobby.start(running, BOB, "list")
    await tables.moderation.set_sitter(running, BOB, 1, EVE, "Eve", 9)
    await tables.moderation.leave_seat(running, CID)
    await tables.substitutes.sweep()
    poll = await tables.substitutes.take(running, EVE, "Eve")
    over = await open_lobby(tables, EVE, [(EVE, "Eve"), (ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(over, EVE, "list")
    await tables.moderation.set_status(over, EVE, GameStatus.FINISHED)
    await tables.bans.ban(EVE)
    assert [one.sitter for one in (await tables.desk.table(running)).seats] == ["", "", ""]
    with pytest.raises(Rejected, match="You have no seat"):
        await tables.moves.submit(running, EVE, "bid P1 3")
    for voter in (ANN, BOB):
        with pytest.raises(IllegalMove, match="That vote is over"):
            await tables.votes.answer_poll(poll.record.id, voter, True)
    assert [one.person for one in (await tables.desk.table(running)).seats] == [BOB, ANN, ""]
    with pytest.raises(IllegalMove) as refused:
        await tables.lobby.rematch(over, EVE)
    assert str(refused.value) == BANNED, "a rematch writes to everybody who played"
    await tables.substitutes.take(running, CID, "Cid")


async def test_a_ban_holds_for_the_mailbox_of_a_person(tables: GameService) -> None:
    """Somebody who is erased and writes again gets another id."""
    address = "eve.x@home.example"
    first = await tables.mail.request_confirmation(address)
    assert first is not None
    await tables.mail.confirm_address(first.person, address)
    await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (first.person, "Eve")])
    await tables.bans.ban(first.person)
    await tables.privacy.forget_person(first.person)
    second = await tables.mail.request_confirmation("evex+new@home.example", is_vouched_for=True)
    assert second is not None and second.person != first.person
    await tables.open_tables.wish(second.person, "toy", "")
    await tables.mail.confirm_address(second.person, "evex+new@home.example")
    with pytest.raises(IllegalMove, match="does not let you"):
        await tables.open_tables.wish(second.person, "toy", "")
    assert len(await tables.bans.list_all()) == 1
    assert await tables.bans.lift(second.person)
    await tables.open_tables.wish(second.person, "toy", "")


async def test_a_ban_outlives_an_erasure_and_names_nobody(tables: GameService, place: Path | Server) -> None:
    await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (EVE, "Eve")])
    await tables.bans.ban(EVE)
    await tables.privacy.forget_person(EVE)
    assert EVE not in everything(place)
    with pytest.raises(IllegalMove, match="does not let you"):
        await tables.open_tables.wish(EVE, "toy", "")


def test_the_operator_bans_lists_and_lifts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path))
    monkeypatch.delenv("SIGNALBOX_DATABASE_URL", raising=False)
    assert main(["ban"]) == 2, "there is no database"
    (tmp_path / "signalbox.db").touch()
    assert main(["ban", "123"]) == 0 and main(["ban", "discord:123"]) == 0 and main(["ban"]) == 0
    out = capsys.readouterr().out
    assert "banned; games left: none" in out and "1 people are banned" in out
    assert main(["ban", "Zoe"]) == 2 and main(["ban", "--lift", "9"]) == 1 and main(["ban", "--lift", "123"]) == 0
    assert main(["ban"]) == 0 and "0 people are banned" in capsys.readouterr().out
