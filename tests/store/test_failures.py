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
from bot.store import Server, Store
from bot.titles.registry import TITLES


async def test_a_row_is_tried_a_few_times_then_set_aside_and_reported_once(place: Path | Server) -> None:
    store = await Store.open(place)
    failures = GameService(store, TITLES).failures
    tried = [await failures.note("mail", 7, "no such address", 3) for _ in range(TRIES)]
    assert [failure.tries for failure in tried] == list(range(1, TRIES + 1))
    assert [failure.set_aside_at is not None for failure in tried] == [False] * (TRIES - 1) + [True]
    assert await failures.unreported("outbox") == []
    (unreported,) = await failures.unreported("mail")
    await failures.mark_reported(unreported)
    assert await failures.unreported("mail") == []
    assert [failure.key for failure in await failures.set_aside()] == ["7"]
    assert await failures.count() == 1
    assert REGISTRY.get_sample_value("signalbox_rows_set_aside", {"queue": "mail"}) == 1
    await failures.forget("mail", 7)
    assert await failures.count() == 0
    assert REGISTRY.get_sample_value("signalbox_rows_set_aside", {"queue": "mail"}) == 0
    await store.close()


async def test_a_failure_that_has_not_come_back_is_forgotten(place: Path | Server) -> None:
    store = await Store.open(place)
    await store.note_failure("job", "old", "lost", 1.0)
    await store.note_failure("job", "new", "lost", 1.0)
    await store.note_failure("job", "new", "lost", 9.0)
    await store.forget_old_failures(before=5.0)
    assert [failure.key for failure in await store.failures()] == ["new"]
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
