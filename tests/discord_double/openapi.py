"""The second oracle: Discord's own OpenAPI file, when it lies beside the project.

The file is `discord/openapi.json` in the shared folder (`SIGNALBOX_SHARED`, else `shared` beside the
repository). Whoever lacks it is told so loudly, and the first oracle judges alone.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.discord_double.errors import invalid
from tests.discord_double.model import Json

ROOT = "discord"
LENIENT_SNOWFLAKE = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$"}
"""Discord takes numbers for ids in requests, though its file names strings alone; it answers with strings."""

RESPONSES_CHECKED = 3
"""How often the emulator's own answer to one operation is validated: the first few tell."""


def openapi_path() -> Path:
    """Where the file is expected."""
    beside = Path(__file__).resolve().parents[2].parent / "shared"
    return Path(os.environ.get("SIGNALBOX_SHARED", beside)) / "discord" / "openapi.json"


@cache
def load_oracle() -> OpenApi | None:
    """The oracle, read once for all tests; None with a loud warning when the file is absent."""
    path = openapi_path()
    if not path.exists():
        warnings.warn(f"NO OPENAPI FILE: {path} is absent; Discord's own schema is not checked", stacklevel=2)
        return None
    return OpenApi(json.loads(path.read_text(encoding="utf-8")))


class OpenApi:
    """Validates bodies by method and path."""

    def __init__(self, document: Json) -> None:
        self.document = document
        schemas = document["components"]["schemas"] | {"SnowflakeType": LENIENT_SNOWFLAKE}
        lenient = document | {"components": document["components"] | {"schemas": schemas}}
        self._registries = {"request": _registry(lenient), "response": _registry(document)}
        self._quick_registries = {
            "request": jsonschema_rs.Registry([(ROOT, lenient)], draft=jsonschema_rs.Draft202012),
            "response": jsonschema_rs.Registry([(ROOT, document)], draft=jsonschema_rs.Draft202012),
        }
        self._validators: dict[str, Draft202012Validator] = {}
        self._quick: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._counts: dict[str, int] = {}
        templates = sorted(document["paths"], key=lambda path: path.count("{"))
        self._paths = [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", template)), template) for template in templates]

    def operation(self, method: str, path: str) -> Json | None:
        """What the file says of a method and a path, fixed parts before parameters."""
        for pattern, template in self._paths:
            if pattern.fullmatch(path) and method.lower() in self.document["paths"][template]:
                found: Json = self.document["paths"][template][method.lower()]
                return found
        return None

    def check_request(self, method: str, path: str, body: Any) -> None:
        """Judge a request's JSON.

        :raises ApiError: 400 with what the schema says.
        """
        operation = self.operation(method, path)
        if operation is None:
            raise invalid([f"{method} {path} is not in Discord's OpenAPI file"], "openapi")
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        if schema is None or body is None:
            return
        if fault := self._fault(f"request {operation['operationId']}", schema, body):
            raise invalid([fault], "openapi")

    def response_fault(self, method: str, path: str, status: int, body: Any) -> str | None:
        """What is wrong with an answer of the emulator; None when nothing, or when it was looked at often enough."""
        operation = self.operation(method, path)
        if operation is None or body is None:
            return None
        name = f"response {status} {operation['operationId']}"
        self._counts[name] = self._counts.get(name, 0) + 1
        if self._counts[name] > RESPONSES_CHECKED:
            return None
        content = operation["responses"].get(str(status), {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        return self._fault(name, schema, body) if schema is not None else None

    def _fault(self, name: str, schema: Json, body: Any) -> str | None:
        """What is wrong with a body. A quick validator says whether anything is, a wordy one what."""
        kind = name.split()[0]
        if name not in self._quick:
            registry = self._quick_registries[kind]
            self._quick[name] = jsonschema_rs.Draft202012Validator(_absolute(schema), registry=registry)
        if self._quick[name].is_valid(body):
            return None
        validator = self._validators.get(name)
        if validator is None:
            validator = Draft202012Validator(_absolute(schema), registry=self._registries[kind])
            self._validators[name] = validator
        error = best_match(validator.iter_errors(body))
        if error is None:
            return None
        error = _likeliest(error)
        return f"{name}: {error.json_path}: {error.message[:300]}"


def _likeliest(error: ValidationError) -> ValidationError:
    """Down through alternatives: an alternative whose `type` does not fit was not meant."""
    branches: dict[int | str, list[ValidationError]] = {}
    for inner in error.context or []:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    meant = [
        errors for errors in branches.values() if not any(inner.path and inner.path[-1] == "type" for inner in errors)
    ]
    if len(meant) != 1 and len(branches) != 1:
        return error
    chosen = (meant or list(branches.values()))[0]
    return _likeliest(best_match(chosen) or chosen[0])


def _registry(document: Json) -> Registry[Any]:
    empty: Registry[Any] = Registry()
    filled: Registry[Any] = empty.with_resource(ROOT, DRAFT202012.create_resource(document))
    return filled


def _absolute(value: Any) -> Any:
    """A schema whose references name the document, so that it can stand outside of it."""
    if isinstance(value, dict):
        return {key: ROOT + part if key == "$ref" else _absolute(part) for key, part in value.items()}
    return [_absolute(part) for part in value] if isinstance(value, list) else value
