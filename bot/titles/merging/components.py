"""The contents of both boxes: companies, privates, trains, phases, markets, tables."""

from __future__ import annotations

from bot.engine import HexId, as_company, as_private
from bot.engine.play import CompanySpec, Phase, PrivateSpec, TrainKind, index_by_name
from bot.engine.play.holdings import parse_market

BANK_CASH = 15_000
STARTING_CASH = {2: 420, 3: 420, 4: 315, 5: 252, 6: 210}
CERTIFICATE_LIMIT = {2: 21, 3: 21, 4: 16, 5: 13, 6: 11}

BID_STEP = 5
MINOR_MINIMUM = 100
MOST_MINOR_PRICE = 135
LOWEST_MERGED, HIGHEST_MERGED = 100, 200
MOST_MINORS, MOST_MINORS_OF_ONE = 10, 6
TOKENS_KEPT = 2
LAST_TOKEN = 40
EXTRA_LAY = 20
LAST_ROUNDS = 3

LOAN, INTEREST = 50, 5
LOANS = {"minor": 2, "major": 5, "national": 100}
"""The number of loans that a company may take."""


def minor(sign: str, name: str, colour: str, home: str = "", city: int | None = None) -> CompanySpec:
    """A minor; its charter is its only certificate and stands for two shares."""
    hexes = (HexId(home),) if home else ()
    return CompanySpec(as_company(sign), name, "minor", (100,), (0,), hexes, colour, "#ffffff", home_city=city)


def major(sign: str, name: str, colour: str) -> CompanySpec:
    shares = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    return CompanySpec(as_company(sign), name, "major", shares, (0, 20, LAST_TOKEN), (), colour, "#ffffff")


def national(
    sign: str, name: str, colour: str, text: str = "#ffffff", home: str = "", city: int | None = None
) -> CompanySpec:
    """The national railway has tokens, and no shares that anybody could buy."""
    hexes, tokens = (HexId(home),) if home else (), (0,) * 8
    return CompanySpec(
        as_company(sign), name, "national", (100,), tokens, hexes, colour, text, has_president=False, home_city=city
    )


def private(sign: str, name: str, price: int, income: int, power: str = "", section: str = "") -> PrivateSpec:
    """A private; a company pays up to its price for it."""
    return PrivateSpec(as_private(sign), name, price, income, power, (1, price), section=section)


def least_bid(price: int) -> int:
    """The first bid for a private: two thirds of its price."""
    return price * 2 // 3


def _trains(trade_in: dict[str, int]) -> dict[str, TrainKind]:
    return index_by_name(
        TrainKind("2", "2", 100, "4"),
        TrainKind("3", "3", 225, "6"),
        TrainKind("4", "4", 350, "8"),
        TrainKind("5", "5", 550),
        TrainKind("6", "6", 650),
        TrainKind("7", "7", 800),
        TrainKind("8", "8", 1000, trade_in=trade_in, is_unlimited=True),
        TrainKind("2+2", "2+2", 600, trade_in=trade_in, available_from="8", is_unlimited=True),
        TrainKind("5+5E", "5+5E", 1500, trade_in=trade_in, available_from="8", is_unlimited=True),
    )


TRADE_IN = {"5": 275, "6": 325, "7": 400, "8": 500, "2+2": 300, "5+5E": 750}
TRAINS_TRADED, TRAINS = _trains(TRADE_IN), _trains({})
"""With and without old trains in exchange for those of phase 8."""

TRAIN_CARDS = {"2": 10, "3": 7, "4": 4, "5": 4, "6": 2, "7": 2, "8": 1, "2+2": 1, "5+5E": 1}
"""Number of cards by family. Of the unlimited families a new card replaces each that leaves the bank."""

TWO_PLAYERS_LACK = {"2": 3, "3": 2, "4": 1, "5": 1, "6": 1, "7": 1}
"""The cards that two players play without."""

YELLOW, GREEN = ("yellow",), ("yellow", "green")
BROWN, GRAY = (*GREEN, "brown"), (*GREEN, "brown", "gray")


def phases(gray_from: str) -> tuple[Phase, ...]:
    """The limit is that of majors, in phase 2 of minors; `TRAIN_LIMIT` has all."""
    late = {phase: GRAY if phase >= gray_from else BROWN for phase in "678"}
    return (
        Phase("2", None, 2, YELLOW, 2),
        Phase("3", "3", 4, GREEN, 2),
        Phase("4", "4", 3, GREEN, 2),
        Phase("5", "5", 3, BROWN, 2),
        *(Phase(phase, phase, 2, colours, 2) for phase, colours in late.items()),
    )


TRAIN_LIMIT = {
    "minor": dict(zip("2345678", (2, 2, 1, 1, 1, 1, 0), strict=True)),
    "major": dict(zip("2345678", (4, 4, 3, 3, 2, 2, 2), strict=True)),
    "national": dict.fromkeys("2345678", 99),
}

ZONES = {
    "x": "starting price of minors",
    "p": "starting price of minors and majors",
    "z": "starting price of majors",
    "c": "minors may convert",
    "m": "highest price of minors",
}

COLUMN = parse_market(
    "35 40 45 50x 55x 60x 65x 70p 80p 90p 100pc 110pc 120pc 135pc 150zc 165zcm 180z 200z "
    "220 245 270 300 330 360 400 440 490 540",
    ZONES,
)

GRID = parse_market(
    """
    .  .   .   .   135 150  165mc  180  200z 220 245 270 300 330 360 400 440 490 540
    .  .   .   110 120 135  150mc  165z 180z 200 220 245 270 300 330 360 400 440 490
    .  .   90  100 110 120  135pmc 150z 165  180 200 220 245 270 300 330 360 400 440
    .  70  80  90  100 110p 120pmc 135  150  165 180 200
    60 65  70  80  90p 100p 110mc  120  135  150
    55 60  65  70p 80p 90   100mc  110
    50 55  60x 65x 70  80
    45 50x 55x 60  65
    40 45  50  55
    35 40  45
    """,
    ZONES,
)
