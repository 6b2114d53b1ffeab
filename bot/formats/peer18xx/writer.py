"""Our moves as actions of 18xx.games: the same ids, and every pass that its engine waits for."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.engine import DEPOT, POOL, CompanyId, HexId, Owner, PlayerId, TrainId, is_player
from bot.engine.board import Stop
from bot.engine.games.corrections import apply_correction, is_correction
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.play.holdings import share_unit
from bot.engine.play.steps import StockTurn, route_problem, routes_of
from bot.engine.state import StockTurnMemory, TurnMemory, actions

from .action_translation import part_numbers
from .certificate_ids import ShareNumbers, TrainNumbers
from .dialect import Dialect, by_their_rules, rename_privates
from .native_moves import OURS
from .questions import PASS, PeerQuestion, PeerTurn

Raw = dict[str, Any]


class LogWriter:
    """Follows a game and writes each move as what 18xx.games records of it: one action, none, or several.

    `pieces` numbers the tile pieces on the map, `shares` the certificates, `moving` are those that the present move concerns,
    `trains` the train cards, `discarded` those of the pool, first those that came there first, `offered` the purchase that waits for consent, `held` notes that wait.
    """

    def __init__(self, game: Game, dialect: Dialect) -> None:
        self.game = game
        self.dialect = dialect
        self.pieces: dict[HexId, str] = {}
        self.used: dict[str, list[int]] = {}
        self.shares = ShareNumbers(game)
        self.trains = TrainNumbers()
        self.discarded: list[TrainId] = []
        self.turn = PeerTurn(dialect.questions)
        self.written: list[Raw] = []
        self.offered: list[Raw] = []
        self.moving: list[int] = []
        self.last: Raw | None = None
        self.told = 0
        self.held: list[Raw] = []

    def write_text(self, text: str) -> list[Raw]:
        """A recorded move or correction in their form; the game goes on by it. Parts that they do not know are kept
        with the action before."""
        self.written = []
        if is_correction(text):
            apply_correction(self.game, text)
            self._correct_revenue()
            self.shares.settle(self.game)
        else:
            self._write(parse_action(self.game.title, text))
        self._keep(text)
        return self.written

    def _correct_revenue(self) -> None:
        """A revenue set by hand is written with the run: 18xx.games pays what its file says."""
        memory = self.game.frame.memory if self.game.state.flow else None
        if self.last is None or self.last["type"] != "run_routes" or not isinstance(memory, TurnMemory):
            return
        self.last["extra_revenue"] = (memory.revenue or 0) - sum(route["revenue"] for route in self.last["routes"])

    def _keep(self, text: str) -> None:
        """Attach the move to its action, or to the previous action if it has none."""
        for raw in self.written:
            raw.setdefault(OURS, [])
        holder = self.written[0] if self.written else self.last
        if holder is None:
            holder = {"type": "message", **self._entity(self.game.state.order[0]), "message": "Signalbox", OURS: []}
            self.written.append(holder)
        holder[OURS].append(text)
        self.last = self.written[-1] if self.written else self.last

    # -- one move -----------------------------------------------------------------------------------

    def _write(self, action: actions.Action) -> None:
        """Make the move, then update the certificates."""
        if isinstance(action, actions.Answer) and action.agree and len(self.game.frame.asked) < 2:
            self.written += self.offered
        if self._is_recorded(action):
            self._record(action)
        self.told = 0
        stood = self.dialect.proposal(self.game)
        a_turn_may_end = actions.BuyTrain in self.game.open_verbs()
        self.game.apply(action, partial(self._watch, a_turn_may_end=a_turn_may_end))
        if self.game.state.flow:
            self._note()
        self._hold_offer(stood)
        self._follow_pool()
        numbers = self.moving
        self.moving = []
        if isinstance(action, actions.SellShares):
            seller = self.dialect.seller(self.game, action)
            self.shares.record_sale(self.game.company(action.company), numbers, seller, action.shares)
        elif isinstance(action, actions.BuyShares):
            self.shares.move(action.company, numbers, action.source, action.by)
        self.dialect.follow_shares(self.game, self.shares)
        self.shares.settle(self.game)

    def _follow_pool(self) -> None:
        there = [train.id for train in self.game.state.trains_of(POOL)]
        self.discarded = [one for one in self.discarded if one in there]
        self.discarded += [one for one in there if one not in self.discarded]

    def _take_from_pool(self, kind: str) -> None:
        """The train of a kind that came to the pool first is sold first there; here it is the first card."""
        cards = {train.id: train for train in self.game.state.trains_of(POOL) if train.kind == kind}
        ours, theirs = next(iter(cards)), next(one for one in self.discarded if one in cards)
        self.trains.go_first(self.game, cards[theirs])
        swapped = {ours: theirs, theirs: ours}
        self.discarded = [swapped.get(one, one) for one in self.discarded]

    def _hold_offer(self, stood: actions.Action | None) -> None:
        """An action that needs somebody's consent here is recorded there when it takes place; what others do while an offer
        `stood` is recorded at once."""
        offer = self.dialect.proposal(self.game)
        if offer is None:
            self.offered = []
        elif offer != stood:
            self.offered, self.written = self.written, []

    def _record(self, action: actions.Action) -> None:
        writers = {
            actions.SellShares: self._sell,
            actions.LayTile: self._lay,
            actions.PlaceToken: self._token,
            actions.RunRoutes: self._run,
            actions.BuyTrain: self._train,
            actions.BuyShares: self._buy,
        }
        writer = writers.get(type(action), self._simple_action)
        raw: Raw = {**self._entity(action.by), **writer(action)}  # type: ignore[operator]
        self.written += [{**self._entity(action.by), **part} for part in self.dialect.preceding(self.game, action)]
        self.dialect.write(self.game, action, raw, self.shares)
        self.written.append(dict(rename_privates(raw, self.dialect.private_names)))

    def _is_recorded(self, action: actions.Action) -> bool:
        """Companies' passes are answers to what 18xx.games asks; players pass there only while they could do
        something."""
        if isinstance(action, actions.Answer | actions.Withdraw) or type(action) in self.dialect.effects_only:
            return False
        memory = self.game.frame.memory
        if not isinstance(action, actions.Pass) or not isinstance(memory, TurnMemory | StockTurnMemory):
            return True
        with by_their_rules(self.game):
            return isinstance(memory, StockTurnMemory) and self.dialect.peer_waits(self.game)

    def _watch(self, game: Game, a_turn_may_end: bool = False) -> None:
        """The notes of 18xx.games about events, and its questions before our game goes on."""
        notes = [self.dialect.extra_log_entry(game, event) for event in game.events[self.told :]]
        notes.append(self.dialect.unasked_answer(game))
        self.held += [dict(note) for note in notes if note is not None]
        self.told = len(game.events)
        self._note(a_turn_may_end)
        with by_their_rules(game):
            due = self.turn.due_questions(game)
        for question in due:
            self._answer(question, game.actor_in_turn)

    def _note(self, a_turn_may_end: bool = False) -> None:
        """Write the notes. Those of no entity belong to the player or company in turn there: they wait while trains are
        bought, for what is done then may end a turn, while they are given up, and until our game has gone on, too."""
        waiting = []
        with by_their_rules(self.game):
            has_gone_on = bool(self.held) and self.turn.has_gone_on(self.game)
        for note in self.held:
            if "entity" in note:
                self._add_automatic(note)
            elif a_turn_may_end or self.game.frame.entity is None or has_gone_on:
                waiting.append(note)
            else:
                self._add_automatic({**self._entity(self.game.actor_in_turn), **note})
        self.held = waiting

    def _answer(self, question: PeerQuestion, company: Owner) -> None:
        raw = {**self._entity(company), **question.answer}
        if question.is_automatic:
            self._add_automatic(raw)
        else:
            self.written.append(raw)

    def _add_automatic(self, raw: Raw) -> None:
        """Actions that their engine takes automatically belong to the previous action."""
        if self.written:
            self.written[-1].setdefault("auto_actions", []).append(raw)
        else:
            self.written.append(raw)

    # -- forms --------------------------------------------------------------------------------------

    def _entity(self, owner: Owner) -> Raw:
        if is_player(owner):
            return {"entity": self.player(PlayerId(owner)), "entity_type": "player"}
        return {"entity": owner, "entity_type": "corporation"}

    def player(self, player: PlayerId) -> int:
        return [seat.id for seat in self.game.state.players].index(player)

    def _simple_action(self, action: actions.Action) -> Raw:
        match action:
            case actions.Pass():
                return dict(PASS)
            case actions.ReducePrice():
                return {"type": "assign", "target": action.private, "target_type": "company"}
            case actions.Bid():
                return {"type": "bid", "company": action.lot, "price": action.price}
            case actions.BuyPrivate():
                in_auction = is_player(action.by) and not isinstance(self.game.frame.memory, StockTurnMemory)
                kind = "bid" if in_auction else "buy_company"
                return {"type": kind, "company": action.private, "price": action.price}
            case actions.DeclareBankruptcy():
                return {"type": "bankrupt"}
            case actions.Par():
                row, column = self._first_cell(action)
                return {"type": "par", "corporation": action.company, "share_price": f"{action.price},{row},{column}"}
            case actions.Dividend():
                kinds = {"pay": "payout", "withhold": "withhold", "half": "half"}
                return {"type": "dividend", "kind": kinds[action.kind]}
            case actions.DiscardTrain():
                train = next(t for t in self.game.state.trains_of(action.by) if t.kind == action.kind)
                return {"type": "discard_train", "train": self.trains.peer_number(train.id)}
            case actions.TakeLoan():
                return {"type": "take_loan", "loan": sum(c.loans for c in self.game.state.companies.values())}
        city = getattr(action, "city", None)
        place = {} if city is None else {"city": self.city(action.hex, city)}  # type: ignore[attr-defined]
        return {"type": type(action).__name__, **place}

    def _first_cell(self, action: actions.Par) -> tuple[int, int]:
        """The cell of the market where the company begins."""
        market, step = self.game.title.market, self.game.step_for(action)
        cells = (
            step.prices.par_cells(self.game, action.company) if isinstance(step, StockTurn) else market.cells_in("p")
        )
        return next(cell for cell in cells if market.price(cell) == action.price)

    def _buy(self, action: actions.BuyShares) -> Raw:
        company = self.game.company(action.company)
        percent = action.shares * share_unit(company)
        self.moving = [self.shares.to_buy(company, action.source, percent)]
        return {"type": "buy_shares", "shares": self.shares.names(company.id, self.moving), "percent": percent}

    def _sell(self, action: actions.SellShares) -> Raw:
        company = self.game.company(action.company)
        seller = self.dialect.seller(self.game, action)
        self.moving = self.shares.to_sell(company, seller, action.shares, action.doubles)
        return {
            **self._entity(seller),
            "type": "sell_shares",
            "shares": self.shares.names(company.id, self.moving),
            "percent": action.shares * share_unit(company),
        }

    def _lay(self, action: actions.LayTile) -> Raw:
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
        return raw | _by_private(action)

    def _token(self, action: actions.PlaceToken) -> Raw:
        board = self.game.state.board
        reserved = [company for company in board.reservations_in(action.hex, action.city) if company != action.by]
        slot = len(board.tokens_in(action.hex, action.city)) + len(reserved)
        city = self.city(action.hex, action.city)
        raw: Raw = {"type": "place_token", "city": city, "slot": slot, "tokener": action.by}
        return raw | _by_private(action)

    def city(self, hex_id: HexId, city: int) -> str:
        """`57-2-0` is the first city of the third piece of tile 57, `I14-4-0` that of the print of I14."""
        piece = self.pieces.get(hex_id, f"{hex_id}-{self.dialect.print_number(self.game, hex_id)}")
        tile = self.game.tile_at(hex_id)
        node = [node.id for node in tile.nodes].index(tile.cities[city].id)
        return f"{piece}-{part_numbers(self.game, self.dialect, hex_id)[node]}"

    def _train(self, action: actions.BuyTrain) -> Raw:
        family = self.game.title.trains[action.kind].family
        if action.source == POOL:
            self._take_from_pool(action.kind)
        train = next(
            t
            for t in self.game.state.trains
            if t.owner == action.source and (t.family == family if action.source == DEPOT else t.kind == action.kind)
        )
        raw: Raw = {"type": "buy_train", "train": self.trains.peer_number(train.id), "price": action.price}
        if action.source == DEPOT:
            raw["variant"] = action.kind
        if action.trade_in is not None:
            given = next(t.id for t in self.game.state.trains_of(action.by) if t.kind == action.trade_in)
            raw["exchange"] = self.trains.peer_number(given)
        return raw | _by_private(action)

    def _run(self, action: actions.RunRoutes) -> Raw:
        """The revenue of several routes together is written with the first of them, as 18xx.games does."""
        problem = route_problem(self.game, CompanyId(action.by))
        routes = []
        scored = routes_of(problem, action)
        for number, route in enumerate(scored.routes):
            steps = zip(route.between, route.stops, route.stops[1:], strict=False)
            connections = [[start.hex, *spaces, end.hex] for spaces, start, end in steps]
            together = () if number else scored.joint
            bonuses = "".join(f" + {name.lower()}" for name, _ in (*route.parts, *together) if name != "stops")
            routes.append(
                {
                    "train": self.trains.peer_number(route.train),
                    "connections": connections,
                    "hexes": [stop.hex for stop in route.stops],
                    "revenue": route.revenue + sum(money for _, money in together),
                    "revenue_str": "-".join(stop.hex for stop in route.stops) + bonuses,
                    "nodes": [self._node(stop) for stop in route.stops],
                }
            )
        return {"type": "run_routes", "routes": routes, "extra_revenue": 0, "subsidy": 0}

    def _node(self, stop: Stop) -> str:
        names = [node.id for node in self.game.tile_at(stop.hex).nodes]
        return f"{stop.hex}-{part_numbers(self.game, self.dialect, stop.hex)[names.index(stop.node)]}"


def _by_private(action: actions.LayTile | actions.PlaceToken | actions.BuyTrain) -> Raw:
    return {} if action.using is None else {"entity": action.using, "entity_type": "company"}
