"""The contents of the box of 1820: companies, cousins, trains, phases, market, the cost-of-business chart."""

from __future__ import annotations

from bot.engine import HexId, Owner, PrivateId, as_company, as_private
from bot.engine.play import CompanySpec, Option, Phase, PrivateSpec, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market

LOBBY = Owner("lobby")
"""The purse for money under lobby markers (§6.5.2.1)."""

BRITISH_RAIL = as_company("BR")
BRITISH_RAIL_PAR = 95
BRITISH_RAIL_SHARES = 100
"""30 single shares and 14 certificates of five (§2)."""

LONDON, CHATHAM, DOCKS, DOCKS_APPROACH = HexId("M13"), HexId("M15"), HexId("M19"), HexId("M17")
MANCHESTER, MARGATE = HexId("D6"), HexId("N18")
HULL, GRIMSBY = HexId("C15"), HexId("D16")
LIVERPOOL, LIVERPOOL_PORT = HexId("C5"), HexId("C3")

INCOME = 800
"""§6.2"""
NUMBER_CARD = 10
"""Money for each point on the first number card (§4)."""
SMALLEST_BID, BID_STEP = 20, 10
"""§6.3.2, §6.4.2, §6.5.2.1"""
COUSINS_BID_ON = 3
"""Maximum number of cousins with bids at the same time (§6.3.2)."""
LOBBY_MARKERS = 10
"""§2"""
STATION_FEE = 80
"""For each hexagon edge between two stations placed at floating (§6.6.2)."""
STATIONS_AT_FLOATING = 2
STATION_COST_YELLOW, STATION_COST = 40, 100
"""§7.2.2, table 13.1"""
OVERAGE = 100
"""For each station gained above the limit (§8.4.3)."""
LOAN = 200
"""§17.1"""
MANCHESTER_UPGRADE = 40
"""§12.3.1"""


SIZES = (1, 5, 10, 20, 50)
"""Numbers of shares; one share is a private company (table 13.1)."""
STATION_LIMIT = {1: 6, 5: 6, 10: 8, 20: 10, 50: 12}
STATION_MAXIMUM = {1: 9, 5: 9, 10: 12, 20: 15, 50: 18}
"""Table 13.1"""
TRACK_POINTS, PRIVATE_TRACK_POINTS = 2, 4
"""Tiles in an operating round; a private company has four after the yellow phase (§7.2.1, §13.2)."""
PARTICIPATION = 40
"""Percent that must be bought from the treasury (§6.5.2.2, §6.6.2)."""
MOST_HELD = 60
"""A holder of this much of a company may buy no more of it (§6.5.2.4)."""


def _company(sign: str, name: str, colour: str, text: str) -> CompanySpec:
    stations = (0,) * max(STATION_MAXIMUM.values())
    return CompanySpec(as_company(sign), name, "company", (20,) * 5, stations, (), colour, text, sizes=SIZES)


COMPANIES = index_by_id(
    _company("LSR", "London & Southampton Railway", "#ffff00", "#000000"),
    _company("OW&WR", "Oxford, Worcester & Wolverhampton Railway", "#a9a9a9", "#000000"),
    _company("N&PR", "Northampton & Peterborough Railway", "#cd853f", "#000000"),
    _company("LUR", "Lancashire Union Railway", "#ba55d3", "#ffffff"),
    _company("LC&DR", "London, Chatham & Dover Railway", "#00ff00", "#000000"),
    _company("WM&CQR", "Wrexham, Mold & Connah's Quay Railway", "#8c1717", "#ffffff"),
    _company("M&BR", "Manchester & Birmingham Railway", "#000000", "#ffffff"),
    _company("L&BR", "London & Birmingham Railway", "#ffd700", "#000000"),
    _company("LO&PR", "Liverpool, Ormskirk & Preston Railway", "#ff6347", "#000000"),
    _company("ST&AR", "Stockport, Timperley & Altrincham Junction Railway", "#ffff00", "#000000"),
    _company("Y&NR", "Yarmouth & Norwich Railway", "#00ff00", "#000000"),
    _company("LBR", "London & Brighton Railway", "#00ff00", "#000000"),
    _company("SA&MR", "Sheffield, Ashton-under-Lyne & Manchester Railway", "#a9a9a9", "#000000"),
    _company("B&GR", "Bristol & Gloucester Railway", "#a9a9a9", "#000000"),
    _company("S&D", "Somerset & Dorset Joint Railway", "#a9a9a9", "#000000"),
    _company("CFR", "Charnwood Forest Railway", "#00ff00", "#000000"),
    _company("L&GR", "London & Greenwich Railway", "#ff0000", "#ffffff"),
    _company(
        "SRBWH&G", "Sheffield, Rotherham, Barnsley, Wakefield, Huddersfield & Goole Railway", "#00ff00", "#000000"
    ),
    _company("C&HPR", "Cromford & High Peak Railway", "#38b0de", "#000000"),
    _company("M&PR", "Mansfield & Pinxton Railway", "#cd853f", "#000000"),
    _company("M&GN", "Midland & Great Northern Joint Railway", "#a9a9a9", "#000000"),
    _company("S&DR", "Stockton & Darlington Railway", "#38b0de", "#000000"),
    _company("SDR", "Southampton & Dorchester Railway", "#ff8c00", "#000000"),
    _company("P&WR", "Preston & Wyre Joint Railway", "#ff6347", "#000000"),
    _company("C&WR", "Canterbury & Whitstable Railway", "#4f4f4f", "#ffffff"),
    _company("CVHR", "Colne Valley & Halstead Railway", "#ff00ff", "#ffffff"),
    _company("MSJ&AR", "Manchester, South Junction & Altrincham Railway", "#8c1717", "#ffffff"),
    _company("B&DJR", "Birmingham & Derby Junction Railway", "#cd853f", "#000000"),
    _company("MHR", "Mid-Hants Railway", "#8b008b", "#ffffff"),
    _company("CNR", "Chipping Norton Railway", "#ffff00", "#000000"),
    CompanySpec(BRITISH_RAIL, "British Rail", "british rail", (1,) * BRITISH_RAIL_SHARES, (), (), "#000000", "#ffffff"),
)
"""Thirty similar companies with eighteen station markers each (§2). They begin with five to fifty shares."""

GREAT_WESTERN = as_private("GWS")
SASSOON = as_private("SDS")
VIGNOLES = as_private("CBV")
STEPHENSON = as_private("RSCF")
BEDLINGTON = as_private("BI")
GAS_LIGHT = as_private("GLCC")
LOCKE = as_private("JL")
HOLDEN = as_private("JH")
VULCAN = as_private("VF")

COUSIN_COLOURS = {
    "blue": (GREAT_WESTERN, SASSOON),
    "brown": (VIGNOLES, STEPHENSON),
    "green": (BEDLINGTON, GAS_LIGHT, LOCKE),
    "red": (HOLDEN, VULCAN),
}
"""One cousin of each colour is in the game (§4)."""


def _cousin(sign: PrivateId, name: str, price: int, power: str, section: str) -> PrivateSpec:
    return PrivateSpec(sign, name, price, 0, power, section=f"1820 §14.{section}")


COUSINS = index_by_id(
    _cousin(GREAT_WESTERN, "Great Western Steamship Company", 120, "a port at both ends of a route", "2.1"),
    _cousin(SASSOON, "Sassoon David Sassoon", 130, "an off-board counts twice on a route with a port", "2.2"),
    _cousin(VIGNOLES, "Charles Blacker Vignoles", 120, "halves the distance fee of a new company", "3.1"),
    _cousin(STEPHENSON, "Robert Stephenson & Charles Fox", 130, "a free station per share", "3.2"),
    _cousin(BEDLINGTON, "Bedlington Ironworks", 120, "upgrade a city in addition to other track", "4.1"),
    _cousin(GAS_LIGHT, "Gas Light & Coke Company", 130, "a big city in place of a small city, once", "4.2"),
    _cousin(LOCKE, "Joseph Locke", 120, "halves terrain and barrier costs", "4.3"),
    _cousin(HOLDEN, "James Holden", 130, "one time only: buy a train and run it immediately", "5.1"),
    _cousin(VULCAN, "Vulcan Foundry", 120, "one more city on a train's route", "5.2"),
)
"""§14"""

TRAINS = index_by_name(
    TrainKind("2+", "2+", 80, is_unlimited=True),
    TrainKind("3+", "3+", 200),
    TrainKind("5+", "5+", 400),
    TrainKind("8+", "8+", 800),
    TrainKind("5D+", "5D+", 1600),
    TrainKind("FLOOD", "FLOOD", 2000),
)
"""Table 5.1; nothing rusts."""

TRAIN_CARDS = {"2+": 27, "3+": 16, "5+": 14, "8+": 6, "5D+": 4, "FLOOD": 9}
"""§2; 2+ trains are unlimited (table 5.1): another card is made when the last is taken."""

COLOUR_OF = {"2+": "yellow", "3+": "green", "5+": "blue", "8+": "brown", "5D+": "red", "FLOOD": "gray"}
FUTURE_TRAINS = {1: ("2+", "3+"), 2: ("5+", "8+"), 3: ("5D+",)}
"""Sold at the start of the first three stock rounds (§6.4.1)."""

PHASES = (
    Phase("yellow", None, 6, ("yellow",), 1),
    Phase("green", "3+", 5, ("yellow", "green"), 1),
    Phase("blue", "5+", 5, ("yellow", "green"), 1),
    Phase("brown", "8+", 4, ("yellow", "green", "brown"), 1),
    Phase("red", "5D+", 3, ("yellow", "green", "brown"), 1),
    Phase("gray", "FLOOD", 2, ("yellow", "green", "brown", "gray"), 1),
)
"""Table 5.1"""

MARKET = parse_market(
    "10l 40 43 47 51 55y 60y 65y 71y 78g 86g 95g 105b 116b 128n 142 157 173 190 208 227 247 268 289 311 334 357 381 "
    "405 429 453 477 500e",
    {
        "l": "liquidation",
        "y": "starting price from yellow on",
        "g": "starting price from green on",
        "b": "par price from the blue phase on",
        "n": "starting price from brown on",
        "e": "ends the game",
    },
)
"""Figure 16.1: one row, right is up."""

PAR_ZONES = {"yellow": "y", "green": "g", "blue": "b", "brown": "n"}
"""The par price zone that each phase adds (§16.1)."""

LIQUIDATION, TOP = 0, len(MARKET.rows[0]) - 1

# -- the cost-of-business chart (figure 10.1) ---------------------------------------------------------

COLUMNS = 17
"""The column after the last is END."""
PHASE_OF_COLUMN = ("yellow",) * 2 + ("green",) * 3 + ("blue",) * 3 + ("brown",) * 3 + ("red",) * 3 + ("gray",) * 3
FLOAT_SIZES = ((5,),) * 2 + ((5, 10),) * 3 + ((10, 20),) * 6 + ((20, 50),) * 3 + ((50,),) * 3
TAKEOVER_PREMIUM = (10, 10, 9, 8, 8, 7, 6, 6, 5, 4, 4, 3, 2, 2, 1, 0, 0)
LOAN_INTEREST = (10,) * 8 + (20,) * 3 + (30,) * 3 + (40,) * 3
"""Percent."""
MAINTENANCE = {
    "2+": (0, 0, 10, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000, 5000, 5000),
    "3+": (0, 0, 0, 10, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000, 5000),
    "5+": (0, 0, 0, 0, 0, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000),
    "8+": (0, 0, 0, 0, 0, 0, 0, 0, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000),
    "5D+": (0,) * 11 + (160, 250, 400, 650, 1000, 2500),
    "FLOOD": (0,) * 14 + (400, 650, 1000),
}

COUSINS_OPTION = Option(
    "cousins",
    "which cousins may be drawn",
    {"all": "one of each colour (§4)", "120": "one of each colour with a price of £120, as §4 recommends to beginners"},
)
WITHHELD_OPTION = Option(
    "withheld",
    "whether a price falls when revenue is withheld",
    {
        "falls": "withheld revenue is a dividend of 0: a space down (§7.2.4)",
        "stays": "only a dividend moves the price; a company that earns nothing still falls (§16.2.3)",
    },
)
FALL_OPTION = Option(
    "stock_round_fall",
    "how far prices fall for shares in the pool after a stock round",
    {"5": "a space for each 5% or share (§6.7)", "10": "a space for each 10% or share (§16.2.2)"},
)
