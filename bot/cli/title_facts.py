"""A folder of facts about a title, as Python and our notations: what is printed in its box.

The folder has these five files; a list of what a title lacks is empty.

- `map.json`: `layout` (flat or pointy), `axes`; `layouts[0].hexes`, each with `hex`, `color`, and if it has them `name`, `nodes`
  (`id` like c0, `kind`, `revenue` as a number or by colour, `slots`, `groups`), `paths` (`ends`: edges or nodes), `labels`, `icons`,
  `upgrade_costs` (`cost`, `terrains`), `borders` (`edge`, `type`, `cost`), `home_of`, `blocked_by_private`.
- `tiles.json`: `tiles`, each with `id`, `count`, `color`, and what is printed as on hexes.
- `market.json`: `markets[0]` with `prices` by rows and `zones` (lists of row, column).
- `companies.json`: `corporations` (`sym`, `name`, `tokens`, `home`, `certificates`, `float_percent`, `max_ownership_percent`,
  colours), `privates` (`sym`, `name`, `value`, `revenue`, `abilities`), `by_player_count`.
- `trains.json`: `trains` (`name`, `distance`, `price`, `rusts_on`, `discount`, `available_on`, `count_after_setup`), `phases`,
  `by_player_count` (`starting_cash`, `cert_limit`, `bank_cash_total`), `constants` of the rules, `currency`.

Facts without a place in our notations are collected in `unread`, a sentence each; `unread_facts.py` adds those that nothing reads, so
that nothing is dropped silently.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import ceil, floor
from pathlib import Path
from typing import Any

from bot.engine.board import FOLLOWING
from bot.engine.board.game_map import ALONG_EDGES, TERRAINS
from bot.engine.board.standard_tiles import STANDARD
from bot.engine.board.tile_notation import ICONS, NUMBERED_ICON
from bot.untrusted_input import InvalidFile

from .unread_facts import Unread, join_alike, list_unread, list_unread_power

Json = Mapping[str, Any]

LISTS = {
    "map": ("layout", "axes", "layouts"),
    "tiles": ("tiles",),
    "market": ("markets",),
    "companies": ("corporations", "privates"),
    "trains": ("trains", "phases", "by_player_count"),
}
"""The files of the folder, and what each must have."""

ZONES = {"par": "p", "no_cert_limit": "y", "unlimited": "o", "multiple_buy": "b", "endgame": "e"}
ZONE_WORDS = {
    "p": "starting price",
    "y": "certificates do not count",
    "o": "no limit on shares either",
    "b": "no limit on purchases per turn either",
    "e": "ends the game",
}
ENDS = {
    "immediate": "AT_ONCE",
    "current_turn": "TURN",
    "current_round": "ROUND",
    "current_or": "OPERATING_ROUND",
    "full_or": "SET",
}
"""When a game ends, in the words of 18xx.games and as the family's value."""
COLOURS = {"white": "#ffffff", "black": "#000000", "red": "#d1232a", "yellow": "#fff500", "blue": "#025aaa"}
COLOURS |= {"green": "#32763f", "brown": "#7b352a", "gray": "#474548", "orange": "#f48221", "pink": "#f7b6c8"}
COLOURS |= {"gold": "#ffd700", "purple": "#800080", "magenta": "#ff00ff", "lightblue": "#add8e6", "cyan": "#00ffff"}
COLOURS |= {"deepskyblue": "#00bfff", "navy": "#000080", "teal": "#008080", "olive": "#808000", "maroon": "#800000"}
COLOURS |= {
    "lime": "#00ff00",
    "silver": "#c0c0c0",
    "violet": "#ee82ee",
    "darkgreen": "#006400",
    "lightgreen": "#90ee90",
}
ANY = 99
"""How many towns a train visits that visits any number."""

ENDLESS_CARDS = 20

PERMISSIONS = {True: "ALWAYS", False: "NEVER", "not_if_upgraded": "UNLESS_UPGRADED"}
"""Whether a tile of the turn may be laid, in the words of 18xx.games and as the family's value."""

SOURCES = {"ipo": "IPO", "market": "POOL"}
"""The place of an exchanged share, in the words of 18xx.games and as the family has it."""

PASSED_OVER = ("blocks_hexes", "no_buy", "close")
"""Powers that are said elsewhere: with the hexes, as `is_sold`, with the company whose president comes with the private."""
WIDTH = 116


class TitleFacts:
    """The parts of the folder, each made into text by a method."""

    def __init__(self, folder: Path, like: Any) -> None:
        """`like` has the values of the family for rules about which the folder says nothing.

        :raises InvalidFile: a part is missing, or is no JSON.
        """
        self._unsaid: list[Unread] = []
        self.like = like
        try:
            found = {part: json.loads((folder / f"{part}.json").read_text(encoding="utf-8")) for part in LISTS}
        except (OSError, ValueError) as error:
            raise InvalidFile(f"{folder}: {error}") from error
        self._files = found
        self.map, self.tiles, self.market, self.companies, self.trains = found.values()
        for part, lists in LISTS.items():
            lacking = [name for name in lists if name not in found[part]]
            if lacking:
                raise InvalidFile(f"{folder}: {part}.json lacks {', '.join(lacking)}")
        self.constants: Json = self.trains.get("constants", {})
        self.signs = {one["sym"] for one in self.companies["corporations"]}
        self.private_signs = {one["sym"]: self._own_sign(one) for one in self.companies["privates"]}

    @property
    def unread(self) -> list[str]:
        """The facts without a place, a sentence each; those of the parts that have been made come first."""
        return [*join_alike((*self._unsaid, *list_unread(self._files)))]

    def _leave(self, place: str, said: str) -> None:
        self._unsaid.append(Unread(place, said))

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
        words += [self._cost(cost, space["hex"]) for cost in space.get("upgrade_costs", ())[:1]]
        if later := space.get("future_label"):
            colour = later.get("color", "green")
            words.append(f"later:{later['label']}{'' if colour == 'green' else f'/{colour}'}")
        goals = [sign for sign, hexes in self._goals().items() if space["hex"] in hexes]
        words += [f"goal:{','.join(goals)}"] if goals else []
        homes = [self._home(home) for home in space.get("home_of", ())]
        words += [f"home:{','.join(homes)}"] if homes else []
        blocked = [self.private_signs.get(sign, sign) for sign in space.get("blocked_by_private", ())]
        words += [f"private:{','.join(blocked)}"] if blocked else []
        words += self._borders(space)
        return " ".join([*words, *self._print_words(space)])

    def _cost(self, cost: Json, where: str) -> str:
        kinds = [kind for kind in cost.get("terrains", ()) if kind in TERRAINS]
        for kind in {*cost.get("terrains", ())} - {*TERRAINS}:
            self._leave(f"Hex {where}", f"the terrain {kind} is not drawn; add it to TERRAINS.")
        return f"{'|'.join(kinds) or 'cost'}:{cost['cost']}"

    def _goals(self) -> dict[str, list[str]]:
        """The destinations of companies, said as a power of theirs."""
        powers = [(one["sym"], power) for one in self.companies["corporations"] for power in one.get("abilities", ())]
        return {sign: power["hexes"] for sign, power in powers if power["type"] == "assign_hexes"}

    def _home(self, home: Json) -> str:
        city = home.get("city_index")
        return f"{home['corporation']}{'' if city is None else f'/{city}'}"

    def _borders(self, space: Json) -> list[str]:
        kinds = {None: "joint", "impassable": "wall", "gauge_change": "gauge"}
        marks: dict[str, list[str]] = {"stub": [str(stub["edge"]) for stub in space.get("stubs", ())]}
        for border in space.get("borders", ()):
            kind = kinds.get(border.get("type"), border.get("type"))
            if kind not in ALONG_EDGES:
                self._leave(f"Hex {space['hex']}", f"a border of the kind {kind} is not drawn.")
                continue
            mark = f"{kind}={border['cost']}" if border.get("cost") else str(kind)
            marks.setdefault(mark, []).append(str(border["edge"]))
        return [f"{mark}@{','.join(edges)}" for mark, edges in marks.items() if edges]

    def _print_words(self, box: Json) -> list[str]:
        """Labels, icons, stops and track of a space or a tile."""
        where = f"Hex {box['hex']}" if "hex" in box else f"Tile {box['id']}"
        words = [f"'{label}'" for label in box.get("labels", ())]
        for icon in (one["name"] for one in box.get("icons", ())):
            if icon in ICONS or NUMBERED_ICON.match(icon):
                words.append(f"*{icon}")
            else:
                self._leave(where, f"the icon {icon} is not drawn; add it to ICONS, or leave it.")
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
        place = f"@{node['loc']}" if re.fullmatch(r"[\d.]+", str(node.get("loc", ""))) else ""
        return f"{node['kind']}:{values}{slots}{groups}{place}" if node["kind"] != "junction" else "junction"

    def _path(self, path: Json) -> str:
        first, last = path["ends"]
        if lanes := path.get("lanes"):
            ends = zip((first, last), lanes, strict=True)
            first, last = (end if lane[0] == 1 else f"{end}({lane[0]}.{lane[1]})" for end, lane in ends)
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
                    costs += ["last"] if tile.get("upgrades_to") == [] and self._is_followed(tile) else []
                text = " ".join([tile["id"], tile["color"], f"x{count}", *costs, *self._print_words(tile)])
                is_standard = standard.get(tile["id"]) == _shape(text)
                (counted if is_standard else own).append(f"{tile['id']}x{count}" if is_standard else text)
            yield from _wrap(counted)
            yield from own

    def _is_followed(self, tile: Json) -> bool:
        """Whether the sheet has a tile of the next colour with as many stops of each kind."""
        colour, kinds = FOLLOWING.get(tile["color"]), _kinds(tile)
        return any(one["color"] == colour and _kinds(one) == kinds for one in self.tiles["tiles"])

    def _layer_of(self, tile: str) -> str:
        """The private whose power lays a tile."""
        for private in self.companies["privates"]:
            if any(tile in ability.get("tiles", ()) for ability in private.get("abilities", ())):
                return self.private_signs[private["sym"]]
        self._leave("", f"Tile {tile} is laid by a power that no private has.")
        return ""

    # -- companies and privates -----------------------------------------------------------------------

    def company_lines(self) -> Iterator[str]:
        usual = [20, *[10] * 8]
        for one in self.companies["corporations"]:
            home, *others = one.get("home") or [""]
            if others or not home:
                homes = f"the homes {', '.join([home, *others])}" if home else "no home"
                self._leave("", f"{one['sym']} has {homes}: its field `home` in components.py names a hex.")
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
        number = COLOURS.get(found.lower(), "")
        if not number:
            self._leave("", f"The colour {found} of {company['sym']} is no number.")
        return number or default

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
            parts += self._prices(one)
            parts += [f"power={_quote('; '.join(sentences))}"] if sentences else []
            parts += [f"brings={_quote('; '.join(gifts))}"] if gifts else []
            parts += ["is_sold=False"] if any(a["type"] == "no_buy" for a in one.get("abilities", ())) else []
            yield "private("
            yield from (f"    {part}," for part in parts)
            yield "),"

    def _prices(self, private: Json) -> list[str]:
        """The prices for companies, where they are not half to twice the printed price."""
        value = private["value"]
        usual = (-(-value // 2), 2 * value)
        span = (ceil(private.get("min_price", usual[0])), floor(private.get("max_price", usual[1])))
        return [] if span == usual else [f"prices={span}"]

    def _powers(self, private: Json) -> Iterator[tuple[str, str, bool]]:
        """Each power as a value, in words, and whether it is something that comes with the private."""
        where = f"{private['sym']} ({private['name']})"
        for ability in private.get("abilities", ()):
            found = [*self._power(ability, where)]
            if found or ability["type"] in PASSED_OVER:
                self._unsaid += list_unread_power(where, ability)
            elif ability["type"] != "shares":
                self._leave(where, f"it has the power {ability['type']}: {json.dumps(ability)}")
            yield from found

    def _power(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        makers: dict[str, Callable[[Json, str], Iterator[tuple[str, str, bool]]]] = {
            "tile_lay": self._lays_of,
            "teleport": self._teleport,
            "tile_discount": self._terrain_discount,
            "exchange": self._exchange,
            "shares": self._shares,
            "assign_hexes": self._marker,
            "token": self._token_help,
            "train_discount": self._train_discount,
            "close": self._stays,
            "revenue_change": self._income,
        }
        make = makers.get(ability["type"])
        return make(ability, where) if make else iter(())

    def _lays_of(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        hexes, tiles = " ".join(ability.get("hexes", ())), " ".join(ability.get("tiles", ()))
        if hexes and ability.get("count", 1) == 1:
            yield self._lay(ability, hexes, tiles)
        elif ability.get("must_lay_together") and len(ability.get("hexes", ())) == 2:
            what = f"owned by a company: two of the tiles {tiles}, joined, on {hexes}, even unconnected"
            yield f'LayPair("{hexes}", "{tiles}", "second tile on {hexes}")', what, False

    def _teleport(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        hexes, tiles = " ".join(ability.get("hexes", ())), " ".join(ability.get("tiles", ()))
        what = f"owned by a company: its tile ({tiles}) and a token on {hexes}, even unconnected"
        yield f'Lay("{hexes}", "{tiles}", LayBy.COMPANY_AS_ITS_TILE, token=TokenPlace())', what, False

    def _terrain_discount(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        if ability.get("terrain"):
            what = f"owned by a company: {ability['terrain']} costs {ability['discount']} less"
            yield f'Discount("{ability["terrain"]}", {ability["discount"]})', what, False

    def _exchange(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        if not ({*ability["corporations"]} <= self.signs and {*ability["from"]} <= {*SOURCES}):
            return
        company, *others = ability["corporations"]
        if others:
            self._leave(where, f"it may be exchanged for {', '.join(others)} too.")
        sources = [SOURCES[one] for one in ability["from"]]
        more = "" if len(sources) > 1 else f", ({sources[0]},)"
        yield f'ExchangeFor("{company}"{more})', f"its owner may exchange it for a share of {company}", False

    def _shares(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        for share in ability["shares"]:
            if share.rpartition("_")[0] in self.signs:
                yield self._share(share)
            else:
                self._leave(where, f"it comes with {share}.")

    def _marker(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        hexes = " ".join(ability.get("hexes", ()))
        if hexes and "amount" in ability:
            until = f', "{ability["until"]}"' if ability.get("until") else ""
            what = f"owned by a company: a marker on one of {hexes}, where its trains earn {ability['amount']} more"
            yield f'RevenueMarker("{hexes}", {ability["amount"]}{until})', what, False

    def _token_help(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        if ability.get("from_owner") and not ability.get("extra_action"):
            hexes = " ".join(ability.get("hexes", ()))
            percent = 0 if ability.get("price") == 0 else round(100 * (1 - ability.get("discount", 0)))
            place = f"on one of {hexes}, even unconnected" if hexes else "in its reach"
            what = f"owned by a company: its token of a turn {place}, for {percent}% of the price, once"
            yield f'TokenHelp("{hexes}", {percent})', what, False

    def _train_discount(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        less, trains = ability["discount"], " ".join(ability.get("trains", ()))
        if trains and ability.get("count", 1) == 1 and not isinstance(less, dict):
            rebate = f"percent={round(100 * less)}" if less <= 1 else f"amount={less}"
            closes = "" if ability.get("closed_when_used_up") else ", closes=False"
            said = f"{round(100 * less)}%" if less <= 1 else str(less)
            what = f"owned by a company: {said} less for one new train of these: {trains}"
            yield f'TrainDiscount("{trains}", {rebate}{closes})', what, False

    def _stays(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        if ability.get("on_phase") == "never":
            yield "Stays()", "owned by a player: never closes", False

    def _income(self, ability: Json, where: str) -> Iterator[tuple[str, str, bool]]:
        what = f"pays {ability['revenue']} from phase {ability['on_phase']} on"
        yield f'Income({ability["revenue"]}, "{ability["on_phase"]}")', what, False

    def _lay(self, ability: Json, hexes: str, tiles: str) -> tuple[str, str, bool]:
        by, who = (
            ("PLAYER", "owned by a player") if ability["owner_type"] == "player" else ("COMPANY", "owned by a company")
        )
        when = [ability["when"]] if isinstance(ability.get("when"), str) else ability.get("when", ())
        if "sold" in when:
            by, who = "SELLER", "its seller to a company"
        elif when == ["track"] and by == "COMPANY":
            by, who = "COMPANY_WITH_ITS_TRACK", "owned by a company, in its track step"
        is_free = ability.get("free", False) or not self._costs_of(ability["hexes"])
        free = ", is_free=True" if is_free else ""
        what = f"{who}: once one of the tiles {tiles} on one of {hexes}{', free' if is_free else ''}, even unconnected"
        return f'Lay("{hexes}", "{tiles}", LayBy.{by}{free})', what, False

    def _costs_of(self, names: Iterable[str]) -> list[Json]:
        """The costs printed on these hexes."""
        spaces = (space for space in self.map["layouts"][0]["hexes"] if space["hex"] in names)
        return [cost for space in spaces for cost in space.get("upgrade_costs", ())]

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
                self._leave("", f"The market has a zone {zone} of {len(cells)} cells.")
                continue
            for row, column, *_ in cells:
                letters[row, column] = letters.get((row, column), "") + ZONES[zone]
        for row, prices in enumerate(market["prices"]):
            cells = [
                "." if price is None else f"{price}{letters.get((row, at), '')}" for at, price in enumerate(prices)
            ]
            yield " ".join(cell.ljust(4) for cell in cells).rstrip()

    def zones(self) -> dict[str, str]:
        here = {ZONES[zone] for zone, cells in self.market["markets"][0]["zones"].items() if zone in ZONES and cells}
        return {letter: words for letter, words in ZONE_WORDS.items() if letter in here}

    def train_lines(self) -> Iterator[str]:
        for one in self.trains["trains"]:
            parts = [f'"{one["name"]}"', f'"{one["name"]}"', str(one["price"])]
            rusts = one.get("rusts_on") or one.get("obsolete_on")
            parts += [f'"{rusts}"'] if rusts else []
            parts += ["runs_once_more=True"] if one.get("obsolete_on") else []
            parts += [f"trade_in={json.dumps(one['discount'])}"] if one.get("discount") else []
            parts += [f'available_from="{one["available_on"]}"'] if one.get("available_on") else []
            parts += ["is_unlimited=True"] if one["count_after_setup"] == "unlimited" else []
            yield f"TrainKind({', '.join(parts)}),"

    def runs(self) -> dict[str, str]:
        """The trains whose names do not say how they run, each with its value."""
        found: dict[str, str] = {}
        for one in self.trains["trains"]:
            name, distance = one["name"], one["distance"]
            if name == "D" or str(distance) == name:
                continue
            run = f"TrainRun({distance})" if isinstance(distance, int) else _run(distance)
            if run:
                found[name] = run
            else:
                self._leave("", f"The {name} train runs {json.dumps(distance)}.")
        return found

    def _trains(self) -> Iterator[str]:
        """How trains run whose names do not say it, and in which phases a company buys one of the bank in a turn."""
        if runs := self.runs():
            yield f"runs={{{', '.join(f'{json.dumps(name)}: {run}' for name, run in runs.items())}}},"
        limited = [one["name"] for one in self.trains["phases"] if "limited_train_buy" in one.get("status", ())]
        if limited:
            yield f"new_trains={json.dumps(dict.fromkeys(limited, 1))},"

    def _lays(self) -> Iterator[str]:
        """The tiles of a turn, where they are not one."""
        of_kinds = self.trains.get("tile_lays_at_start", {"": self.constants.get("tile_lays", [{}])})
        if {*of_kinds} != {""}:
            self._leave("Track", f"the tiles of a turn differ by kind of company: {json.dumps(of_kinds)}.")
        (lays, *_) = of_kinds.values()
        tiles = [self._tile_of_turn(lay) for lay in lays]
        if tiles != ["TileOfTurn()"]:
            yield f"lays=({', '.join(tiles)},),"

    def _tile_of_turn(self, lay: Json) -> str:
        parts = [
            f"{value}=MayLay.{PERMISSIONS[lay[name]]}"
            for name, value in (("lay", "new"), ("upgrade", "upgrade"))
            if lay.get(name, True) in PERMISSIONS and lay.get(name, True) is not True
        ]
        parts += [f"price={lay['cost']}"] if lay.get("cost") else []
        parts += ["other_hex=True"] if lay.get("cannot_reuse_same_hex") else []
        known = ("lay", "upgrade", "cost", "cannot_reuse_same_hex")
        if [name for name in lay if name not in known] or not {lay.get("lay", True), lay.get("upgrade", True)} <= {
            *PERMISSIONS
        }:
            self._leave("Track", f"a tile of the turn is {json.dumps(lay)}.")
        return f"TileOfTurn({', '.join(parts)})"

    def _ends(self) -> Iterator[str]:
        """The ends of a game and their moments; bankruptcy always ends it at once."""
        for what, value in (("bank", "broken_bank_ends"), ("stock_market", "top_price_ends")):
            when = self.constants.get("game_end_check", {}).get(what)
            if when in ENDS:
                yield f"{value}=GameEnd.{ENDS[when]},"
            elif when is not None:
                self._leave("", f"The game ends {when} by {what}.")
        if "e" in self.zones():
            yield 'ends_at="e",'

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
        yield from self._privates_and_ends()
        yield from self._trains()
        yield from self._lays()
        yield from self._track()
        yield f"may_dethrone={bool(know('ebuy_pres_swap', like.may_dethrone))},"
        helps = know("ebuy_from_others")
        yield f"pays_for_used={like.pays_for_used if helps is None else helps != 'never'},"

    def _privates_and_ends(self) -> Iterator[str]:
        """Values of the auction, of what happens to privates later, of the end."""
        know, like = self.constants.get, self.like
        raises = know("min_bid_increment", like.raises_by)
        yield f"raises_by={raises},"
        in_steps = know("must_bid_increment_multiple")
        yield f"bids_in={like.bids_in if in_steps is None else raises if in_steps else 1},"
        yield f"binds_highest={bool(know('only_highest_bid_committed', like.binds_highest))},"
        phases = [one["name"] for one in self.trains["phases"] if "can_buy_companies" in one.get("status", ())]
        events = [(one["name"], event["type"]) for one in self.trains["trains"] for event in one.get("events", ())]
        closing = [train for train, event in events if event == "close_companies"]
        closes = [one["name"] for one in self.trains["phases"] if one.get("on") in closing]
        sold = (phases[0], closes[0]) if phases and closes else like.sold_in
        yield f'sold_in=("{sold[0]}", "{sold[1]}"),'
        yield from self._ends()
        trades = ["can_buy_companies_from_other_players" in one.get("status", ()) for one in self.trains["phases"]]
        yield f"trades_from={(1 if trades[0] else 2) if any(trades) else None},"

    def _track(self) -> Iterator[str]:
        """Values of track, homes and destinations."""
        know, like = self.constants.get, self.like
        track = {"semi_restrictive": "check_improved", "permissive": "check_reached"}
        restriction = str(know("track_restriction", ""))
        if restriction not in {"", *track}:
            self._leave("", f"New track is restricted otherwise: {restriction}.")
        yield f"check_track={track.get(restriction, like.check_track.__name__)},"
        if self._goals():
            yield f"goal_money={know('goal_money', 0)},"
            if not know("goal_money"):
                signs = ", ".join(self._goals())
                self._leave("Companies", f"{signs} have destinations; say in goal_money what a token there brings.")
        homes = {"operating_round": True, "operate": False}
        timing = str(know("home_token_timing", ""))
        if timing not in {"", *homes}:
            self._leave("", f"Home tokens are placed at another time: {timing}.")
        yield f"homes_at_once={homes.get(timing, like.homes_at_once)},"


def _run(distance: list[Json]) -> str:
    """A train with rows for towns and for all else, as a value; nothing if its rows are others."""
    rows = {frozenset(row["nodes"]): row for row in distance}
    if len(distance) != 2 or {*rows} != {frozenset({"city", "offboard"}), frozenset({"town"})}:
        return ""
    cities, towns = rows[frozenset({"city", "offboard"})], rows[frozenset({"town"})]
    known = {(towns["visit"], towns["visit"]): str(towns["pay"]), (ANY, ANY): "Towns.FREE", (0, ANY): "Towns.UNPAID"}
    said = known.get((towns["pay"], towns["visit"]))
    times = [row.get("multiplier", 1) for row in (cities, towns)]
    more = "" if times == [1, 1] else f", {times[0]}" if times[1] == 1 else f", {times[0]}, {times[1]}"
    return f"TrainRun({cities['pay']}, {said}{more})" if said and cities["pay"] == cities["visit"] else ""


def _kinds(tile: Json) -> list[str]:
    return sorted(node["kind"] for node in tile.get("nodes", ()))


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
