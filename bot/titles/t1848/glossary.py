"""The purpose of the components of 1848, in plain words."""

from __future__ import annotations

from bot.engine import Text, msg
from bot.engine.play.glossary import Glossary

from .components import CENTRAL_AUSTRALIAN, COMMONWEALTH, TRAINS


def describe_train(name: str) -> Text:
    """§8.2"""
    if name == "2E":
        return (
            "The Ghan counts Alice Springs and the city with the company's token where it starts. Each company may "
            "own a Ghan, outside the limit; it does not count as a required train (1848 §8.2.5)."
        )
    if name == "D":
        return "Visits any number of cities, harbors and changes of gauge (1848 §8.2.4)."
    number = name.removesuffix("+")
    if name.endswith("+"):
        return msg(
            "Like the {train} train, plus one change of gauge besides its {stops} stops (1848 §8.2.3).", number, number
        )
    return msg(
        "Visits {number} cities, off-board areas, large harbors and changes of gauge, and cannot skip any; small "
        "stations and small harbors do not count (1848 §8.2.2).",
        number,
    )


WORDS = Glossary(
    privates={
        "": (
            "Privates pay their owners at the beginning of every operating round. From phase 3 on companies may use their "
            "powers, and buy P1 to P4 from their own directors. They close with the first 5/5+ train (1848 §4.1)."
        )
    },
    companies={
        "bank": (
            "It lends £100 at a time to companies. Its price rises with every loan and falls with no sale; it pays a "
            "dividend that grows with the phase and with the tokens of companies in receivership (1848 §5.4)."
        ),
        "railway": (
            "The buyer of the director's share (20%) sets the par price: £70, £80, £90 or £100. The company floats "
            "with ten times that once 60% is bought (1848 §5.2)."
        ),
        CENTRAL_AUSTRALIAN: (
            "The director's share (20%) comes with P6, at £100 a share. The company floats with £1000 once 60% is "
            "bought (1848 §4.7, §5.2)."
        ),
        COMMONWEALTH: (
            "The buyer of the director's share (20%) sets the par price: £70, £80, £90 or £100. The company floats "
            "with ten times that once 60% is bought and either track connects Sydney and Adelaide or the first "
            "6/6+ train is sold (1848 §5.3)."
        ),
    },
    trains={name: describe_train(name) for name in TRAINS},
    steps={
        "lay track": (
            "One yellow tile per turn; from the first 3 train on two, or one upgrade. The share price of a company "
            "without earnings falls (1848 §7.4.2, §7.5.1, §10.3.3)."
        ),
        "buy a private or lower a price": (
            "All privates are for sale; you may lower the price of a private by £5. Only owners of a private may "
            "pass; when all pass in a row, the privates pay their incomes (1848 §3.1)."
        ),
        "take a loan before receivership": (
            "The company has no train and is at the lowest price of its row, so it goes into receivership now, "
            "with or without a loan. It pays the compensation from its cash, including the loan; its director pays "
            "the rest (1848 §5.5.2, §5.6.1)."
        ),
    },
    terms=(
        "gauge change: a place where the width of the track changes. A train counts it as one of its stops, worth nothing; a "
        "plus train may pass one besides its stops.",
        "loan: £100 that a company borrows from the Bank of England. The company's share price falls, that of the bank rises.",
        "receivership: the state of a company that the Bank of England has taken over, because it was at the lowest price of its "
        "row without a train. Its tokens raise the dividend of the Bank of England.",
    ),
)
