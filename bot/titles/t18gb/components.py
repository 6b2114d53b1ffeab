"""The contents of the box of 18GB: companies, privates, trains, phases, market, scenarios."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine import HexId, PrivateId, TileId, as_company, as_private
from bot.engine.play import CompanySpec, Option, Phase, PrivateSpec, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market

LNWR = as_company("LNWR")

LONDON_AND_BIRMINGHAM = as_private("LB")
ARBROATH = as_private("AF")
GREAT_NORTHERN = as_private("GN")
STOCKTON = as_private("SD")
LIVERPOOL = as_private("LM")
LEICESTER = as_private("LS")
TAFF_VALE = as_private("TV")
MARYPORT = as_private("MC")
CHESTER = as_private("CH")

FIVE_SHARES = (40, 20, 20, 20)
TEN_SHARES = (20, 10, 10, 10, 10, 10, 10, 10, 10)

BID_STEP = 5
"""A bid is at least 5 higher than the last, and a multiple of 5 above the price."""

PRICE_CUT = 10
"""The price cut of a private without a bid when everybody has passed."""

TOKEN_PRICE = 50
BORDER_COST = 50

COMPASS_VALUE = {"yellow": 20, "blue": 30, "gray": 40}
"""The N-S and E-W bonus by phase: the two boxes beside the map."""

DISTANCE_PAY = 10

TUNNELS = {HexId("I4"): ("FT", 40), HexId("C22"): ("S", 30)}
"""The estuary tunnels' names and bonuses."""

STOP_BONUS = {STOCKTON: (HexId("J13"), 10), LIVERPOOL: (HexId("E14"), 30), CHESTER: (HexId("C14"), 20)}
"""Privates that, once closed, add a bonus to a stop of their owner's companies."""

EXTRA_LAY = {
    ARBROATH: (HexId("I2"), frozenset(TileId(f"G{number}") for number in (39, 40, 41, 36, 37, 38, 30, 34))),
    LEICESTER: (HexId("H21"), frozenset(TileId(f"G{number}") for number in (18, 19, 21, 22, 24, 26, 27, 28, 30))),
}
"""Privates that, once closed, give an additional lay: the hex, and the tiles."""

TOKEN_PLACE = {GREAT_NORTHERN: HexId("I14"), MARYPORT: HexId("H9")}
"""Privates that, once closed, give a token: free within reach, 50 elsewhere."""

AT_ANY_TIME = (LEICESTER, *TOKEN_PLACE)
"""Privates that a company on 18xx.games may use at any time of its turn."""

SEVERN = HexId("C22")
"""The hex where Taff Vale waives the cost of the tunnel."""

GREEN_TILES = frozenset(TileId(f"G{number}") for number in (36, 37, 38))
"""Tiles that some companies may lay on an empty home."""

GREEN_HOMES = frozenset(as_company(sign) for sign in ("GER", "GSWR", "MR", "NER", "SWR"))
"""The companies with that right."""

KEEPERS = {
    HexId("F21"): LONDON_AND_BIRMINGHAM,
    HexId("K2"): ARBROATH,
    HexId("I18"): GREAT_NORTHERN,
    HexId("I12"): STOCKTON,
    HexId("F15"): LIVERPOOL,
    HexId("H21"): LEICESTER,
    HexId("C20"): TAFF_VALE,
    HexId("G10"): MARYPORT,
    HexId("E16"): CHESTER,
}
"""The private that keeps each hex closed while it is open."""


def _company(
    sign: str, name: str, home: str, tokens: tuple[int, ...], more: int, colour: str, text: str = "#ffffff"
) -> CompanySpec:
    return CompanySpec(
        as_company(sign),
        name,
        "corporation",
        FIVE_SHARES,
        tokens,
        (HexId(home),),
        colour,
        text,
        grown=TEN_SHARES,
        more_tokens=(TOKEN_PRICE,) * more,
    )


COMPANIES = index_by_id(
    _company("CR", "Caledonian Railway", "G4", (0, 0), 2, "#0a70b3"),
    _company("GER", "Great Eastern Railway", "J25", (0, 50), 2, "#37b2e2"),
    _company("GSWR", "Glasgow and South Western Railway", "F5", (0, 50), 2, "#ec767c"),
    _company("GWR", "Great Western Railway", "D23", (0, 50), 2, "#008f4f"),
    _company("LNWR", "London and North Western Railway", "F21", (0, 50), 2, "#0a0a0a"),
    _company("LSWR", "London and South Western Railway", "D25", (0, 50), 2, "#fcea18", "#000000"),
    _company("LYR", "Lancashire and Yorkshire Railway", "H15", (0,), 2, "#baa4cb", "#000000"),
    _company("MR", "Midland Railway", "H19", (0, 50), 2, "#dd0030"),
    _company("MSLR", "Manchester, Sheffield and Lincolnshire Railway", "H17", (0,), 2, "#881a1e"),
    _company("NBR", "North British Railway", "I6", (0, 50), 1, "#eb6f0e"),
    _company("NER", "North Eastern Railway", "J13", (0, 50), 2, "#7bb137"),
    _company("SWR", "South Wales Railway", "A20", (0, 50), 2, "#9a9a9d", "#000000"),
)


def _private(sign: PrivateId, name: str, price: int, income: int, power: str) -> PrivateSpec:
    return PrivateSpec(sign, name, price, income, power, section="18GB private companies")


PRIVATES = index_by_id(
    _private(
        LONDON_AND_BIRMINGHAM,
        "London & Birmingham",
        40,
        10,
        "only its owner may start LNWR, and must do so before starting others",
    ),
    _private(ARBROATH, "Arbroath & Forfar", 30, 10, "closing it: once an extra lay in Perth (I2)"),
    _private(
        GREAT_NORTHERN, "Great Northern", 70, 25, "closing it: a token in York (I14), free, or £50 if out of reach"
    ),
    _private(STOCKTON, "Stockton & Darlington", 35, 12, "closing it: £10 for Middlesbrough (J13)"),
    _private(LIVERPOOL, "Liverpool & Manchester", 45, 15, "closing it: £30 for Liverpool (E14)"),
    _private(LEICESTER, "Leicester & Swannington", 30, 10, "closing it: once an extra lay in Leicester (H21)"),
    _private(TAFF_VALE, "Taff Vale", 60, 25, "closing it: the Severn tunnel (C22) without its £50"),
    _private(
        MARYPORT, "Maryport & Carlisle", 50, 20, "closing it: a token in Carlisle (H9), free, or £50 if out of reach"
    ),
    _private(CHESTER, "Chester & Holyhead", 30, 10, "closing it: £20 for Holyhead (C14)"),
)

TRAINS = index_by_name(
    TrainKind("2+1", "2+1", 80, "4+2"),
    TrainKind("3+1", "3+1", 200, "4X"),
    TrainKind("4+2", "4+2", 300, "6X"),
    TrainKind("5+2", "5+2", 500),
    TrainKind("4X", "4X", 550),
    TrainKind("5X", "5X", 650, available_from="4X"),
    TrainKind("6X", "6X", 700, available_from="5X"),
)

PHASES = (
    Phase("2+1", None, 4, ("yellow",), 2),
    Phase("3+1", "3+1", 4, ("yellow", "green"), 2),
    Phase("4+2", "4+2", 3, ("yellow", "green", "blue"), 2),
    Phase("5+2", "5+2", 3, ("yellow", "green", "blue", "brown"), 2),
    Phase("4X", "4X", 2, ("yellow", "green", "blue", "brown"), 2),
    Phase("5X", "5X", 2, ("yellow", "green", "blue", "brown"), 2),
    Phase("6X", "6X", 2, ("yellow", "green", "blue", "brown", "gray"), 2),
)
"""Yellow, green, blue and brown phase begin with the 2+1, 3+1, 4+2 and 5+2, the gray phase with the 6X. The train limit
is that of a 10-share company; a 5-share company has one train less until the 4X.
"""

SMALLER_LIMIT_UNTIL = "4X"

MARKET = parse_market(
    "50b 55b 60b 65b 70p 75p 80p 90p 100p 115 130 145 160 180 200 220 240 265 290 320 350e 380e",
    {"b": "the president may buy two shares a turn", "p": "starting price", "e": "ends the game"},
)


@dataclass(frozen=True)
class Scenario:
    """The contents of the game for a number of players. One of `drawn` joins the companies at random; `second_tier`
    companies wait for the second stock round; a player needs `bids` winning bids before passing; `land` names the
    map.
    """

    companies: str
    privates: str
    cash: int
    certificates: int
    cards: tuple[int, ...]
    second_tier: int
    bids: int
    land: str
    drawn: tuple[str, ...] = ()


WITHOUT_GRAY = "without gray tiles"
NORTH_SOUTH = "north-south"
EAST_WEST = "east-west"

TWO_PLAYERS_CARDS = (4, 3, 3, 1, 2, 2, 6)
FOUR_PLAYERS_CARDS = (7, 5, 5, 2, 3, 2, 7)
EVERY_COMPANY, EVERY_PRIVATE = "CR GER GSWR GWR LNWR LSWR LYR MR MSLR NBR NER SWR", "LB AF GN SD LM LS TV MC CH"
NORTHERN, NORTHERN_PRIVATES = "CR LNWR LYR MR NBR NER", "LB AF GN SD LM LS"
SOUTHERN, SOUTHERN_PRIVATES = "GER GWR LNWR LSWR MR SWR", "LB GN LM LS TV CH"
STANDARD, STANDARD_PRIVATES = "CR GWR LNWR LSWR LYR MR NBR NER SWR", "LB AF GN SD LM LS TV CH"
ALTERNATIVE, ALTERNATIVE_PRIVATES = "CR GSWR GWR LNWR LYR MR MSLR NBR NER", "LB AF GN SD LM LS MC CH"
THIRD_PLAYERS = ("GSWR", "GWR", "MSLR")

SCENARIOS = {
    "2 north-south": Scenario(NORTHERN, NORTHERN_PRIVATES, 375, 19, TWO_PLAYERS_CARDS, 3, 2, NORTH_SOUTH),
    "2 east-west": Scenario(SOUTHERN, SOUTHERN_PRIVATES, 375, 19, TWO_PLAYERS_CARDS, 3, 2, EAST_WEST),
    "3": Scenario(NORTHERN, NORTHERN_PRIVATES, 330, 14, (5, 4, 4, 1, 2, 2, 7), 3, 1, WITHOUT_GRAY, THIRD_PLAYERS),
    "4 standard": Scenario(STANDARD, STANDARD_PRIVATES, 330, 14, FOUR_PLAYERS_CARDS, 4, 1, WITHOUT_GRAY),
    "4 alternative": Scenario(ALTERNATIVE, ALTERNATIVE_PRIVATES, 330, 14, FOUR_PLAYERS_CARDS, 4, 1, WITHOUT_GRAY),
    "5": Scenario(EVERY_COMPANY, EVERY_PRIVATE, 320, 14, (9, 6, 5, 3, 3, 3, 8), 6, 1, ""),
    "6": Scenario(EVERY_COMPANY, EVERY_PRIVATE, 305, 12, (10, 7, 6, 3, 3, 3, 8), 6, 1, ""),
}
"""Cards are those of the 2+1, 3+1, 4+2, 5+2, 4X, 5X, 6X."""

COMPASS = {
    "": {"N": "G0 I0 K0", "E": "K0 K22 J27 G26", "S": "J27 G26 D27 a25", "W": "a19 a25 C16 C14 E6"},
    NORTH_SOUTH: {"N": "G0 I0 K0", "E": "K0 K22 J27 G26", "S": "J27 G26 D27", "W": "E6"},
    EAST_WEST: {"N": "H9 J11", "E": "K22 J27 G26", "S": "a25 J27 G26 D27", "W": "a19 a25 C16 C14"},
}
"""The off-board areas of each point of the compass, by map; the maps with all of Great Britain share the first row."""

SALES_OPTION = Option(
    "first_sales",
    "whether shares are sold in the first stock round",
    {"none": "no sales in the first stock round, as in 1830", "allowed": "sales from the first turn on"},
)
MAP_OPTION = Option(
    "map",
    "which half of the map two players use",
    {NORTH_SOUTH: "Scotland and the north of England", EAST_WEST: "Wales and the south of England"},
)
COMPANIES_OPTION = Option(
    "companies",
    "which companies four players use",
    {"standard": "with LSWR, SWR and Taff Vale", "alternative": "with GSWR, MSLR and Maryport & Carlisle"},
)
