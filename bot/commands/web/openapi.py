"""The OpenAPI document of the API for programs, from the declaration of its routes."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from bot.service.features.board_links import API
from bot.titles.registry import TITLES

from .api_schema import ROUTES, ApiProblem, ApiRoute

REFERENCE = "#/components/schemas/{name}"
ABOUT = """A program plays a seat of one game, with the rights of the token's owner at the moment of each request.
`board token` in Discord or in the terminal prints the address of this API with the token behind the `#`; send it as
`Authorization: Bearer TOKEN`. `board links` lists tokens, `board withdraw` ends one.

A move names the `version` it was chosen for: if the game has moved on, it is refused with 409 and nothing is done, so a
request may be repeated. One token may ask 300 times a minute, 100 times at once; then 429 says in `Retry-After` for how
many seconds to wait. Sentences are in the language of the owner, else in that of `Accept-Language`. Fields may be
added to answers; those that exist stay."""
REFUSALS = {
    "401": "No token, or one that is not valid any more",
    "403": "It is not your turn, or not your seat",
    "408": "The request did not come within 15 seconds",
    "409": "The game has moved on",
    "413": "The request is too long",
    "421": "The bot does not serve this host",
    "422": "The request cannot be read, or the rules forbid it",
    "429": "Too many requests",
    "500": "Something went wrong; nothing was changed",
    "503": "The bot is restarting, or its database does not answer",
}
HEADERS = {"429": {"headers": {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}}}


@cache
def openapi_text() -> str:
    return json.dumps(openapi_document(), indent=1, ensure_ascii=False) + "\n"


def openapi_document() -> dict[str, Any]:
    actions = sorted({verb for title in TITLES.values() for verb in title.verbs}, key=lambda verb: verb.__name__)
    types: list[Any] = [route.answers for route in ROUTES]
    types += [route.takes for route in ROUTES if route.takes is not None]
    _, components = msgspec.json.schema_components([*types, ApiProblem, *actions], ref_template=REFERENCE)
    named = [REFERENCE.format(name=verb.__name__) for verb in actions]
    components["Action"] = {"description": "A move. `verb` says which.", "anyOf": [{"$ref": name} for name in named]}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Signalbox",
            "version": "1",
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": API}],
        "security": [{"token": []}],
        "paths": {route.path: {route.method.lower(): operation(route)} for route in ROUTES},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": dict(sorted(components.items())),
            "responses": {status: refusal(status) for status in REFUSALS},
        },
    }


def operation(route: ApiRoute) -> dict[str, Any]:
    """A route in the document."""
    kind = "text/event-stream" if route.streams else "application/json"
    answer = {"description": "Done", "content": {kind: {"schema": reference(route.answers)}}}
    refusals = {status: {"$ref": f"#/components/responses/{status}"} for status in REFUSALS}
    found: dict[str, Any] = {
        "operationId": route.handler,
        "summary": route.summary,
        "responses": {"200": answer, **refusals},
    }
    if route.takes is not None and route.method == "GET":
        found["parameters"] = parameters(route.takes)
    elif route.takes is not None:
        content = {"application/json": {"schema": reference(route.takes)}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def parameters(kind: type[Struct]) -> list[dict[str, Any]]:
    """The fields of a query; a field that may be left out is never null there."""
    schema = msgspec.json.schema_components([kind])[1][kind.__name__]
    shown = {name: about.get("anyOf", [about])[0] for name, about in schema["properties"].items()}
    return [{"name": name, "in": "query", "schema": about} for name, about in shown.items()]


def refusal(status: str) -> dict[str, Any]:
    """An answer that says why nothing was done."""
    found: dict[str, Any] = {
        "description": REFUSALS[status],
        "content": {"application/problem+json": {"schema": reference(ApiProblem)}},
    }
    return found | HEADERS.get(status, {})


def reference(kind: type[Struct]) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=kind.__name__)}
