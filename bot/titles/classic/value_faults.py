"""Faults of a title's values: facts that are missing, misspelt, or of another kind than they must be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.engine import CompanyId, HexId, TileId
from bot.engine.board.game_map import TERRAINS
from bot.engine.play import list_wrong_kinds

from .family import Classic
from .powers import Discount, ExchangeFor, Lay, LayPair, Power, RouteBonus, Share
from .runs import run_of


def list_faults(values: Classic) -> Iterator[str]:
    """A sentence each; values of the wrong kind hide all other faults."""
    wrong = [*list_wrong_kinds(values, "title.py")] or [*_list_wrong_parts(values)]
    yield from wrong or (fault for check in CHECKS for fault in check(values))


def _list_wrong_parts(values: Classic) -> Iterator[str]:
    nouns = (*values.companies.values(), *values.privates.values(), *values.trains.values())
    parts: list[tuple[str, Any]] = [("", noun) for noun in (*nouns, *values.phases, *values.options)]
    parts += [("A tile of `lays`", tile) for tile in values.lays]
    parts += [(f"`runs` of {name}", run) for name, run in values.runs.items()]
    parts += [(_power_name(sign, power), power) for sign, powers in values.powers.items() for power in powers]
    yield from (fault for name, part in parts for fault in list_wrong_kinds(part, name))


def list_faults_of_cards(values: Classic, cards: Mapping[str, int]) -> Iterator[str]:
    """Cards are counted for every family of trains, and for no other."""
    families = {kind.family for kind in values.trains.values()}
    yield from (f"`cards` counts no {name}-trains." for name in families if cards.get(name, 0) < 1)
    yield from (f"`cards` counts {name!r}, which is no family of trains." for name in cards if name not in families)


def _power_name(sign: str, power: Power) -> str:
    return f"{sign}'s {type(power).__name__}"


def _tables(values: Classic) -> Iterator[str]:
    """Every number of players has its cash and its limit; the bank has the cash."""
    for name, table in (("cash", values.cash), ("certificates", values.certificates)):
        lacking = [players for players in values.players if table.get(players, 0) < 1]
        yield from (f"`{name}` says nothing for {players} players." for players in lacking)
    if not values.players:
        yield "`players` is empty."
    most = max((players * cash for players, cash in values.cash.items()), default=0)
    if values.bank < most:
        yield f"`bank` has {values.bank}, and the players begin with {most}."


def _companies(values: Classic) -> Iterator[str]:
    """A company has certificates and tokens, and a home with a city, marked on the map."""
    for noun in values.companies.values():
        if not noun.certificates or not noun.tokens:
            yield f"{noun.id} has no certificates or no tokens: its fields `shares` and `tokens`."
        if not noun.home or not noun.home[0]:
            yield f"{noun.id} has no home: its field `home` is empty, and must name a hex with a city."
        for land in (values.land, *values.scenarios.values()):
            for space in (land.map.hexes[home] for home in noun.home if noun.id and home in land.map.hexes):
                if noun.id not in [home.company for home in space.homes]:
                    yield f"{space.id} is the home of {noun.id}, and the map does not say so: `home:{noun.id}`."
                if not any(node.kind == "city" for node in space.printed.nodes):
                    yield f"{space.id}, the home of {noun.id}, has no city."


def list_doubts(values: Classic) -> Iterator[str]:
    """Parts of the board that nobody can use, a sentence each: tiles of a colour without phase, labels that are only on tiles or
    only on hexes, hexes beside no other.
    """
    colours = {colour for phase in values.phases for colour in phase.colours}
    for land in (values.land, *values.scenarios.values()):
        spaces = land.map.hexes.values()
        here = {label for space in spaces for label in (*space.printed.labels, space.later_label)}
        on_tiles = {label for tile in land.tiles.values() for label in tile.labels}
        for tile in land.tiles.values():
            if tile.colour not in colours:
                yield f"Tile {tile.id} is {tile.colour}, a colour that no phase allows."
            yield from (
                f"Tile {tile.id} has the label {label}, and no hex." for label in tile.labels if label not in here
            )
        for space in spaces:
            if not any(land.map.neighbours[space.id]):
                yield f"{space.id} is beside no other hex."
            labels = (*space.printed.labels, *filter(None, [space.later_label])) if space.is_buildable else ()
            yield from (f"{space.id} has the label {label}, and no tile." for label in labels if label not in on_tiles)


def _market(values: Classic) -> Iterator[str]:
    """First prices are in the zone p; zones that a value names are in the market."""
    if not values.market.cells_in("p"):
        yield "No cell of the market is a first price: `p` after the price."
    if values.ends_at and not values.market.cells_in(values.ends_at):
        yield f"`ends_at` names the zone {values.ends_at}, which no cell of the market has."
    for name in ("uncounted", "unlimited", "several"):
        usual = getattr(Classic, name)
        for letter in {*getattr(values, name)} - {*values.market.zones, *usual}:
            yield f"`{name}` names the zone {letter}, which no cell of the market has."


def _numbers(values: Classic) -> Iterator[str]:
    for name in ("floats_at", "most_held", "most_in_pool"):
        if not 10 <= getattr(values, name) <= 100:
            yield f"`{name}` is {getattr(values, name)}: a percentage of a company, from 10 to 100."
    for name in ("raises_by", "bids_in"):
        if getattr(values, name) < 1:
            yield f"`{name}` is {getattr(values, name)}: at least 1."
    if values.trades_from is not None and values.trades_from < 1:
        yield f"`trades_from` is {values.trades_from}: a stock round, or None."
    prices = [("goal_money", values.goal_money), *(("lays", tile.price) for tile in values.lays)]
    yield from (f"`{name}` has a price of {price}." for name, price in prices if price < 0)
    if not values.lays:
        yield "`lays` is empty: a company lays at least one tile in a turn."
    goals = [space.id for space in values.land.map.hexes.values() if space.goals]
    if values.goal_money and not goals:
        yield f"`goal_money` is {values.goal_money}, and no hex of the map is a destination: `goal:`."


def _phases_and_trains(values: Classic) -> Iterator[str]:
    """Phases and trains that a value names exist; each train says how it runs."""
    phases = [phase.name for phase in values.phases]
    named = [("sold_in", name) for name in values.sold_in] + [("new_trains", name) for name in values.new_trains]
    yield from (
        f"`{field}` names the phase {name!r}, which never comes." for field, name in named if name not in phases
    )
    yield from (f"`runs` names {name!r}, which is no train." for name in values.runs if name not in values.trains)
    for name in values.trains:
        try:
            run_of(values.runs, name)
        except ValueError:
            yield f"Nothing says how a {name} runs: add it to `runs`."


# -- powers -------------------------------------------------------------------------------------------------


def _powers(values: Classic) -> Iterator[str]:
    """Powers belong to privates and name hexes, tiles, companies, phases, trains and terrains that exist."""
    yield from (f"`powers` names {sign}, which is no private." for sign in values.powers if sign not in values.privates)
    for sign, powers in values.powers.items():
        for power in powers:
            for field, (is_known, what) in _references(values).items():
                words = str(getattr(power, field, "")).split()
                yield from (
                    f"{_power_name(sign, power)}: its field {field} names {word}, which is no {what}."
                    for word in words
                    if not is_known(word)
                )
            yield from (f"{_power_name(sign, power)}: its field {field} is empty." for field in _empty(power))
            for field in ("amount", "percent"):
                if getattr(power, field, 0) < 0:
                    yield f"{_power_name(sign, power)}: its field {field} is {getattr(power, field)}, below nothing."


Known = tuple[Callable[[Any], bool], str]


def _references(values: Classic) -> dict[str, Known]:
    """The fields of powers that name other things, with how a name is known and what it must be."""
    lands = (values.land, *values.scenarios.values())
    phases = {phase.name for phase in values.phases}
    return {
        "hexes": (lambda word: any(HexId(word) in land.map.hexes for land in lands), "hex of the map"),
        "tiles": (lambda word: any(TileId(word) in land.tiles for land in lands), "tile of the sheet"),
        "company": (lambda word: CompanyId(word) in values.companies, "company"),
        "phase": (phases.__contains__, "phase"),
        "until": (phases.__contains__, "phase"),
        "trains": (values.trains.__contains__, "train"),
        "terrain": (TERRAINS.__contains__, "terrain"),
    }


MUST_SAY: Mapping[type, tuple[str, ...]] = {
    Lay: ("hexes", "tiles"),
    LayPair: ("hexes", "tiles", "plan"),
    Discount: ("terrain",),
    ExchangeFor: ("company", "sources"),
    Share: ("company",),
    RouteBonus: ("name", "hexes"),
}
"""Fields of powers that are not empty, beside those that only some powers have."""


def _empty(power: Power) -> list[str]:
    always = [field for field in ("phase", "trains", "decision") if hasattr(power, field)]
    return [field for field in (*always, *MUST_SAY.get(type(power), ())) if not getattr(power, field)]


CHECKS: tuple[Callable[[Classic], Iterator[str]], ...] = (
    _tables,
    _companies,
    _market,
    _numbers,
    _phases_and_trains,
    _powers,
)
