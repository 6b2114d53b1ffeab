"""The contents of the box of 1889: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

from bot.engine import IPO
from bot.engine.play import PHASES_OF_1830, Option, Phase, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market
from bot.titles.classic import (
    Discount,
    ExchangeFor,
    Income,
    Lay,
    LayBy,
    Stays,
    box_privates,
    corporation,
    private,
)

BANK_CASH = 7_000
STARTING_CASH = {2: 420, 3: 420, 4: 420, 5: 390, 6: 390}
CERTIFICATE_LIMIT = {2: 25, 3: 19, 4: 14, 5: 12, 6: 11}

COMPANIES = index_by_id(
    corporation("AR", "Awa Railroad", "K8", (40,), "#37383a"),
    corporation("IR", "Iyo Railway", "E2", (40,), "#f48221"),
    corporation("SR", "Sanuki Railway", "I2", (40,), "#76a042"),
    corporation("KO", "Takamatsu & Kotohira Electric Railway", "K4", (40,), "#d81e3e"),
    corporation("TR", "Tosa Electric Railway", "F9", (40, 40), "#00a993"),
    corporation("KU", "Tosa Kuroshio Railway", "C10", (), "#0189d1"),
    corporation("UR", "Uwajima Railway", "B7", (40, 40), "#6f533e"),
)

PORTS, OHZU = "B11 G10 I12 J9", "12 13 14 15 205 206"

PRIVATES, POWERS = box_privates(
    "1889",
    private("TE", "Takamatsu E-Railroad", 20, 5),
    private(
        "MF",
        "Mitsubishi Ferry",
        30,
        5,
        Lay(PORTS, "437", LayBy.PLAYER, is_free=True),
        power="owned by a player: once the port tile on a coastal town, free, even unconnected",
    ),
    private(
        "ER",
        "Ehime Railway",
        40,
        10,
        Lay("C4", OHZU, LayBy.SELLER, is_free=True),
        power="its seller to a company may immediately lay a green tile on Ohzu, free, even unconnected",
    ),
    private(
        "SMR",
        "Sumitomo Mines Railway",
        50,
        15,
        Discount("mountain", 80),
        power="owned by a company: mountains without a river cost nothing",
    ),
    private(
        "DR",
        "Dougo Railway",
        60,
        15,
        ExchangeFor("IR", (IPO,)),
        power="its owner may exchange it for a new share of IR",
    ),
    private("SIR", "South Iyo Railway", 80, 20),
    private(
        "UTF",
        "Uno-Takamatsu Ferry",
        150,
        30,
        Income(50, "5"),
        Stays(),
        power="owned by a player: never closes, and pays ¥50 from the first 5-train on",
    ),
    private("TEb", "Takamatsu E-Railroad", 20, 5, is_sold=False),
    private("MFb", "Mitsubishi Ferry", 40, 15, is_sold=False),
    private("ERb", "Ehime Railway", 40, 15, is_sold=False),
    private("SMRb", "Sumitomo Mines Railway", 60, 20, is_sold=False),
    private("DRb", "Dougo Railway", 60, 20, is_sold=False),
    private("SIRb", "South Iyo Railway", 90, 25, is_sold=False),
)
"""The last six are those of the option for beginners."""

BEGINNERS = ("DRb", "SIRb", "ERb", "SMRb", "TEb", "MFb")
"""With n players the first n of them are dealt."""

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
    75  80  90  100p 110 125 140 155 175 200 225 255 285 315 350
    70  75  80  90p  100 110 125 140 155 175 200 225 255 285 315
    65  70  75  80p  90  100 110 125 140 155 175 200
    60  65  70  75p  80  90  100 110 125 140
    55  60  65  70p  75  80  90  100
    50y 55  60  65p  70  75  80
    45y 50y 55  60   65  70
    40y 45y 50y 55   60
    30o 40y 45y 50y
    20o 30o 40y 45y
    10o 20o 30o 40y
    """,
    {"p": "starting price", "y": "certificates do not count", "o": "no limit on shares either"},
)

BEGINNING = Option(
    "beginning",
    "how the privates come to the players",
    {"auction": "by auction, with their powers", "dealt": "one for each player by lot, without powers, for beginners"},
)
