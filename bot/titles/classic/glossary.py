"""The purpose of the components, in plain words."""

from __future__ import annotations

from bot.engine import Text, as_company, msg
from bot.engine.play.glossary import Glossary
from bot.engine.play.steps import BuyPrivateFromPlayer, Waterfall
from bot.engine.state import BidMade

from .family import Classic
from .powers import Presidency


def describe_train(title: str, name: str) -> Text:
    if name == "D":
        return msg("Visits any number of stops, including towns, and cannot skip any ({title}).", title)
    return msg("Visits {number} stops, including towns, and cannot skip any ({title}).", name, title)


def _describe_privates(values: Classic) -> Text:
    begins, ends = values.sold_in
    if any(isinstance(step, BuyPrivateFromPlayer) for step in values.beside_shares):
        return msg(
            "Privates pay their owners at the beginning of every operating round. A private owned by a player blocks its "
            "hex. Players may buy privates from each other after the first stock round, companies once the first "
            "{begins}-train is bought. They close with the first {ends}-train ({title}).",
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
        trains={name: describe_train(title, name) for name in values.trains},
        steps={
            "lay track": msg(
                "One tile lay or upgrade per turn. The share price of a company without earnings falls ({title}).",
                title,
            ),
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
