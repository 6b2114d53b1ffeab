"""The contents of the box of 18BF: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

from bot.engine import HexId, PrivateId, as_company, as_private
from bot.engine.play import CompanySpec, Option, Phase, PrivateSpec, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market

LONDON = HexId("U23")
IRELAND = (HexId("H2"), HexId("N4"), HexId("S3"))
"""North Ireland, Mid-Ireland, South Ireland."""

STARTING_CASH = {3: 630, 4: 470, 5: 375}
"""§3"""

BANK_CASH = 20_000
"""§1"""

CERTIFICATE_LIMIT = {3: 32, 4: 24, 5: 19}
CERTIFICATE_LIMIT_IN_PHASE_8 = {3: 21, 4: 16, 5: 13}
"""§9.3"""

PRIVATES_IN_PLAY = 7
"""§7.1.1"""

BID_STEP = 5
MINOR_MINIMUM = 100
"""§9.2"""

LOAN = 50
INTEREST = 5
LOAN_LIMIT = {"minor": 2, "public": 5, "system": 10}
"""§10.2"""

EXTRA_LAY = 20
TOKEN_PER_HEX = 20
"""§10.4, §10.5"""

MOST_MINORS = 10
MOST_MINORS_OF_ONE = 6
"""§12.3"""

FEW_TOKENS, MANY_TOKENS = 8, 12
"""§12.6: systems of one or two publics, of three or four."""

HIGHEST_START = 200
"""§12.3, §12.4"""

ROUNDS_TO_THE_END = 3
"""§13"""


MOST_QUIET_SETS = 6
"""The rules have no end for a game in which nobody can or will buy a train before phase 4; see `STALEMATE_OPTION`."""


# -- companies ----------------------------------------------------------------------------------------


def _minor(sign: str, name: str, home: str, city: int, colour: str, text: str = "#000000") -> CompanySpec:
    return CompanySpec(as_company(sign), name, "minor", (100,), (0,), (HexId(home),), colour, text, home_city=city)


def _public(sign: str, name: str, colour: str, text: str = "#000000") -> CompanySpec:
    shares = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    return CompanySpec(as_company(sign), name, "public", shares, (TOKEN_PER_HEX,) * 4, (), colour, text)


def _system(sign: str, name: str, tokens: int, colour: str, text: str = "#000000") -> CompanySpec:
    shares = (20, *(5,) * 16)
    return CompanySpec(as_company(sign), name, "system", shares, (TOKEN_PER_HEX,) * tokens, (), colour, text)


COMPANIES = index_by_id(
    _minor("BE", "Bristol and Exeter Railway", "U13", 0, "#ffed00"),
    _minor("BG", "Birmingham and Gloucester Railway", "Q15", 0, "#ffed00"),
    _minor("EC", "Eastern Counties Railway", "U23", 4, "#ffed00"),
    _minor("EG", "Edinburgh and Glasgow Railway", "D10", 0, "#1a1a18", "#ffffff"),
    _minor("EK", "East Kent Railway", "U23", 5, "#ffed00"),
    _minor("EPD", "Edinburgh, Perth and Dundee Railway", "C11", 0, "#ef7c00"),
    _minor("GA", "Glasgow and Ayr Railway", "D6", 0, "#e3000f", "#ffffff"),
    _minor("GC", "Glasgow and Carlisle Railway", "D6", 1, "#afca05"),
    _minor("GJ", "Grand Junction Railway", "P14", 0, "#007ab5", "#ffffff"),
    _minor("LB", "London and Brighton Railway", "U23", 0, "#007ab5", "#ffffff"),
    _minor("LH", "London and Birmingham Railway", "U23", 2, "#1a1a18", "#ffffff"),
    _minor("LR", "London and Bristol Railway", "U23", 1, "#afca05"),
    _minor("LS", "London and Southampton Railway", "U23", 0, "#afca05"),
    _minor("LY", "London and York Railway", "U23", 3, "#ad4482", "#ffffff"),
    _minor("MC", "Midland Counties Railway", "O19", 0, "#00963f", "#ffffff"),
    _minor("ML", "Manchester and Leeds Railway", "M15", 1, "#ffffff"),
    _minor("ND", "Newcastle and Darlington Junction Railway", "G17", 0, "#007ab5", "#ffffff"),
    _minor("NM", "North Midland Railway", "O17", 0, "#ffed00"),
    _minor("NU", "North Union Railway", "L12", 0, "#9c9c9c", "#ffffff"),
    _minor("SAM", "Sheffield, Ashton-under-Lyne and Manchester Railway", "M17", 0, "#ffed00"),
    _minor("SE", "South Eastern Railway", "U23", 5, "#00963f", "#ffffff"),
    _minor("TV", "Taff Vale Railway", "U11", 0, "#e3000f", "#ffffff"),
    _minor("VN", "Vale of Neath Railway", "U7", 0, "#1a1a18", "#ffffff"),
    _minor("YNM", "York and North Midland Railway", "K19", 0, "#ffed00"),
    _public("CR", "Caledonian Railway", "#008bd2", "#ffffff"),
    _public("GER", "Great Eastern Railway", "#c2e6fb"),
    _public("GNR", "Great Northern Railway", "#a7d3ae"),
    _public("LBSC", "London, Brighton and South Coast Railway", "#ffcc00"),
    _public("LNW", "London and North Western Railway", "#878786", "#ffffff"),
    _public("LSW", "London and South Western Railway", "#f2f1ed"),
    _public("LYR", "Lancashire and Yorkshire Railway", "#d1999c"),
    _public("MR", "Midland Railway", "#fdaf94"),
    _public("NBR", "North British Railway", "#ae9675", "#ffffff"),
    _public("NER", "North Eastern Railway", "#dbe283"),
    _public("SEC", "South Eastern and Chatham Railway", "#fff7b2"),
    _system("GCR", "Great Central Railway", 12, "#fdf39a"),
    _system("GWR", "Great Western Railway", 8, "#9c9c9c", "#ffffff"),
    _system("LMS", "London, Midland and Scottish Railway", 12, "#965256", "#ffffff"),
    _system("LNE", "London and North Eastern Railway", 12, "#999bb3", "#ffffff"),
    _system("SR", "Southern Railway", 8, "#948f63", "#ffffff"),
)
"""§7.2-§7.4, §19: certificates and tokens. A minor's charter is its single certificate."""

GROUP_A = tuple(as_company(sign) for sign in ["EG", "EPD", "GA", "GC", "ML", "ND", "NU", "YNM"])
GROUPS_B_AND_C = tuple(
    as_company(sign)
    for sign in ["BE", "BG", "GJ", "NM", "MC", "SAM", "TV", "VN", "EC", "EK", "LB", "LH", "LR", "LS", "LY", "SE"]
)
BATCH = (2, 4)
"""The number of minors of group A, and of B and C, set aside twice (§7.2)."""


# -- privates -----------------------------------------------------------------------------------------


def _private(sign: str, name: str, face: int, income: int, power: str = "", available_from: str = "") -> PrivateSpec:
    section = f"18BF §7.1.{'PFU'.index(sign[0]) + 1}"
    return PrivateSpec(as_private(sign), name, face, income, power, (1, face), available_from, section)


PRIVATES = index_by_id(
    _private("P1", "Swansea and Mumbles", 30, 10),
    _private("P2", "Stockton and Darlington", 45, 15, "a free yellow tile on I17, for its player"),
    _private("P3", "Monkland and Kirkintilloch", 45, 15, "a free yellow tile on D8, for its player"),
    _private("P4", "Canterbury and Whitstable", 45, 15, "a free yellow tile on V28, for its player"),
    _private("P5", "Leicester and Swannington", 60, 20, "a free yellow tile on P18, for its player"),
    _private("P6", "Newcastle and Carlisle", 60, 20, "Newcastle +10 for the company that owns it"),
    _private("P7", "London and Greenwich", 75, 25, "London +10 for the company that owns it"),
    _private("P8", "London and Blackwall", 75, 25, "London +10 for the company that owns it"),
    _private("P9", "West London", 75, 25, "London +10 for the company that owns it"),
    _private("P10", "Liverpool and Manchester", 90, 30, "Liverpool +10 for the company that owns it"),
    _private("F1", "Irish Sea Ferry", 50, 10, "an area of Ireland +10 for the company that owns it"),
    _private("F2", "Irish Sea Ferry", 50, 10, "an area of Ireland +10 for the company that owns it"),
    _private("F3", "Irish Sea Ferry", 50, 10, "an area of Ireland +10 for the company that owns it"),
    _private("F4", "Hull Ferry", 100, 20, "Hull +20 for the company that owns it"),
    _private("F5", "Harwich Ferry", 100, 20, "Harwich +20 for the company that owns it"),
    _private("F6", "Plymouth Ferry", 100, 20, "Plymouth +20 for the company that owns this private"),
    _private("F7", "Dover Ferry", 150, 30, "Dover +30 for the company that owns it"),
    _private("F8", "Aberdeen Ferry", 150, 30, "Aberdeen +30 for the company that owns it"),
    _private("U1", "Metropolitan Railway", 100, 40, "London +10 for the company that owns it; from phase 5", "5"),
    _private("U2", "City & South London", 150, 75, "London +10 for the company that owns it; from phase 7", "7"),
)
"""§7.1, tables 1 to 3. `price` is the face value, `income` that of the first phase in which it pays."""


def _signs(text: str) -> tuple[PrivateId, ...]:
    return tuple(as_private(sign) for sign in text.split())


RAILWAY_PRIVATES = _signs("P1 P2 P3 P4 P5 P6 P7 P8 P9 P10")
FERRIES = _signs("F1 F2 F3 F4 F5 F6 F7 F8")
UNDERGROUNDS = _signs("U1 U2")
IRISH_FERRIES = FERRIES[:3]

MINIMUM_BID = dict(zip(RAILWAY_PRIVATES, (20, 30, 30, 30, 40, 40, 50, 50, 50, 60), strict=True))
"""Table 1. Ferries and undergrounds begin at face value (§7.1.3)."""

INCOME = dict(
    zip(
        (*FERRIES, *UNDERGROUNDS),
        (*((10, 15, 20, 25),) * 3, *((20, 30, 40, 50),) * 3, *((30, 45, 60, 75),) * 2, (0, 0, 40, 50), (0, 0, 0, 75)),
        strict=True,
    )
)
"""Tables 2 and 3, for phases 2, 3-4, 5-6, 7-8."""

FREE_TRACK = {
    private: HexId(hex_id) for private, hex_id in zip(RAILWAY_PRIVATES[1:5], ("I17", "D8", "V28", "P18"), strict=True)
}
"""Table 1: the hexes where P2 to P5 lay a free yellow tile."""

STOP_BONUS: dict[PrivateId, tuple[HexId, int]] = {
    private: (HexId(hex_id), bonus)
    for private, hex_id, bonus in zip(
        _signs("P6 P7 P8 P9 P10 F4 F5 F6 F7 F8 U1 U2"),
        ("G17", LONDON, LONDON, LONDON, "M11", "L22", "S29", "X8", "V30", "A13", LONDON, LONDON),
        (10, 10, 10, 10, 10, 20, 20, 20, 30, 30, 10, 10),
        strict=True,
    )
}
"""Tables 1 to 3: the bonus to a stop's value for the company that owns the private."""

IRISH_BONUS = 10
"""Table 2: F1 to F3, in the area assigned to each (§10.6)."""


# -- trains and phases --------------------------------------------------------------------------------

TRADE_IN = dict(
    zip(
        ["4", "5", "3G", "6", "4G", "3+3", "5G", "4+4", "6G", "5+5E", "2+2"],
        (0, 135, 125, 160, 150, 200, 175, 250, 200, 375, 150),
        strict=True,
    )
)
"""Table 4: trade-in values for systems (§10.10)."""


TRAINS = index_by_name(
    TrainKind("2", "2", 100, "4"),
    TrainKind("3", "3", 225, "6"),
    TrainKind("4", "4", 350, "4+4"),
    TrainKind("5", "5", 550),
    TrainKind("3G", "5", 450),
    TrainKind("6", "6", 650),
    TrainKind("4G", "6", 550),
    TrainKind("3+3", "3+3", 800),
    TrainKind("5G", "3+3", 700),
    TrainKind("4+4", "4+4", 1000, is_unlimited=True),
    TrainKind("6G", "4+4", 800, is_unlimited=True),
    TrainKind("5+5E", "5+5E", 1500, available_from="8", is_single=True),
    TrainKind("2+2", "2+2", 600, available_from="8", is_unlimited=True),
)
"""Table 4 (§10.10)."""

TRAIN_CARDS = {"2": 15, "3": 11, "4": 6, "5": 6, "6": 3, "3+3": 3, "4+4": 1, "5+5E": 5, "2+2": 1}
"""Table 4. Of the unlimited families a new card replaces each that leaves the bank."""

PHASES = (
    Phase("2", None, 2, ("yellow",), 2),
    Phase("3", "3", 4, ("yellow", "green"), 2),
    Phase("4", "4", 3, ("yellow", "green"), 2),
    Phase("5", "5", 3, ("yellow", "green", "brown"), 2),
    Phase("6", "6", 2, ("yellow", "green", "brown"), 2),
    Phase("7", "3+3", 2, ("yellow", "green", "brown", "gray"), 2),
    Phase("8", "4+4", 2, ("yellow", "green", "brown", "gray"), 2),
)
"""§8. The limit is that of public companies, in phase 2 of minors; `TRAIN_LIMIT` has all."""

TRAIN_LIMIT = {
    "minor": {"2": 2, "3": 2, "4": 1, "5": 1, "6": 1, "7": 1, "8": 0},
    "public": {"2": 4, "3": 4, "4": 3, "5": 3, "6": 2, "7": 2, "8": 2},
    "system": dict.fromkeys("2345678", 4),
}
"""§8"""

PERIOD = {"2": 0, "3": 1, "4": 1, "5": 2, "6": 2, "7": 3, "8": 3}
"""Index of the printed value that counts, of four: lowest, second, third, highest (§8)."""

LONDON_RED = (20, 20, 30, 30)
ENGLAND_WALES = (10, 20, 20, 30)
ENGLAND_SCOTLAND = (10, 20, 30, 40)
MINE = (0, 0, 50, 60)
"""Bonuses by period (§10.6). London to red: 20 in phases 2 to 4, 30 in 5 to 8."""


# -- market -------------------------------------------------------------------------------------------

MARKET = parse_market(
    "0c 40 45 50b 55b 60b 65b 70r 80r 90r 100ry 110ry 120ry 135ry 150py 165pym 180p 200p "
    "220 245 270 300 330 360 400 440 490 540 600 660 720 800",
    {
        "c": "closed",
        "b": "starting price of minors",
        "r": "starting price of minors and public companies",
        "p": "starting price of public companies",
        "y": "minors may convert",
        "m": "highest price of minors",
    },
)
"""One row (§6). The space between 540 and 660 is 600; the facts file's 500 is a slip."""

REGION: dict[str, str] = {
    **dict.fromkeys(["A9", "A11", "A13", "C5", "C7", "C11", "D4", "D6", "D8", "D10", "F4"], "Scotland"),
    **dict.fromkeys(["T10", "U7", "U9", "U11"], "Wales"),
    **dict.fromkeys(IRELAND, "Ireland"),
}
"""Stops outside England (§10.6)."""

IRISH_COAST = {IRELAND[0]: "Scotland", IRELAND[1]: "Wales", IRELAND[2]: "Wales"}
"""The land reached by boats to each area of Ireland."""

IRELAND_OPTION = Option(
    "ireland",
    "whether Irish areas count for the border bonuses as part of another country",
    {
        "apart": "Ireland is neither in Scotland nor in Wales",
        "coast": "an Irish area counts with the land that its boats reach",
    },
)

EXPORT_OPTION = Option(
    "end",
    "what triggers the end of the game",
    {"any": "the first 4+4/6G train that is bought or removed", "bought": "the first 4+4/6G train that a company buys"},
)

BEST_OPTION = Option(
    "runs",
    "whether a company must run its trains for the most that they can earn",
    {
        "best": "the highest earnings must be declared; everyone can see them",
        "free": "the director chooses among legal runs",
    },
)

STALEMATE_OPTION = Option(
    "stalemate",
    f"what happens before phase 4 after {MOST_QUIET_SETS} sets of operating rounds without a train, a start or a closure",
    {
        "goes on": "play continues, as the rules do not cover this; the players may agree to end the game",
        "ends": "the game ends and is scored, as nothing changes any more",
    },
    for_chance="ends",
)
