"""Conditions: whether they hold, and what wakes the owner of a plan. Facts are compared across each move of somebody else, so
no snapshot is kept: a player who buys and sells in one turn holds as much afterwards as before, and has sold.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bot.engine import Message, Owner, PlayerId, as_company, msg
from bot.engine.notation import money
from bot.engine.play import Game

from .facts import LABELS, NONE, open_company, round_key, single_facts, value_of
from .plan import ALL, MINE, OTHERS, Buy, Fact, Plan, When

SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
ACROSS: Mapping[str, Callable[[Any, Any], bool]] = {
    "changes": operator.ne,
    "falls": operator.gt,
    "rises": operator.lt,
}
"""Signs that compare the fact before a move with the fact after it."""

WAKE_WORDS = {
    "sale": When(Fact("shares", ALL, OTHERS), "falls"),
    "buy": When(Fact("shares", ALL, OTHERS), "rises"),
    "start": When(Fact("started", ALL), "rises"),
    "phase": When(Fact("phase"), "changes"),
    "trains": When(Fact("bank trains"), "changes"),
    "next": When(Fact("next train"), "changes"),
    "price": When(Fact("price", MINE), "changes"),
    "fall": When(Fact("price", MINE), "falls"),
    "president": When(Fact("president", ALL), "changes"),
    "danger": When(Fact("lead", MINE), "falls"),
}
"""Names of conditions that wake the owner of a plan."""

WAKES = {
    "sale": "somebody sells shares",
    "buy": "somebody buys shares",
    "start": "a company is started",
    "phase": "a new phase begins",
    "trains": "a train leaves the bank",
    "next": "the bank's next train is of another kind",
    "price": "the price of a company you hold changes",
    "fall": "the price of a company you hold falls",
    "president": "another player takes a company over",
    "danger": "your lead in a company you run shrinks",
}
"""The event of each of `WAKE_WORDS`."""

COMPANY_CLOSED = "{company} is no longer in play."
NOT_PRESIDENT = "You do not run {company}."


def find_wakes(word: str, of: Sequence[str] = ()) -> tuple[When, ...]:
    """The conditions that a word of `WAKE_WORDS` names, for these companies (or `MINE`) only.

    :raises KeyError: there is no such word.
    """
    when = WAKE_WORDS[word]
    if not when.fact.of or not of:
        return (when,)
    return tuple(When(Fact(when.fact.what, name, when.fact.whom), when.sign) for name in of)


def has_come_true(game: Game, player: PlayerId, when: When) -> bool:
    """Whether a condition with a constant holds; one that looks across a move never does."""
    if when.sign not in SIGNS:
        return False
    value = value_of(game, player, when.fact)
    if value is None:
        return False
    if when.sign in ("=", "!="):
        return SIGNS[when.sign](str(value), str(when.than))
    return isinstance(value, int) and isinstance(when.than, int) and SIGNS[when.sign](value, when.than)


def woken(before: Game, after: Game, player: PlayerId, plan: Plan) -> Message | None:
    """The event of one move of somebody else, and of all that followed it automatically, that ends a plan; None where the
    plan goes on.
    """
    if plan.at and plan.rounds != "all" and plan.at != round_key(before):
        return None
    company = after.state.companies.get(as_company(plan.turn))
    if company is not None and company.closed:
        return msg(COMPANY_CLOSED, plan.turn)
    if company is not None and after.controller_of(Owner(plan.turn)) != player:
        return msg(NOT_PRESIDENT, plan.turn)
    wakes = (*plan.wake, *(When(Fact("share size", one.company), "changes") for one in plan.steps if type(one) is Buy))
    return next((told for when in wakes for told in _events(before, after, player, when)), None)


def _events(before: Game, after: Game, player: PlayerId, when: When) -> Iterator[Message]:
    if when.sign in SIGNS:
        if has_come_true(after, player, when):
            yield msg("The condition is met: {condition}.", format_condition(when))
        return
    for fact in single_facts(before, after, player, when.fact):
        then, now = value_of(before, player, fact), value_of(after, player, fact)
        if then is not None and now is not None and ACROSS[when.sign](then, now):
            yield event_sentence(after, player, fact, when.sign)


def event_sentence(game: Game, player: PlayerId, fact: Fact, sign: str) -> Message:
    """The sentence about a fact that a move has changed, for the owner of a plan."""
    value = value_of(game, player, fact)
    if fact.what == "price":
        price = money(game, value if isinstance(value, int) else 0)
        return msg(
            "{company} has fallen to {money}." if sign == "falls" else "{company} is at {money} now.", fact.of, price
        )
    if fact.what == "president" and value != NONE:
        return msg("{director} is {role} of {company} now.", value or "", msg(game.title.director_word), fact.of)
    if fact.what == "share size":
        company = open_company(game, fact.of)
        held = company.percent_held_by(player) if company else 0
        return msg("A share of {company} is {unit}% now, and you hold {held}%.", fact.of, value or 0, held)
    if fact.what == "phase":
        return msg("Phase {phase} has begun.", msg(str(value)))
    return {
        "started": msg("{company} has been started.", fact.of),
        "shares": msg("{company} has been sold." if sign == "falls" else "{company} has been bought.", fact.of),
        "president": msg("{company} has another {role} now.", fact.of, msg(game.title.director_word)),
        "bank trains": msg("The bank sold a train."),
        "next train": msg("The next train in the bank is: {train}.", str(value)),
        "lead": msg("Your lead in {company} has become smaller.", fact.of),
        "trains": msg("The trains of {company} have changed.", fact.of),
        "hex": msg("{hex} has changed.", fact.of),
    }.get(fact.what) or msg("The condition is met: {condition}.", format_condition(When(fact, sign)))


def format_condition(when: When) -> Message:
    """A condition in words: `the price of VR < 80`."""
    fact = when.fact
    named = msg("your cash") if (fact.what, fact.of) == ("cash", "") else msg(LABELS[fact.what])
    if fact.what == "hex":
        named = msg("hex {name}", fact.of)
    elif fact.of:
        named = msg("{fact} of {name}", named, fact.of)
    if fact.whom and fact.what != "hex":
        named = msg("{fact} held by {player}", named, fact.whom)
    elif fact.what in ("held", "shares"):
        named = msg("{fact} that you hold", named)
    if when.sign in ACROSS:
        templates = {"changes": "{fact} changes", "falls": "{fact} falls", "rises": "{fact} rises"}
        return msg(templates[when.sign], named)
    than = msg("nothing") if when.than == NONE else when.than
    return msg("{fact} {sign} {value}", named, when.sign, than)
