"""Two judges of every request: Discord's published limits by hand, and its API description where it is there."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

NAME = re.compile(r"^[-_'\w]{1,32}$")
SPECIFICATION = "discord/openapi.json"


def limit_problems(body: Any, files: dict[str, bytes]) -> list[str]:
    """Which published limits a message, answer or command list breaks."""
    if isinstance(body, list):
        return [problem for command in body for problem in command_problems(command)]
    if not isinstance(body, dict):
        return []
    found = message_problems(body.get("data") if isinstance(body.get("data"), dict) else body)
    total = sum(len(data) for data in files.values())
    if len(files) > 10 or total > 25 * 2**20 or any(len(data) > 10 * 2**20 for data in files.values()):
        found.append(f"{len(files)} files of {total} bytes")
    return found


def message_problems(body: dict[str, Any]) -> list[str]:
    """Lengths of content, alt texts, choices; numbers and ids of components."""
    found = []
    if len(body.get("content") or "") > 2000:
        found.append(f"content of {len(body['content'])} characters")
    found += [
        f"alt text of {len(entry['description'])} characters"
        for entry in body.get("attachments") or []
        if len(entry.get("description") or "") > 1024
    ]
    choices = body.get("choices") or []
    if len(choices) > 25:
        found.append(f"{len(choices)} choices")
    found += [f"choice {c['name']!r}" for c in choices if not 1 <= len(c["name"]) <= 100 or len(str(c["value"])) > 100]
    return found + component_problems(body.get("components") or [])


def component_problems(rows: list[dict[str, Any]]) -> list[str]:
    """At most five rows of five buttons, ids unique and 1 to 100 long, labels up to 80."""
    found = []
    if len(rows) > 5:
        found.append(f"{len(rows)} rows of components")
    ids: list[str] = []
    for row in rows:
        items = row.get("components") or []
        if len(items) > 5:
            found.append(f"{len(items)} components in a row")
        for item in items:
            ids.append(item.get("custom_id", ""))
            if len(item.get("label") or "") > 80 or not 1 <= len(item.get("custom_id") or "x") <= 100:
                found.append(f"component {item}")
    if len(set(ids)) < len(ids):
        found.append(f"ids twice: {ids}")
    return found


def command_problems(command: dict[str, Any]) -> list[str]:
    """Names, descriptions, numbers of options and choices, total size."""
    found = []
    if not NAME.match(command["name"]) or not 1 <= len(command.get("description") or "x") <= 100:
        found.append(f"command {command['name']}")
    options = command.get("options") or []
    if len(options) > 25:
        found.append(f"{len(options)} options of {command['name']}")
    for option in options:
        if len(option.get("choices") or []) > 25:
            found.append(f"choices of {option['name']}")
        found += command_problems(option)
    if len(json.dumps(command)) > 8000:
        found.append(f"{command['name']} is too large")
    return found


class Specification:
    """Discord's own API description. Without the file it has nothing to say, and says so once."""

    def __init__(self, shared: Path) -> None:
        path = shared / SPECIFICATION
        self.document: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        self.is_present = bool(self.document)

    @lru_cache(maxsize=256)  # noqa: B019 - one specification lives as long as the tests
    def validator(self, method: str, path: str) -> Draft202012Validator | None:
        """The validator of a request's body; None where the description has no body for it."""
        for template, operations in self.document.get("paths", {}).items():
            pattern = re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template))
            if re.fullmatch(pattern, path) and method.lower() in operations:
                content = operations[method.lower()].get("requestBody", {}).get("content", {})
                schema = content.get("application/json", {}).get("schema")
                if schema:
                    return Draft202012Validator({**schema, "components": self.document["components"]})
        return None

    def problems(self, method: str, path: str, body: Any) -> list[str]:
        """What the description says against the body."""
        if not self.document or body is None:
            return []
        found = self.validator(method, path)
        if found is None:
            return []
        problems = found.iter_errors(with_text_ids(body))
        return [f"{method} {path}: {error.json_path}: {error.message[:200]}" for error in problems][:3]


def with_text_ids(value: Any, key: str = "") -> Any:
    """The body with ids as strings: discord.py writes some as numbers, and Discord takes both."""
    if isinstance(value, dict):
        return {name: with_text_ids(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_text_ids(inner, key) for inner in value]
    is_id = (
        isinstance(value, int)
        and not isinstance(value, bool)
        and (key in ("id", "users", "roles") or key.endswith("_id"))
    )
    return str(value) if is_id else value
