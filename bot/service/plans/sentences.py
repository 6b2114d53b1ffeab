"""Plans in sentences, for their owners."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import Message, join_and, join_or, join_values, literal, msg
from bot.engine.notation import money
from bot.engine.play import Game

from .conditions import WAKE_WORDS, WAKES, format_condition
from .decisions import REVENUE
from .plan import ALL, IDLE, MINE, Bids, Buy, Case, Do, Plan, RunBest, Stay, Step, When

ASKED = {
    "track": "you decide on track",
    "token": "you decide on the token",
    "routes": "you choose the routes",
    "dividend": "you decide on the dividend",
    "trains": "you decide on trains",
}
"""Decisions that a plan leaves to its owner."""

ABOUT = {
    "undo": "going back",
    "end": "ending the game",
    "replace": "another player for a seat",
    "computer": "a computer player for a seat",
    "skip": "passing for a late player",
    "fine": "fining a late player",
}
"""The questions to the table that a plan may answer."""


def format_plan(game: Game, plan: Plan) -> Message:
    """The steps of a plan and what ends it."""
    steps, ends = format_steps(game, plan), list(_ends(game, plan))
    if not ends:
        return msg("{steps}, until you drop it.", steps)
    template = "{steps}. You decide once when {ends}." if plan.turn == IDLE else "{steps}. It ends when {ends}."
    return msg(template, steps, join_or(ends))


def format_steps(game: Game, plan: Plan) -> Message:
    steps = plan.again or plan.steps
    parts = [*(_step(game, plan, step) for step in steps), *(msg(ASKED[word]) for word in plan.asks)]
    told = join_values("; ", parts or [msg("nothing more")])
    if plan.turn == IDLE:
        return msg("if only selling or passing is possible: {steps}", told)
    return msg("{company}: {steps}", plan.turn, told) if plan.turn in game.state.companies else told


def _step(game: Game, plan: Plan, step: Step) -> Message:
    if isinstance(step, Do):
        return msg("{move}", literal(step.text.removeprefix(f"{plan.turn} ")))
    if isinstance(step, Buy):
        price = msg(" for at most {money} each", money(game, step.most)) if step.most else ""
        source = msg({"ipo": " from the bank", "pool": " from the pool"}.get(step.source, ""))
        template = "buy {company}{source}{price} until you hold {percent}%"
        return msg(template, step.company, source, price, step.percent)
    if isinstance(step, Bids):
        return join_values(", ", _bids(game, step))
    if isinstance(step, RunBest):
        least = msg(" for at least {money}", money(game, step.least)) if step.least else ""
        use = msg(REVENUE[step.revenue] if step.revenue else "you decide on the dividend")
        return msg("run the best routes{least}, {use}", least, use)
    if isinstance(step, Stay):
        return msg("pass for {number} turn(s)", step.turns) if step.turns > 1 else msg("pass")
    if isinstance(step, Case):
        when = join_and(format_condition(one) for one in step.when)
        if step.other is None:
            return msg("if {condition}: {then}", when, _step(game, plan, step.then))
        return msg(
            "if {condition}: {then}, else: {other}", when, _step(game, plan, step.then), _step(game, plan, step.other)
        )
    about = msg(" to {about}", msg(ABOUT[step.about])) if step.about else ""
    least = msg(" from {money} on", money(game, step.least)) if step.least else ""
    most = msg(" and pay up to {money}", money(game, step.most)) if step.most else ""
    return msg(
        "always agree{about}{least}{most}" if step.agree else "always refuse{about}{least}{most}", about, least, most
    )


def _bids(game: Game, step: Bids) -> Iterator[Message]:
    for lot, most in step.most.items():
        yield msg("bid on {lot} up to {money}", lot, money(game, most))
    if step.wins:
        yield msg("at most {number} lot(s)", step.wins)
    if step.lower:
        yield msg("lower the price of {lots}", ", ".join(step.lower))


def _ends(game: Game, plan: Plan) -> Iterator[Message]:
    is_company = plan.turn in game.state.companies
    if plan.rounds != "all":
        yield msg("its turn is over" if is_company else "the round is over")
    if plan.until:
        yield msg("{day} is over", plan.until)
    hexes = [when.fact.of for when in plan.wake if when.fact.what == "hex"]
    if len(hexes) > 1:
        yield msg("one of the hexes {hexes} changes", ", ".join(dict.fromkeys(hexes)))
    named: dict[str, list[str]] = {}
    for when in plan.wake if len(hexes) < 2 else [one for one in plan.wake if one.fact.what != "hex"]:
        word = next((word for word, one in WAKE_WORDS.items() if _is_like(one, when)), None)
        if word is None:
            yield format_condition(when)
        else:
            named.setdefault(word, []).extend(
                [when.fact.of] if when.fact.of not in ("", ALL, WAKE_WORDS[word].fact.of) else []
            )
    for word, companies in named.items():
        if MINE in companies:
            yield msg("{event} (in a company you hold)", msg(WAKES[word]))
        elif companies:
            yield msg("{event} ({companies})", msg(WAKES[word]), ", ".join(companies))
        else:
            yield msg(WAKES[word])
    if plan.budget:
        yield msg("it would spend more than {money}", money(game, plan.budget))
    if plan.keep:
        yield msg("it would leave you less than {money}", money(game, plan.keep))


def _is_like(word: When, when: When) -> bool:
    return (word.fact.what, word.fact.whom, word.sign) == (when.fact.what, when.fact.whom, when.sign)
