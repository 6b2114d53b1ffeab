"""`signalbox bench --database`: a file and a server, side by side; the server keeps nothing of it."""

from __future__ import annotations

import json

import pytest

from benchmarks import databases
from bot.cli.main import main
from tests.store.postgres_cluster import cluster

pytestmark = pytest.mark.postgres


def test_moves_are_saved_in_a_file_and_on_a_server_and_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(databases, "PROCESSES", (2,))
    monkeypatch.setattr(databases, "IN_HAND", (1, 4))
    monkeypatch.setattr(databases, "SECONDS", {True: 0.5})
    server = cluster().fresh(None)
    try:
        assert main(["bench", "--database", server.text, "--quick", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert set(found) == {"file", "server"}
        for loads in found.values():
            assert list(loads) == ["2_processes_2_in_hand", "2_processes_4_in_hand"]
            for load in loads.values():
                assert load["moves"] > 0 and 0 < load["commit_ms_p50"] <= load["commit_ms_p95"] <= load["commit_ms_p99"]
                assert load["commit_ms_p50"] < load["move_ms_p50"]
        query = f"SELECT 1 FROM pg_database WHERE datname LIKE '{server.url.database}\\_%'"
        assert cluster().execute("postgres", query) == []
        assert cluster().execute(str(server.url.database), "SELECT 1 FROM pg_tables WHERE schemaname = 'public'") == []
    finally:
        cluster().drop(server)
    assert main(["bench", "--database", "mysql://there/games"]) == 2
