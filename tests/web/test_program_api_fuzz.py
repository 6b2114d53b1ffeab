"""Requests drawn from the OpenAPI document, from legal moves and from nonsense: never a fault of the program, always an
answer as documented.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.commands.web.api_schema import ROUTES, ApiRoute
from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.ops.rate_limit import RateLimiter
from bot.service.features.board_links import API
from bot.service.game_service import GameService
from bot.store import LinkKind
from bot.titles.registry import TITLES
from tests.service.conftest import ANN
from tests.web.conftest import Browser
from tests.web.test_program_api import check_answer

CALLS = int(os.environ.get("SIGNALBOX_API_CALLS", "100000"))
ASKED = [route for route in ROUTES if not route.streams]
PLAIN = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    PLAIN, lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=8), some, max_size=4)
)
WORDS = st.sampled_from(
    [
        "buy",
        "sell",
        "lay",
        "run",
        "best",
        "pay",
        "pass",
        "P1",
        "VR",
        "57",
        "H11",
        "0",
        "1",
        "999999999",
        "@1",
        "@9",
        "for",
        "from;",
        ";",
        ">",
        "=",
        "-1",
        "²",
        "½",
        "🚂",
        "\x00",
    ]
)
TEXTS = st.text(max_size=60) | st.lists(WORDS, max_size=8).map(" ".join)

QUERIES = st.dictionaries(st.sampled_from(["at", "after", "x"]), st.integers(-2, 2) | st.text(max_size=5), max_size=2)
VERSIONS = st.sampled_from([0, 0, 0]) | st.integers(-(2**70), 2**70)
"""0: the present."""
MOVES = st.tuples(
    st.sampled_from(["text", "object", "changed", "nonsense"]), st.integers(0, 99), st.integers(0, 9), TEXTS | JSON
)
NONSENSE = JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40)


async def test_no_request_makes_it_fail(
    tables: GameService, board: BoardServer, browser: Browser, game_id: GameId
) -> None:
    answered = await fuzz(tables, board, browser, "1848", 100)
    assert answered[200] > 10 and answered[422] > 10, answered


@pytest.mark.soak
@pytest.mark.parametrize("title", TITLES)
async def test_of_100_000_requests_none_makes_it_fail(
    tables: GameService, board: BoardServer, browser: Browser, title: str
) -> None:
    answered = await fuzz(tables, board, browser, title, CALLS // len(TITLES))
    assert answered[200] > CALLS // len(TITLES) / 10, answered


async def fuzz(tables: GameService, board: BoardServer, browser: Browser, title: str, number: int) -> Counter[int]:
    """How often each status was answered; a game goes on by the legal moves among the requests."""
    board.programs.pace = RateLimiter(0)
    people = [(ANN, name) for name in ("Ann", "Bob", "Cid")]
    game_id = await tables.lobby.create(title, ANN, people, {}, 7)
    await tables.lobby.start(game_id, ANN, "list")
    token = await tables.links.make(game_id, ANN, LinkKind.PROGRAM)
    headers = {"Authorization": f"Bearer {token}"}
    answered: Counter[int] = Counter()
    loop = asyncio.get_running_loop()
    legal: dict[str, Any] = {"version": 1, "moves": [{"text": "pass", "action": {"verb": "pass", "by": "@1"}}]}

    async def send(route: ApiRoute, query: dict[str, str], body: bytes | None) -> None:
        path = f"{API}{route.path}"
        answer = await browser.ask(route.method, path, params=query, data=body, headers=headers)
        found = await answer.json(content_type=None)
        assert answer.status < 500, (path, query, body, found)
        check_answer(route.method, route.path, answer.status, answer.content_type, found)
        answered[answer.status] += 1
        if answer.status == 200 and route.handler == "moves" and found["moves"]:
            legal.update(found)
        elif answer.status == 409:
            legal["version"] = (await tables.desk.table(game_id)).record.version

    @settings(max_examples=number, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(ASKED), QUERIES, MOVES, VERSIONS, st.none() | NONSENSE)
    def call(route: ApiRoute, query: Any, move: Any, version: Any, nonsense: bytes | None) -> None:
        if route.method == "GET":
            told = {name: str(legal["version"] + at) if isinstance(at, int) else at for name, at in query.items()}
            asyncio.run_coroutine_threadsafe(send(route, told, None), loop).result(60)
            return
        fields = {"move": move_of(move, legal["moves"]), "version": version or legal["version"]}
        taken = {name: fields[name] for name in route.takes.__struct_fields__}  # type: ignore[union-attr]
        body = json.dumps(taken).encode() if nonsense is None else nonsense
        asyncio.run_coroutine_threadsafe(send(route, {}, body), loop).result(60)

    await asyncio.to_thread(call)
    return answered


def move_of(drawn: Any, legal: list[Any]) -> Any:
    """What was drawn, as a move where these are legal."""
    way, number, field, value = drawn
    if way == "nonsense" or not legal:
        return value
    found = legal[number % len(legal)]
    action = found["action"] or {"verb": "pass", "by": "@1"}
    names = sorted({name for one in legal for name in one["action"] or ()} or {"by"})
    return {"text": found["text"], "object": action, "changed": action | {names[field % len(names)]: value}}[way]
