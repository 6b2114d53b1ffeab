"""What a thing of the box is, before anybody owns it: name, price, income, power; who leads with which bid."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.ids import BANK, CompanyId, Owner, PlayerId, PrivateId, as_company, as_private
from bot.engine.message import Text, said, together
from bot.engine.notation.messages import a_train, money, upper
from bot.engine.play.game import Game
from bot.engine.play.glossary import AuctionLot
from bot.engine.play.holdings.trains import for_sale, left_in_depot
from bot.i18n import say


def lots_now(game: Game) -> list[AuctionLot]:
    """What can be had by auction now."""
    return [] if game.state.finished else [lot for lot in game.title.words.lots(game) if not lot.later]


def lot_of(game: Game, sign: Owner) -> AuctionLot | None:
    """How that private or company stands for sale; None when it does not."""
    return next((lot for lot in game.title.words.lots(game) if lot.sign == sign), None)


def starts(game: Game, company: CompanyId) -> Text:
    """When a company begins, or is sold, that nobody can have yet; empty where somebody can, or could."""
    lot = lot_of(game, company)
    return lot.later if lot is not None else game.title.words.starts(game, company)


def leads(game: Game) -> list[str]:
    """Who leads with which bid, a sentence a lot; of several lots at once what other bids wait, and what is left for more."""
    lots, lines, bound = lots_now(game), list[str](), dict[PlayerId, int]()
    for lot in lots:
        if lot.leader is None:
            continue
        leader, bids = game.state.name(lot.leader), {lot.leader: lot.bid, **lot.waiting}
        lines.append(say("{leader} leads with {money} for {sign}.", leader, money(game, lot.bid), lot.sign))
        for player, price in lot.waiting.items():
            words = "{player} has bid {money} for {sign}."
            lines.append(say(words, game.state.name(player), money(game, price), lot.sign))
        for player, price in bids.items():
            bound[player] = bound.get(player, 0) + price
    if bound and len(lots) > 1:
        every = ((player, game.state.cash[player] - bound[player]) for player in game.state.order if player in bound)
        sums = ", ".join(f"{game.state.name(player)} {money(game, left)}" for player, left in every)
        lines.append(say("Cash not committed to bids: {amounts}.", sums))
    return lines


def meaning(game: Game, private: PrivateId) -> str:
    """Income (or where there is none the printed price) of a private, the spaces that it keeps from everybody, what comes with
    it as long as nobody has owned it, its power."""
    noun = game.title.privates[private]
    template, amount = ("income {sum}", noun.income) if noun.income else ("printed price {sum}", noun.price)
    pays = say(template, money(game, amount))
    record = game.state.privates.get(private)
    is_open = record is None or not (record.closed or record.owner in game.state.companies)
    kept = [space.id for space in game.land.map.hexes.values() if is_open and private in space.privates]
    closed = f"; {say('{hexes} blocked', together(kept))}" if kept else ""
    brings = noun.brings if record is None or record.owner is None else ""
    return f"{pays}{closed}; {'; '.join(map(say, filter(None, [brings, noun.power]))) or say('no power')}"


def named(game: Game, sign: Owner) -> str:
    """Sign and name: `P2 Oodnadatta Railway`."""
    privates, companies = game.title.privates, game.title.companies
    noun = privates[as_private(sign)] if sign in privates else companies[as_company(sign)]
    return f"{sign} {say(noun.name)}"


def lot_note(game: Game, sign: Owner) -> str:
    """What a private or company is about, beside a move that names it: `The Ghan: income £20; once £100 off …`."""
    if sign in game.title.privates:
        return f"{say(game.title.privates[as_private(sign)].name)}: {meaning(game, as_private(sign))}"
    noun = game.title.companies.get(as_company(sign))
    if noun is None:
        return ""
    return say("{company}: home {home}", said(noun.name), together(noun.home)) if noun.home else noun.name


def shop(game: Game) -> list[str]:
    """Every private that can be had now: prices, what each means, who leads; then those that come later."""
    every = [] if game.state.finished else list(game.title.words.lots(game))
    lots = [lot for lot in every if lot.sign in game.title.privates]
    prices = privates_for_sale(game)
    lines = [say("{privates} for sale: {prices}", said(game.title.privates_word), prices)] if prices else []
    alike: dict[str, list[Owner]] = {}
    for lot in lots:
        if not lot.later:
            alike.setdefault(meaning(game, as_private(lot.sign)), []).append(lot.sign)
    for meant, signs in alike.items():
        lines.append(f"- {say(together([named(game, signs[0]), *signs[1:]]))}: {meant}")
    lines += leads(game)
    later: dict[Text, list[str]] = {}
    for lot in lots:
        if lot.later:
            later.setdefault(lot.later, []).append(f"{lot.sign} {money(game, lot.price)}")
    return lines + [f"{upper(say(when))}: {', '.join(sums)}" for when, sums in later.items()]


def privates_for_sale(game: Game) -> str:
    """Privates that can be had now, with the least that they cost."""
    lots = [lot for lot in lots_now(game) if lot.sign in game.title.privates]
    return ", ".join(f"{lot.sign} {money(game, lot.price)}" for lot in lots)


def said_of(game: Game, sign: str) -> str:
    """What is said beside a sign in a list: the name, and of privates and trains what they are good for."""
    if sign in game.title.trains:
        return f"{say('{kind} train', sign)}, {money(game, game.title.trains[sign].price)}"
    return lot_note(game, Owner(sign))


# -- one thing ----------------------------------------------------------------------------------------


def private_text(game: Game, sign: PrivateId) -> str:
    """A private: whose it is or what it costs, what it means, what is said of all privates."""
    noun, record = game.title.privates[sign], game.state.privates.get(sign)
    section = f" ({noun.section})" if noun.section else ""
    lines = [f"{named(game, sign)}: {meaning(game, sign)}{section}", *standing(game, sign)]
    if noun.price_range:
        low, high = noun.price_range
        lines.append(say("A company pays {low} to {high} for it.", money(game, low), money(game, high)))
    if record is not None and record.ability_used:
        lines.append(say("Its power has been used."))
    told = game.title.words.privates
    return "\n".join([*lines, *(say(words) for letters, words in told.items() if sign.startswith(letters))])


def standing(game: Game, sign: PrivateId) -> Iterator[str]:
    """Whose a private is, or when it can be had and for how much."""
    record, lot = game.state.privates.get(sign), lot_of(game, sign)
    if record is None:
        yield say("It is not in this game.")
    elif record.closed:
        yield say("It is closed.")
    elif lot is not None and lot.later:
        yield say(
            "It is sold later, {later}; face value {money}.",
            said(lot.later),
            money(game, game.title.privates[sign].price),
        )
    elif lot is not None:
        leader = (
            say("; {leader} leads with {money}", game.state.name(lot.leader), money(game, lot.bid))
            if lot.leader
            else ""
        )
        yield say("It is for sale: from {money}{leader}.", money(game, lot.price), leader)
    elif record.owner is not None and record.owner != BANK:
        yield say("It belongs to {owner}.", game.state.name(record.owner))


def train_text(game: Game, name: str) -> str:
    """A train: price, how many are left, what rusts it, what it counts."""
    kind = game.title.trains[name]
    left = left_in_depot(game).get(kind.family, "0")
    is_for_sale = any(card.family == kind.family for card in for_sale(game))
    lines = [
        say(
            "{train}: {price}; {left} left; for sale now."
            if is_for_sale
            else "{train}: {price}; {left} left; not for sale now.",
            say("{kind} train", name),
            money(game, kind.price),
            left,
        )
    ]
    if kind.rusts_on:
        lines.append(say("It rusts with the first {rusts_on}.", kind.rusts_on))
    if kind.available_from:
        lines.append(say("It is for sale from phase {available_from} on.", said(kind.available_from)))
    for old, off in kind.trade_in.items():
        lines.append(say("{money} less when trading in {train}.", money(game, off), a_train(old)))
    return "\n".join([*lines, *(say(words) for words in [game.title.words.trains.get(name)] if words)])


def company_words(game: Game, sign: Owner) -> str:
    """What is to be said of a company as of its kind."""
    told, company = game.title.words.companies, as_company(sign)
    return say(told.get(company) or told.get(game.title.companies[company].kind, ""))
