"""The contents of the box of 1848: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

from bot.engine import HexId, as_company, as_private
from bot.engine.play import PHASES_OF_1830, CompanySpec, Phase, PrivateSpec, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market

BANK_OF_ENGLAND = as_company("BOE")
COMMONWEALTH = as_company("COM")
CENTRAL_AUSTRALIAN = as_company("CAR")
QUEENSLAND = as_company("QR")

DESERT_REBATE = as_private("P2")
TASMANIA = as_private("P3")
GHAN_REBATE = as_private("P4")
TRANS_AUSTRALIAN = as_private("P5")
NORTH_AUSTRALIAN = as_private("P6")

SYDNEY = HexId("F17")
ADELAIDE = HexId("G6")
ALICE_SPRINGS = frozenset({HexId("A4"), HexId("A6")})
TASMANIA_HEXES = (HexId("I8"), HexId("I10"))
TASMANIA_TILE = "241"
K_CITIES = ("D1", "B19", "F17", "H11", "G6")
"""Perth, Brisbane, Sydney, Melbourne, Adelaide (§10.4)."""

STARTING_CASH = {3: 840, 4: 630, 5: 510, 6: 430}
"""§2.3"""

BANK_CASH = 10_000
BANK_OF_ENGLAND_CASH = 2_000
LOAN = 100
LOANS_IN_ALL = 20
LOANS_PER_COMPANY = 5

PRICE_STEP = 5
REDUCTIONS = 6
"""The maximum number of price cuts of 5 for a private (§3.1.1, the auction track)."""

CERTIFICATE_LIMIT = {
    3: (20, 18, 16, 14, 12, 10),
    4: (17, 15, 13, 11, 10, 9),
    5: (14, 13, 12, 10, 9, 8),
    6: (12, 11, 10, 9, 8, 7),
}
"""Indexed by players, then by companies in receivership; the last value is for five or more (§12.2.1)."""

FORMER_DIRECTOR_REDUCTION = {3: 2, 4: 2, 5: 1, 6: 1}
"""§5.5.4"""

MINIMUM_BANK_DIVIDEND = {"yellow": 0, "green": 100, "brown": 200, "gray": 300}
"""§5.4.3"""

K_BONUS = {2: 50, 3: 100, 4: 150, 5: 200}
"""§10.4"""


def _railway(
    sign: str, name: str, home: str, tokens: tuple[int, ...], colour: str, text: str = "#000000"
) -> CompanySpec:
    homes = tuple(HexId(hex_id) for hex_id in home.split())
    shares = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    return CompanySpec(as_company(sign), name, "railway", shares, tokens, homes, colour, text)


COMPANIES = index_by_id(
    CompanySpec(
        BANK_OF_ENGLAND, "Bank of England", "bank", (10,) * 10, (), (), "#faebd7", "#000000", has_president=False
    ),
    _railway("CAR", "Central Australian Railway", "E4", (0, 40, 100, 100), "#1f1f1f", "#ffffff"),
    _railway("VR", "Victorian Railway", "H11", (0, 40, 100), "#ffe600"),
    _railway("NSW", "New South Wales Railway", "F17", (0, 40, 100, 100), "#ff9027"),
    _railway("SAR", "South Australian Railway", "G6", (0, 40, 100, 100), "#9e2a97", "#ffffff"),
    _railway("COM", "Commonwealth Railways", "F17 G6", (0, 0, 100, 100, 100), "#cfc5a2"),
    _railway("FT", "Federal Territory Railway", "G14", (0, 40, 100, 100), "#55c3ec"),
    _railway("WA", "West Australian Railway", "D1", (0, 40, 100, 100, 100), "#ee332a", "#ffffff"),
    _railway("QR", "Queensland Government Railway", "B19", (0, 40, 100, 100, 100), "#399c42", "#ffffff"),
)
"""§5.1, the table; certificates and tokens."""


def _private(
    number: int,
    name: str,
    price: int,
    income: int,
    power: str = "",
    price_range: tuple[int, int] | None = None,
    brings: str = "",
) -> PrivateSpec:
    section = f"1848 §4.{number + 1}"
    return PrivateSpec(
        as_private(f"P{number}"), name, price, income, power, price_range, section=section, brings=brings
    )


PRIVATES = index_by_id(
    _private(1, "Melbourne & Hobson's Bay Railway Company", 30, 5, "", (1, 40)),
    _private(2, "Oodnadatta Railway", 70, 10, "once a yellow tile in a desert hex without its £40", (1, 80)),
    _private(3, "Tasmanian Railways", 110, 15, "lay the Tasmania tile on I8 or I10", (1, 140)),
    _private(4, "The Ghan", 170, 20, "once £100 off a 2E train", (1, 220)),
    _private(5, "Trans-Australian Railway", 170, 25, brings="comes with a 10% share of QR"),
    _private(6, "North Australian Railway", 230, 30, brings="comes with the director's share of CAR, par price £100"),
)
"""§4"""


def _pair(number: str, price: int, plus_price: int, rusts_on: str | None) -> tuple[TrainKind, TrainKind]:
    return (TrainKind(number, number, price, rusts_on), TrainKind(f"{number}+", number, plus_price, rusts_on))


TRAINS = index_by_name(
    *_pair("2", 100, 120, "4"),
    *_pair("3", 200, 230, "6"),
    *_pair("4", 300, 340, "8"),
    *_pair("5", 500, 550, None),
    *_pair("6", 600, 660, None),
    TrainKind("8", "8", 800),
    TrainKind("D", "8", 1100, trade_in={"4": 300}),
    TrainKind(
        "2E",
        "2E",
        200,
        counts_for_limit=False,
        available_from="5",
        is_unlimited=True,
        is_single=True,
        is_tradeable=False,
    ),
)
"""§9, the table of trains; §8.2."""

TRAIN_CARDS = {"2": 6, "3": 5, "4": 4, "5": 3, "6": 2, "8": 8, "2E": 10}
"""Number of cards by family. The Ghan is unlimited (§9); with one for each company (§8.2.5) ten never run out."""

UNLIMITED_DIESELS = 20
"""18xx.games does not limit the 8/D trains."""

PHASES = (*PHASES_OF_1830, Phase("8", "8", 2, ("yellow", "green", "brown", "gray"), 3))
"""§9; the starting phase and the 2/2+ phase are alike. Train limit 2 from the 5/5+ on, as printed on the phase
track.
"""

MARKET = parse_market(
    """
    0c 70 80 90 100 110  120 140 160 190 220 250 280 320 360 400 450e
    0c 60 70 80 90  100p 110 130 150 180 210 240 270 310 350 390 440
    0c 50 60 70 80  90p  100 120 140 170 200 230 260 300
    0c 40 50 60 70  80p  90  110 130 160 190
    0c 30 40 50 60  70p  80  100 120
    0c 20 30 40 50  60   70
    70b 80b 90b 100b 110b 120b 130b 140b 150b 160b 170b 180b 195b 210b 225b 240b 260be 280b 300b 320b 340b
    """,
    {"c": "receivership", "p": "starting price", "e": "ends the game", "b": "Bank of England"},
)
"""The last row belongs to the Bank of England; its column is the number of loans given."""

BANK_ROW = 6
