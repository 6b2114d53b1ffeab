"""Our games in the form of 18xx.games: the same ids, one record an action; read back they give the same game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..actions import (
    Action,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    RunRoutes,
    SellShares,
    TakeLoan,
    Withdraw,
)
from ..certificates import smallest
from ..corrections import correct, is_correction
from ..game import Game
from ..ids import DEPOT, POOL, CompanyId, HexId, Owner, PlayerId, is_player
from ..routes.scoring import score
from ..steps.routes import read_runs, route_problem
from ..text import action_of
from ..title import Title
from ..track import Stop
from .dialect import Dialect
from .snapshots import snapshot
from .verbs import part_numbers

Raw = dict[str, Any]


def export_log(title: Title, dialect: Dialect, own: Mapping[str, Any]) -> Raw:
    """A game in our JSON form as theirs. Answers to offers and corrections, which they do not know, are kept under our
    own type.

    :raises Refusal: a move is not allowed.
    """
    game = Game.new(title, own["players"], own["options"], own["seed"])
    writer = Writer(game, dialect)
    actions = [writer.write_text(text) | {"id": number} for number, text in enumerate(own["moves"], 1)]
    names = {player.id: str(number) for number, player in enumerate(game.state.players)}
    players = [{"id": number, "name": name} for number, name in enumerate(own["players"])]
    now = game.state.round
    result = {names[player.id]: own["result"][player.name] for player in game.state.players}
    return {
        "id": f"hs_signalbox_{own['seed']}",
        "title": title.id,
        "description": "exported by Signalbox",
        "user": {"id": 0, "name": own["players"][0]},
        "players": players,
        "min_players": len(players),
        "max_players": len(players),
        "mode": "hotseat",
        "loaded": True,
        "status": "finished" if game.state.finished else "active",
        "settings": {
            "optional_rules": [
                rule
                for rule, chosen in dialect.optional_rules.items()
                if chosen.items() <= dict(own["options"]).items()
            ],
            "seed": own["seed"],
            "signalbox_options": dict(own["options"]),
        },
        "turn": now.number,
        "round": f"{now.kind.capitalize()} Round",
        "acting": [int(names[player]) for player in game.asked()],
        "actions": actions,
        "result": result if game.state.finished else {},
        "game_end_reason": snapshot(game, names, dialect)["end_reason"],
    }


class Writer:
    """Follows a game and writes each action before making it. `pieces` numbers the tile pieces on the map."""

    def __init__(self, game: Game, dialect: Dialect) -> None:
        self.game = game
        self.dialect = dialect
        self.pieces: dict[HexId, str] = {}
        self.used: dict[str, list[int]] = {}

    def write_text(self, text: str) -> Raw:
        """A recorded move or correction in their form; the game goes on by it."""
        if not is_correction(text):
            return self.write(action_of(self.game.title, text))
        correct(self.game, text)
        return {"type": "signalbox", "correction": text}

    def write(self, action: Action) -> Raw:
        """The action in their form; the game goes on by it."""
        writers = {
            SellShares: self._sell,
            LayTile: self._lay,
            PlaceToken: self._token,
            RunRoutes: self._run,
            BuyTrain: self._train,
            BuyShares: self._buy,
        }
        writer = writers.get(type(action))
        raw: Raw = {**self._entity(action.by), **(writer(action) if writer else self._simple(action))}  # type: ignore[operator]
        self.dialect.write(self.game, action, raw)
        before = {c.id: [k.owner for k in c.certificates] for c in self.game.state.companies.values()}
        self.game.apply(action)
        if isinstance(action, SellShares):
            raw["shares"] = self._sold(action.company, before[action.company])
        return raw

    def _entity(self, owner: Owner) -> Raw:
        if is_player(owner):
            return {"entity": self._player(PlayerId(owner)), "entity_type": "player"}
        return {"entity": owner, "entity_type": "corporation"}

    def _player(self, player: PlayerId) -> int:
        return [seat.id for seat in self.game.state.players].index(player)

    def _simple(self, action: Action) -> Raw:
        match action:
            case Pass():
                return {"type": "pass"}
            case ReducePrice():
                return {"type": "assign", "target": action.private, "target_type": "company"}
            case Bid():
                return {"type": "bid", "company": action.lot, "price": action.price}
            case BuyPrivate():
                kind = "bid" if is_player(action.by) else "buy_company"
                return {"type": kind, "company": action.private, "price": action.price}
            case Par():
                market = self.game.title.market
                row, column = next(cell for cell in market.cells_in("p") if market.price(cell) == action.price)
                return {"type": "par", "corporation": action.company, "share_price": f"{action.price},{row},{column}"}
            case Dividend():
                kinds = {"pay": "payout", "withhold": "withhold", "half": "half"}
                return {"type": "dividend", "kind": kinds[action.kind]}
            case DiscardTrain():
                train = next(t for t in self.game.state.trains_of(action.by) if t.kind == action.kind)
                return {"type": "discard_train", "train": train.id}
            case Withdraw():
                return {"type": "signalbox", "withdraw": True, "agree": False}
            case TakeLoan():
                return {"type": "take_loan", "loan": sum(c.loans for c in self.game.state.companies.values())}
        return {"type": "signalbox", "text": type(action).__name__, "agree": getattr(action, "agree", None)}

    def _buy(self, action: BuyShares) -> Raw:
        """The first certificate of that size; where there is none, the president's, which lies alone in the pool."""
        company = self.game.company(action.company)
        start = 1 if company.has_president else 0
        percent = action.shares * smallest(company)
        found = (
            i
            for i, c in enumerate(company.certificates)
            if i >= start and c.owner == action.source and c.percent == percent
        )
        index = next(found, 0)
        return {"type": "buy_shares", "shares": [f"{company.id}_{index}"], "percent": percent}

    def _sell(self, action: SellShares) -> Raw:
        company = self.game.company(action.company)
        percent = action.shares * smallest(company)
        return {"type": "sell_shares", "shares": [], "percent": percent}

    def _sold(self, company: CompanyId, before: list[Owner]) -> list[str]:
        after = self.game.company(company).certificates
        return [
            f"{company}_{index}"
            for index, certificate in enumerate(after)
            if certificate.owner == POOL and before[index] != POOL
        ]

    def _lay(self, action: LayTile) -> Raw:
        old = self.pieces.pop(action.hex, None)
        if old is not None:
            name, piece = old.rsplit("-", 1)
            self.used[name].remove(int(piece))
        taken = self.used.setdefault(action.tile, [])
        number = next(index for index in range(len(taken) + 1) if index not in taken)
        taken.append(number)
        self.pieces[action.hex] = f"{action.tile}-{number}"
        raw: Raw = {
            "type": "lay_tile",
            "hex": action.hex,
            "tile": f"{action.tile}-{number}",
            "rotation": action.rotation,
        }
        if action.using is not None:
            raw |= {"entity": action.using, "entity_type": "company"}
        return raw

    def _token(self, action: PlaceToken) -> Raw:
        piece = self.pieces.get(action.hex, f"{action.hex}-0")
        board = self.game.state.board
        reserved = [company for company in board.reserved_in(action.hex, action.city) if company != action.by]
        slot = len(board.tokens_in(action.hex, action.city)) + len(reserved)
        return {"type": "place_token", "city": f"{piece}-{action.city}", "slot": slot, "tokener": action.by}

    def _train(self, action: BuyTrain) -> Raw:
        family = self.game.title.trains[action.kind].family
        train = next(
            t
            for t in self.game.state.trains
            if t.owner == action.source and (t.family == family if action.source == DEPOT else t.kind == action.kind)
        )
        raw: Raw = {"type": "buy_train", "train": train.id, "price": action.price}
        if action.source == DEPOT:
            raw["variant"] = action.kind
        if action.trade_in is not None:
            raw["exchange"] = next(t.id for t in self.game.state.trains_of(action.by) if t.kind == action.trade_in)
        if action.using is not None:
            raw |= {"entity": action.using, "entity_type": "company"}
        return raw

    def _run(self, action: RunRoutes) -> Raw:
        """What several routes earn together is written with the first of them, as 18xx.games does."""
        problem = route_problem(self.game, CompanyId(action.by))
        routes = []
        scored = score(problem, read_runs(problem, action))
        for number, route in enumerate(scored.routes):
            steps = zip(route.between, route.stops, route.stops[1:], strict=False)
            connections = [[start.hex, *spaces, end.hex] for spaces, start, end in steps]
            together = () if number else scored.joint
            bonuses = "".join(f" + {name.lower()}" for name, _ in (*route.parts, *together) if name != "stops")
            routes.append(
                {
                    "train": route.train,
                    "connections": connections,
                    "hexes": [stop.hex for stop in route.stops],
                    "revenue": route.revenue + sum(money for _, money in together),
                    "revenue_str": "-".join(stop.hex for stop in route.stops) + bonuses,
                    "nodes": [self._node(stop) for stop in route.stops],
                }
            )
        return {"type": "run_routes", "routes": routes, "extra_revenue": 0, "subsidy": 0}

    def _node(self, stop: Stop) -> str:
        names = [node.id for node in self.game.geometry(stop.hex).nodes]
        return f"{stop.hex}-{part_numbers(self.game, self.dialect, stop.hex)[names.index(stop.node)]}"
