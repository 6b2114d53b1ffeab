"""The contents of the box of 1830: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

from bot.engine import HexId, TileId, as_company, as_private
from bot.engine.play import (
    PHASES_OF_1830,
    CompanySpec,
    Option,
    Phase,
    PrivateSpec,
    TrainKind,
    index_by_id,
    index_by_name,
)
from bot.engine.play.holdings import parse_market

BALTIMORE = as_company("B&O")
NEW_YORK_CENTRAL = as_company("NYC")
PENNSYLVANIA = as_company("PRR")

CHAMPLAIN = as_private("CS")
DELAWARE = as_private("DH")
MOHAWK = as_private("MH")
CAMDEN = as_private("CA")
BALTIMORE_PRIVATE = as_private("BO")

BANK_CASH = 12_000
STARTING_CASH = {2: 1200, 3: 800, 4: 600, 5: 480, 6: 400}
CERTIFICATE_LIMIT = {2: 28, 3: 20, 4: 16, 5: 13, 6: 11}

BID_STEP = 5
"""A bid is at least 5 higher than the last; the first private falls by 5 when nobody wants it."""

FLOATS_AT = 60
MOST_HELD = 60
MOST_IN_POOL = 50

CHAMPLAIN_TILES = frozenset(TileId(number) for number in ("3", "4", "58"))
DELAWARE_TILES = frozenset({TileId("57")})


def _company(
    sign: str,
    name: str,
    home: str,
    further: tuple[int, ...],
    colour: str,
    text: str = "#ffffff",
    city: int | None = None,
) -> CompanySpec:
    shares = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    tokens = (0, *further)
    return CompanySpec(
        as_company(sign), name, "corporation", shares, tokens, (HexId(home),), colour, text, home_city=city
    )


def _private(sign: str, name: str, price: int, income: int, power: str, brings: str = "") -> PrivateSpec:
    span = None if sign == BALTIMORE_PRIVATE else (price // 2, 2 * price)
    return PrivateSpec(as_private(sign), name, price, income, power, span, section="1830", brings=brings)


COMPANIES = index_by_id(
    _company("PRR", "Pennsylvania Railroad", "H12", (40, 100, 100), "#32763f"),
    _company("NYC", "New York Central Railroad", "E19", (40, 100, 100), "#474548"),
    _company("CPR", "Canadian Pacific Railroad", "A19", (40, 100, 100), "#d1232a"),
    _company("B&O", "Baltimore & Ohio Railroad", "I15", (40, 100), "#025aaa"),
    _company("C&O", "Chesapeake & Ohio Railroad", "F6", (40, 100), "#add8e6", "#000000"),
    _company("ERIE", "Erie Railroad", "E11", (40, 100), "#fff500", "#000000"),
    _company("NYNH", "New York, New Haven & Hartford Railroad", "G19", (40,), "#d88e39", "#000000", 0),
    _company("B&M", "Boston & Maine Railroad", "E23", (40,), "#95c054", "#000000"),
)

PRIVATES = index_by_id(
    _private("SV", "Schuylkill Valley", 20, 5, ""),
    _private(
        CHAMPLAIN, "Champlain & St. Lawrence", 40, 10, "owned by a company: once an extra tile on B20, even unconnected"
    ),
    _private(DELAWARE, "Delaware & Hudson", 70, 15, "owned by a company: its tile and a free token on F16, for $120"),
    _private(MOHAWK, "Mohawk & Hudson", 110, 20, "its owner may exchange it for a share of NYC"),
    _private(CAMDEN, "Camden & Amboy", 160, 25, "", "comes with a share of PRR"),
    _private(
        BALTIMORE_PRIVATE,
        "Baltimore & Ohio",
        220,
        30,
        "closes with the first train of B&O",
        "comes with B&O's president's share",
    ),
)
"""A company pays half to twice the printed price; the Baltimore & Ohio is not sold."""

D_FOR_ANOTHER = {"4": 300, "5": 300, "6": 300}

TRAINS = index_by_name(
    TrainKind("2", "2", 80, "4"),
    TrainKind("3", "3", 180, "6"),
    TrainKind("4", "4", 300, "D"),
    TrainKind("5", "5", 450),
    TrainKind("6", "6", 630),
    TrainKind("D", "D", 1100, trade_in=D_FOR_ANOTHER, available_from="6", is_unlimited=True),
)

TRAIN_CARDS = {"2": 6, "3": 5, "4": 4, "5": 3, "6": 2, "D": 20}
"""Number of cards by family; the D is unlimited."""

PHASES = (*PHASES_OF_1830, Phase("D", "D", 2, ("yellow", "green", "brown"), 3))

MARKET = parse_market(
    """
    60y 67  71  76  82  90  100p 112 126 142 160 180 200 225 250 275 300 325 350
    53y 60y 66  70  76  82  90p  100 112 126 142 160 180 200 220 240 260 280 300
    46y 55y 60y 65  70  76  82p  90  100 111 125 140 155 170 185 200
    39o 48y 54y 60y 66  71  76p  82  90  100 110 120 130
    32o 41o 48y 55y 62  67  71p  76  82  90  100
    25b 34o 42o 50y 58y 65  67p  71  75  80
    18b 27b 36o 45o 54y 63  67   69  70
    10b 20b 30b 40o 50y 60y 67   68
    .   10b 20b 30b 40o 50y 60y
    .   .   10b 20b 30b 40o 50y
    .   .   .   10b 20b 30b 40o
    """,
    {
        "p": "starting price",
        "y": "certificates do not count",
        "o": "no limit on shares either",
        "b": "no limit on purchases per turn either",
    },
)

BROWN_OPTION = Option(
    "brown",
    "where several shares of the brown zone are bought in a turn",
    {"pool": "only from the pool", "anywhere": "from the initial offering too"},
)
SIXES_OPTION = Option("sixes", "how many 6-trains are in the box", {"two": "two", "three": "three, as some boxes have"})
