"""A player's turn in a stock round: sell, then buy or start a company."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bot.engine import (
    BANK,
    IPO,
    POOL,
    CompanyId,
    IllegalMove,
    Owner,
    PlayerId,
    StockSections,
    Text,
    is_permitted,
    join_or,
    msg,
)
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import (
    Position,
    certificate_count,
    certificates_above_limit,
    check_cash,
    choose_certificates,
    default_doubles,
    holdings_of,
    next_president,
    ordinary_certificates,
    pay,
    place_marker,
    president_of,
    price_of,
    settle_presidency,
    share_unit,
    shares_for_presidency,
    shares_of_president,
    swap_president,
    would_take_presidency,
)
from bot.engine.play.holdings.certificates import transfer
from bot.engine.state import (
    Action,
    BuyShares,
    Company,
    CompanyFloated,
    CompanyStarted,
    Par,
    Pass,
    PresidentChanged,
    SellShares,
    SharesBought,
    SharesSold,
    StockRoundMemory,
    StockTurnMemory,
)


def default_par_cells(game: Game, company: CompanyId) -> list[Position]:
    return game.title.market.cells_in("p")


def purchase_price(game: Game, company: CompanyId, source: Owner) -> int:
    """Par for shares of the initial offering, else the present price."""
    return game.company(company).par or 0 if source == IPO else price_of(game, company)


@dataclass(frozen=True, kw_only=True)
class SharePrices:
    """The prices of shares: `par_cells(game, company)` where a company may start, `share_price(game, company, source)`
    what a share is bought for, `sale_price(game, company)` what one is sold for; `lower_price_after_sale(game, company, percent)`
    moves the price; `payee(game, company, source)` gets the money for new shares, of `IPO`, and for those of the
    pool; `purchase` lets shares and money change hands, as `buy` does."""

    lower_price_after_sale: Callable[[Game, CompanyId, int], None]
    par_cells: Callable[[Game, CompanyId], list[Position]] = default_par_cells
    share_price: Callable[[Game, CompanyId, Owner], int] = purchase_price
    sale_price: Callable[[Game, CompanyId], int] = price_of
    payee: Callable[[Game, CompanyId, Owner], Owner] = lambda game, company, source: BANK
    purchase: Callable[[Game, PlayerId, CompanyId, Owner, int, int, Owner], None] = field(default_factory=lambda: buy)


@dataclass(frozen=True, kw_only=True)
class StockTurn:
    """Sell any number of times, then buy once; passing ends the turn.

    `may_sell(game, company)` raises the refusal against any sale, `may_buy(game, player, company, source)` against a purchase
    or a start, `may_pass(game, player)` against passing; `after_purchase(game, company)` follows either. `is_unlimited(game,
    company)` whether holding and certificate limits do not apply to it; `goes_on(game)` whether the turn stays open after a
    purchase or a change of a company. `section` names the rules that are quoted.
    """

    section: StockSections
    prices: SharePrices
    may_sell: Callable[[Game, CompanyId], None]
    after_purchase: Callable[[Game, CompanyId], None]
    is_unlimited: Callable[[Game, CompanyId], bool] = lambda game, company: False
    may_pass: Callable[[Game, PlayerId], None] = lambda game, player: None
    may_buy: Callable[[Game, PlayerId, CompanyId, Owner], None] = lambda game, player, company, source: None
    goes_on: Callable[[Game], bool] = lambda game: False
    name: str = "buy or sell shares"
    verbs: tuple[type[Action], ...] = (BuyShares, SellShares, Par, Pass)

    def opens(self, game: Game) -> bool:
        turn = current_stock_turn(game)
        return not (turn.bought or turn.changed) or self.goes_on(game)

    def prompt(self, game: Game) -> Text:
        """The further purchases after a purchase or a change of a company; before it, and where more is possible,
        nothing."""
        turn = current_stock_turn(game)
        if not (turn.bought or turn.changed):
            return ""
        found = [option for option in self.options(game) if not isinstance(option, Pass)]
        companies = dict.fromkeys(option.company for option in found if isinstance(option, BuyShares))
        is_all = companies and all(isinstance(option, BuyShares) for option in found)
        return msg("buy a share of {company} or pass", join_or(companies)) if is_all else ""

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        yield from filter_allowed(self, game, [Pass(player)])
        count = certificate_count(game, player)
        for company in game.state.companies.values():
            if not company.closed:
                yield from self._starts(game, player, company, count)
                yield from self._purchases(game, player, company, count)
                yield from self._sales(game, player, company)

    def _starts(self, game: Game, player: PlayerId, company: Company, count: int) -> Iterator[Par]:
        if company.par is None and is_permitted(self._check_start, game, player, company, count):
            shares, money = shares_of_president(company), game.state.cash[player]
            for price in self._first_prices(game, company):
                if price * shares <= money:
                    yield Par(player, company.id, price)

    def _purchases(self, game: Game, player: PlayerId, company: Company, count: int) -> Iterator[BuyShares]:
        for source in filter(company.count_of, (IPO, POOL)) if company.position is not None else ():
            for action in (BuyShares(player, company.id, source, size) for size in certificate_sizes(company)):
                if is_permitted(self._check_purchase, game, player, action, count):
                    yield action

    def _sales(self, game: Game, player: PlayerId, company: Company) -> Iterator[SellShares]:
        return (
            action for action in possible_sales(company, player) if is_permitted(self._check_sale, game, player, action)
        )

    def options_to_start(self, game: Game, player: PlayerId) -> Iterator[Par]:
        count = certificate_count(game, player)
        for company in game.state.companies.values():
            if not company.closed:
                yield from self._starts(game, player, company, count)

    def check(self, game: Game, action: BuyShares | SellShares | Par | Pass) -> None:
        player = PlayerId(action.by)
        if isinstance(action, Pass):
            self._check_pass(game, player)
        elif action.company not in game.state.companies or game.company(action.company).closed:
            raise IllegalMove("Company {company} is not in play.", "", action.company)
        elif isinstance(action, SellShares):
            self._check_sale(game, player, action)
        elif isinstance(action, Par):
            self._check_par(game, player, action)
        else:
            self._check_purchase(game, player, action, certificate_count(game, player))

    def _check_pass(self, game: Game, player: PlayerId) -> None:
        self.may_pass(game, player)
        self.check_excess(game, player)

    def check_excess(self, game: Game, player: PlayerId) -> None:
        """Refuse anything but a sale to a player above the certificate limit who can sell."""
        excess = certificates_above_limit(game, player)
        if excess and any(isinstance(option, SellShares) for option in self.options_to_sell(game, player)):
            raise IllegalMove(
                "You hold {excess} certificate(s) above your limit and must sell first.", self.section.limit, excess
            )

    def options_to_sell(self, game: Game, player: PlayerId) -> Iterator[SellShares]:
        for company in game.state.companies.values():
            yield from self._sales(game, player, company)

    def _check_sale(self, game: Game, player: PlayerId, action: SellShares) -> None:
        self.may_sell(game, action.company)
        check_sale(game, player, action.company, action.shares, self.section, doubles=action.doubles)

    def _check_par(self, game: Game, player: PlayerId, action: Par) -> None:
        company = game.company(action.company)
        self._check_start(game, player, company, certificate_count(game, player))
        prices = self._first_prices(game, company)
        if action.price not in prices:
            allowed = ", ".join(str(price) for price in sorted(prices)) or "no price"
            raise IllegalMove(
                "{company} can start at {allowed}, not {price}.", self.section.par, company.id, allowed, action.price
            )
        check_cash(game, player, action.price * shares_of_president(company), self.section.buy)

    def _check_start(self, game: Game, player: PlayerId, company: Company, count: int) -> None:
        """Refuse to start a company at any price. `count` of the player's certificates count for the limit."""
        self.may_buy(game, player, company.id, IPO)
        if company.par is not None or company.position is not None:
            raise IllegalMove("{company} has already started; buy a share instead.", self.section.par, company.id)
        self._check_room(game, player, company, company.certificates[0].percent, IPO, count)

    def _first_prices(self, game: Game, company: Company) -> list[int]:
        return [game.title.market.price(position) for position in self.prices.par_cells(game, company.id)]

    def _check_purchase(self, game: Game, player: PlayerId, action: BuyShares, count: int) -> None:
        company = game.company(action.company)
        self.may_buy(game, player, company.id, action.source)
        if company.position is None:
            raise IllegalMove(
                "{company} has not started yet; start it with: par {same}.", self.section.par, company.id, company.id
            )
        percent = action.shares * share_unit(company)
        lies_there = action.source in (IPO, POOL) and percent in [
            certificate.percent for certificate in ordinary_certificates(company, action.source)
        ]
        if not lies_there:
            self._check_absent(player, company, action)
        cost = self.prices.share_price(game, company.id, action.source) * action.shares
        check_cash(game, player, cost, self.section.buy)
        self._check_room(game, player, company, percent, action.source, count)

    def _check_absent(self, player: PlayerId, company: Company, action: BuyShares) -> None:
        """Refuse a share that is not there, unless the president's certificate is, of which it is a part."""
        if action.source not in (IPO, POOL) or action.shares not in certificate_sizes(company):
            raise IllegalMove("Buy one share at a time, from the bank or the pool.", self.section.buy)
        if action.shares > 1 or not would_take_presidency(company, player, action.source):
            where = msg("new" if action.source == IPO else "pool")
            double = msg("double ") if action.shares > 1 else ""
            raise IllegalMove(
                "There is no {double}{where} share of {company} to buy.", self.section.buy, double, where, company.id
            )

    def _check_room(
        self, game: Game, player: PlayerId, company: Company, percent: int, source: Owner, count: int
    ) -> None:
        if company.id in current_stock_round(game).sold.get(player, []):
            raise IllegalMove("You sold {company} this stock round and cannot buy it.", self.section.resell, company.id)
        if self.is_unlimited(game, company.id):
            return
        rules = game.title.rules
        limit = rules.certificate_limit(game, player)
        if count >= limit and rules.counts_for_limit(game, company.id):
            raise IllegalMove("Your certificate limit is {limit} and you have reached it.", self.section.limit, limit)
        most = rules.holding_limit(game, company.id)
        if source == POOL and rules.pool_is_free:
            return
        if company.percent_held_by(player) + percent > most:
            raise IllegalMove("No player may buy beyond {most}% of {company}.", self.section.holding, most, company.id)

    def apply(self, game: Game, action: BuyShares | SellShares | Par | Pass) -> None:
        player = PlayerId(action.by)
        memory = current_stock_turn(game)
        acted = not isinstance(action, Pass) or bool(memory.sold or memory.bought or memory.changed)
        if isinstance(action, Pass):
            game.record_pass(action)
        elif isinstance(action, SellShares):
            each = self.prices.sale_price(game, action.company)
            percent = sell(game, player, action.company, action.shares, action.doubles, each)
            memory.sold.append(action.company)
            current_stock_round(game).sold.setdefault(player, []).append(action.company)
            self.prices.lower_price_after_sale(game, action.company, percent)
        elif isinstance(action, Par):
            payee = self.prices.payee(game, action.company, IPO)
            cells = self.prices.par_cells(game, action.company)
            start_company(game, player, action.company, action.price, cells, payee)
            memory.bought.append(action.company)
            self.after_purchase(game, action.company)
        else:
            price = self.prices.share_price(game, action.company, action.source) * action.shares
            payee = self.prices.payee(game, action.company, action.source)
            self.prices.purchase(game, player, action.company, action.source, price, action.shares, payee)
            memory.bought.append(action.company)
            memory.sources.append(action.source)
            self.after_purchase(game, action.company)
        if acted:
            record_action(game, player)
        else:
            current_stock_round(game).passes += 1
            current_stock_round(game).passed = list(dict.fromkeys((*current_stock_round(game).passed, player)))


def current_stock_turn(game: Game) -> StockTurnMemory:
    return game.memory(StockTurnMemory)


def record_action(game: Game, player: PlayerId) -> None:
    """The round then lasts until all other players have passed."""
    memory = current_stock_round(game)
    memory.last_to_act, memory.passes = player, 0
    memory.passed = [other for other in memory.passed if other != player]


def check_excess(game: Game) -> None:
    """Refuse anything but a sale in the turn of a player above the certificate limit who can sell."""
    if isinstance(game.step, StockTurn):
        game.step.check_excess(game, game.player_in_turn)


def current_stock_round(game: Game) -> StockRoundMemory:
    return game.memory(StockRoundMemory)


def certificate_sizes(company: Company) -> list[int]:
    """In shares: 1, in some titles also 2."""
    unit = share_unit(company)
    percents = {certificate.percent for certificate in company.certificates[1 if company.has_president else 0 :]}
    return sorted([percent // unit for percent in percents])


def possible_sales(company: Company, player: PlayerId) -> Iterator[SellShares]:
    """Every number of shares that a player might sell, with every choice of certificates that differs from the usual."""
    most = company.percent_held_by(player) // share_unit(company)
    larger = max(certificate_sizes(company), default=1) if most else 1
    for number in range(1, most + 1):
        yield SellShares(player, company.id, number)
        if larger > 1:
            usual = default_doubles(company, player, number)
            choices = (doubles for doubles in range(number // larger + 1) if doubles != usual)
            yield from (SellShares(player, company.id, number, doubles) for doubles in choices)


def check_sale(
    game: Game,
    player: PlayerId,
    company_id: CompanyId,
    shares: int,
    section: StockSections,
    may_dethrone: bool = True,
    doubles: int | None = None,
) -> None:
    """Raise the refusal against selling these shares to the pool: holdings, room in the pool, the presidency."""
    company = game.company(company_id)
    unit, held = share_unit(company), company.percent_held_by(player)
    percent = shares * unit
    if shares < 1 or held < percent:
        raise IllegalMove(
            "You hold {held} share(s) of {company}, not {shares}.", section.sell, held // unit, company_id, shares
        )
    if company.position is None:
        raise IllegalMove("{company} has not started yet.", section.sell, company_id)
    limit = game.title.rules.pool_limit(game, company_id)
    if company.percent_held_by(POOL) + percent > limit:
        raise IllegalMove("The pool may hold at most {limit}% of {company}.", section.pool, limit, company_id)
    own = ordinary_certificates(company, player)
    if president_of(company) == player:
        holdings = {**holdings_of(game, company_id), player: held - percent}
        heir = next_president(game, company_id, holdings)
        if heir is None:
            _check_giving_up(game, company, player, shares, section)
            return
        if heir != player and not may_dethrone:
            raise IllegalMove("This sale must not change control of {company}.", section.president, company_id)
        own += (shares_for_presidency(company, heir) or []) if heir != player else []
    if choose_certificates(own, unit, shares, doubles) is None:
        raise IllegalMove(
            "Your certificates of {company} do not add up to exactly {shares} shares.", section.sell, company_id, shares
        )


def _check_giving_up(game: Game, company: Company, player: PlayerId, shares: int, section: StockSections) -> None:
    """Refuse a sale after which nobody directs the company, unless the pool takes the president's certificate and has
    ordinary shares for what the seller keeps."""
    if not game.title.rules.pool_takes_president:
        raise IllegalMove("No other player holds enough of {company} to take it over.", section.president, company.id)
    kept = company.percent_held_by(player) // share_unit(company) - shares
    if kept > len(ordinary_certificates(company, player)) + len(ordinary_certificates(company, POOL)):
        word = msg(game.title.director_word)
        raise IllegalMove(
            "The pool has too few shares to swap for {company}'s {director} certificate.",
            section.president,
            company.id,
            word,
        )


def give_up_presidency(game: Game, company_id: CompanyId, player: PlayerId, shares: int) -> None:
    """Put the president's certificate into the pool and balance it with ordinary shares, so that the seller gives `shares` in
    all. Nobody directs the company then.
    """
    company = game.company(company_id)
    kept = company.percent_held_by(player) // share_unit(company) - shares
    company.move_president(POOL)
    more = len(ordinary_certificates(company, player)) - kept
    if more > 0:
        transfer(game, company_id, player, POOL, more)
    elif more < 0:
        transfer(game, company_id, POOL, player, -more)
    game.emit(PresidentChanged(company_id, None))


def take_presidency(game: Game, company_id: CompanyId, player: PlayerId) -> int:
    """Take the president's certificate from the pool for one share's price and shares for the rest. Returns the percent
    gained.
    """
    company = game.company(company_id)
    transfer(game, company_id, player, POOL, shares_of_president(company) - 1)
    company.move_president(player)
    game.emit(PresidentChanged(company_id, player))
    return share_unit(company)


def sell(
    game: Game,
    player: PlayerId,
    company_id: CompanyId,
    shares: int,
    doubles: int | None = None,
    each: int | None = None,
) -> int:
    """Sell shares to the pool for `each` (the present price if not given); hands the presidency on first if it must be.

    Returns the percent.
    """
    company = game.company(company_id)
    percent = shares * share_unit(company)
    heir: PlayerId | None = player
    if president_of(company) == player:
        holdings = {**holdings_of(game, company_id), player: company.percent_held_by(player) - percent}
        heir = next_president(game, company_id, holdings)
        if heir is not None and heir != player:
            swap_president(game, company_id, heir)
    price = (price_of(game, company_id) if each is None else each) * shares
    if heir is None:
        give_up_presidency(game, company_id, player, shares)
    else:
        transfer(game, company_id, player, POOL, shares, doubles)
    pay(game, BANK, player, price, f"shares of {company_id}")
    game.emit(SharesSold(player, company_id, percent, price))
    return percent


def buy(
    game: Game, player: PlayerId, company_id: CompanyId, source: Owner, price: int, shares: int = 1, payee: Owner = BANK
) -> None:
    if would_take_presidency(game.company(company_id), player, source):
        percent = take_presidency(game, company_id, player)
    else:
        percent = transfer(game, company_id, source, player, shares, 1 if shares > 1 else 0)
    pay(game, player, payee, price, f"share of {company_id}")
    game.emit(SharesBought(player, company_id, source, percent, price))
    settle_presidency(game, company_id)


def start_company(
    game: Game, player: PlayerId, company_id: CompanyId, price: int, cells: list[Position], payee: Owner | None = BANK
) -> None:
    """Without a payee the president's certificate costs nothing."""
    company = game.company(company_id)
    company.par = price
    company.move_president(player)
    place_marker(game, company_id, next(cell for cell in cells if game.title.market.price(cell) == price))
    if payee is not None:
        pay(game, player, payee, price * shares_of_president(company), f"start of {company_id}")
    game.emit(CompanyStarted(player, company_id, price))


def is_sale_by_president(game: Game, company: CompanyId) -> bool:
    """Whether the shares were sold by the president, or by a president who ceased to be."""
    went = any(isinstance(event, PresidentChanged) and event.company == company for event in game.events)
    return went or president_of(game.company(company)) == game.player_in_turn


def float_company(game: Game, company_id: CompanyId, capital: int) -> None:
    game.company(company_id).floated = True
    pay(game, BANK, company_id, capital, "starting capital")
    game.emit(CompanyFloated(company_id, capital))


def next_player(game: Game) -> None:
    """An automatic step of the stock round: the next player's turn, until everybody has passed in a row."""
    memory = current_stock_round(game)
    order = game.state.order
    if memory.passes >= len(order):
        return
    game.frame.at -= 1
    player = order[memory.turns % len(order)]
    memory.turns += 1
    game.push("stock turn", player, StockTurnMemory())
