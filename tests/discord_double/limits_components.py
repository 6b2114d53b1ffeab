"""The first oracle, continued: components of messages (v1 and v2) and modals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.discord_double.model import BUTTON, SELECTS, TEXT_INPUT, Json, walk_components

ROW, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL = 1, 9, 10, 11, 12, 13, 14, 17, 18
TOP_LEVEL_V2 = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER}
LINK, PREMIUM = 5, 6
ROWS, BUTTONS_IN_ROW, COMPONENTS, TEXT_IN_ALL = 5, 5, 40, 4000
CUSTOM_ID, BUTTON_LABEL, URL, OPTIONS, OPTION_TEXT, PLACEHOLDER = 100, 80, 512, 25, 100, 150
MODAL_TITLE, MODAL_ITEMS, MODAL_LABEL, INPUT_TEXT, INPUT_PLACEHOLDER = 45, 5, 45, 4000, 100


def component_faults(components: Sequence[Json], is_v2: bool) -> list[str]:
    """What is wrong with the components of one message."""
    faults = _v2_faults(components) if is_v2 else _v1_faults(components)
    for component in walk_components(list(components)):
        kind = component.get("type")
        if kind == ROW:
            faults += _row_faults(component.get("components") or [])
        elif kind == BUTTON:
            faults += _button_faults(component)
        elif kind in SELECTS:
            faults += _select_faults(component)
        elif kind == SECTION:
            faults += _section_faults(component)
        elif kind == GALLERY and not 1 <= len(component.get("items") or []) <= 10:
            faults.append("a media gallery holds 1-10 items")
        elif kind == TEXT and not component.get("content"):
            faults.append("a text display is empty")
    return faults + _id_faults(components)


def _v1_faults(components: Sequence[Json]) -> list[str]:
    faults = [] if len(components) <= ROWS else [f"{len(components)} rows, {ROWS} allowed"]
    return faults + [
        f"type {part.get('type')} needs the flag of components v2" for part in components if part.get("type") != ROW
    ]


def _v2_faults(components: Sequence[Json]) -> list[str]:
    every = list(walk_components(list(components)))
    faults = [] if len(every) <= COMPONENTS else [f"{len(every)} components, {COMPONENTS} allowed"]
    text = sum(len(part.get("content") or "") for part in every if part.get("type") == TEXT)
    if text > TEXT_IN_ALL:
        faults.append(f"{text} characters in text displays, {TEXT_IN_ALL} allowed")
    return faults + [
        f"type {part.get('type')} cannot stand at the top"
        for part in components
        if part.get("type") not in TOP_LEVEL_V2
    ]


def _row_faults(parts: Sequence[Json]) -> list[str]:
    kinds = {part.get("type") for part in parts}
    if not parts:
        return ["a row is empty"]
    if kinds == {BUTTON}:
        return [] if len(parts) <= BUTTONS_IN_ROW else [f"{len(parts)} buttons in a row, {BUTTONS_IN_ROW} allowed"]
    if kinds <= set(SELECTS) and len(parts) == 1:
        return []
    return [
        f"a row holds up to {BUTTONS_IN_ROW} buttons or one select, not types {[part.get('type') for part in parts]}"
    ]


def _section_faults(section: Json) -> list[str]:
    texts, accessory = section.get("components") or [], section.get("accessory") or {}
    faults = []
    if not 1 <= len(texts) <= 3 or any(part.get("type") != TEXT for part in texts):
        faults.append("a section holds 1-3 text displays")
    if accessory.get("type") not in (BUTTON, THUMBNAIL):
        faults.append("a section needs a button or a thumbnail as its accessory")
    return faults


def _button_faults(button: Json) -> list[str]:
    label, style = button.get("label"), button.get("style")
    faults = (
        []
        if len(label or "") <= BUTTON_LABEL
        else [f"button label of {len(label or '')} characters, {BUTTON_LABEL} allowed"]
    )
    if style == PREMIUM:
        return faults
    if not label and not button.get("emoji"):
        faults.append("a button needs a label or an emoji")
    if style == LINK:
        if not button.get("url") or len(button["url"]) > URL or button.get("custom_id"):
            faults.append("a link button has an address and no custom_id")
    elif button.get("url"):
        faults.append("only link buttons have an address")
    else:
        faults += _custom_id_faults(button)
    return faults


def _custom_id_faults(component: Json) -> list[str]:
    custom_id = component.get("custom_id")
    if not isinstance(custom_id, str) or not 1 <= len(custom_id) <= CUSTOM_ID:
        return [f"custom_id must be 1-{CUSTOM_ID} characters: {custom_id!r}"]
    return []


def _select_faults(select: Json) -> list[str]:
    faults = _custom_id_faults(select)
    if len(select.get("placeholder") or "") > PLACEHOLDER:
        faults.append(f"a select's placeholder has at most {PLACEHOLDER} characters")
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= least <= most <= OPTIONS:
        faults.append(f"a select of {least} to {most} values")
    if select.get("type") != 3:
        return faults
    options = select.get("options") or []
    if not 1 <= len(options) <= OPTIONS:
        faults.append(f"a select of {len(options)} options, 1-{OPTIONS} allowed")
    if most > len(options):
        faults.append(f"a select of up to {most} values with {len(options)} options")
    if len({option.get("value") for option in options}) != len(options):
        faults.append("two options of a select have one value")
    for option in options:
        for key in ("label", "value"):
            if not 1 <= len(option.get(key) or "") <= OPTION_TEXT:
                faults.append(f"an option's {key} must be 1-{OPTION_TEXT} characters: {option.get(key)!r}")
        if len(option.get("description") or "") > OPTION_TEXT:
            faults.append(f"an option's description has at most {OPTION_TEXT} characters")
    return faults


def _id_faults(components: Sequence[Json]) -> list[str]:
    every = list(walk_components(list(components)))
    faults = []
    for key in ("custom_id", "id"):
        counts = Counter(part[key] for part in every if part.get(key))
        faults += [f"{key} {value!r} stands {count} times" for value, count in counts.items() if count > 1]
    return faults


def modal_faults(modal: Json) -> list[str]:
    """What is wrong with a modal."""
    parts = modal.get("components") or []
    faults = _custom_id_faults(modal)
    if not 1 <= len(modal.get("title") or "") <= MODAL_TITLE:
        faults.append(f"a modal's title must be 1-{MODAL_TITLE} characters: {modal.get('title')!r}")
    if not 1 <= len(parts) <= MODAL_ITEMS:
        faults.append(f"a modal of {len(parts)} items, 1-{MODAL_ITEMS} allowed")
    for part in parts:
        if part.get("type") == ROW:
            inner = part.get("components") or []
            if [item.get("type") for item in inner] != [TEXT_INPUT]:
                faults.append("a row of a modal holds one text input")
            faults += [fault for item in inner for fault in _input_faults(item, with_label=True)]
        elif part.get("type") == LABEL:
            faults += _label_faults(part)
        elif part.get("type") != TEXT:
            faults.append(f"type {part.get('type')} cannot stand in a modal")
    return faults + _id_faults(parts)


def _label_faults(label: Json) -> list[str]:
    faults = []
    if not 1 <= len(label.get("label") or "") <= MODAL_LABEL:
        faults.append(f"a label must be 1-{MODAL_LABEL} characters: {label.get('label')!r}")
    if len(label.get("description") or "") > 100:
        faults.append("a label's description has at most 100 characters")
    item = label.get("component") or {}
    if item.get("type") == TEXT_INPUT:
        return faults + _input_faults(item, with_label=False)
    if item.get("type") in SELECTS:
        return faults + _select_faults(item)
    return faults if item.get("type") in (19, 21, 22, 23) else [*faults, f"a label cannot hold type {item.get('type')}"]


def _input_faults(item: Json, with_label: bool) -> list[str]:
    faults = _custom_id_faults(item)
    if with_label and not 1 <= len(item.get("label") or "") <= MODAL_LABEL:
        faults.append(f"a text input's label must be 1-{MODAL_LABEL} characters: {item.get('label')!r}")
    least, most = item.get("min_length") or 0, item.get("max_length") or INPUT_TEXT
    if not 0 <= least <= most <= INPUT_TEXT:
        faults.append(f"a text input of {least} to {most} characters")
    if len(item.get("value") or "") > most:
        faults.append("a text input's value is longer than it allows")
    if len(item.get("placeholder") or "") > INPUT_PLACEHOLDER:
        faults.append(f"a text input's placeholder has at most {INPUT_PLACEHOLDER} characters")
    return faults
