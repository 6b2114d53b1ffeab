"""The contents of the box of 1830: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

from bot.engine import as_private
from bot.engine.play import PHASES_OF_1830, Option, Phase, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market
from bot.titles.classic import (
    ExchangeFor,
    Lay,
    LayBy,
    Presidency,
    Share,
    TokenPlace,
    box_privates,
    corporation,
    private,
)

CAMDEN = as_private("CA")

BANK_CASH = 12_000
STARTING_CASH = {2: 1200, 3: 800, 4: 600, 5: 480, 6: 400}
CERTIFICATE_LIMIT = {2: 28, 3: 20, 4: 16, 5: 13, 6: 11}

COMPANIES = index_by_id(
    corporation("PRR", "Pennsylvania Railroad", "H12", (40, 100, 100), "#32763f"),
    corporation("NYC", "New York Central Railroad", "E19", (40, 100, 100), "#474548"),
    corporation("CPR", "Canadian Pacific Railroad", "A19", (40, 100, 100), "#d1232a"),
    corporation("B&O", "Baltimore & Ohio Railroad", "I15", (40, 100), "#025aaa"),
    corporation("C&O", "Chesapeake & Ohio Railroad", "F6", (40, 100), "#add8e6", "#000000"),
    corporation("ERIE", "Erie Railroad", "E11", (40, 100), "#fff500", "#000000"),
    corporation("NYNH", "New York, New Haven & Hartford Railroad", "G19", (40,), "#d88e39", "#000000", 0),
    corporation("B&M", "Boston & Maine Railroad", "E23", (40,), "#95c054", "#000000"),
)

SCRANTON = TokenPlace("token in Scranton", "place a token in Scranton")

PRIVATES, POWERS = box_privates(
    "1830",
    private("SV", "Schuylkill Valley", 20, 5),
    private(
        "CS",
        "Champlain & St. Lawrence",
        40,
        10,
        Lay("B20", "3 4 58"),
        power="owned by a company: once an extra tile on B20, even unconnected",
    ),
    private(
        "DH",
        "Delaware & Hudson",
        70,
        15,
        Lay("F16", "57", LayBy.COMPANY_AS_ITS_TILE, token=SCRANTON),
        power="owned by a company: its tile and a free token on F16, for $120",
    ),
    private(
        "MH",
        "Mohawk & Hudson",
        110,
        20,
        ExchangeFor("NYC"),
        power="its owner may exchange it for a share of NYC",
    ),
    private(CAMDEN, "Camden & Amboy", 160, 25, Share("PRR"), brings="comes with a share of PRR"),
    private(
        "BO",
        "Baltimore & Ohio",
        220,
        30,
        Presidency("B&O", "set the par price of B&O"),
        power="closes with the first train of B&O",
        brings="comes with B&O's president's share",
        is_sold=False,
    ),
)

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
    "from where several shares in the brown zone may be bought in one turn",
    {"pool": "only from the pool", "anywhere": "from the initial offering too"},
)
SIXES_OPTION = Option("sixes", "how many 6-trains are in the box", {"two": "two", "three": "three, as some boxes have"})
