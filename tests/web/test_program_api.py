"""The API for programs: who is let in, what is answered, and that the document in the repository says so."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from aiohttp import ClientResponse

from bot.commands.web.openapi import openapi_document, openapi_text
from bot.commands.web.program_api import CALLS_AT_ONCE
from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.ops.rate_limit import RateLimiter
from bot.service.features.board_links import API
from bot.service.game_service import GameService
from bot.store import GameStatus, LinkKind
from tests.service.conftest import ANN, BOB, CID, Clock
from tests.web.conftest import Browser

PROJECT = Path(__file__).resolve().parents[2]


class Program:
    """Asks the API with a token; each answer is checked against the document."""

    def __init__(self, browser: Browser, token: str, **headers: str) -> None:
        self.browser, self.headers = browser, {"Authorization": f"Bearer {token}", **headers}

    async def get(self, path: str, **query: str) -> tuple[int, Any]:
        return await self.read(
            "GET", path, await self.browser.ask("GET", f"{API}{path}", params=query, headers=self.headers)
        )

    async def post(self, path: str, data: Any) -> tuple[int, Any]:
        asked = await self.browser.ask("POST", f"{API}{path}", json=data, headers=self.headers)
        return await self.read("POST", path, asked)

    async def read(self, method: str, path: str, answer: ClientResponse) -> tuple[int, Any]:
        """Status and content of an answer that is as documented."""
        found = await answer.json(content_type=None)
        check_answer(method, path, answer.status, answer.content_type, found)
        return answer.status, found


def check_answer(method: str, path: str, status: int, kind: str, found: Any) -> None:
    """:raises AssertionError: the document does not say that."""
    operation = openapi_document()["paths"][path][method.lower()]
    answer = operation["responses"][str(status)]
    if "$ref" in answer:
        answer = openapi_document()["components"]["responses"][str(status)]
    assert kind in answer["content"], (path, status, kind)
    validator(answer["content"][kind]["schema"]["$ref"]).validate(found)


@cache
def validator(reference: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": reference, "components": openapi_document()["components"]})


@pytest.fixture
async def bob(tables: GameService, game_id: GameId, browser: Browser) -> AsyncIterator[Program]:
    """Bob is asked."""
    yield Program(browser, await tables.links.make(game_id, BOB, LinkKind.PROGRAM))


def test_the_document_in_the_repository_is_that_of_the_routes() -> None:
    """`signalbox commands --openapi > docs/reference/openapi.json` writes it."""
    assert (PROJECT / "docs/reference/openapi.json").read_text() == openapi_text()


async def test_everybody_may_read_the_document(browser: Browser) -> None:
    for path in ("", "/openapi.json"):
        status, text = await browser.get(f"{API}{path}")
        assert status == 200 and text == openapi_text()


async def test_a_game_is_seen_and_played(bob: Program, tables: GameService, game_id: GameId) -> None:
    status, found = await bob.get("/position")
    assert (status, found["version"], found["title"]) == (200, 1, "1848")
    assert [(one["name"], one["is_own"], one["is_asked"]) for one in found["seats"]] == [
        ("Ann", False, False),
        ("Bob", True, True),
        ("Cid", False, False),
    ]
    _, listed = await bob.get("/moves")
    assert listed["is_asked"] and {"verb": "buy_private", "by": "@2", "private": "P2", "price": 70} in [
        one["action"] for one in listed["moves"]
    ]
    _, tried = await bob.post("/try", {"move": "buy P2"})
    assert tried["moves"][0]["text"] == "@2 buy P2 for 70" and tried["state"]["privates"]["P2"]["owner"] == "@2"
    assert (await bob.get("/position"))[1]["version"] == 1, "nothing was saved"
    _, made = await bob.post("/move", {"move": tried["moves"][0]["action"], "version": 1})
    assert (made["version"], made["moves"]) == (2, ["@2 buy P2 for 70"])
    _, undone = await bob.post("/undo", {"version": 2})
    assert undone["version"] == 3
    _, made = await bob.post("/move", {"move": "buy p2", "version": 3})
    _, log = await bob.get("/log", after="1")
    assert [(one["kind"], one["is_undone"]) for one in log["entries"]] == [
        ("move", True),
        ("undo", False),
        ("move", False),
    ]
    assert (await bob.get("/position", at="1"))[1]["state"]["privates"]["P2"]["owner"] != "@2"


async def test_what_is_not_done_says_why(bob: Program, tables: GameService, game_id: GameId, browser: Browser) -> None:
    for body, status, kind in (
        ({"move": "buy P1", "version": 1}, 422, "illegal_move"),
        ({"move": "nonsense", "version": 1}, 422, "parse_error"),
        ({"move": {"verb": "pass", "by": "XYZ"}, "version": 1}, 422, "parse_error"),
        ({"move": {"verb": "pass", "by": "@1"}, "version": 1}, 403, "not_your_turn"),
        ({"move": {"verb": "fly"}, "version": 1}, 422, "parse_error"),
        ({"move": "buy P2", "version": 0}, 409, "stale_position"),
        ({"move": "buy P2"}, 422, "parse_error"),
        ({"move": "buy P2", "version": 1, "more": 1}, 422, "parse_error"),
        ({"move": "x" * 5000, "version": 1}, 422, "parse_error"),
        ({"move": "x" * 70_000, "version": 1}, 413, "request_entity_too_large"),
    ):
        found, said = await bob.post("/move", body)
        assert (found, said["kind"], said["status"]) == (status, kind, status), said
        assert said["detail"]
    assert (await tables.desk.table(game_id)).record.version == 1
    _, said = await bob.post("/move", {"move": "P3 for 999", "version": 1})
    german = Program(browser, bob.headers["Authorization"].removeprefix("Bearer "), **{"Accept-Language": "de"})
    assert "nicht lesbar" in (await german.get("/log", after="x"))[1]["detail"]
    _, refused = await bob.post("/move", {"move": "reduce P2; reduce P2", "version": 1})
    assert refused["rule"] or refused["instead"] or refused["detail"]


async def test_a_refusal_names_its_rule(bob: Program) -> None:
    _, refused = await bob.post(
        "/move", {"move": {"verb": "buy_private", "by": "@2", "private": "P2", "price": 1}, "version": 1}
    )
    assert refused["rule"].startswith("1848 §") and refused["rule"] not in refused["detail"]


async def test_only_a_token_opens_it(tables: GameService, game_id: GameId, browser: Browser, look: str) -> None:
    play = await tables.links.make(game_id, BOB, LinkKind.PLAY)
    token = await tables.links.make(game_id, BOB, LinkKind.PROGRAM)
    for wrong in ("", "x", play, look.split("/")[-2], "ä", "x" * 5000):
        status, said = await Program(browser, wrong).get("/position")
        assert (status, said["kind"]) == (401, "unauthorized")
    answer = await browser.ask("GET", f"{API}/position")
    assert answer.status == 401 and answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert (await Program(browser, token).get("/position"))[0] == 200
    assert (await browser.enter(f"#{token}"))[0] == 403, "and a token opens no page"
    assert (await browser.get(f"/b/{token}/"))[0] == 403


async def test_a_token_ends_at_once_when_it_is_withdrawn(
    bob: Program, tables: GameService, game_id: GameId, board: BoardServer
) -> None:
    news = asyncio.create_task(stream_of(bob))
    async with asyncio.timeout(10):
        while not board.feed.viewers:
            await asyncio.sleep(0.01)
    await tables.moves.submit(game_id, BOB, "buy P2")
    await asyncio.sleep(0.3)
    await tables.links.withdraw_one(game_id, BOB, 1)
    assert (await bob.get("/position"))[0] == 401
    async with asyncio.timeout(10):
        found = await news
    assert [(one["version"], one["is_asked"]) for one in found] == [(1, True), (2, False)]


async def test_a_token_ends_with_the_seat_and_with_its_owner(
    bob: Program, tables: GameService, game_id: GameId
) -> None:
    ann = Program(bob.browser, await tables.links.make(game_id, ANN, LinkKind.PROGRAM))
    await tables.moderation.replace(game_id, ANN, 2, CID, "Cid")
    assert (await bob.get("/position"))[0] == 401
    assert (await ann.get("/position"))[0] == 200
    await tables.privacy.forget_person(ANN)
    assert (await ann.get("/position"))[0] == 401


async def test_after_the_game_it_can_only_be_looked_at(bob: Program, tables: GameService, game_id: GameId) -> None:
    await tables.moderation.set_status(game_id, ANN, GameStatus.FINISHED)
    assert (await bob.get("/position"))[1]["status"] == "finished"
    assert (await bob.get("/moves"))[1]["moves"] == []
    for path, body in (
        ("/move", {"move": "buy P2", "version": 2}),
        ("/try", {"move": "buy P2"}),
        ("/undo", {"version": 2}),
    ):
        status, said = await bob.post(path, body)
        assert (status, said["detail"]) == (422, "This game is over.")


async def test_each_token_is_limited(bob: Program, tables: GameService, game_id: GameId, board: BoardServer) -> None:
    moment = [0.0]
    board.programs.pace = RateLimiter(60, 3, clock=lambda: moment[0])
    assert [(await bob.get("/log"))[0] for _ in range(4)] == [200, 200, 200, 429]
    answer = await bob.browser.ask("GET", f"{API}/log", headers=bob.headers)
    assert answer.status == 429 and answer.headers["Retry-After"] == "1"
    other = Program(bob.browser, await tables.links.make(game_id, ANN, LinkKind.PROGRAM))
    assert (await other.get("/log"))[0] == 200
    moment[0] = 1.0
    assert (await bob.get("/log"))[0] == 200
    assert CALLS_AT_ONCE >= 20, "a program that reads, chooses and moves is not stopped"


async def test_its_use_is_noted_once_an_hour(bob: Program, tables: GameService, game_id: GameId, clock: Clock) -> None:
    seen = []
    for minutes in (0, 10, 60):
        clock.advance(minutes=minutes)
        await bob.get("/log")
        seen += [(await tables.links.links_of(game_id, BOB))[0].used_at]
    assert seen[0] == seen[1] < seen[2]


async def test_other_methods_and_paths_are_answered_in_the_same_shape(bob: Program) -> None:
    for method, path, status in (
        ("PUT", "/move", 405),
        ("GET", "/move", 405),
        ("GET", "/nothing", 404),
        ("DELETE", "/log", 405),
    ):
        answer = await bob.browser.ask(method, f"{API}{path}", headers=bob.headers)
        found = await answer.json(content_type="application/problem+json")
        assert (answer.status, found["status"]) == (status, status)
        validator("#/components/schemas/ApiProblem").validate(found)
        assert status != 405 or answer.headers["Allow"]


async def stream_of(program: Program) -> list[Any]:
    """Every event until the stream ends."""
    answer = await program.browser.ask("GET", f"{API}/stream", headers=program.headers)
    found = []
    async for line in answer.content:
        if line.startswith(b"data: "):
            found.append(json.loads(line.removeprefix(b"data: ")))
            validator("#/components/schemas/GameNews").validate(found[-1])
    return found


async def test_packed_bodies_are_not_unpacked(bob: Program) -> None:
    """60 MB can be packed into some 60 kB, and a body that is not packed as it says is an error of its sender."""
    packed = zlib.compress(b"x" * 60_000_000)
    for body, how in ((packed, "deflate"), (b"not packed", "gzip")):
        headers = {**bob.headers, "Content-Encoding": how, "Content-Type": "application/json"}
        answer = await bob.browser.ask("POST", f"{API}/move", data=body, headers=headers)
        assert answer.status == 422 and "That is not readable" in (await answer.json(content_type=None))["detail"]


async def test_a_body_that_does_not_come_is_not_waited_for(bob: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.web.views.BODY_SECONDS", 0.05)

    async def slowly() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(60)

    answer = await bob.browser.ask("POST", f"{API}/move", data=slowly(), headers=bob.headers)
    assert answer.status == 408


async def test_an_object_may_be_as_long_as_a_text(bob: Program) -> None:
    status, problem = await bob.post("/move", {"move": {"verb": "bid", "by": "X" * 6000}, "version": 0})
    assert status == 422 and len(problem["detail"]) < 500


async def test_moves_count_like_those_of_other_doors(bob: Program, board: BoardServer) -> None:
    board.playing.doorman = RateLimiter(1, 1)
    assert (await bob.post("/move", {"move": "bid P1 2", "version": 0}))[0] != 429
    assert (await bob.post("/move", {"move": "bid P1 2", "version": 0}))[0] == 429
