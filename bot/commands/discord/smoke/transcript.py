"""The requests to Discord and its answers, without anything that names people, servers or secrets.

Ids become placeholders, alike where they were alike; of texts only those are kept that we have sent ourselves, and what Discord
says of a mistake.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

FORMAT = 1

API = re.compile(r"^.*/api/v\d+(?=/)")
SNOWFLAKE = re.compile(r"(?<!\d)\d{15,20}(?!\d)")
LARGEST_NUMBER = 10**14
"""A number above it is an id."""

TIME = re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+(\+\d\d:\d\d|Z)?$")
ADDRESS = re.compile(r"^(https?|wss?)://")
BITS = {"permissions", "allow", "deny", "default_member_permissions", "flags_new"}
"""Fields with numbers that are written as text and are not ids."""

SECRET_IN_PATH = re.compile(r"^/(?:interactions|webhooks)/[^/]+/([^/]+)")
FILE_PART = re.compile(rb'name="(files\[\d+\])"; filename="([^"]*)"')
ERROR = 400

Json = dict[str, Any]


@dataclass
class RecordedRequest:
    """One request and its answer; status 0 where there was none."""

    step: str
    method: str
    path: str
    query: Mapping[str, str]
    request: Any
    files: list[Json]
    status: int = 0
    answer: Any = None
    interaction: Json | None = None


@dataclass
class Transcript:
    """All requests of a trial; `step` is the present step, `interactions` the kinds of the interactions answered."""

    step: str = ""
    exchanges: list[RecordedRequest] = field(default_factory=list)
    interactions: dict[str, Json] = field(default_factory=dict)

    def trace(self) -> aiohttp.TraceConfig:
        """For a Discord client, so that its requests are recorded."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._begin)
        config.on_request_chunk_sent.append(self._add_chunk)
        config.on_request_end.append(self._end)
        config.on_request_exception.append(self._note_failure)
        return config

    async def _begin(self, session: object, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        context.body, context.step = bytearray(), self.step

    async def _add_chunk(
        self, session: object, context: SimpleNamespace, params: aiohttp.TraceRequestChunkSentParams
    ) -> None:
        context.body += params.chunk

    async def _end(self, session: object, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        if exchange := self._exchange(context, params):
            exchange.status = params.response.status
            text = await params.response.text(encoding="utf-8")
            is_json = params.response.headers.get("Content-Type") == "application/json"
            exchange.answer = json.loads(text) if is_json and text else None

    async def _note_failure(
        self, session: object, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self._exchange(context, params)

    def _exchange(
        self, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams
    ) -> RecordedRequest | None:
        """The request, recorded; None where it is not for the API."""
        if not API.match(params.url.raw_path):
            return None
        path = API.sub("", params.url.raw_path)
        request, files = read_body(bytes(context.body))
        found = RecordedRequest(context.step, params.method, path, dict(params.url.query), request, files)
        found.interaction = self.interactions.get(path.split("/")[2]) if path.startswith("/interactions/") else None
        self.exchanges.append(found)
        return found

    def redact(self, names: Mapping[int, str]) -> list[Json]:
        """All requests in a form that may be shown; ids with a name are replaced by it."""
        cleaner = Cleaner({str(number): f"<{name}>" for number, name in names.items()})
        return [cleaner.exchange(each) for each in self.exchanges]


def read_body(body: bytes) -> tuple[Any, list[Json]]:
    """A request's JSON, and name, kind and size of each of its files."""
    if not body.startswith(b"--"):
        return (json.loads(body) if body else None), []
    form, files = None, []
    boundary = body.split(b"\r\n", 1)[0]
    for part in body.split(boundary)[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        content = content.removesuffix(b"\r\n")
        if found := FILE_PART.search(head):
            files.append({"part": found[1].decode(), "filename": found[2].decode(), "size": len(content)})
        elif b'name="payload_json"' in head:
            form = json.loads(content)
    return form, files


class Cleaner:
    def __init__(self, ids: dict[str, str]) -> None:
        self._ids = ids
        self._secrets: dict[str, str] = {}
        self._own: set[str] = set()

    def exchange(self, exchange: RecordedRequest) -> Json:
        self._own |= set(_texts(exchange.request)) | {file["filename"] for file in exchange.files}
        form: Json = {
            "step": exchange.step,
            "method": exchange.method,
            "path": self.path(exchange.path),
            "query": {key: self.own_text(value) for key, value in exchange.query.items()},
            "request": self.request(exchange.request),
            "files": exchange.files,
            "status": exchange.status,
            "answer": self.answer(exchange.answer, exchange.status >= ERROR),
        }
        return form | ({"interaction": exchange.interaction} if exchange.interaction else {})

    def path(self, path: str) -> str:
        """A path without ids and without the token of an interaction."""
        if found := SECRET_IN_PATH.match(path):
            secret = self._secrets.setdefault(found[1], f"<token-{len(self._secrets) + 1}>")
            path = path.replace(found[1], secret, 1)
        return self.own_text(path)

    def own_text(self, text: str) -> str:
        """A text of the bot without ids."""
        return SNOWFLAKE.sub(lambda found: self._id(found[0]), text)

    def request(self, value: Any) -> Any:
        """Data sent by the bot, without ids."""
        if isinstance(value, dict):
            return {self.own_text(key): self.request(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.request(part) for part in value]
        return self.own_text(value) if isinstance(value, str) else self._number(value)

    def answer(self, value: Any, is_error: bool = False, key: str = "") -> Any:
        """Discord's answer; of its texts only the bot's own, or what it says of an error."""
        if isinstance(value, dict):
            return {self.own_text(name): self.answer(part, is_error, name) for name, part in value.items()}
        if isinstance(value, list):
            return [self.answer(part, is_error, key) for part in value]
        if not isinstance(value, str):
            return self._number(value)
        if key in BITS and value.isdecimal():
            return "<bits>"
        if SNOWFLAKE.fullmatch(value):
            return self._id(value)
        if TIME.match(value):
            return "<time>"
        if ADDRESS.match(value):
            return "<address>"
        return self.own_text(value) if is_error or value in self._own else "<text>"

    def _number(self, value: Any) -> Any:
        is_id = isinstance(value, int) and not isinstance(value, bool) and value > LARGEST_NUMBER
        return self._id(str(value)) if is_id else value

    def _id(self, text: str) -> str:
        return self._ids.setdefault(text, f"<id-{len(self._ids) + 1}>")


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) else []


def kind_of(interaction: discord.Interaction[Any]) -> Json:
    """The kind of an interaction, for reproducing it in an emulator."""
    data: Any = interaction.data or {}
    kinds = {
        discord.InteractionType.component: "component",
        discord.InteractionType.autocomplete: "autocomplete",
        discord.InteractionType.application_command: "command",
    }
    name = data.get("custom_id") or data.get("name") or ""
    return {"kind": kinds.get(interaction.type, str(interaction.type)), "name": name}
