"""What the client's components and forms allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.discord_double.client_commands import ClientRefuses, enter_person
from tests.discord_double.model import SELECTS, TEXT_INPUT, Channel, Json, PostedMessage, walk_components
from tests.discord_double.payloads import Payloads

ROW, LABEL, STRING_SELECT, USER_SELECT = 1, 18, 3, 5


def pick(message: PostedMessage, name: str | None, fits: Callable[[Json], Any]) -> Json:
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


def choose(select: Json, values: Sequence[Any], payloads: Payloads, channel: Channel) -> tuple[list[str], Json]:
    """The values of a select as sent, by label, value or person, with what they refer to.

    :raises ClientRefuses: an option that is not there, too few or too many.
    """
    resolved: Json = {}
    if select["type"] == STRING_SELECT:
        options = {name: option["value"] for option in select["options"] for name in (option["label"], option["value"])}
        if foreign := [value for value in values if value not in options]:
            raise ClientRefuses(f"{select['custom_id']} has no options {foreign}")
        chosen = [options[value] for value in values]
    elif select["type"] == USER_SELECT:
        chosen = [enter_person(payloads, value, channel, resolved) for value in values]
    else:
        raise ClientRefuses(f"the scripted user cannot use a select of type {select['type']}")
    least = select.get("min_values", 1) if select.get("required", True) else 0
    if not least <= len(chosen) <= select.get("max_values", 1):
        raise ClientRefuses(f"{select['custom_id']}: {len(chosen)} values")
    return chosen, resolved


def fill_modal(modal: Json, fields: Mapping[str, Any], payloads: Payloads, channel: Channel) -> Json:
    """The data of a submitted form; fields that are not named keep what they were opened with.

    :raises ClientRefuses: unknown fields, empty required ones, texts of a wrong length, foreign options.
    """
    left = dict(fields)
    resolved: Json = {}

    def fill(item: Json, label: str | None) -> Json:
        name = next((name for name in (item["custom_id"], label) if name in left), None)
        given = left.pop(name) if name is not None else None
        form = {"type": item["type"], "id": item["id"], "custom_id": item["custom_id"]}
        if item["type"] == TEXT_INPUT:
            return form | {"value": _text(item, item.get("value", "") if given is None else str(given))}
        if item["type"] in SELECTS:
            wanted = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]
            values, people = choose(item, wanted, payloads, channel)
            resolved.update(people)
            return form | {"values": values}
        raise ClientRefuses(f"the scripted user cannot fill a field of type {item['type']}")

    components = [_filled(component, fill) for component in modal["components"]]
    if left:
        raise ClientRefuses(f"the form has no fields {sorted(left)}")
    return {"custom_id": modal["custom_id"], "components": components} | ({"resolved": resolved} if resolved else {})


def _filled(component: Json, fill: Callable[[Json, str | None], Json]) -> Json:
    form = {"type": component["type"], "id": component["id"]}
    if component["type"] == ROW:
        inner = component["components"][0]
        return form | {"components": [fill(inner, inner.get("label"))]}
    if component["type"] == LABEL:
        return form | {"component": fill(component["component"], component["label"])}
    return form


def _text(item: Json, text: str) -> str:
    least = item.get("min_length") or (1 if item.get("required", True) else 0)
    if (text or item.get("required", True)) and not least <= len(text) <= (item.get("max_length") or 4000):
        raise ClientRefuses(f"{item['custom_id']}: a text of {len(text)} characters")
    if item.get("style") == 1 and "\n" in text:
        raise ClientRefuses(f"{item['custom_id']} has one line")
    return text
