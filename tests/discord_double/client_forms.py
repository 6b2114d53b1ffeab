"""What the client's components and forms allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .client_commands import ClientRefuses
from .model import SELECTS, TEXT_INPUT, Json, Message, walk_components

ROW, LABEL = 1, 18


def pick(message: Message, name: str | None, fits: Callable[[Json], Any]) -> Json:
    """The component of the message as it now stands, by label or custom_id; without a name the only one that fits.

    :raises ClientRefuses: there is none, several fit, or it is disabled.
    """
    parts = [part for part in walk_components(message.components) if fits(part)]
    found = [part for part in parts if name is None or name in (part.get("custom_id"), part.get("label"))]
    if len(found) != 1:
        names = [part.get("label") or part.get("custom_id") for part in parts]
        raise ClientRefuses(f"{len(found)} components are called {name!r}; there are {names}")
    if found[0].get("disabled"):
        raise ClientRefuses(f"{name!r} is disabled")
    return found[0]


def fill_modal(modal: Json, fields: Mapping[str, Any]) -> Json:
    """The data of a submitted form; fields that are not named keep what they were opened with.

    :raises ClientRefuses: unknown fields, empty required ones, texts of a wrong length, foreign options.
    """
    left = dict(fields)
    components = [_filled(component, left) for component in modal["components"]]
    if left:
        raise ClientRefuses(f"the form has no fields {sorted(left)}")
    return {"custom_id": modal["custom_id"], "components": components}


def _filled(component: Json, left: dict[str, Any]) -> Json:
    form = {"type": component["type"], "id": component["id"]}
    if component["type"] == ROW:
        inner = component["components"][0]
        return form | {"components": [_item(inner, inner.get("label"), left)]}
    if component["type"] == LABEL:
        return form | {"component": _item(component["component"], component["label"], left)}
    return form


def _item(item: Json, label: str | None, left: dict[str, Any]) -> Json:
    name = next((name for name in (item["custom_id"], label) if name in left), None)
    given = left.pop(name) if name is not None else None
    form = {"type": item["type"], "id": item["id"], "custom_id": item["custom_id"]}
    if item["type"] == TEXT_INPUT:
        return form | {"value": _text(item, item.get("value", "") if given is None else str(given))}
    if item["type"] in SELECTS:
        return form | {"values": _values(item, given)}
    raise ClientRefuses(f"the scripted user cannot fill a field of type {item['type']}")


def _text(item: Json, text: str) -> str:
    least = item.get("min_length") or (1 if item.get("required", True) else 0)
    if (text or item.get("required", True)) and not least <= len(text) <= (item.get("max_length") or 4000):
        raise ClientRefuses(f"{item['custom_id']}: a text of {len(text)} characters")
    if item.get("style") == 1 and "\n" in text:
        raise ClientRefuses(f"{item['custom_id']} has one line")
    return text


def _values(item: Json, given: Any) -> list[str]:
    wanted = [] if given is None else [given] if isinstance(given, str) else list(given)
    options = {
        name: option["value"] for option in item.get("options") or [] for name in (option["label"], option["value"])
    }
    if foreign := [value for value in wanted if options and value not in options]:
        raise ClientRefuses(f"{item['custom_id']} has no options {foreign}")
    least = item.get("min_values", 1) if item.get("required", True) else 0
    if not least <= len(wanted) <= item.get("max_values", 1):
        raise ClientRefuses(f"{item['custom_id']}: {len(wanted)} values")
    return [options.get(value, value) for value in wanted]
