"""Facts about a component before anybody owns it: name, price, income, power; who leads with which bid."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import (
    BANK,
    CompanyId,
    Owner,
    PlayerId,
    PrivateId,
    Text,
    as_company,
    as_private,
    join_and,
    join_values,
    msg,
)
from bot.engine.notation.messages import capitalise, format_train, money
from bot.engine.play.game import Game
from bot.engine.play.glossary import AuctionLot
from bot.engine.play.holdings.trains import remaining_in_depot, trains_for_sale
from bot.i18n import tr


def lots_now(game: Game) -> list[AuctionLot]:
    return [] if game.state.finished else [lot for lot in game.title.words.lots(game) if not lot.later]


def lot_of(game: Game, sign: Owner) -> AuctionLot | None:
    return next((lot for lot in game.title.words.lots(game) if lot.sign == sign), None)


def starts(game: Game, company: CompanyId) -> Text:
    """When a company starts, or is sold, that nobody can have yet; empty where somebody can, or could."""
    lot = lot_of(game, company)
    return lot.later if lot is not None else game.title.words.starts(game, company)


def leads(game: Game) -> list[str]:
    """The leading bidders and their bids, a sentence a lot; with several lots at once, also the other bids, and
    the money left for more.
    """
    lots, lines, bound = lots_now(game), list[str](), dict[PlayerId, int]()
    for lot in lots:
        if lot.leader is None:
            continue
        leader, bids = game.state.name(lot.leader), {lot.leader: lot.bid, **lot.waiting}
        lines.append(tr("{leader} leads with {money} for {sign}.", leader, money(game, lot.bid), lot.sign))
        for player, price in lot.waiting.items():
            words = "{player} has bid {money} for {sign}."
            lines.append(tr(words, game.state.name(player), money(game, price), lot.sign))
        for player, price in bids.items():
            bound[player] = bound.get(player, 0) + price
    if bound and len(lots) > 1:
        every = ((player, game.state.cash[player] - bound[player]) for player in game.state.order if player in bound)
        sums = [msg("{money} ({player})", money(game, left), game.state.name(player)) for player, left in every]
        lines.append(tr("Cash not committed to bids: {amounts}.", join_values(", ", sums)))
    return lines


def meaning(game: Game, private: PrivateId) -> str:
    """Income (or where there is none the printed price) of a private, the hexes that it blocks, what comes with it
    as long as nobody has owned it, its power.
    """
    noun = game.title.privates[private]
    template, amount = ("income {sum}", noun.income) if noun.income else ("face value {sum}", noun.price)
    pays = tr(template, money(game, amount))
    record = game.state.privates.get(private)
    is_open = record is None or not (record.closed or record.owner in game.state.companies)
    kept = [space.id for space in game.board_rules.map.hexes.values() if is_open and private in space.privates]
    blocks = tr("no track on {hexes} while a player owns it", join_and(kept)) if kept else ""
    brings = noun.brings if record is None or record.owner is None else ""
    return "; ".join([pays, *filter(None, [blocks, *map(tr, filter(None, [brings, noun.power]))])])


def sign_with_name(game: Game, sign: Owner) -> str:
    privates, companies = game.title.privates, game.title.companies
    noun = privates[as_private(sign)] if sign in privates else companies[as_company(sign)]
    return f"{sign} {tr(noun.name)}"


def lot_note(game: Game, sign: Owner) -> str:
    """A note on a private or company, beside a move that names it: `The Ghan: income £20; once £100 off …`."""
    if sign in game.title.privates:
        return f"{tr(game.title.privates[as_private(sign)].name)}: {meaning(game, as_private(sign))}"
    noun = game.title.companies.get(as_company(sign))
    if noun is None:
        return ""
    return tr("{company}: home {home}", msg(noun.name), join_and(noun.home)) if noun.home else noun.name


def shop(game: Game) -> list[str]:
    """Every private that is available now: prices, what each means, who leads; then those that come later."""
    every = [] if game.state.finished else list(game.title.words.lots(game))
    lots = [lot for lot in every if lot.sign in game.title.privates]
    prices = privates_for_sale(game)
    lines = [tr("{privates} for sale: {prices}", msg(game.title.privates_word), prices)] if prices else []
    alike: dict[str, list[Owner]] = {}
    for lot in lots:
        if not lot.later:
            alike.setdefault(meaning(game, as_private(lot.sign)), []).append(lot.sign)
    for meant, signs in alike.items():
        lines.append(f"- {tr(join_and([sign_with_name(game, signs[0]), *signs[1:]]))}: {meant}")
    lines += leads(game)
    later: dict[Text, list[str]] = {}
    for lot in lots:
        if lot.later:
            later.setdefault(lot.later, []).append(f"{lot.sign} {money(game, lot.price)}")
    return lines + [f"{capitalise(tr(when))}: {', '.join(sums)}" for when, sums in later.items()]


def privates_for_sale(game: Game) -> str:
    lots = [lot for lot in lots_now(game) if lot.sign in game.title.privates]
    return ", ".join(f"{lot.sign} {money(game, lot.price)}" for lot in lots)


def component_note(game: Game, sign: str) -> str:
    """The note beside a sign in a list: the name, and of privates and trains what they are good for."""
    if sign in game.title.trains:
        return f"{tr('{kind} train', sign)}, {money(game, game.title.trains[sign].price)}"
    return lot_note(game, Owner(sign))


# -- one thing ----------------------------------------------------------------------------------------


def private_text(game: Game, sign: PrivateId) -> str:
    """A private: its owner or its cost, what it means, and the rules for all privates."""
    noun, record = game.title.privates[sign], game.state.privates.get(sign)
    section = f" ({noun.section})" if noun.section else ""
    lines = [f"{sign_with_name(game, sign)}: {meaning(game, sign)}{section}", *standing(game, sign)]
    if noun.price_range:
        low, high = noun.price_range
        lines.append(tr("A company pays {low} to {high} for it.", money(game, low), money(game, high)))
    if record is not None and record.ability_used:
        lines.append(tr("Its power has been used."))
    told = game.title.words.privates
    return "\n".join([*lines, *(tr(words) for letters, words in told.items() if sign.startswith(letters))])


def standing(game: Game, sign: PrivateId) -> Iterator[str]:
    """The owner of a private, or when and for how much it is available."""
    record, lot = game.state.privates.get(sign), lot_of(game, sign)
    if record is None:
        yield tr("It is not in this game.")
    elif record.closed:
        yield tr("It is closed.")
    elif lot is not None and lot.later:
        yield tr(
            "It is sold later, {later}; face value {money}.",
            msg(lot.later),
            money(game, game.title.privates[sign].price),
        )
    elif lot is not None:
        leader = (
            tr("; {leader} leads with {money}", game.state.name(lot.leader), money(game, lot.bid)) if lot.leader else ""
        )
        yield tr("It is for sale: from {money}{leader}.", money(game, lot.price), leader)
    elif record.owner is not None and record.owner != BANK:
        yield tr("It belongs to {owner}.", game.state.name(record.owner))


def train_text(game: Game, name: str) -> str:
    kind = game.title.trains[name]
    left = remaining_in_depot(game).get(kind.family, "0")
    is_for_sale = any(card.family == kind.family for card in trains_for_sale(game))
    lines = [
        tr(
            "{train}: {price}; {left} left; for sale now."
            if is_for_sale
            else "{train}: {price}; {left} left; not for sale now.",
            tr("{kind} train", name),
            money(game, kind.price),
            left,
        )
    ]
    if kind.rusts_on:
        lines.append(tr("It rusts with the first {rusts_on}.", kind.rusts_on))
    if kind.runs_once_more:
        lines.append(tr("Its company runs it once more then, beside its train limit."))
    if kind.available_from:
        lines.append(tr("It is for sale from phase {available_from} on.", msg(kind.available_from)))
    for old, off in kind.trade_in.items():
        lines.append(tr("{money} less when trading in {train}.", money(game, off), format_train(old)))
    return "\n".join([*lines, *(tr(words) for words in [game.title.words.trains.get(name)] if words)])


def company_words(game: Game, sign: Owner) -> str:
    told, company = game.title.words.companies, as_company(sign)
    return tr(told.get(company) or told.get(game.title.companies[company].kind, ""))
