"""A folder of facts about a title, as Python and our notations: what is printed in its box.

The folder has five files; what a title lacks is left out.

- `map.json`: `layout` (flat or pointy), `axes`; `layouts[0].hexes`, each with `hex`, `color`, and if it has them `name`, `nodes`
  (`id` like c0, `kind`, `revenue` as a number or by colour, `slots`, `groups`), `paths` (`ends`: edges or nodes), `labels`, `icons`,
  `upgrade_costs` (`cost`, `terrains`), `borders` (`edge`, `type`, `cost`), `home_of`, `blocked_by_private`.
- `tiles.json`: `tiles`, each with `id`, `count`, `color`, and what is printed as on hexes.
- `market.json`: `markets[0]` with `prices` by rows and `zones` (lists of row, column).
- `companies.json`: `corporations` (`sym`, `name`, `tokens`, `home`, `certificates`, `float_percent`, `max_ownership_percent`,
  colours), `privates` (`sym`, `name`, `value`, `revenue`, `abilities`), `by_player_count`.
- `trains.json`: `trains` (`name`, `distance`, `price`, `rusts_on`, `discount`, `available_on`, `count_after_setup`), `phases`,
  `by_player_count` (`starting_cash`, `cert_limit`, `bank_cash_total`), `constants` of the rules, `currency`.

 Facts without a place in our
notations are collected in `left`, a sentence each, so that nothing is dropped silently.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from bot.engine.board.standard_tiles import STANDARD
from bot.engine.board.tile_notation import ICONS, NUMBERED_ICON
from bot.untrusted_input import InvalidFile

Json = Mapping[str, Any]

PARTS = ("map", "tiles", "market", "companies", "trains")
ZONES = {"par": "p", "no_cert_limit": "y", "unlimited": "o", "multiple_buy": "b"}
ZONE_WORDS = {
    "p": "starting price",
    "y": "certificates do not count",
    "o": "no limit on shares either",
    "b": "no limit on purchases per turn either",
}
COLOURS = {"white": "#ffffff", "black": "#000000", "red": "#d1232a", "yellow": "#fff500", "blue": "#025aaa"}
COLOURS |= {"green": "#32763f", "brown": "#7b352a", "gray": "#474548", "orange": "#f48221", "pink": "#f7b6c8"}
ENDLESS_CARDS = 20
WIDTH = 116


class TitleFacts:
    """The parts of the folder, each made into text by a method."""

    def __init__(self, folder: Path, like: Any) -> None:
        """`like` has the values of the family for rules about which the folder says nothing.

        :raises InvalidFile: a part is missing, or is no JSON.
        """
        self.left: list[str] = []
        self.like = like
        try:
            found = {part: json.loads((folder / f"{part}.json").read_text(encoding="utf-8")) for part in PARTS}
        except (OSError, ValueError) as error:
            raise InvalidFile(f"{folder}: {error}") from error
        self.map, self.tiles, self.market, self.companies, self.trains = found.values()
        self.constants: Json = self.trains.get("constants", {})
        self.signs = {one["sym"] for one in self.companies["corporations"]}
        self.private_signs = {one["sym"]: self._own_sign(one) for one in self.companies["privates"]}

    def _own_sign(self, private: Json) -> str:
        """A private's sign; another one where a company has the same."""
        sign = str(private["sym"])
        if sign not in self.signs:
            return sign
        initials = "".join(word[0] for word in re.findall(r"[A-Za-z]+", private["name"])).upper()
        taken = {*self.signs, *(one["sym"] for one in self.companies["privates"])}
        return next(name for name in (initials[:3], initials, f"{sign}P", f"{sign}PR") if name not in taken)

    @property
    def private_names(self) -> dict[str, str]:
        """Privates that have another sign than there, with the sign there."""
        return {ours: theirs for theirs, ours in self.private_signs.items() if ours != theirs}

    # -- map and tiles --------------------------------------------------------------------------------

    @property
    def layout(self) -> str:
        return f"Layout(is_flat={self.map['layout'] == 'flat'}, letter_is_x={self.map['axes']['x'] == 'letter'})"

    def map_lines(self) -> Iterator[str]:
        """The hexes of the first layout; neighbours in a row that are alike share a line."""
        lines = [(space["hex"], self._hex(space)) for space in self.map["layouts"][0]["hexes"]]
        for text, alike in groupby(lines, key=lambda line: line[1]):
            yield f"{' '.join(name for name, _ in alike)} {text}"

    def _hex(self, space: Json) -> str:
        words = [space["color"]]
        if space.get("name"):
            words.append(json.dumps(space["name"].replace('"', "'"), ensure_ascii=False))
        for cost in space.get("upgrade_costs", ()):
            words.append(f"{'|'.join(cost.get('terrains', ())) or 'cost'}:{cost['cost']}")
        homes = [self._home(home) for home in space.get("home_of", ())]
        words += [f"home:{','.join(homes)}"] if homes else []
        blocked = [self.private_signs.get(sign, sign) for sign in space.get("blocked_by_private", ())]
        words += [f"private:{','.join(blocked)}"] if blocked else []
        words += self._borders(space)
        return " ".join([*words, *self._print_words(space)])

    def _home(self, home: Json) -> str:
        city = home.get("city_index")
        return f"{home['corporation']}{'' if city is None else f'/{city}'}"

    def _borders(self, space: Json) -> list[str]:
        kinds = {None: "joint", "impassable": "wall", "province": "province"}
        marks: dict[str, list[str]] = {}
        for border in space.get("borders", ()):
            kind = kinds.get(border.get("type"), border.get("type"))
            mark = f"{kind}={border['cost']}" if border.get("cost") else str(kind)
            marks.setdefault(mark, []).append(str(border["edge"]))
        return [f"{mark}@{','.join(edges)}" for mark, edges in marks.items()]

    def _print_words(self, box: Json) -> list[str]:
        """Labels, icons, stops and track of a space or a tile."""
        where = box.get("hex") or box.get("id")
        words = [f"'{label}'" for label in box.get("labels", ())]
        for icon in (one["name"] for one in box.get("icons", ())):
            if icon in ICONS or NUMBERED_ICON.match(icon):
                words.append(f"*{icon}")
            else:
                self.left.append(f"The icon {icon} on {where} is not drawn: add it to ICONS, or leave it.")
        words += [self._stop(node) for node in box.get("nodes", ())]
        track = [self._path(path) for path in box.get("paths", ())]
        return [*words, "|", *track] if track else words

    def _stop(self, node: Json) -> str:
        revenue = node.get("revenue", 0)
        named = (
            ",".join(f"{colour}={value}" for colour, value in revenue.items()) if isinstance(revenue, dict) else revenue
        )
        values = f"({named})" if node.get("hide") else str(named)
        slots = f"/{node['slots']}" if node.get("slots", 1) > 1 else ""
        groups = f"[{','.join(group.replace(' ', '_') for group in node['groups'])}]" if node.get("groups") else ""
        return f"{node['kind']}:{values}{slots}{groups}" if node["kind"] != "junction" else "junction"

    def _path(self, path: Json) -> str:
        first, last = path["ends"]
        mark = {"narrow": "~", "dual": "="}.get(path.get("track", ""), "")
        return f"{first}-{last}{mark}{'!' if path.get('terminal') else ''}"

    def tile_lines(self) -> Iterator[str]:
        """The tiles by colour; those that many titles share are only counted."""
        standard = {line.split()[0]: _shape(line) for line in STANDARD.strip().splitlines()}
        for _, alike in groupby(self.tiles["tiles"], key=lambda tile: tile["color"]):
            counted: list[str] = []
            own: list[str] = []
            for tile in alike:
                count = "*" if tile["count"] == "unlimited" else tile["count"]
                costs = [f"cost:{cost['cost']}" for cost in tile.get("upgrade_costs", ())]
                if any(icon.get("blocks_lay") for icon in tile.get("icons", ())):
                    costs += [f"private:{self._layer_of(tile['id'])}"]
                text = " ".join([tile["id"], tile["color"], f"x{count}", *costs, *self._print_words(tile)])
                is_standard = standard.get(tile["id"]) == _shape(text)
                (counted if is_standard else own).append(f"{tile['id']}x{count}" if is_standard else text)
            yield from _wrap(counted)
            yield from own

    def _layer_of(self, tile: str) -> str:
        """The private whose power lays a tile."""
        for private in self.companies["privates"]:
            if any(tile in ability.get("tiles", ()) for ability in private.get("abilities", ())):
                return self.private_signs[private["sym"]]
        self.left.append(f"Tile {tile} is laid by a power that no private has.")
        return ""

    # -- companies and privates -----------------------------------------------------------------------

    def company_lines(self) -> Iterator[str]:
        usual = [20, *[10] * 8]
        for one in self.companies["corporations"]:
            home, *others = one.get("home") or [""]
            if others or not home:
                self.left.append(f"The home of {one['sym']} is {', '.join([home, *others]) or 'nowhere'}.")
            text, colour = self._colour(one, "text_color", "#ffffff"), self._colour(one, "color", "#777777")
            more = "" if text == "#ffffff" else f', "{text}"'
            cities = [place.get("city_index") for place in self._homes(one["sym"])]
            more += f", city={cities[0]}" if cities and cities[0] is not None else ""
            more += "" if one["certificates"] == usual else f", shares={tuple(one['certificates'])}"
            tokens = tuple(one["tokens"][1:])
            yield f'corporation("{one["sym"]}", {_quote(one["name"])}, "{home}", {tokens}, "{colour}"{more}),'

    def _colour(self, company: Json, part: str, default: str) -> str:
        found = str(company.get(part) or default)
        if re.fullmatch("#[0-9a-fA-F]{6}", found):
            return found
        if found not in COLOURS:
            self.left.append(f"The colour {found} of {company['sym']} is no number.")
        return COLOURS.get(found, default)

    def _homes(self, company: str) -> Iterator[Json]:
        for space in self.map["layouts"][0]["hexes"]:
            yield from (home for home in space.get("home_of", ()) if home["corporation"] == company)

    def private_lines(self) -> Iterator[str]:
        for one in self.companies["privates"]:
            found = [*self._powers(one)]
            sentences = [sentence for _, sentence, is_gift in found if sentence and not is_gift]
            gifts = [sentence for _, sentence, is_gift in found if is_gift]
            parts = [f'"{self.private_signs[one["sym"]]}"', _quote(one["name"]), str(one["value"]), str(one["revenue"])]
            parts += [power for power, _, _ in found]
            parts += [f"power={_quote('; '.join(sentences))}"] if sentences else []
            parts += [f"brings={_quote('; '.join(gifts))}"] if gifts else []
            parts += ["is_sold=False"] if any(a["type"] == "no_buy" for a in one.get("abilities", ())) else []
            yield "private("
            yield from (f"    {part}," for part in parts)
            yield "),"

    def _powers(self, private: Json) -> Iterator[tuple[str, str, bool]]:
        """Each power as a value, in words, and whether it is something that comes with the private."""
        for ability in private.get("abilities", ()):
            power, hexes = ability["type"], " ".join(ability.get("hexes", ()))
            tiles = " ".join(ability.get("tiles", ()))
            if power in ("blocks_hexes", "no_buy"):
                continue
            if power == "tile_lay" and ability.get("count", 1) == 1:
                yield self._lay(ability, hexes, tiles)
            elif power == "teleport":
                what = f"owned by a company: its tile ({tiles}) and a token on {hexes}, even unconnected"
                yield f'Lay("{hexes}", "{tiles}", LayBy.COMPANY_AS_ITS_TILE, token=TokenPlace())', what, False
            elif power == "tile_discount" and ability.get("terrain"):
                what = f"owned by a company: {ability['terrain']} costs {ability['discount']} less"
                yield f'Discount("{ability["terrain"]}", {ability["discount"]})', what, False
            elif power == "exchange":
                company = ability["corporations"][0]
                sources = "" if {*ability["from"]} > {"ipo"} else ", (IPO,)"
                yield f'ExchangeFor("{company}"{sources})', f"its owner may exchange it for a share of {company}", False
            elif power == "shares":
                for share in ability["shares"]:
                    if share.rpartition("_")[0] in self.signs:
                        yield self._share(share)
                    else:
                        self.left.append(f"{private['sym']} ({private['name']}) comes with {share}.")
            elif power == "close" and ability.get("on_phase") == "never":
                yield "Stays()", "owned by a player: never closes", False
            elif power == "revenue_change":
                what = f"pays {ability['revenue']} from phase {ability['on_phase']} on"
                yield f'Income({ability["revenue"]}, "{ability["on_phase"]}")', what, False
            elif not (power == "close" and ability.get("when") == "bought_train"):
                self.left.append(f"{private['sym']} ({private['name']}) has the power {power}: {json.dumps(ability)}")

    def _lay(self, ability: Json, hexes: str, tiles: str) -> tuple[str, str, bool]:
        by, who = (
            ("PLAYER", "owned by a player") if ability["owner_type"] == "player" else ("COMPANY", "owned by a company")
        )
        if "sold" in ability.get("when", ()):
            by, who = "SELLER", "its seller to a company"
        is_free = ability.get("cost") == 0 or ability.get("free", False)
        free = ", is_free=True" if is_free else ""
        what = f"{who}: once one of the tiles {tiles} on one of {hexes}{', free' if is_free else ''}, even unconnected"
        return f'Lay("{hexes}", "{tiles}", LayBy.{by}{free})', what, False

    def _share(self, name: str) -> tuple[str, str, bool]:
        company, _, number = name.rpartition("_")
        if number == "0":
            power = f'Presidency("{company}", "set the par price of {company}")'
            return power, f"comes with {company}'s president's share", True
        return f'Share("{company}")', f"comes with a share of {company}", True

    def absent_privates(self) -> dict[int, list[str]]:
        """Privates that are not in the game, by number of players."""
        counts = {**self.companies.get("by_player_count", {}).get("varying", {})}
        everything = [one["sym"] for one in self.companies["privates"]]
        return {
            int(players): [self.private_signs[sign] for sign in everything if sign not in one["privates_in_play"]]
            for players, one in counts.items()
            if {*one.get("privates_in_play", everything)} != {*everything}
        }

    # -- market, trains, tables -----------------------------------------------------------------------

    def market_lines(self) -> Iterator[str]:
        market = self.market["markets"][0]
        letters: dict[tuple[int, int], str] = {}
        for zone, cells in market["zones"].items():
            if zone not in ZONES:
                self.left.append(f"The market has a zone {zone} of {len(cells)} cells.")
                continue
            letters |= {(row, column): ZONES[zone] for row, column, *_ in cells}
        for row, prices in enumerate(market["prices"]):
            cells = [
                "." if price is None else f"{price}{letters.get((row, at), '')}" for at, price in enumerate(prices)
            ]
            yield "".join(cell.ljust(5) for cell in cells).rstrip()

    def zones(self) -> dict[str, str]:
        here = {ZONES[zone] for zone, cells in self.market["markets"][0]["zones"].items() if zone in ZONES and cells}
        return {letter: words for letter, words in ZONE_WORDS.items() if letter in here}

    def train_lines(self) -> Iterator[str]:
        for one in self.trains["trains"]:
            if not (one["name"] == "D" or str(one["distance"]) == one["name"]):
                self.left.append(f"The {one['name']} train runs {json.dumps(one['distance'])}.")
            parts = [f'"{one["name"]}"', f'"{one["name"]}"', str(one["price"])]
            parts += [f'"{one["rusts_on"]}"'] if one.get("rusts_on") else []
            parts += [f"trade_in={json.dumps(one['discount'])}"] if one.get("discount") else []
            parts += [f'available_from="{one["available_on"]}"'] if one.get("available_on") else []
            parts += ["is_unlimited=True"] if one["count_after_setup"] == "unlimited" else []
            yield f"TrainKind({', '.join(parts)}),"

    def cards(self) -> dict[str, int]:
        counts = {one["name"]: one["count_after_setup"] for one in self.trains["trains"]}
        return {name: ENDLESS_CARDS if count == "unlimited" else count for name, count in counts.items()}

    def phase_lines(self) -> Iterator[str]:
        for one in self.trains["phases"]:
            begins = json.dumps(one["on"]) if one.get("on") else "None"
            colours = tuple(one["tiles"])
            text = "(" + ", ".join(f'"{colour}"' for colour in colours) + ("," if len(colours) == 1 else "") + ")"
            yield f'Phase("{one["name"]}", {begins}, {one["train_limit"]}, {text}, {one["operating_rounds"]}),'

    def table(self, name: str) -> dict[int, int]:
        return {int(players): one[name] for players, one in self.trains["by_player_count"].items()}

    @property
    def bank(self) -> int:
        return int(next(iter(self.trains["by_player_count"].values()))["bank_cash_total"])

    @property
    def currency(self) -> str:
        return str(self.trains.get("currency", "$%s")).replace("%s", "").replace("%d", "")

    def values(self) -> Iterator[str]:
        """The values of the family in which the title may differ, as keyword arguments."""
        know, zones, like = self.constants.get, self.zones(), self.like
        first = self.companies["corporations"][0]
        yield f"floats_at={first.get('float_percent', like.floats_at)},"
        yield f"most_held={first.get('max_ownership_percent', like.most_held)},"
        yield f"most_in_pool={know('market_share_limit', like.most_in_pool)},"
        yield f'uncounted="{"".join(letter for letter in "yob" if letter in zones)}",'
        yield f'unlimited="{"".join(letter for letter in "ob" if letter in zones)}",'
        yield f'several="{"b" if "b" in zones else ""}",'
        yield f"turn=TurnOrder.{know('sell_buy_order', like.turn.name).upper()},"
        yield f"sells_in_blocks={bool(know('must_sell_in_blocks', like.sells_in_blocks))},"
        yield f"raises_by={know('min_bid_increment', like.raises_by)},"
        phases = [one["name"] for one in self.trains["phases"] if "can_buy_companies" in one.get("status", ())]
        events = [(one["name"], event["type"]) for one in self.trains["trains"] for event in one.get("events", ())]
        closing = [train for train, event in events if event == "close_companies"]
        sold = (phases[0], closing[0]) if phases and closing else like.sold_in
        yield f'sold_in=("{sold[0]}", "{sold[1]}"),'
        track = {"semi_restrictive": "check_improved", "permissive": "check_reached"}
        restriction = str(know("track_restriction", ""))
        if restriction not in {"", *track}:
            self.left.append(f"New track is restricted otherwise: {restriction}.")
        yield f"check_track={track.get(restriction, like.check_track.__name__)},"
        homes = {"operating_round": True, "operate": False}
        timing = str(know("home_token_timing", ""))
        if timing not in {"", *homes}:
            self.left.append(f"Home tokens are placed at another time: {timing}.")
        yield f"homes_at_once={homes.get(timing, like.homes_at_once)},"
        yield f"may_dethrone={bool(know('ebuy_pres_swap', like.may_dethrone))},"
        helps = know("ebuy_from_others")
        yield f"pays_for_used={like.pays_for_used if helps is None else helps != 'never'},"


def _shape(line: str) -> tuple[object, ...]:
    """A tile's colour, stops and track; the order in which they are written does not matter."""
    words, _, track = line.partition("|")
    _, colour, _, *printed = words.split()
    paths = frozenset(frozenset(path.split("-")) for path in track.split())
    return colour, tuple(re.sub(r"@[\d.]+$", "", word) for word in printed), paths


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _wrap(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if len(line) + len(word) + 5 > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line
