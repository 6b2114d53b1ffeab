"""Moves put together choice by choice: which kind, then one field after another, only out of the legal actions.

A `path` holds the number of the value chosen for every field that had more than one; fields with a single value are
never asked. Legal actions come in a fixed order, so that a path means the same for as long as the position stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from bot.engine import HexId, IllegalMove, Owner, PlayerId, StalePosition, TileId, as_company, is_player
from bot.engine.message import PLACES, Text, join_or, msg
from bot.engine.notation.messages import hex_name, money
from bot.engine.notation.text import format_action, verb_of
from bot.engine.notation.verb import example_of
from bot.engine.play.game import Game
from bot.engine.play.move_builder import Composer, compose, first_built_move
from bot.engine.state.actions import Action, Bid, LayTile, PlaceToken, RunRoutes
from bot.i18n import tr

from .choice_hints import company_note, now_on, prices, tile_note, value_of, words_in_common
from .preview import exits_note
from .suggestions import BEST, STEPS, each_once, may_be_written, short_text, sum_field
from .vocabulary import default_actor, with_names

MOST_ALIKE = 2
"""Maximum number of moves shown that differ only in a number, where there is little room."""

MOST_SHOWN = 15
"""Maximum number of first choices shown, unless verbs with a single move each are more than that."""


@dataclass(frozen=True)
class MenuEntry:
    """A first choice: one move (`text`), or a kind of move whose fields are asked one by one (`kind`).

    The label of a move is what players type; `text` its exact form, with seats instead of names.
    """

    label: str
    text: str = ""
    kind: str = ""


@dataclass(frozen=True)
class MenuOption:
    """A value of a field: its label in the reader's language, and a note."""

    label: str
    note: str = ""


@dataclass(frozen=True)
class Menu:
    """The next question about a kind of move. `action` is set when nothing is left to ask.

    `said` are the values chosen so far; `left` the actions that are still possible; `sums` the lowest and the highest
    listed sum where another sum may be named. A move that is put together has nothing `left`; of its choices `least` to
    `most` are made at once, `spaces` and `tiles` are what the question is about.
    """

    kind: str
    path: tuple[int, ...]
    field: str
    question: str
    said: tuple[str, ...]
    choices: tuple[MenuOption, ...]
    left: tuple[Action, ...]
    action: Action | None = None
    sums: tuple[int, int] | None = None
    verb: type[Action] = Action
    least: int = 1
    most: int = 1
    spaces: tuple[HexId, ...] = ()
    tiles: tuple[TileId, ...] = ()

    @property
    def is_several(self) -> bool:
        """Whether more than one choice, or none, may be made at once."""
        return (self.least, self.most) != (1, 1)


def legal_for(game: Game, seats: Collection[PlayerId]) -> list[Action]:
    """The legal actions of these seats; routes are not searched for."""
    found = [action for step in game.open_steps() if RunRoutes not in step.verbs for action in step.options(game)]
    return [action for action in dict.fromkeys(found) if game.controller_of(action.by) in seats]


def ways(game: Game, seats: Collection[PlayerId], has_little_room: bool = False) -> list[MenuEntry]:
    """The first choices of these seats: moves where they are few, else one way a kind of move. If there is little room,
    moves that differ only in a number, as the prices of a company do, leave it to others.

    For verbs whose legal moves are only sampled there is always a way to choose another sum, or to write the
    move. Players who are not asked are shown what they may do out of turn.
    """
    if game.state.finished:
        return []
    title, is_asked = game.title, not set(game.players_to_act()).isdisjoint(seats)
    runs = is_asked and RunRoutes in game.open_verbs()
    found = [MenuEntry(BEST, text=BEST)] if runs else []
    by_kind: dict[type[Action], list[Action]] = {}
    for action in legal_for(game, seats):
        by_kind.setdefault(type(action), []).append(action)
    for kind in composers_for(game, seats, by_kind):
        by_kind.setdefault(kind, [])
    actor = default_actor(game)
    direct = {kind: usual(game, kind, actions) for kind, actions in by_kind.items()}
    if has_little_room:
        direct |= {kind: [] for kind, actions in direct.items() if len(actions) > MOST_ALIKE and are_numbers(actions)}

    def has_menu(kind: type[Action]) -> bool:
        return len(direct[kind]) < len(by_kind[kind]) or kind is Bid or may_be_written(kind) or kind in title.composers

    while direct and len(found) + sum(len(direct[kind]) + has_menu(kind) for kind in direct) > MOST_SHOWN:
        longest = max(direct, key=lambda kind: len(direct[kind]))
        if len(direct[longest]) < 2:
            break
        direct[longest] = []
    for kind in by_kind:
        found += [MenuEntry(short_text(game, action, actor), text=format_action(action)) for action in direct[kind]]
        if has_menu(kind):
            found.append(MenuEntry(f"{kind_name(kind, by_kind)} …", kind=menu_name(kind)))
    # Passing and the like stand last.
    return sorted(found, key=lambda way: way.text.split(" ")[-1] in ("pass", "done", "refuse"))


def usual(game: Game, kind: type[Action], actions: Sequence[Action]) -> list[Action]:
    """The moves of a kind that need no menu: all; of those with a free sum the lowest bids; none with pictures or parts."""
    if kind in game.title.composers:
        return []
    if is_guided(kind):
        return list(actions) if len(actions) == 1 else []
    field = sum_field(kind)
    if not field:
        return list(actions)
    alike: dict[Action, list[Action]] = {}
    for action in actions:
        alike.setdefault(msgspec.structs.replace(action, **{field: 0}), []).append(action)
    return [
        min(group, key=lambda action: int(getattr(action, field)))
        for group in alike.values()
        if kind is Bid or not is_free(game, group, field)
    ]


def are_numbers(actions: Sequence[Action]) -> bool:
    """Whether some of these moves differ only in numbers."""
    numbers = {field: 0 for field in fields_of(type(actions[0])) if isinstance(getattr(actions[0], field), int)}
    return len({msgspec.structs.replace(action, **numbers) for action in actions}) < len(actions)


def is_free(game: Game, alike: Sequence[Action], field: str) -> bool:
    """Whether these actions, which differ only in a sum, stand for others with other sums."""
    if len(alike) > 1:
        return True
    changed = (msgspec.structs.replace(alike[0], **{field: getattr(alike[0], field) + step}) for step in STEPS)
    return any(game.allows(action) for action in changed)


def is_guided(kind: type[Action]) -> bool:
    """Whether this kind of move is better chosen step by step, with pictures."""
    return kind in (LayTile, PlaceToken)


def kind_name(kind: type[Action], beside: Collection[type[Action]]) -> str:
    """The name of a kind: its verb, with its object where several kinds beside it have the same verb."""
    verb = verb_of(kind).words[0]
    if sum(1 for other in beside if verb_of(other).words[0] == verb) == 1:
        return verb
    return re.sub(r"(?<!^)(?=[A-Z])", " ", menu_name(kind)).lower()


def menu_name(kind: type[Action]) -> str:
    return kind.menu_name or kind.__name__


# -- choosing -----------------------------------------------------------------------------------------


def menu(game: Game, seats: Collection[PlayerId], kind: str, path: Sequence[int] = ()) -> Menu:
    """The question after these choices.

    :raises StalePosition: there is no such kind of move, or no such choice, any more.
    :raises IllegalMove: what was chosen leads to no move.
    """
    composer = next(((verb, made) for verb, made in game.title.composers.items() if menu_name(verb) == kind), None)
    if composer:
        return next_question(game, seats, *composer, path)
    left = each_once(game, (action for action in legal_for(game, seats) if menu_name(type(action)) == kind))
    if not left:
        raise StalePosition("That is no longer possible; look at the new position.")
    wanted, said = list(path), list[str]()
    for field in fields_of(type(left[0])):
        values = list(dict.fromkeys(value_of(action, field) for action in left))
        if len(values) == 1 and not (field == sum_field(type(left[0])) and is_free(game, left[:1], field)):
            said += said_of(field, values[0])
            continue
        if not wanted:
            choices = tuple(choice(game, left, field, value) for value in values)
            return Menu(
                kind,
                tuple(path),
                field,
                tr(question_of(type(left[0]), field)),
                tuple(said),
                choices,
                tuple(left),
                sums=sums(type(left[0]), field, values),
                verb=type(left[0]),
            )
        number = wanted.pop(0)
        if number not in range(len(values)):
            raise StalePosition("That is no longer possible; look at the new position.")
        said += said_of(field, values[number])
        left = [action for action in left if value_of(action, field) == values[number]]
    if wanted:
        raise StalePosition("That is no longer possible; look at the new position.")
    return Menu(kind, tuple(path), "", "", tuple(said), (), tuple(left), left[0], verb=type(left[0]))


def composers_for(game: Game, seats: Collection[PlayerId], listed: Collection[type[Action]] = ()) -> list[type[Action]]:
    """The kinds of moves that these seats can put together question by question now. For kinds that are not
    `listed` among the legal moves a move is tried, so that the questions lead somewhere.
    """
    kinds = game.open_verbs()
    return [
        verb
        for verb, composer in game.title.composers.items()
        if verb in kinds
        and (player := composing_seat(game, seats, verb)) is not None
        and (verb in listed or first_built_move(composer, game, player) is not None)
    ]


def composing_seat(game: Game, seats: Collection[PlayerId], verb: type[Action]) -> PlayerId | None:
    """The first of these seats that is asked and can begin to compose such a move."""
    for player in game.players_to_act():
        if player in seats:
            try:
                compose(game.title.composers[verb], game, player, ())
            except IllegalMove:
                continue
            return player
    return None


def next_question(
    game: Game, seats: Collection[PlayerId], verb: type[Action], composer: Composer, path: Sequence[int]
) -> Menu:
    """The next question about a move that is composed.

    :raises StalePosition: it cannot be composed any more.
    :raises IllegalMove: what was chosen leads to no move.
    """
    player = composing_seat(game, seats, verb)
    if player is None or verb not in {kind for step in game.open_steps() for kind in step.verbs}:
        raise StalePosition("That is no longer possible; look at the new position.")
    made = compose(composer, game, player, path)
    asked = made.question
    if asked is None:
        return Menu(menu_name(verb), tuple(path), "", "", tuple(map(tr, made.said)), (), (), made.action, verb=verb)
    choices = tuple(MenuOption(tr(part.label), tr(part.note)) for part in asked.parts)
    return Menu(
        menu_name(verb),
        tuple(path),
        "",
        tr(asked.text),
        tuple(map(tr, made.said)),
        choices,
        (),
        None,
        asked.sums,
        verb,
        asked.least,
        asked.most,
        asked.spaces,
        asked.tiles,
    )


def fields_of(kind: type[Action]) -> tuple[str, ...]:
    """The fields of a kind of action in the order in which they are asked."""
    return ("by", *(kind.asked or (name for name in kind.__struct_fields__ if name != "by")))


def said_of(field: str, value: Any) -> list[str]:
    return [] if field == "by" or value is None or isinstance(value, bytes) else [str(value)]


def question_of(kind: type[Action], field: str) -> Text:
    return "For whom?" if field == "by" else verb_of(kind).types[field].prompt


def sums(kind: type[Action], field: str, values: Sequence[Any]) -> tuple[int, int] | None:
    """The lowest and the highest sum, if the field is a sum."""
    is_sum = field != "by" and verb_of(kind).types[field].name == "sum"
    return (min(values), max(values)) if is_sum and values else None


def with_sum(game: Game, found: Menu, amount: int) -> Action:
    """The action with a sum that need not be among those listed.

    :raises Rejected: the rules forbid it.
    """
    action: Action = msgspec.structs.replace(found.left[0], **{found.field: amount})
    game.check(action)
    return action


# -- words --------------------------------------------------------------------------------------------


def choice(game: Game, left: Sequence[Action], field: str, value: Any) -> MenuOption:
    alike = [action for action in left if value_of(action, field) == value]
    if isinstance(value, bytes):
        return MenuOption(words_in_common(game, alike, left))
    held = verb_of(type(left[0])).types.get(field)
    if value is None:
        return MenuOption(tr(held.absent if held else "none"))
    if isinstance(value, bool):
        return MenuOption(tr("yes" if value else "no"))
    match held.name if held else "":
        case "sum":
            return MenuOption(money(game, value))
        case "hex":
            return MenuOption(hex_name(game, HexId(Owner(value))), now_on(game, HexId(Owner(value))))
        case "tile":
            return MenuOption(str(value), tile_note(game, TileId(value), alike))
        case "rotation":
            return MenuOption(tr("rotation {value}", value), exits_note(game, alike[0]))
        case "train" if value in game.title.trains:
            return MenuOption(tr("{kind} train", value), tr(join_or(dict.fromkeys(prices(game, alike)))))
    return _choice_of_name(game, field, value, alike)


def _choice_of_name(game: Game, field: str, value: Any, alike: Sequence[Action]) -> MenuOption:
    """A company, a private, a player or a place by its sign; anything else as it is."""
    if field != "by" and value in game.state.companies:
        return MenuOption(str(value), company_note(game, as_company(value), alike))
    if field != "by" and value in game.title.privates:
        noun = game.title.privates[value]
        income = tr("{name}, income {sum}", msg(noun.name), money(game, noun.income))
        told = income if noun.income else f"{noun.name}, {tr(noun.power)}"
        return MenuOption(str(value), told)
    if isinstance(value, str) and (is_player(Owner(value)) or value in PLACES):
        place = PLACES.get(Owner(value))
        return MenuOption(tr(place) if place else game.state.name(Owner(value)))
    return MenuOption(str(value))


def text_command(game: Game, found: Menu) -> str:
    """The text of what has been chosen, with dots for what is still asked."""
    if found.action is not None:
        return short_text(game, found.action)
    verb = verb_of(found.verb).words[0]
    if not found.left:
        return " · ".join([verb, *found.said, "…"])
    return with_names(game, " ".join([verb, *found.said, "…"]))


def example(game: Game, found: Menu, seats: Collection[PlayerId]) -> str:
    """A move of the kind chosen so far, as players type it."""
    listed_ones = found.left or [action for action in legal_for(game, seats) if type(action) is found.verb]
    action = found.action or next(iter(listed_ones), None)
    return short_text(game, action) if action else example_of(game.title, verb_of(found.verb))


def hexes_of(game: Game, action: Action) -> list[HexId]:
    """The hexes that an action names: where something is laid, placed or given up."""

    def hexes_in(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for name, value in part.items():
                yield from [value] if name == "hex" and isinstance(value, str) else hexes_in(value)
        elif isinstance(part, list | tuple):
            for value in part:
                yield from hexes_in(value)

    spaces = game.board_rules.map.hexes
    return list(dict.fromkeys(HexId(Owner(name)) for name in hexes_in(msgspec.to_builtins(action)) if name in spaces))
