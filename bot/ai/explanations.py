"""Why a move was chosen, in one sentence: what it earns or prevents, with sums and names.

For each verb there is a list of things to say, the most telling first; the first that is true of the move is said.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import CompanyId, Message, PrivateId, is_player, join_and, join_values, msg
from bot.engine.notation import lot_name
from bot.engine.play.holdings import certificate_count, price_of, share_unit
from bot.engine.state import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    CompanyFloated,
    Dividend,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    PresidentChanged,
    PriceMoved,
    PriceReduced,
    ReducePrice,
    RunRoutes,
    SellShares,
    SharesSold,
)

from .bid_scores import lot_value
from .company_forecast import kinds_of, next_kind, outlook
from .evaluation import cost_to_float, prospects
from .explanation_facts import (
    ExplanationFacts,
    Speaker,
    begins,
    cuts_off,
    earns,
    first_train,
    keeps,
    lasts,
    opens,
    pays_out,
    runs_more,
    rushes,
    rusts,
    stays,
    will_earn,
)
from .intention import event_since, worth_of_share
from .move_evaluator import REFUSED, Evaluator, ScoredMove, pending_proposal
from .title_parameters import auction_reserve


def reason(judge: Evaluator, best: ScoredMove) -> Message | None:
    """None for a self-explanatory move, like best routes or passing."""
    action = best.action
    if isinstance(action, Pass | Done | RunRoutes):
        return None
    after = judge.after(action)
    if after is None:
        return None
    recalled = judge.recalled
    seen = ExplanationFacts(judge.game, after, judge.seat, best, recalled.intention, recalled.bought)
    speakers = SPEAKERS.get(type(action), ANYTHING)
    if isinstance(action, BuyPrivate) and is_player(action.by):
        speakers = (lot_pays, *ANYTHING)
    return next((told for speak in speakers if (told := speak(seen)) is not None), None)


def explain_by_comparison(action: Action) -> Message:
    """The explanation of a self-explanatory move, for a player who asks for advice."""
    if isinstance(action, RunRoutes):
        return msg("No other routes earn more.")
    if isinstance(action, Pass | Done):
        return msg("No alternative is worth more.")
    return msg("Every alternative is worth less.")


# -- shares ---------------------------------------------------------------------------------------


def takes_over(seen: ExplanationFacts) -> Message | None:
    event = seen.event(PresidentChanged)
    if event is None or event.president != seen.seat:
        return None
    rival, company = seen.game.controller_of(event.company), seen.after.company(event.company)
    held = company.percent_held_by(seen.seat)
    if rival is None or rival == seen.seat:
        return msg("With {percent}% {who} directs {company}.", held, seen.seat, company.id)
    template = "With {percent}% against {less}% {who} takes {company} from {rival}."
    return msg(template, held, company.percent_held_by(rival), seen.seat, company.id, rival)


def launches(seen: ExplanationFacts) -> Message | None:
    event = seen.event(CompanyFloated)
    if event is None:
        return None
    kind = next_kind(seen.after, 0)
    number = event.capital // max(1, seen.game.title.trains[kind].price)
    what = (event.company, seen.sum(event.capital))
    if number > 1:
        return msg("It floats {company} with {capital}: enough for {number} trains ({kind}).", *what, number, kind)
    if number:
        return msg("It floats {company} with {capital}: enough for a {kind} train.", *what, kind)
    return msg("It floats {company} with {capital}.", *what)


def nears_launch(seen: ExplanationFacts) -> Message | None:
    company = seen.after.company(seen.move.company)
    cost = cost_to_float(seen.after, company)
    if company.floated or cost <= 0:
        return None
    return msg("{company} floats once players spend {amount} more on its shares.", company.id, seen.sum(int(cost)))


def contests(seen: ExplanationFacts) -> Message | None:
    company = seen.after.company(seen.move.company)
    director, held = seen.after.controller_of(company.id), company.percent_held_by(seen.seat)
    if director is None:
        return None
    if director != seen.seat:
        if held + share_unit(company) > company.percent_held_by(director) and seen.after.state.order:
            template = "{who} and {rival} hold {percent}% each of {company}: one more share decides who runs it."
            return (
                msg(template, seen.seat, director, held, company.id)
                if held == company.percent_held_by(director)
                else None
            )
        return None
    others = {rival: company.percent_held_by(rival) for rival in seen.after.state.order if rival != seen.seat}
    rival = max(others, key=lambda one: others[one], default=None)
    if rival is None or others[rival] <= share_unit(company) or others[rival] + 2 * share_unit(company) < held:
        return None
    template = "{company} stays with {who}: {percent}% against {less}% of {rival}."
    return msg(template, company.id, seen.seat, held, others[rival], rival)


def worth_and_cost(seen: ExplanationFacts) -> Message | None:
    """In the measure of all comparisons of a stock round: what the shares bring by the end, and what they cost."""
    company, spent = seen.after.company(seen.move.company), amount_spent(seen)
    percent = company.percent_held_by(seen.seat) - seen.game.company(company.id).percent_held_by(seen.seat)
    known = seen.after if isinstance(seen.move, Par) else seen.game
    worth = worth_of_share(known, seen.begun, company.id) * percent / share_unit(company)
    if worth <= spent:
        return None
    template = "{percent}% of {company} is worth about {amount} to {who} by the end of the game, and costs {price}."
    told = msg(template, percent, company.id, seen.sum(worth), seen.seat, seen.sum(spent))
    return with_news(seen, [company.id], told)


def holds(seen: ExplanationFacts) -> Message | None:
    company = seen.move.company
    held = seen.after.company(company).percent_held_by(seen.seat)
    return msg("{who} now holds {percent}% of {company}, and idle cash earns nothing.", seen.seat, held, company)


def with_news(seen: ExplanationFacts, companies: Iterable[CompanyId], told: Message) -> Message:
    """The sentence after the events of this stock round that have changed what the seat thinks of the companies."""
    facts = seen.begun.facts
    news = [event_since(seen.game, facts[company], company) for company in companies if company in facts]
    return join_values(" ", [*(event for event in news if event is not None), told])


def amount_spent(seen: ExplanationFacts) -> int:
    return seen.game.state.cash[seen.seat] - seen.after.state.cash[seen.seat]


# -- sales ----------------------------------------------------------------------------------------


def dumps(seen: ExplanationFacts) -> Message | None:
    event = seen.event(PresidentChanged)
    if event is None or event.president in (None, seen.seat) or seen.game.controller_of(event.company) != seen.seat:
        return None
    rival, kinds, cash = event.president, kinds_of(seen.after, event.company), seen.after.state.cash[event.company]
    what = (rival, event.company, seen.sum(cash))
    if not kinds:
        return msg("{rival} must now run {company}, without a train and with {cash} in its treasury.", *what)
    return msg(
        "{rival} must now run {company}, with {cash} in its treasury and only these trains: {kinds}.",
        *what,
        join_and(kinds),
    )


def for_train(seen: ExplanationFacts) -> Message | None:
    step = seen.game.step
    if step is None or BuyTrain not in step.verbs or seen.game.frame.entity is None:
        return None
    company = seen.game.company_in_turn
    return msg("{company} must buy a train, and {who} pays what the treasury lacks.", company, seen.seat)


def above_limit(seen: ExplanationFacts) -> Message | None:
    count = certificate_count(seen.game, seen.seat)
    limit = seen.game.title.rules.certificate_limit(seen.game, seen.seat)
    if count <= limit:
        return None
    return msg(
        "{who} has {count} certificates and the limit is {limit}: this sale costs least.", seen.seat, count, limit
    )


def news_since_purchase(seen: ExplanationFacts) -> Message | None:
    """The event since the player bought the company's shares, in this stock round or the last."""
    before = seen.bought.get(seen.move.company)
    return None if before is None else event_since(seen.game, before, seen.move.company)


def swaps(seen: ExplanationFacts) -> Message | None:
    then, event = seen.best.then, seen.event(SharesSold)
    if then is None or event is None:
        return None
    if isinstance(then, Par):
        return msg("{amount} for these shares helps to start {company}.", seen.sum(event.price), then.company)
    if not isinstance(then, BuyShares) or then.company == event.company:
        return None
    sold, bought = event.company, then.company
    less, more = (worth_of_share(seen.game, seen.begun, company) for company in (sold, bought))
    cost = price_of(seen.game, bought) or seen.game.company(bought).par or 0
    brought = event.price * share_unit(seen.game.company(sold)) / event.percent
    if more * brought <= less * cost:
        return None
    template = (
        "A share of {better} is worth about {more} to {who} by the end of the game, and costs {cost}; one of {company} is "
        "worth {less}, and brings {price}."
    )
    what = (bought, seen.sum(more), seen.seat, seen.sum(cost), sold, seen.sum(less), seen.sum(brought))
    return with_news(seen, (sold, bought), msg(template, *what))


def spoils(seen: ExplanationFacts) -> Message | None:
    fall = seen.event(PriceMoved)
    if fall is None or fall.after >= fall.before:
        return None
    company = seen.after.company(fall.company)
    before, after = (price_of(game, company.id) for game in (seen.game, seen.after))
    others = {rival: company.percent_held_by(rival) for rival in seen.game.state.order if rival != seen.seat}
    rival = max(others, key=lambda one: others[one], default=None)
    if rival is None or others[rival] <= company.percent_held_by(seen.seat):
        return None
    template = "{company} falls from {before} to {after}, and {rival} holds {percent}% of it."
    return msg(template, company.id, seen.sum(before), seen.sum(after), rival, others[rival])


def leaves(seen: ExplanationFacts) -> Message | None:
    event = seen.event(SharesSold)
    if event is None:
        return None
    company = seen.game.company(event.company)
    if not company.floated:
        template = "{company} still needs {amount} to float; {price} now is certain."
        return msg(template, company.id, seen.sum(int(cost_to_float(seen.game, company))), seen.sum(event.price))
    kept = worth_of_share(seen.game, seen.begun, company.id) * event.percent / share_unit(company)
    if kept > event.price:
        return None
    template = (
        "{percent}% of {company} is worth about {amount} to {who} by the end of the game, and brings {price} now."
    )
    told = msg(template, event.percent, company.id, seen.sum(kept), seen.seat, seen.sum(event.price))
    return with_news(seen, [company.id], told)


# -- auctions and offers --------------------------------------------------------------------------


def lot_pays(seen: ExplanationFacts) -> Message | None:
    sign = getattr(seen.move, "lot", None) or seen.move.private
    price = seen.sum(seen.move.price)
    if sign not in seen.game.title.privates:
        return msg(
            "{lot} should earn {amount} more than it costs.",
            lot_name(seen.game, sign),
            seen.sum(max(10.0, seen.best.score)),
        )
    printed = seen.game.title.privates[PrivateId(sign)]
    value = seen.sum(float(lot_value(seen.game, printed.id)))
    if not printed.income:
        return msg(
            "{lot} should bring about {value} by the end of the game, and costs {price}.",
            lot_name(seen.game, sign),
            value,
            price,
        )
    if printed.price_range:
        template = (
            "{lot} pays {income} a round, and a company may pay up to {most} for it: about {value} in all, for {price}."
        )
        what = (seen.sum(printed.income), seen.sum(printed.price_range[1]), value, price)
        return msg(template, lot_name(seen.game, sign), *what)
    template = "{lot} pays {income} a round: about {value} in all, for {price}."
    return msg(template, lot_name(seen.game, sign), seen.sum(printed.income), value, price)


def costs_too_much(seen: ExplanationFacts) -> Message | None:
    printed, event = seen.game.title.privates[seen.move.private], seen.event(PriceReduced)
    value = lot_value(seen.game, printed.id)
    if event is not None and value > event.price:
        reserve = seen.sum(auction_reserve(seen.game))
        template = "{who} keeps {amount} to start a company; {lot} can wait, and may become cheaper."
        return msg(template, seen.seat, reserve, lot_name(seen.game, printed.id))
    return msg("{lot} is not worth more than {value} yet.", lot_name(seen.game, printed.id), seen.sum(float(value)))


def sells_to_company(seen: ExplanationFacts) -> Message | None:
    owner, printed = seen.game.private(seen.move.private).owner, seen.game.title.privates[seen.move.private]
    if owner != seen.seat:
        return None
    template = "{price} goes from {company} to {who}, and {same} gets {income} a round."
    price, income = seen.sum(seen.move.price), seen.sum(printed.income)
    return msg(template, price, seen.company, seen.seat, seen.company, income)


def agrees(seen: ExplanationFacts) -> Message | None:
    """The gain of agreeing; the gain of a company that answers automatically, as 18BF's for the place of a minor's
    station."""
    if not is_player(seen.move.by):
        return msg("{company} may run from there, too.", seen.company) if seen.move.agree else None
    if abs(seen.best.score) > -REFUSED / 10:
        offer = pending_proposal(seen.game)
        if isinstance(offer, BuyTrain) and len(kinds_of(seen.game, CompanyId(offer.source))) > 1:
            return msg("It costs less than half the bank's price for this train.")
        return msg("It is the company's only train.")
    gain = seen.sum(abs(float(seen.best.score)))
    if abs(seen.best.score) < 10:
        return msg("It changes little: the price is fair.")
    if seen.move.agree:
        return msg("Agreeing is worth about {amount} more than refusing.", gain)
    return msg("Agreeing would cost about {amount}.", gain)


# -- anything else --------------------------------------------------------------------------------


def provides(seen: ExplanationFacts) -> Message | None:
    own = [one.id for one in seen.game.state.companies.values() if seen.game.controller_of(one.id) == seen.seat]
    looks = {
        one: (outlook(seen.game, one), outlook(seen.after, one)) for one in own if not seen.after.company(one).closed
    }
    more = max(looks, key=lambda one: looks[one][1].dividends - looks[one][0].dividends, default=None)
    if more is None:
        return None
    before, after = looks[more]
    if after.income > before.income:
        template = "{company} runs for {after} instead of {before}."
        return msg(template, more, seen.sum(after.income), seen.sum(before.income))
    if after.dividends - before.dividends >= 10:
        template = "{company} should pay out {amount} more by the end of the game."
        return msg(template, more, seen.sum(after.dividends - before.dividends))
    if before.missing - after.missing >= 10:
        template = "{company} needs {amount} less for its next train."
        return msg(template, more, seen.sum(before.missing - after.missing))
    return None


def brings(seen: ExplanationFacts) -> Message | None:
    amount = -amount_spent(seen)
    return msg("It gives {who} {amount}.", seen.seat, seen.sum(amount)) if amount > 0 else None


def hurts(seen: ExplanationFacts) -> Message | None:
    before, after = prospects(seen.game), prospects(seen.after)
    loss = {rival: before[rival] - after[rival] for rival in after if rival in before and rival != seen.seat}
    rival = max(loss, key=lambda one: loss[one], default=None)
    if rival is None or loss[rival] < 10:
        return None
    return msg("It costs {rival} about {amount} by the end of the game.", rival, seen.sum(loss[rival]))


def improves_position(seen: ExplanationFacts) -> Message | None:
    before, after = prospects(seen.game)[seen.seat], prospects(seen.after)[seen.seat]
    if after - before >= 10:
        return msg("{who} should have {amount} more by the end of the game.", seen.seat, seen.sum(after - before))
    return None


ANYTHING: tuple[Speaker, ...] = (launches, takes_over, provides, brings, improves_position, hurts)

SPEAKERS: dict[type[Action], tuple[Speaker, ...]] = {
    BuyTrain: (rusts, first_train, runs_more, rushes, begins, lasts),
    BuyShares: (takes_over, launches, nears_launch, contests, worth_and_cost, holds),
    Par: (launches, nears_launch, worth_and_cost, holds),
    SellShares: (for_train, dumps, above_limit, news_since_purchase, swaps, spoils, leaves, improves_position),
    Dividend: (keeps, pays_out),
    LayTile: (earns, opens, will_earn, stays),
    PlaceToken: (cuts_off, earns, opens, will_earn, stays),
    Bid: (lot_pays,),
    ReducePrice: (costs_too_much,),
    BuyPrivate: (sells_to_company, *ANYTHING),
    Answer: (agrees,),
}
"""Most telling explanation first."""
