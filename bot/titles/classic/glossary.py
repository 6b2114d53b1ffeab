"""The purpose of the components, in plain words."""

from __future__ import annotations

from bot.engine import Message, Text, as_company, msg
from bot.engine.play.glossary import Glossary
from bot.engine.play.steps import Waterfall
from bot.engine.state import BidMade

from .family import Classic
from .powers import Presidency
from .runs import Towns, TrainRun, run_of


def describe_train(values: Classic, name: str) -> Text:
    run, title = run_of(values.runs, name), values.section
    told = describe_reach(run, title)
    if not run.scale:
        return told
    sentence = "{run} Cities and red areas pay ×{times}, towns ×{towns}."
    return msg(sentence, told, run.times, 0 if run.towns is Towns.UNPAID else run.town_times)


def describe_reach(run: TrainRun, title: str) -> Message:
    number = msg("any number of") if run.reach is None else run.reach
    if isinstance(run.towns, int):
        sentence = "Visits {number} cities and red areas, and {towns} town(s); it cannot skip any ({title})."
        return msg(sentence, number, run.towns, title)
    if run.towns is Towns.FREE:
        return msg("Visits {number} cities and red areas; towns pay too and do not count ({title}).", number, title)
    if run.towns is Towns.UNPAID:
        return msg("Visits {number} cities and red areas; it runs over towns without pay ({title}).", number, title)
    if run.towns is Towns.SKIPPED:
        return msg("Visits {number} stops; it may leave out towns ({title}).", number, title)
    if run.reach is None:
        return msg("Visits any number of stops, including towns, and cannot skip any ({title}).", title)
    return msg("Visits {number} stops, including towns, and cannot skip any ({title}).", run.reach, title)


def _describe_privates(values: Classic) -> Text:
    begins, ends = values.sold_in
    if values.trades_from is not None:
        return msg(
            "Privates pay their owners at the beginning of every operating round. A private owned by a player blocks its "
            "hex. Players may buy privates from each other from stock round {number} on, companies once the first "
            "{begins}-train is bought. They close with the first {ends}-train ({title}).",
            values.trades_from,
            begins,
            ends,
            values.section,
        )
    return msg(
        "Privates pay their owners at the beginning of every operating round. A private owned by a player blocks its hex. "
        "Companies may buy privates once the first {begins}-train is bought. They close with the first {ends}-train "
        "({title}).",
        begins,
        ends,
        values.section,
    )


def _describe_lays(values: Classic) -> Text:
    if len(values.lays) == 1:
        sentence = "One tile lay or upgrade per turn. The share price of a company without earnings falls ({title})."
        return msg(sentence, values.section)
    sentence = "Up to {number} tiles per turn. The share price of a company without earnings falls ({title})."
    return msg(sentence, len(values.lays), values.section)


def build_glossary(values: Classic, auction: Waterfall) -> Glossary:
    title, money = values.section, f"{values.currency}{{}}".format
    low, high = map(money, values.par_prices)
    floats = msg(
        "The buyer of the president's certificate sets the par price: {low} to {high}. The company floats with ten times "
        "that once {percent}% is sold from the initial offering ({title}).",
        low,
        high,
        values.floats_at,
        title,
    )
    brought: dict[str, Text] = {
        as_company(power.company): msg(
            "The president's certificate comes with {private}, whose buyer sets the par price: {low} to {high}. The "
            "company floats with ten times that once {percent}% is sold from the initial offering ({title}).",
            sign,
            low,
            high,
            values.floats_at,
            title,
        )
        for sign, power in values.privates_with(Presidency)
        if power.company
    }
    return Glossary(
        privates={"": _describe_privates(values)},
        companies={"corporation": floats, **brought},
        trains={name: describe_train(values, name) for name in values.trains},
        steps={
            "lay track": _describe_lays(values),
            "buy or bid for a private": msg(
                "Buy the first remaining private at its price; bids on later privates wait until they are first. "
                "When all pass in a row, the very first private gets {amount} cheaper; once it is sold, the "
                "privates pay their incomes instead ({title}).",
                money(values.raises_by),
                title,
            ),
        },
        lots=auction.lots,
        echoes=(BidMade,),
    )
