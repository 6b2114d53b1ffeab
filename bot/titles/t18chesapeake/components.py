"""The contents of the box of 18Chesapeake: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.engine.play import PHASES_OF_1830, VARIANT, Option, Phase, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market
from bot.titles import classic
from bot.titles.classic import (
    Lay,
    LayBy,
    LayPair,
    Presidency,
    Share,
    TokenPlace,
    box_privates,
    private,
)

BANK_CASH = 8_000
BANK_CASH_OFF_THE_RAILS = 12_000
STARTING_CASH = {2: 1200, 3: 800, 4: 600, 5: 480, 6: 400}
CERTIFICATE_LIMIT = {2: 20, 3: 20, 4: 16, 5: 13, 6: 11}

corporation = partial(classic.corporation, otherwise=((30, *(10,) * 7),))
"""Two players share a company in certificates of its own."""

COMPANIES = index_by_id(
    corporation("PRR", "Pennsylvania Railroad", "F2", (40, 60, 80), "#237333"),
    corporation("PLE", "Pittsburgh and Lake Erie Railroad", "A3", (40, 60), "#000000"),
    corporation("SRR", "Strasburg Rail Road", "H4", (40,), "#d81e3e"),
    corporation("B&O", "Baltimore & Ohio Railroad", "H6", (40, 60), "#0189d1", city=0),
    corporation("C&O", "Chesapeake & Ohio Railroad", "G13", (40, 60, 80), "#a2dced", "#000000"),
    corporation("LV", "Lehigh Valley Railroad", "J2", (40,), "#fff500", "#000000"),
    corporation("C&A", "Camden & Amboy Railroad", "J6", (40,), "#f48221"),
    corporation("N&W", "Norfolk & Western Railway", "C13", (40, 60), "#7b352a"),
)

PAIR = "owned by a company: once two joined tiles on its hexes, as well as the turn's own tile, even unconnected"

PRIVATES, POWERS = box_privates(
    "18Chesapeake",
    private("D&R", "Delaware and Raritan Canal", 20, 5),
    private("C-P", "Columbia - Philadelphia Railroad", 40, 10, LayPair("H2 I3", "8 9", "second-C-P"), power=PAIR),
    private("B&S", "Baltimore and Susquehanna Railroad", 50, 10, LayPair("F4 G5", "8 9", "second-B&S"), power=PAIR),
    private(
        "C&OC",
        "Chesapeake and Ohio Canal",
        80,
        15,
        Lay("D2", "57", LayBy.COMPANY_AS_ITS_TILE, token=TokenPlace()),
        power="owned by a company: its tile for $80 and a free token on D2, even unconnected",
    ),
    private("B&OR", "Baltimore & Ohio Railroad", 100, 0, Share("B&O"), brings="comes with a share of B&O"),
    private(
        "CV",
        "Cornelius Vanderbilt",
        200,
        30,
        Presidency("", "set the par price of the company of Cornelius Vanderbilt"),
        power="closes with the first train of its company",
        brings="comes with the president's share of a company that is drawn by lot",
        is_sold=False,
    ),
)

TRAINS = index_by_name(
    TrainKind("2", "2", 80, "4"),
    TrainKind("3", "3", 180, "6"),
    TrainKind("4", "4", 300, "D"),
    TrainKind("5", "5", 500),
    TrainKind("6", "6", 630),
    TrainKind("D", "D", 900, trade_in=dict.fromkeys("456", 200), available_from="6", is_unlimited=True),
)
TRAINS_OFF_THE_RAILS = TRAINS | {"D": replace(TRAINS["D"], price=1100, trade_in=dict.fromkeys("456", 300))}

TRAIN_CARDS = {"2": 7, "3": 6, "4": 5, "5": 3, "6": 2, "D": 20}
TRAIN_CARDS_OFF_THE_RAILS = {"2": 5, "3": 4, "4": 3, "5": 2, "6": 2, "D": 20}
"""Number of cards by family; the D is unlimited."""

PHASES = (*PHASES_OF_1830, Phase("D", "D", 2, ("yellow", "green", "brown", "gray"), 3))

MARKET = parse_market(
    """
    80  85  90  100 110 125 140 160 180 200 225 250 275 300 325 350 375
    75  80  85  90  100 110 125 140 160 180 200 225 250 275 300 325 350
    70  75  80  85  95p 105 115 130 145 160 180 200
    65  70  75  80p 85  95  105 115 130 145
    60  65  70p 75  80  85  95  105
    55y 60  65  70  75  80
    50y 55y 60  65
    40y 45y 50y
    """,
    {"p": "starting price", "y": "certificates do not count"},
)
MARKET_OFF_THE_RAILS = parse_market(
    """
    76  82  90  100p 112 126 142 160 180 200 225 250 275 300e
    70  76  82  90p  100 112 126 142 160 180 200 220 240 260
    65  70  76  82p  90  100 111 125 140 155 170 185
    60y 66  71  76p  82  90  100 110 120 130
    55y 62  67  71p  76  82  90  100
    50y 58y 65  67p  71  75  80
    45o 54y 63  67   69  70
    40o 50y 60y 67   68
    30b 40o 50y 60y
    20b 30b 40o 50y
    10b 20b 30b 40o
    """,
    {
        "p": "starting price",
        "y": "certificates do not count",
        "o": "no limit on shares either",
        "b": "several shares in a turn",
        "e": "ends the game",
    },
)

OFF_THE_RAILS = "off the rails"
VARIANTS = Option(
    VARIANT,
    "which rules are played",
    {
        "standard": "those of the box",
        OFF_THE_RAILS: "fewer trains, none exported; companies float at 50%; another market, whose end ends the game",
    },
)
