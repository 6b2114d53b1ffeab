"""What a thing of the box is, before anybody owns it: name, price, income, power; who leads with which bid."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.holdings.trains import for_sale, left_in_depot
from bot.engine.ids import BANK, Owner, PrivateId, as_company, as_private
from bot.engine.play.game import Game
from bot.engine.play.words import Lot
from bot.engine.words.narration import a_train, listed, money, upper


def lots_now(game: Game) -> list[Lot]:
    """What can be had by auction now."""
    return [] if game.state.finished else [lot for lot in game.title.words.lots(game) if not lot.later]


def lot_of(game: Game, sign: Owner) -> Lot | None:
    """How that private or company stands for sale; None when it does not."""
    return next((lot for lot in game.title.words.lots(game) if lot.sign == sign), None)


def leads(game: Game) -> list[str]:
    """Who leads with which bid, a sentence a lot."""
    return [
        f"{game.state.name(lot.leader)} leads with {money(game, lot.bid)} for {lot.sign}."
        for lot in lots_now(game)
        if lot.leader is not None
    ]


def meaning(game: Game, private: PrivateId) -> str:
    """Income (or where there is none the printed price) and power of a private."""
    noun = game.title.privates[private]
    pays = f"income {money(game, noun.income)}" if noun.income else f"printed price {money(game, noun.price)}"
    return f"{pays}; {noun.power or 'no power'}"


def named(game: Game, sign: Owner) -> str:
    """Sign and name: `P2 Oodnadatta Railway`."""
    privates, companies = game.title.privates, game.title.companies
    is_private = sign in privates
    return f"{sign} {privates[as_private(sign)].name if is_private else companies[as_company(sign)].name}"


def lot_note(game: Game, sign: Owner) -> str:
    """What a private or company is about, beside a move that names it: `The Ghan: income £20; once £100 off …`."""
    if sign in game.title.privates:
        return f"{game.title.privates[as_private(sign)].name}: {meaning(game, as_private(sign))}"
    noun = game.title.companies.get(as_company(sign))
    return f"{noun.name}{f': home {listed(noun.home)}' if noun.home else ''}" if noun else ""


def shop(game: Game) -> list[str]:
    """Every private that can be had now: prices, what each means, who leads; then those that come later."""
    every = [] if game.state.finished else list(game.title.words.lots(game))
    lots = [lot for lot in every if lot.sign in game.title.privates]
    lines = [f"{game.title.privates_word} for sale: {prices}"] if (prices := privates_for_sale(game)) else []
    alike: dict[str, list[Owner]] = {}
    for lot in lots:
        if not lot.later:
            alike.setdefault(meaning(game, as_private(lot.sign)), []).append(lot.sign)
    for meant, signs in alike.items():
        lines.append(f"- {listed([named(game, signs[0]), *signs[1:]])}: {meant}")
    lines += leads(game)
    later: dict[str, list[str]] = {}
    for lot in lots:
        if lot.later:
            later.setdefault(lot.later, []).append(f"{lot.sign} {money(game, lot.price)}")
    return lines + [f"{upper(when)}: {', '.join(prices)}" for when, prices in later.items()]


def privates_for_sale(game: Game) -> str:
    """Privates that can be had now, with the least that they cost."""
    lots = [lot for lot in lots_now(game) if lot.sign in game.title.privates]
    return ", ".join(f"{lot.sign} {money(game, lot.price)}" for lot in lots)


def said_of(game: Game, sign: str) -> str:
    """What is said beside a sign in a list: the name, and of privates and trains what they are good for."""
    if sign in game.title.trains:
        return f"{a_train(sign)}, {money(game, game.title.trains[sign].price)}"
    return lot_note(game, Owner(sign))


# -- one thing ----------------------------------------------------------------------------------------


def private_text(game: Game, sign: PrivateId) -> str:
    """A private: whose it is or what it costs, what it means, what is said of all privates."""
    noun, record = game.title.privates[sign], game.state.privates.get(sign)
    section = f" ({noun.section})" if noun.section else ""
    lines = [f"{named(game, sign)}: {meaning(game, sign)}{section}", *standing(game, sign)]
    if noun.price_range:
        low, high = noun.price_range
        lines.append(f"A company may pay {money(game, low)} to {money(game, high)} for it.")
    if record is not None and record.ability_used:
        lines.append("Its power has been used.")
    told = game.title.words.privates
    return "\n".join([*lines, *(words for letters, words in told.items() if sign.startswith(letters))])


def standing(game: Game, sign: PrivateId) -> Iterator[str]:
    """Whose a private is, or when it can be had and for how much."""
    record, lot = game.state.privates.get(sign), lot_of(game, sign)
    if record is None:
        yield "It is not in this game."
    elif record.closed:
        yield "It is closed."
    elif lot is not None and lot.later:
        yield f"It is sold later, {lot.later}; face value {money(game, game.title.privates[sign].price)}."
    elif lot is not None:
        leader = f"; {game.state.name(lot.leader)} leads with {money(game, lot.bid)}" if lot.leader else ""
        yield f"It is for sale: from {money(game, lot.price)}{leader}."
    elif record.owner is not None and record.owner != BANK:
        yield f"It belongs to {game.state.name(record.owner)}."


def train_text(game: Game, name: str) -> str:
    """A train: price, how many are left, what rusts it, what it counts."""
    kind = game.title.trains[name]
    left = left_in_depot(game).get(kind.family, "0")
    now = any(card.family == kind.family for card in for_sale(game))
    lines = [
        f"{upper(str(a_train(name)))}: {money(game, kind.price)}; {left} left; {'for sale now' if now else 'not for sale now'}."
    ]
    if kind.rusts_on:
        lines.append(f"It rusts with the first {kind.rusts_on}.")
    if kind.available_from:
        lines.append(f"It is for sale from phase {kind.available_from} on.")
    for old, off in kind.trade_in.items():
        lines.append(f"{money(game, off)} less for whoever gives {a_train(old)} in exchange.")
    return "\n".join([*lines, *filter(None, [game.title.words.trains.get(name)])])


def company_words(game: Game, sign: Owner) -> str:
    """What is to be said of a company as of its kind."""
    told, company = game.title.words.companies, as_company(sign)
    return told.get(company) or told.get(game.title.companies[company].kind, "")
