"""Issue and takeover rounds up to the takeovers: chart, train, share-counts, issues (1820 §8.1-§8.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from bot.engine import (
    BANK,
    DEPOT,
    IPO,
    POOL,
    REMOVED,
    CompanyId,
    IllegalMove,
    Owner,
    PlayerId,
    is_permitted,
    join_or_chain,
    require,
)
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import check_cash, has_phase_begun, pay, remove_marker, sort_by_price, trains_for_sale
from bot.engine.play.holdings.trains import export
from bot.engine.state import Action, Company, Done, OperatingRoundMemory, PhaseBegan, Round, RoundBegan
from bot.titles.t1820 import companies, game_end
from bot.titles.t1820.actions import IssueShares, Purchase, ReduceShares
from bot.titles.t1820.company_debt import owe_loans
from bot.titles.t1820.components import COLOUR_OF, COLUMNS, LOAN, PHASE_OF_COLUMN, SIZES
from bot.titles.t1820.events import ChartMoved
from bot.titles.t1820.state import title_state
from bot.titles.t1820.stock.shares import most_to_sell

from .transfer import transfer_assets, trim_stations

# -- the chart (§8.1, §10.5) --------------------------------------------------------------------------


def begin_issue_round(game: Game) -> None:
    """The marker moves; moving it onto END ends the game (§8.1, §9.1)."""
    state, memory = game.state, title_state(game)
    state.round = Round("issue", state.round.number, state.round.part, 2)
    game.emit(RoundBegan("issue", state.round.number, state.round.part, 2))
    memory.reduced, memory.acquirers, memory.offered = [], [], []
    move_chart(game, memory.column + 1)
    if memory.column >= COLUMNS:
        memory.column = COLUMNS - 1
        game_end.finish(game, "the cost-of-business marker has reached END")
        return
    discard_older(game, PHASE_OF_COLUMN[memory.column])
    memory.to_liquidate = sort_by_price(
        game, [one.id for one in companies.public_companies(game) if companies.is_in_liquidation(one)]
    )
    game.push("issue round", None, OperatingRoundMemory())


def move_chart(game: Game, column: int) -> None:
    """Move the cost-of-business marker; the column after the last is END."""
    title_state(game).column = column
    game.emit(ChartMoved(str(column + 1 if column < COLUMNS else "END")))


def discard_older(game: Game, colour: str) -> None:
    """Trains of earlier colours leave the supply (§8.1, §10.5)."""
    colours = [phase.name for phase in game.title.phases]
    for kind, of_kind in COLOUR_OF.items():
        if colours.index(of_kind) >= colours.index(colour):
            continue
        cards = [train for train in game.state.trains if train.kind == kind and train.owner == DEPOT]
        for card in cards:
            game.state.move_train(card, REMOVED)
        if cards:
            game.log("The supply loses {count} {kind} train(s).", len(cards), kind)


def discard_train(game: Game) -> None:
    """Remove one of the available trains, and after the last of a colour the first of the next (§8.1)."""
    available = trains_for_sale(game)
    if not available:
        return
    card = available[0]
    is_last = card.kind != "2+" and not any(
        other.kind == card.kind and other.owner == DEPOT and other is not card for other in game.state.trains
    )
    export(game, card)
    following = trains_for_sale(game)
    if is_last and following:
        export(game, following[0])


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """The marker goes to the first column of the colour; older trains leave; limits are enforced (§8.1, §10.5)."""
    first = PHASE_OF_COLUMN.index(event.phase)
    if title_state(game).column < first:
        move_chart(game, first)
    discard_older(game, event.phase)
    game.push("discard")


# -- reducing share-counts (§8.2) ---------------------------------------------------------------------


def shares_to_buy_back(company: Company, shares: int) -> int:
    return max(0, sum(companies.holdings(company).values()) - shares)


def check_reduce(game: Game, action: ReduceShares) -> None:
    company = game.company(action.by)
    if not companies.is_public(company) or companies.is_in_liquidation(company):
        raise IllegalMove("{company} cannot reduce its share count.", "1820 §8.2", company.id)
    if has_phase_begun(game, "brown"):
        raise IllegalMove("Share counts cannot be reduced from the brown phase on.", "1820 §8.2")
    if action.shares not in SIZES or action.shares >= companies.size(company):
        sizes = join_or_chain(str(size) for size in SIZES if size < companies.size(company))
        sentence = "{company} has {shares} shares; it can reduce to {sizes}."
        raise IllegalMove(sentence, "1820 §8.2", company.id, companies.size(company), sizes)
    back, director = shares_to_buy_back(company, action.shares), companies.director_of(game, company.id)
    check_sellers(game, company, action, back, director)
    if action.loans:
        companies.check_loan(game, company.id, action.loans)
    money, cost = game.state.cash[company.id], back * companies.price(game, company.id)
    if action.loans and money + (action.loans - 1) * LOAN >= cost:
        raise IllegalMove("Loans may only be taken as needed.", "1820 §17.1")
    check_cash(game, company.id, cost, "1820 §8.2", money + action.loans * LOAN)
    check_debts_after(game, company, action, money + action.loans * LOAN - cost)
    if action.into is not None:
        into = game.state.companies.get(action.into)
        can_join = into is not None and companies.is_private(into) and companies.director_of(game, into.id) == director
        if action.shares != 1 or not can_join:
            raise IllegalMove("It can join a private company that has the same director.", "1820 §8.2")


def check_sellers(game: Game, company: Company, action: ReduceShares, back: int, director: Owner | None) -> None:
    """Refuse owners who do not hold what they should sell of the shares bought `back`, and a change of control (§8.2)."""
    from_pool = min(back, company.count_of(POOL))
    owners = {purchase.buyer: purchase.shares for purchase in action.purchases}
    if len(owners) < len(action.purchases) or sum(owners.values()) != back - from_pool:
        sentence = "The pool gives {pool} share(s); name owners for the other {rest}."
        raise IllegalMove(sentence, "1820 §8.2", from_pool, back - from_pool)
    for owner, number in owners.items():
        if owner == POOL or company.count_of(owner) < number:
            raise IllegalMove("{owner} does not hold {number} share(s).", "1820 §8.2", game.state.name(owner), number)
    left = {owner: company.count_of(owner) - owners.get(owner, 0) for owner in companies.share_owners(game, company)}
    if left[director or Owner("")] < max(1, *left.values()):
        raise IllegalMove("Control of {company} may not change.", "1820 §8.2", company.id)


def check_debts_after(game: Game, company: Company, action: ReduceShares, treasury: int) -> None:
    """Refuse a reduction after which loans would have to be repaid but cannot be (§8.2)."""
    loans = company.loans + action.loans
    in_play_after = sum(companies.holdings(company).values()) - shares_to_buy_back(company, action.shares)
    due = LOAN * (loans if action.shares == 1 else max(0, loans - in_play_after))
    director = companies.director_of(game, company.id)
    if not due or director is None:
        return
    back = sum(purchase.shares for purchase in action.purchases if purchase.buyer == director)
    able = treasury + game.state.cash[director] + back * companies.price(game, company.id)
    for other in game.state.companies:
        if other != company.id and able < due:
            able += most_to_sell(game, director, other) * companies.price(game, other)
    if able < due:
        raise IllegalMove("£{due} of loans would have to be repaid, but only £{able} can be.", "1820 §8.2", due, able)


def reduce_shares(game: Game, action: ReduceShares) -> None:
    """Buy back at the current price, the pool first; then the treasury gives up shares (§8.2)."""
    company = game.company(action.by)
    money = companies.price(game, company.id)
    companies.take_loans(game, company.id, action.loans)
    back = shares_to_buy_back(company, action.shares)
    from_pool = min(back, company.count_of(POOL))
    companies.transfer_shares(game, company, POOL, IPO, from_pool)
    pay(game, company.id, BANK, from_pool * money, f"shares of {company.id}")
    for purchase in action.purchases:
        companies.transfer_shares(game, company, purchase.buyer, IPO, purchase.shares)
        pay(game, company.id, purchase.buyer, purchase.shares * money, f"shares of {company.id}")
    companies.resize(company, action.shares, companies.holdings(company))
    companies.sort_director_first(game, company)
    title_state(game).reduced.append(company.id)
    if action.shares == 1:
        game.log("{company} is a private company now.", company.id)
        become_private(game, company, action.into)
        return
    game.log("{company} has {shares} shares now.", company.id, action.shares)
    if companies.excess_loans(company):
        owe_loans(game, company.id, companies.excess_loans(company))


def become_private(game: Game, company: Company, into: CompanyId | None) -> None:
    """Move from the market onto the private track; its money is its director's, its loans are repaid (§8.2, §13.2)."""
    memory = title_state(game)
    director = require(companies.director_of(game, company.id), f"nobody directs {company.id}")
    before = [one for one in memory.private_track if one in memory.reduced]
    memory.was_at[company.id] = rank_of(game, company)
    remove_marker(game, company.id)
    company.par = None
    place_at = len(memory.private_track)
    while before and place_at and memory.private_track[place_at - 1] in before:
        if memory.was_at[memory.private_track[place_at - 1]] <= memory.was_at[company.id]:
            break
        place_at -= 1
    memory.private_track.insert(place_at, company.id)
    pay(game, company.id, director, game.state.cash[company.id], f"treasury of {company.id}")
    if company.loans:
        owe_loans(game, company.id, company.loans)
    if into is not None:
        transfer_assets(game, company.id, into)


def rank_of(game: Game, company: Company) -> list[int]:
    """A public company's place in the operating order, as a comparable value."""
    column = (company.position or (0, 0))[1]
    return [-column, game.state.stacks[f"0,{column}"].index(company.id)]


def reduce_sample(game: Game, company: Company) -> Iterator[ReduceShares]:
    """Each smaller size, bought back from the director or evenly from the others."""
    director = companies.director_of(game, company.id)
    owners = companies.share_owners(game, company)
    for shares in [one for one in SIZES if one < companies.size(company)]:
        back = shares_to_buy_back(company, shares)
        rest = back - min(back, company.count_of(POOL))
        loans = (
            companies.loans_for(back * companies.price(game, company.id) - game.state.cash[company.id])
            if shares > 1
            else 0
        )
        for choice in _choices(company, owners, rest):
            purchases = tuple(Purchase(owner, number) for owner, number in choice.items())
            privates = [one for one in title_state(game).private_track if companies.director_of(game, one) == director]
            for into in (None, *(privates if shares == 1 else ())):
                yield ReduceShares(company.id, shares, purchases, loans, into)


def _choices(company: Company, owners: list[Owner], number: int) -> Iterator[dict[Owner, int]]:
    if number > 3:
        found: dict[Owner, int] = {}
        for owner in sorted(owners, key=company.count_of):
            part = min(number - sum(found.values()), company.count_of(owner))
            if part:
                found[owner] = part
        yield found
        return
    for some in combinations_with_replacement(owners, number):
        yield {owner: some.count(owner) for owner in dict.fromkeys(some)}


# -- issuing (§8.3) -----------------------------------------------------------------------------------


def check_issue(game: Game, company_id: CompanyId, shares: int) -> None:
    company = game.company(company_id)
    if not companies.is_public(company) or companies.is_in_liquidation(company):
        raise IllegalMove("{company} cannot issue shares.", "1820 §8.3", company_id)
    if not 1 <= shares <= company.count_of(IPO):
        raise IllegalMove(
            "The treasury of {company} has {number} share(s).", "1820 §8.3", company.count_of(IPO), company_id
        )
    if companies.room_to_fall(company, shares) < 0:
        raise IllegalMove("That would put {company} into liquidation.", "1820 §8.3", company_id)


def issue_shares(game: Game, company_id: CompanyId, shares: int) -> None:
    """The treasury gets the current price for each share; then the price falls."""
    company = game.company(company_id)
    money = shares * companies.price(game, company_id)
    companies.transfer_shares(game, company, IPO, POOL, shares)
    pay(game, BANK, company_id, money, "issued shares")
    game.log("{company} issues {shares} share(s) for £{money}.", company_id, shares, money)
    companies.move_price(game, company_id, -companies.fall_for_issue(company, shares))


@dataclass(frozen=True)
class ReduceAndIssue:
    """All directors act simultaneously, as often as they like, until all are done (§8.1).

    With `keeps_stations` a smaller company may have more stations than the maximum of its size.
    """

    keeps_stations: bool = False
    name: str = "decrease share-counts, issue shares, or done"
    verbs: tuple[type[Action], ...] = (ReduceShares, IssueShares, Done)

    def opens(self, game: Game) -> bool:
        """While a director whose company could do something has not ended their part."""
        return bool(game.frame.asked)

    def options(self, game: Game) -> Iterator[Action]:
        for player in game.frame.asked:
            yield Done(player)
        for company in active_companies(game):
            if companies.director_of(game, company.id) not in game.frame.asked:
                continue
            for shares in range(1, company.count_of(IPO) + 1):
                if not is_permitted(self.check, game, IssueShares(company.id, shares)):
                    break
                yield IssueShares(company.id, shares)
            yield from filter_allowed(self, game, reduce_sample(game, company))

    def check(self, game: Game, action: ReduceShares | IssueShares | Done) -> None:
        if isinstance(action, Done):
            if action.by not in game.state.order:
                raise IllegalMove("Only directors can say done, for all their companies.", "1820 §8.1")
        elif action.by not in [company.id for company in active_companies(game)]:
            raise IllegalMove("{by} does nothing in this step.", "1820 §8.1", action.by)
        elif isinstance(action, IssueShares):
            check_issue(game, CompanyId(action.by), action.shares)
        else:
            check_reduce(game, action)

    def apply(self, game: Game, action: ReduceShares | IssueShares | Done) -> None:
        """Each action lets all other players decide again."""
        if isinstance(action, Done):
            game.frame.asked.remove(PlayerId(action.by))
            return
        frame = game.frame
        if isinstance(action, IssueShares):
            issue_shares(game, CompanyId(action.by), action.shares)
        else:
            reduce_shares(game, action)
            if action.into is None and not self.keeps_stations:
                trim_stations(game, game.company(action.by))
        frame.asked = players_able_to_act(game)


def active_companies(game: Game) -> list[Company]:
    """Public companies of players that are not in liquidation."""
    return [
        company
        for company in companies.public_companies(game)
        if not companies.is_in_liquidation(company) and companies.director_of(game, company.id) in game.state.order
    ]


def players_able_to_act(game: Game) -> list[PlayerId]:
    able = [one for one in active_companies(game) if one.count_of(IPO) or not has_phase_begun(game, "brown")]
    directors = [companies.director_of(game, company.id) for company in able]
    return [player for player in game.state.order if player in directors]


def begin_reductions(game: Game) -> None:
    asked = players_able_to_act(game)
    if asked:
        game.push("reduce and issue", asked=asked)
