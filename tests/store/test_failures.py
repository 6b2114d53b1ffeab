"""Rows that cannot be handled: counted, set aside, named."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from bot.cli.main import main
from bot.service.features.failures import TRIES
from bot.service.game_service import GameService
from bot.store import NO_THREAD_YET, Place, Server, Store
from bot.titles.registry import TITLES


async def test_a_row_is_tried_a_few_times_then_set_aside_and_reported_once(place: Path | Server) -> None:
    store = await Store.open(place)
    failures = GameService(store, TITLES).failures
    tried = [await failures.note("mail", 7, "no such address", 3) for _ in range(TRIES)]
    assert [failure.tries for failure in tried] == list(range(1, TRIES + 1))
    assert [failure.set_aside_at is not None for failure in tried] == [False] * (TRIES - 1) + [True]
    (unreported,) = await failures.list_set_aside()
    assert (unreported.queue, unreported.key, unreported.reported_at) == ("mail", "7", None)
    await failures.mark_reported(unreported)
    (reported,) = await failures.list_set_aside()
    assert reported.reported_at is not None
    assert await failures.count() == {"mail": 1, "letter": 0, "outbox": 0, "reminder": 0, "job": 0}
    assert REGISTRY.get_sample_value("signalbox_rows_set_aside", {"queue": "mail"}) == 1
    await failures.forget("mail", 7)
    assert not any((await failures.count()).values())
    assert REGISTRY.get_sample_value("signalbox_rows_set_aside", {"queue": "mail"}) == 0
    await store.close()


async def test_a_failure_that_has_not_come_back_is_forgotten(place: Path | Server) -> None:
    store = await Store.open(place)
    await store.failures.note("job", "old", "lost", 1.0)
    await store.failures.note("job", "new", "lost", 1.0)
    await store.failures.note("job", "new", "lost", 9.0)
    await store.failures.forget_old(before=5.0)
    assert [failure.key for failure in await store.failures.list_all()] == ["new"]
    await store.close()


async def test_the_doctor_names_what_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path))
    store = await Store.open(tmp_path / "signalbox.db")
    failures = GameService(store, TITLES).failures
    await failures.note("outbox", 3, "Discord refuses it (50035)", 3, tries=1)
    await failures.note("outbox", 4, "Discord refuses it (50035)", 4)
    await store.close()
    assert await asyncio.to_thread(main, ["doctor"]) == 0
    told = capsys.readouterr().out
    assert "set aside: game 3 is stuck: Discord refuses it (50035) (1 tries since" in told
    assert "game 4" not in told
    assert await asyncio.to_thread(main, ["doctor", "--json"]) == 0
    assert [row["key"] for row in json.loads(capsys.readouterr().out)["set_aside"]] == ["3"]


async def test_the_doctor_names_games_that_are_not_posted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path))
    store = await Store.open(tmp_path / "signalbox.db")
    tables = GameService(store, TITLES)
    for trouble in ("50001", NO_THREAD_YET, None):
        game = await tables.lobby.create("1848", "discord:1", [("discord:1", "Ann")])
        await store.games.set_place(Place(game, "1", str(game), trouble=trouble))
    await store.close()
    await asyncio.to_thread(main, ["doctor"])
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("place")]
    assert lines == [
        "place: game 1 is not posted: Discord answers 50001",
        "place: game 2 is not posted: its thread waits to be opened",
    ]
    await asyncio.to_thread(main, ["doctor", "--json"])
    assert [one["game"] for one in json.loads(capsys.readouterr().out)["places"]] == [1, 2]
