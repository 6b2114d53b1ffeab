"""Facts about a title that neither the files made of them nor the family take up: a sentence for each, none is lost.

`KNOWN` lists by kind of record the facts that are read, that follow from others, or that only people read; `USUAL` the
facts that the family has in one way, each with that way. Everything else is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

Json = Mapping[str, Any]


class Unread(NamedTuple):
    """A fact: where it stands, which may be empty, and a sentence about it."""

    place: str
    said: str


EMPTY: tuple[Any, ...] = (None, False, 0, "", [], {})

KNOWN = {
    "map": "title layout layouts axes axes_note edges notes impassable_hex_colors",
    "hex": "hex x y name color nodes paths labels icons upgrade_costs borders stubs future_label home_of blocked_by_private"
    " neighbors closed_edges preprinted_tile_id",
    "tile": "id count color nodes paths labels icons upgrade_costs upgrades_to",
    "stop": "id kind part_index revenue slots groups hide loc",
    "path": "ends track terminal lanes",
    "cost": "cost terrains",
    "icon": "name blocks_lay owner sticky",
    "border": "edge type cost color",
    "market": "title notes movement multiple_buy_types no_cert_limit_types type_colors markets",
    "grid": "id kind rows columns prices par_prices_descending zones cells",
    "movement": "",
    "companies": "title notes privates corporations by_player_count after_setup",
    "company": "sym name home home_city_index tokens certificates share_percent total_shares float_percent"
    " max_ownership_percent min_price color text_color reservation_color hide_shares",
    "private": "sym name value revenue min_price max_price color text_color abilities",
    "trains": "title notes trains phases by_player_count optional_rules constants constants_more round_steps"
    " tile_lays_at_start currency float_and_limits optional_rule_effects",
    "train": "name distance price rusts_on obsolete_on available_on discount manifest_count count_after_setup events",
    "phase": "name on train_limit tiles operating_rounds status",
    "constants": "bank_cash cert_limit starting_cash player_range rand_a rand_c rand_m cert_limit_types multiple_buy_types"
    " game_end_check game_end_timing_priority market_share_limit min_bid_increment must_bid_increment_multiple"
    " only_highest_bid_committed must_sell_in_blocks sell_buy_order track_restriction home_token_timing ebuy_pres_swap"
    " ebuy_from_others tile_lays goal_money currency_format_str layout axes tile_reservation_blocks_others sold_out_top_row_movement"
    " player_loan_interest_rate closed_corp_reservations_removed closed_corp_tokens_removed closed_corp_trains_removed",
}

USUAL: Mapping[str, Json] = {
    "grid": {"zigzag": False, "hex_market": False, "kind": "two-dimensional"},
    "movement": {
        "sell": "down_share",
        "pool_share_drop": "none",
        "sold_out_increase": True,
        "sold_out_top_row": "none",
    },
    "company": {"price_multiplier": 1, "floatable": True, "capitalization": "full"},
    "phase": {},
    "constants": {
        "allow_train_buy_from_other_players": True,
        "allow_train_buy_from_others": True,
        "bankruptcy_allowed": True,
        "bankruptcy_ends_game_after": "one",
        "capitalization": "full",
        "cert_limit_includes_privates": True,
        "discarded_trains": "discard",
        "ebuy_can_sell_shares": True,
        "ebuy_depot_train_must_be_cheapest": True,
        "must_buy_train": "route",
        "next_sr_player_order": "after_last_to_act",
        "pool_share_drop": "none",
        "sell_after": "first",
        "sell_movement": "down_share",
        "sold_out_increase": True,
        "sold_shares_destination": "bank",
        "tile_type": "normal",
        "token_placement_on_tile_lay_entity": "current_operator",
    },
}

POWERS = {
    "blocks_hexes": "hexes",
    "no_buy": "",
    "tile_lay": "hexes tiles when count special connect cost free must_lay_together must_lay_all",
    "teleport": "hexes tiles when from_owner",
    "tile_discount": "terrain discount exact_match",
    "exchange": "corporations from when",
    "shares": "shares",
    "close": "on_phase when corporation",
    "revenue_change": "on_phase revenue",
    "assign_hexes": "hexes amount until count cost",
    "token": "hexes when count price teleport_price from_owner discount check_tokenable special_only",
    "train_discount": "trains discount when count closed_when_used_up",
}
"""The powers of privates that become values, and which of their facts do."""

STEPS = (
    "EndGame Message Program Bankrupt Exchange SpecialTrack SpecialToken BuyCompany HomeToken Track Token Route Dividend"
    " DiscardTrain BuyTrain SingleDepotTrainBuy SpecialBuyTrain Assign BuySellParShares CompanyPendingPar WaterfallAuction"
)
"""The steps of 18xx.games' rounds that the family has."""

STATUSES = "can_buy_companies can_buy_companies_from_other_players limited_train_buy"
EVENTS = "close_companies"


def list_unread(files: Mapping[str, Json]) -> Iterator[Unread]:
    """All in a folder's files, by the names of the files."""
    yield from _list_map(files["map"], files["tiles"])
    yield from _list_market(files["market"])
    yield from _list_companies(files["companies"])
    yield from _list_trains(files["trains"])


def _strange(kind: str, one: Json, where: str, known: str | None = None) -> Iterator[Unread]:
    """The facts of a record that nobody knows, or that are not as usual."""
    names, usual = (KNOWN[kind] if known is None else known).split(), USUAL.get(kind, {})
    for name, value in one.items():
        if name in usual:
            if value != usual[name]:
                yield Unread(
                    where, f"{name} is {_format_value(value)}, where its family has {_format_value(usual[name])}."
                )
        elif name not in names and value not in EMPTY:
            yield Unread(where, f"{name} is {_format_value(value)}; nothing says that yet.")


def _format_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list_map(box: Json, tiles: Json) -> Iterator[Unread]:
    yield from _strange("map", box, "Map")
    if len(box["layouts"]) > 1:
        others = ", ".join(str(layout.get("id")) for layout in box["layouts"][1:])
        yield Unread("Map", f"only the first layout is read; the others are {others}.")
    for space in box["layouts"][0]["hexes"]:
        where, homes = f"Hex {space['hex']}", {home["corporation"] for home in space.get("home_of", ())}
        kept = [name for city in space.get("cities_at_start", {}).values() for name in city.get("reserved_for", ())] + [
            *space.get("hex_reserved_for", ())
        ]
        if strangers := sorted({*kept} - homes):
            yield Unread(where, f"a place is kept for {', '.join(strangers)}.")
        if any({*city} - {"reserved_for"} for city in space.get("cities_at_start", {}).values()):
            yield Unread(where, f"cities_at_start is {_format_value(space['cities_at_start'])}; nothing says that yet.")
        rest = {name: value for name, value in space.items() if name not in ("cities_at_start", "hex_reserved_for")}
        yield from _strange("hex", rest, where)
        yield from _list_print(space, where)
    for tile in tiles["tiles"]:
        yield from _strange("tile", tile, f"Tile {tile['id']}")
        yield from _list_print(tile, f"Tile {tile['id']}")


def _list_print(box: Json, where: str) -> Iterator[Unread]:
    kinds = {"nodes": "stop", "paths": "path", "upgrade_costs": "cost", "icons": "icon", "borders": "border"}
    for part, kind in kinds.items():
        for one in box.get(part, ()):
            yield from _strange(kind, one, f"{where}, {kind}")
    if len(box.get("upgrade_costs", ())) > 1:
        yield Unread(where, "only the first of its costs is read.")


def _list_market(market: Json) -> Iterator[Unread]:
    yield from _strange("market", market, "Market")
    yield from _strange("movement", market.get("movement", {}), "Share prices")
    yield from _strange("grid", market["markets"][0], "Market")


def _list_companies(box: Json) -> Iterator[Unread]:
    yield from _strange("companies", box, "Companies")
    for one in box["corporations"]:
        goals = [power for power in one.get("abilities", ()) if power["type"] == "assign_hexes"]
        rest = {name: value for name, value in one.items() if name != "abilities" or value != goals}
        yield from _strange("company", rest, f"Company {one['sym']}")
        if [price for price in one["tokens"][:1] if price]:
            yield Unread(f"Company {one['sym']}", f"its home token costs {one['tokens'][0]}.")
    for one in box["privates"]:
        yield from _strange("private", one, f"Private {one['sym']}")
    yield from _list_differences(box)


def _list_differences(box: Json) -> Iterator[Unread]:
    """Facts of companies that differ by company or by number of players."""
    for fact in ("float_percent", "max_ownership_percent"):
        if len({one.get(fact) for one in box["corporations"]}) > 1:
            every = ", ".join(f"{one['sym']} {one.get(fact)}" for one in box["corporations"])
            yield Unread("", f"Companies differ in {fact}; that of the first is read: {every}.")
    usual = {
        "certificates": {one["sym"]: one["certificates"] for one in box["corporations"]},
        "corporations_in_play": [one["sym"] for one in box["corporations"]],
        "max_ownership_percent": {one["sym"]: one.get("max_ownership_percent") for one in box["corporations"]},
    }
    for number, counted in box.get("by_player_count", {}).get("varying", {}).items():
        for fact in sorted({*counted} - {"privates_in_play"}):
            if counted[fact] != usual.get(fact):
                yield Unread(
                    f"With {number} players", f"{fact} is {_format_value(counted[fact])}; nothing says that yet."
                )


def _list_trains(box: Json) -> Iterator[Unread]:
    yield from _strange("trains", box, "Trains")
    yield from _strange("constants", {**box.get("constants", {}), **box.get("constants_more", {})}, "Rules")
    for one in box["trains"]:
        yield from _strange("train", one, f"Train {one['name']}")
        for event in one.get("events", ()):
            if event["type"] not in EVENTS.split() or event.get("on_nth_train", 1) != 1:
                number = event.get("on_nth_train", 1)
                yield Unread(f"Train {one['name']}", f"the event {event['type']} at number {number} is not written.")
    for one in box["phases"]:
        yield from _strange("phase", one, f"Phase {one['name']}")
        for status in one.get("status", ()):
            if status not in STATUSES.split():
                yield Unread(f"Phase {one['name']}", f"the status {status} is not written.")
    yield from (Unread(f"Optional rule {name}", "it is not written.") for name in box.get("optional_rules", ()))
    for steps in box.get("round_steps", {}).values():
        for step in dict.fromkeys(step.removesuffix(" (blocking)") for step in steps):
            if step not in STEPS.split():
                yield Unread(f"Step {step}", "18xx.games has it, its family has not; see what it does.")
    banks = {one["bank_cash_total"] for one in box["by_player_count"].values()}
    if len(banks) > 1:
        yield Unread(
            "", f"The bank differs by number of players ({', '.join(map(str, sorted(banks)))}); the first is read."
        )


def join_alike(found: Iterable[Unread]) -> Iterator[str]:
    """As sentences; one names all places of which the same is said."""
    places: dict[str, list[str]] = {}
    for place, said in found:
        places.setdefault(said, []).append(place)
    for said, where in places.items():
        names = ", ".join(dict.fromkeys(filter(None, where)))
        yield f"{names}: {said}" if names else said


def list_unread_power(private: str, ability: Json) -> Iterator[Unread]:
    """Facts of a power that its value leaves out."""
    power = ability["type"]
    return _strange("power", ability, f"{private}, power {power}", f"type owner_type passive {POWERS.get(power, '')}")
