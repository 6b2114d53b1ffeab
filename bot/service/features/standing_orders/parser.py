"""Standing orders as people type them: `pass until sale start`, `buy VR to 60 max 100`, `bid P4 up to 200`,
`run VR withhold until trains`, `refuse`."""

from __future__ import annotations

from bot.engine import Owner, ParseError, PlayerId, as_company
from bot.engine.notation import near_words
from bot.engine.play import Game
from bot.engine.play.steps import best_set
from bot.service.parser.vocabulary import printed_names, proper
from bot.service.plans.plan import AutoReply

from .orders import QUESTIONS, WAKE, BidUpTo, BuyUntil, Order, PassUntil, RunCompany, check_order, seen_now

LONGEST = 200

EXAMPLES = (
    "pass",
    "pass until sale start",
    "pass all until phase trains",
    "buy VR to 60 max 100",
    "bid P4 up to 200",
    "run VR pay",
    "run VR withhold track ask until trains price",
    "refuse",
    "agree from 300",
    "agree up to 150",
    "agree undo",
)
"""Every kind of order as it may be typed."""

SIGHT_SECONDS = 5.0


def read_order(game: Game, player: PlayerId, text: str) -> Order:
    """The order that this player typed, with the present situation.

    :raises ParseError: it is not an order.
    :raises IllegalMove: it makes no sense.
    """
    if len(text) > LONGEST:
        raise ParseError("A standing order can have at most {limit} characters.", "", LONGEST)
    names = printed_names(game)
    words = [
        proper(names, word)
        for word in text.replace(",", " ").replace("%", " ").replace(game.title.currency, " ").split()
    ]
    if not words:
        raise ParseError("What should the bot do for you?", instead=EXAMPLES)
    readers = {"pass": _pass, "buy": _buy, "bid": _bid, "run": _run, "operate": _run}
    verb, rest = words[0].lower(), words[1:]
    if verb in ("agree", "refuse"):
        about = next((word.lower() for word in rest if word.lower() in QUESTIONS), "")
        order: Order = AutoReply(verb == "agree", number_after(rest, "from") or 0, about, number_after(rest, "to") or 0)
    elif verb in readers:
        order = readers[verb](game, player, rest)
    else:
        raise ParseError(
            "There is no standing order {verb}{readers}.", "", verb[:20], near_words(verb, readers), instead=EXAMPLES
        )
    check_order(game, player, order)
    return order


def number_after(words: list[str], *keys: str) -> int | None:
    for at, word in enumerate(words[:-1]):
        if word.lower() in keys and words[at + 1].isdecimal():
            return int(words[at + 1][:9])
    return None


def _pass(game: Game, player: PlayerId, words: list[str]) -> Order:
    known = {*WAKE, "all", "until", "or", "of", "wake", "on"}
    companies = tuple(word for word in words if word in game.state.companies)
    strange = next((word for word in words if word.lower() not in known and word not in companies), None)
    if strange is not None:
        raise ParseError("There is no event {name}{suggestions}.", "", strange[:20], near_words(strange, WAKE))
    wake = tuple(word for word in dict.fromkeys(word.lower() for word in words) if word in WAKE)
    rounds = "all" if "all" in map(str.lower, words) else "this"
    return PassUntil(seen_now(game), wake, companies, rounds)


def _buy(game: Game, player: PlayerId, words: list[str]) -> Order:
    company = next((word for word in words if word in game.state.companies), None)
    if company is None:
        raise ParseError("Shares of which company?", instead=("buy VR to 60",))
    percent = number_after(words, "to", "until")
    limit = game.title.rules.holding_limit(game, as_company(company))
    source = next((place for place in ("pool", "ipo") if place in words), "")
    return BuyUntil(
        seen_now(game), company, limit if percent is None else percent, number_after(words, "max", "at") or 0, source
    )


def _bid(game: Game, player: PlayerId, words: list[str]) -> Order:
    sums = [int(word[:9]) for word in words[1:] if word.isdecimal()]
    if not words or len(sums) != 1:
        raise ParseError("A bid needs a lot and a maximum, for example: bid P4 up to 200.")
    return BidUpTo(seen_now(game), words[0], sums[0])


def _run(game: Game, player: PlayerId, words: list[str]) -> Order:
    company = next((word for word in words if word in game.state.companies), None)
    if company is None:
        raise ParseError("Which company should the bot run?", instead=("run VR pay",))
    lowered = [word.lower() for word in words]
    asks = {lowered[at - 1] for at, word in enumerate(lowered) if word == "ask" and at}
    revenue = next((word for word in ("withhold", "half", "pay") if word in lowered), "pay")
    guards: tuple[str, ...] = ("trains", "route")
    if "until" in lowered:
        named = lowered[lowered.index("until") + 1 :]
        guards = tuple(
            word.replace("routes", "route") for word in named if word in ("trains", "route", "routes", "price")
        )
        lowered = lowered[: lowered.index("until")]
    expected = best_set(game, as_company(company), SIGHT_SECONDS).revenue if game.state.trains_of(Owner(company)) else 0
    return RunCompany(
        seen_now(game),
        company,
        "ask" if "track" in asks else "none",
        "ask" if "token" in asks else "none",
        "ask" if asks & {"routes", "run"} else "best",
        "ask" if "dividend" in asks else revenue,
        "ask" if "trains" in asks else "none",
        "none",
        expected,
        guards,
    )
