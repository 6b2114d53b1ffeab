"""The contents of the box of 1844: companies, privates, mountain railways, tunnel shares, trains, phases, market."""

from __future__ import annotations

from bot.engine import HexId, PrivateId, TileId, as_company, as_private
from bot.engine.play import CompanySpec, Option, Phase, PrivateSpec, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market

PRE_SBB, HISTORICAL, REGIONAL, NATIONAL = "pre-SBB", "historical", "regional", "national"
"""The kinds of companies (1844 §VIII)."""

SBB = as_company("SBB")
NOB, SCB, VSB, JS, GB = (as_company(sign) for sign in ("NOB", "SCB", "VSB", "JS", "GB"))
PRE_SBB_ORDER = (NOB, SCB, VSB, JS, GB)
"""V1 to V5: the former director who comes first when holdings of the SBB are equal (§XII)."""

FNM = as_company("FNM")
MOB = as_company("MOB")

BRIENZER, BOEDELIBAHN, POSTKUTSCHE, FURKA, MONTBOVON, MILANO, OERLIKON = (
    as_private(f"P{number}") for number in range(1, 8)
)
MOUNTAINS = tuple(as_private(f"B{number}") for number in range(1, 6))
TUNNELS = tuple(as_private(f"T{number}") for number in range(1, 6))

MOUNTAIN_PRICE, MOUNTAIN_INCOME = 150, 40
"""§VI"""

TUNNEL_PRICE, TUNNEL_INCOME, TUNNEL_COST = 50, 10, 100
"""§VII"""

MOUNTAIN_HEXES = tuple(HexId(name) for name in ("F19", "G14", "H7", "I14", "J29", "L13", "L23"))
"""The seven gray hexes with mountains (§VI)."""

MARKERS = tuple(TileId(name) for name in ("XM1", "XM2", "XM3"))
"""Two markers of each kind (§VI)."""

TUNNEL_HEXES = tuple(HexId(name) for name in ("H17", "H19", "H21", "H23", "H27", "I12", "I16", "J9", "K14"))
TUNNEL_TILES = (TileId("X78"), TileId("X79"))
GOTTHARD = HexId("H19")

FURKA_TILES = {
    HexId("I16"): TileId("OP1"),
    HexId("H17"): TileId("OP3"),
    HexId("H19"): TileId("OP2"),
    HexId("H21"): TileId("OP2"),
    HexId("H23"): TileId("OP2"),
}
"""The line of the Furka-Oberalp from beside Brig to Disentis (§V, P4)."""

FURKA_PAYMENT = 80

STARTING_CASH = {3: 800, 4: 620, 5: 510, 6: 440, 7: 400}
"""§III"""

CERTIFICATE_LIMIT = {3: 24, 4: 18, 5: 15, 6: 13, 7: 11}
"""§XXII"""

BANK_CASH = 12_000
BANK_IS_EMPTY = "the bank has run out of money"
SBB_CAPITAL = 400
SBB_PRICE = 100
SBB_TOKEN = 100
FNM_IN_POOL = 3
"""Shares of the FNM in the pool at the start (§III)."""

BID_STEP = 5
INTEREST = 50
"""Percent of a director's debt, immediately and after each share round (§XVII)."""

TOKENS_BY_PRICE = {60: 1, 70: 2, 80: 3, 90: 4, 100: 5}
"""Station markers of a large historical company by its issue price (§XVI)."""

CAPITAL_SHARES = {PRE_SBB: 2, HISTORICAL: 5, REGIONAL: 5, NATIONAL: 0}
"""Working capital at the start in issue prices; pre-SBB and historical companies get as much again (§VIII)."""

BEGINS_AT = {PRE_SBB: 50, HISTORICAL: 50, REGIONAL: 60}
"""Percent that must be bought to launch a company (§IV)."""


def _company(
    sign: str, name: str, kind: str, home: str, colour: str, text: str, home_city: int | None = None
) -> CompanySpec:
    certificates = {
        PRE_SBB: (50, 25, 25),
        REGIONAL: (40, 20, 20, 20),
        HISTORICAL: (20, *(10,) * 8),
        NATIONAL: (10, *(5,) * 10, *(10,) * 4),
    }[kind]
    tokens = {PRE_SBB: (0, 40), REGIONAL: (0, 40, 100), HISTORICAL: (0, 40, 100, 100, 100), NATIONAL: ()}[kind]
    homes = (HexId(home),) if home else ()
    return CompanySpec(as_company(sign), name, kind, certificates, tokens, homes, colour, text, True, home_city)


COMPANIES = index_by_id(
    _company("NOB", "Schweizerische Nordostbahn", PRE_SBB, "D19", "#d8d2d3", "#363552"),
    _company("SCB", "Schweizerische Centralbahn", PRE_SBB, "C12", "#583838", "#ffffff"),
    _company("VSB", "Vereinigte Schweizer Bahnen", PRE_SBB, "C24", "#225252", "#d8d2d3"),
    _company("JS", "Jura-Simplon", PRE_SBB, "I4", "#e8e2e3", "#225252", 0),
    _company("GB", "Gotthardbahn", PRE_SBB, "G18", "#c1b22b", "#000000"),
    _company("JN", "Jura neuchâtelois", REGIONAL, "F7", "#3f963d", "#ffffff"),
    _company("ChA", "Chur-Arosa", REGIONAL, "G28", "#242943", "#bcba4c"),
    _company("VZ", "Visp-Zermatt", REGIONAL, "K10", "#b02c2d", "#ffffff"),
    _company("FNM", "Ferrovie Nord Milano", HISTORICAL, "L21", "#2a5f3b", "#ffffff"),
    _company("RhB", "Rhätische Bahn", HISTORICAL, "G26", "#cf3334", "#ffffff"),
    _company("BLS", "Bern-Lötschberg-Simplon", HISTORICAL, "F11", "#8a7d14", "#ffffff"),
    _company("STB", "Sensetalbahn", HISTORICAL, "D15", "#3e3d5e", "#ffffff", 0),
    _company("AB", "Appenzeller Bahn", HISTORICAL, "D25", "#f2eeee", "#000000"),
    _company("MOB", "Montreux-Oberland bernois", HISTORICAL, "I6", "#be8c3a", "#ffffff"),
    _company("SBB", "Schweizerische Bundesbahnen", NATIONAL, "", "#913e2e", "#ffffff"),
)
"""§VIII, the table of companies."""

TARGETS = {
    as_company(sign): HexId(target)
    for sign, target in zip(
        ["NOB", "SCB", "VSB", "JS", "GB", "FNM", "RhB", "BLS", "STB", "AB", "MOB"],
        ["D15", "F17", "F25", "F7", "H19", "G20", "J13", "J13", "H13", "C20", "H13"],
        strict=True,
    )
}
"""The company overview; the GB's target is the Gotthard tunnel itself (§VIII)."""


def _private(
    number: int, name: str, price: int, income: int, power: str = "", may_be_sold: bool = True, brings: str = ""
) -> PrivateSpec:
    span = (1, 2 * price) if may_be_sold else None
    return PrivateSpec(as_private(f"P{number}"), name, price, income, power, span, section="1844 §V", brings=brings)


def _share(sign: PrivateId, name: str, price: int, income: int) -> PrivateSpec:
    power, section = {
        "B": ("put on a mountain; pays once a train has been there", "1844 §VI"),
        "T": ("the right to build a tunnel; pays once a train has been through it", "1844 §VII"),
    }[sign[0]]
    return PrivateSpec(sign, name, price, income, power, section=section)


PRIVATES = index_by_id(
    _private(1, "Brienzer-Rothorn-Bahn", 20, 5),
    _private(2, "Bödelibahn", 50, 10, "once a yellow tile in addition to the usual lay"),
    _private(3, "Gotthard-Postkutsche", 80, 15, brings="comes with a share of the tunnel company"),
    _private(4, "Furka-Oberalpbahn", 110, 20, "lays the Furka-Oberalp line for sfr 80, then closes"),
    _private(5, "Compagnie Montreux-Montbovon", 140, 25, brings="comes with a share of the MOB"),
    _private(
        6, "Ferrovie Milano-Saronno", 160, 30, may_be_sold=False, brings="comes with the FNM's director's certificate"
    ),
    _private(7, "Lokfabrik Oerlikon", 100, 0, "builds the EVA, a 5H", False),
    *(_share(sign, f"Mountain railway {sign[1]}", MOUNTAIN_PRICE, MOUNTAIN_INCOME) for sign in MOUNTAINS),
    *(_share(sign, f"Tunnel company {sign[1]}", TUNNEL_PRICE, TUNNEL_INCOME) for sign in TUNNELS),
)
"""§V to §VII."""

PRINTED_PRIVATES = tuple(sign for sign in PRIVATES if sign.startswith("P"))

LATER_MILANO_PRICE = 180
"""The price of P6 in the later edition that 18xx.games plays."""


def _pair(number: str, price: int, local_price: int, rusts_on: str | None) -> tuple[TrainKind, TrainKind]:
    return (TrainKind(number, number, price, rusts_on), TrainKind(f"{number}H", number, local_price, rusts_on))


SBB_TRAIN = "5H-SBB"

TRAINS = index_by_name(
    *_pair("2", 90, 70, "4"),
    *_pair("3", 180, 150, "6"),
    *_pair("4", 300, 260, "8E"),
    *_pair("5", 450, 400, None),
    *_pair("6", 630, 550, None),
    TrainKind("8E", "8E", 960),
    TrainKind("8H", "8E", 700),
    TrainKind(SBB_TRAIN, SBB_TRAIN, 400, is_tradeable=False),
)
"""The table of locomotives. The SBB's own 5H is a separate kind since it cannot be traded."""

TRAIN_CARDS = {"2": 13, "3": 9, "4": 6, "5": 4, "6": 4, "8E": 20}
"""Number of cards by family; the 8E/8H is unlimited."""

UNLIMITED_EIGHTS = 60
"""The 8E/8H is unlimited; 18xx.games has 20."""

FIVES = (0, 3, 4, 5)
"""The numbers of the four 5/5H cards: 18xx.games counts the EVA (5-1) and the SBB's own 5H (5-2) among them."""

EVA, SBB_CARD = "5-1", "5-2"

DOWNGRADES = {"3": "2", "4": "3", "6": "4", "8E": "5"}
"""The trains that become H-trains when the first of a family is sold (§XX)."""

PHASES = (
    Phase("1", None, 4, ("yellow",), 1),
    Phase("2", "2", 4, ("yellow",), 1),
    Phase("3", "3", 4, ("yellow", "green"), 2),
    Phase("4", "4", 3, ("yellow", "green"), 2),
    Phase("5", "5", 2, ("yellow", "green", "brown"), 3),
    Phase("6", "6", 2, ("yellow", "green", "brown"), 3),
    Phase("7", "8E", 2, ("yellow", "green", "brown", "gray"), 3),
)
"""§XX. The train limit is that of the large historical companies."""

MARKET = parse_market(
    """
    .  .  90 100 110  120 130 140 155  170 185 200 220t 240t 260t 290t 320t 350t
    .  70 80 90  100p 110 120 130 145  160 175 190 210t 230t 250t 280t 310t 340t
    55 60 70 80  90p  100 110 120 135  150 165 180 200t 220t 240t 270t 300t 330t
    50 56 60 70  80p  90  100 110 125  140 155 170 190t 210t 230t
    45 52 57 60  70p  80  90  100 115  130 145 160
    40 50 54 58  60p  70  80  90  100s 120
    35 45 52 56  59   64  70  80
    30 40 48 54  58   60
    """,
    {"p": "starting price", "s": "the SBB starts", "t": "no regional railways"},
)

RULES_OPTION = Option(
    "rules",
    "whose reading of the rules is played",
    {
        "rulebook": "the printed rules, first edition",
        "18xx.games": "as 18xx.games plays the later edition, for games that were started there",
    },
)
ORDER_OPTION = Option(
    "order",
    "who begins the next share round",
    {
        "cash": "players in order of their cash, the richest first",
        "elephant": "the right-hand neighbour of the last to buy or sell, the others in the order they had",
    },
)
