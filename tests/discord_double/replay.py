"""The double tried by what was recorded on a real server: same requests, answers of the same status and shape."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import aiohttp

from tests.discord_double.double import Double
from tests.discord_double.interactions import Interaction
from tests.discord_double.model import Json
from tests.discord_double.sample_bot import PIXEL
from tests.discord_double.server import API, TOKEN

PLACEHOLDER = re.compile(r"<(?:id|token|tag)-\d+>|<(?:guild|channel|forum|application|bot)>")

TAGS = 20
"""So many a forum has at most."""


async def replay(recorded: Json) -> list[str]:
    """Ask a fresh double what was asked; where it answers otherwise, step by step."""
    double = Double()
    await double.start()
    try:
        return await _Replay(double).run(recorded["exchanges"])
    finally:
        double.problems.clear()
        double.interactions.abandon()
        await double.close()


class _Replay:
    """One file, asked anew; `bound` knows which id stands for which placeholder."""

    def __init__(self, double: Double) -> None:
        self.double = double
        forum = double.world.add_forum(double.guild, "18xx", [f"Tag {number}" for number in range(TAGS)])
        self.bound = {
            "<guild>": double.guild.id,
            "<channel>": double.channel.id,
            "<forum>": forum.id,
            "<application>": double.world.application_id,
            "<bot>": double.world.bot.id,
        }
        self.bound |= {f"<tag-{number}>": tag for number, tag in enumerate(forum.tags, 1)}
        self.bound = {name: str(number) for name, number in self.bound.items()}

    async def run(self, exchanges: list[Json]) -> list[str]:
        """Ask all of it."""
        found: list[str] = []
        async with aiohttp.ClientSession(headers={"Authorization": f"Bot {TOKEN}"}) as session:
            for exchange in exchanges:
                if exchange.get("interaction"):
                    self._begin(exchange)
                where = f"{exchange['step']}: {exchange['method']} {exchange['path']}"
                found += [f"{where}: {each}" for each in await self._ask(session, exchange)]
        return found

    def _begin(self, exchange: Json) -> None:
        """Somebody presses or types what was pressed or typed then."""
        asked, double = exchange["interaction"], self.double
        thread = next(each for each in double.threads if each.parent is double.channel)
        message = next((m for m in thread.messages if any(b.custom_id == asked["name"] for b in m.buttons)), None)
        data = {"custom_id": asked["name"], "component_type": 2} if message else {"name": asked["name"], "type": 1}
        begun: Interaction = double.interactions.begin(
            asked["kind"], asked["name"], double.ann.account, thread, data, message
        )
        _, _, number, token, *_ = exchange["path"].split("/")
        self.bound[number], self.bound[token] = str(begun.id), begun.token

    async def _ask(self, session: aiohttp.ClientSession, exchange: Json) -> list[str]:
        request = self._filled(exchange["request"])
        more: dict[str, Any] = {}
        if exchange["files"]:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", json.dumps(request))
            for file in exchange["files"]:
                form.add_field(file["part"], PIXEL, filename=file["filename"])
            more["data"] = form
        elif request is not None:
            more = {"data": json.dumps(request), "headers": {"Content-Type": "application/json"}}
        url = f"{self.double.url}{API}{self._filled(exchange['path'])}"
        while True:
            query = self._filled(exchange["query"])
            async with session.request(exchange["method"], url, params=query, **more) as response:
                answer = await response.json() if response.content_type == "application/json" else None
                status = response.status
            if status != 429 or exchange["status"] == 429:
                break
            await asyncio.sleep(answer["retry_after"])
        if status != exchange["status"]:
            return [f"{exchange['status']} was recorded, the double gives {status} ({answer})"]
        self._bind(exchange["answer"], answer)
        if status >= 400:
            codes = [each.get("code") if isinstance(each, dict) else None for each in (exchange["answer"], answer)]
            return [] if codes[0] == codes[1] else [f"code {codes[0]} was recorded, the double gives {codes[1]}"]
        return differences(exchange["answer"], answer)

    def _filled(self, value: Any) -> Any:
        """With ids for placeholders."""
        if isinstance(value, dict):
            return {self._filled(key): self._filled(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self._filled(part) for part in value]
        if not isinstance(value, str):
            return value
        return PLACEHOLDER.sub(lambda found: self.bound.get(found[0], found[0]), value)

    def _bind(self, recorded: Any, answer: Any) -> None:
        """Learn which ids the double has given."""
        if isinstance(recorded, dict) and isinstance(answer, dict):
            for key, part in recorded.items():
                self._bind(part, answer.get(key))
        elif isinstance(recorded, list) and isinstance(answer, list):
            for one, other in zip(recorded, answer, strict=False):
                self._bind(one, other)
        elif isinstance(recorded, str) and PLACEHOLDER.fullmatch(recorded) and isinstance(answer, str):
            self.bound.setdefault(recorded, answer)


def differences(recorded: Any, answer: Any, where: str = "") -> list[str]:
    """In what the shapes of two answers differ; of lists all entries together make up the shape, and null goes with anything."""
    if recorded is None or answer is None:
        return []
    if _kind(recorded) != _kind(answer):
        return [f"{where}: {_kind(recorded)}, the double gives a {_kind(answer)}"]
    if isinstance(recorded, list):
        if not recorded or not answer or not isinstance(recorded[0], dict):
            return []
        return differences(_merged(recorded), _merged(answer), f"{where}[]")
    return list(_of_objects(recorded, answer, where)) if isinstance(recorded, dict) else []


def _of_objects(recorded: Json, answer: Json, where: str) -> Iterator[str]:
    for key, part in recorded.items():
        name = f"{where}.{key}".lstrip(".")
        if PLACEHOLDER.fullmatch(key):
            continue
        if key not in answer:
            yield f"{name}: the double lacks it"
        else:
            yield from differences(part, answer[key], name)
    for key in answer.keys() - recorded.keys():
        if not key.isdecimal():
            yield f"{f'{where}.{key}'.lstrip('.')}: only the double has it"


def _merged(entries: list[Any]) -> Json:
    """One object with the keys of all."""
    found: Json = {}
    for entry in entries:
        if isinstance(entry, dict):
            found |= {key: value for key, value in entry.items() if value is not None or key not in found}
    return found


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float):
        return "number"
    return {str: "text", list: "list", dict: "object"}[type(value)]
