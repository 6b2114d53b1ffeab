"""Companies that grow (1820 §6.5.2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from bot.engine import IPO, POOL, CompanyId, IllegalMove, NotYourTurn, Owner, PlayerId, is_player, join_or, msg
from bot.engine.play import Game
from bot.engine.state import Action, Pass, SellShares
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import IncreaseShares, Purchase
from bot.titles.t1820.components import BRITISH_RAIL, COMPANIES, PARTICIPATION, SIZES
from bot.titles.t1820.state import title_state

from .flotation import check_sales, hand_out, par_prices
from .shares import check_holding, check_sale, known_company, most_to_sell, sell


def forced_placement(before: int, after: int) -> int:
    """Shares that go to the pool for nothing: 10% or one share, and again 10% for more than the next size."""
    tenth = max(1, after // 10)
    return tenth + (tenth if SIZES.index(after) > SIZES.index(before) + 1 else 0)


def check_increase(game: Game, action: IncreaseShares) -> None:
    memory = title_state(game)
    company = known_company(game, CompanyId(action.by))
    if memory.is_resolved:
        raise IllegalMove("Share counts can only grow before the lobbies are resolved.", "1820 §6.5.1")
    if company.id == BRITISH_RAIL or memory.floated_in.get(company.id) == game.state.round.number:
        raise IllegalMove("{company} was not floated in an earlier stock round.", "1820 §6.5.2.2", company.id)
    if companies.is_in_liquidation(company) and action.sales:
        raise IllegalMove("{company} is in liquidation; its shares cannot be bought.", "1820 §10.7", company.id)
    if action.shares not in companies.larger_sizes(company):
        sizes = companies.larger_sizes(company)
        larger = join_or(map(str, sizes)) if sizes else msg("nothing")
        raise IllegalMove("{company} can grow to {sizes}.", "1820 §6.5.2.2", company.id, larger)
    if companies.is_private(company) != bool(action.price):
        raise IllegalMove("Only a private company names its new price.", "1820 §6.5.2.2")
    money = action.price or companies.price(game, company.id)
    if action.price and action.price not in par_prices(game):
        raise IllegalMove("Starting prices: {prices}.", "1820 §16.1", ", ".join(map(str, par_prices(game))))
    check_sales(game, action.sales, money, {})
    held = sum(company.count_of(owner) for owner in companies.share_owners(game, company))
    sold = sum(sale.shares for sale in action.sales)
    for sale in action.sales:
        if company.id in memory.sold.get(sale.buyer, []):
            raise IllegalMove(
                "{buyer} sold {company} in this round.", "1820 §6.5.2.4", game.state.name(sale.buyer), company.id
            )
        percent = company.count_of(sale.buyer) * (100 // action.shares)
        check_holding(game, sale.buyer, company.id, percent, sale.shares, action.shares)
    if (held + sold) * 100 < PARTICIPATION * action.shares:
        missing = companies.shares_to_buy(action.shares) - held
        raise IllegalMove(
            "{percent}% must be bought: {missing} more share(s).", "1820 §6.5.2.2", PARTICIPATION, missing
        )
    treasury = action.shares - sum(companies.holdings(company).values()) - sold
    if treasury < forced_placement(companies.size(company), action.shares):
        raise IllegalMove("Too few shares would be left to place in the pool.", "1820 §6.5.2.2")


def increase_shares(game: Game, action: IncreaseShares) -> None:
    """The company grows, the agreed buyers pay; then all shareholders may sell."""
    memory = title_state(game)
    company = game.company(action.by)
    before = companies.size(company)
    if action.price:
        memory.private_track.remove(company.id)
        companies.set_price(game, company.id, action.price)
    companies.resize(company, action.shares, companies.holdings(company))
    hand_out(game, company, action.sales, companies.price(game, company.id))
    director = memory.directors[company.id]
    ranked: list[Owner] = [director, *game.state.order]
    companies.set_director(game, company, max(ranked, key=company.count_of))
    to_pool = forced_placement(before, action.shares)
    game.push("increase", company.id)
    game.log("{company} has {shares} shares now; {to_pool} of them go to the pool.", company.id, action.shares, to_pool)
    sellers = [player for player in game.state.order if most_to_sell(game, player, company.id)]
    game.frame.asked = sellers
    companies.transfer_shares(game, company, IPO, POOL, to_pool)


@dataclass(frozen=True)
class SellOnIncrease:
    """Players with shares of a company that grows may sell some, simultaneously (§6.5.2.2)."""

    name: str = "sell shares of the growing company or pass"
    verbs: tuple[type[Action], ...] = (SellShares, Pass)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        for player in game.frame.asked:
            yield Pass(player)
            for shares in range(1, most_to_sell(game, player, company) + 1):
                yield SellShares(player, company, shares)

    def check(self, game: Game, action: SellShares | Pass) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("Players with shares of the company are asked.", "1820 §6.5.2.2")
        if isinstance(action, Pass):
            return
        if action.company != game.frame.entity or not is_player(action.by):
            raise IllegalMove("Players may sell shares of {entity} now.", "1820 §6.5.2.2", game.actor_in_turn)
        check_sale(game, action.by, action.company, action.shares, None)

    def apply(self, game: Game, action: SellShares | Pass) -> None:
        game.frame.asked.remove(PlayerId(action.by))
        if isinstance(action, SellShares):
            sell(game, action.by, action.company, action.shares)


def end_increase(game: Game) -> None:
    """Forbid sales of the company's shares for the rest of the stock round (§6.5.2.3)."""
    title_state(game).enlarged_in[game.company_in_turn] = game.state.round.number


def increase_sample(game: Game, player: PlayerId) -> Iterator[IncreaseShares]:
    """Each of the player's companies in each larger size, bought by the player only or with one other buyer."""
    for company in companies.companies_directed_by(game, player):
        if company.id not in COMPANIES:
            continue
        for shares in companies.larger_sizes(company):
            held = sum(company.count_of(owner) for owner in companies.share_owners(game, company))
            missing = max(0, companies.shares_to_buy(shares) - held)
            prices = par_prices(game)[-2:] if companies.is_private(company) else [0]
            for money in prices:
                yield IncreaseShares(company.id, shares, money, (Purchase(player, missing),) if missing else ())
                for one, other in combinations([player, *(p for p in game.state.order if p != player)], 2):
                    half = missing // 2
                    if half:
                        sales = (Purchase(one, missing - half), Purchase(other, half))
                        yield IncreaseShares(company.id, shares, money, sales)
