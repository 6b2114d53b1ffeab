"""The contents of the box of 1867 that 1861 has otherwise: companies, privates, places."""

from __future__ import annotations

from bot.engine import HexId, as_company, as_private
from bot.engine.play import VARIANT, Option, index_by_id
from bot.titles.merging import major, minor, national, private

NATIONAL = as_company("CN")

COMPANIES = index_by_id(
    minor("BO", "Brockville and Ottawa", "#009595"),
    minor("CS", "Canada Southern", "#4cb5d2"),
    minor("CV", "Credit Valley Railway", "#0097df"),
    minor("KP", "Kingston and Pembroke", "#0097df"),
    minor("OP", "Ottawa and Prescott", "#d30869"),
    minor("TN", "Toronto and Nipissing", "#7b352a"),
    minor("AE", "Algoma Eastern Railway", "#d75500"),
    minor("CA", "Canada Atlantic Railway", "#772282"),
    minor("NO", "New York and Ottawa", "#d75500"),
    minor("PM", "Pere Marquette Railway", "#4cb5d2"),
    minor("BBG", "Buffalo, Brantford, and Goderich", "#7c7b8c"),
    minor("LPS", "London and Port Stanley", "#7c7b8c"),
    minor("SLA", "St. Lawrence and Atlantic", "#7c7b8c"),
    minor("TGB", "Toronto, Grey, and Bruce", "#00008b"),
    minor("QLS", "Quebec and Lake St. John", "#0189d1"),
    minor("THB", "Toronto, Hamilton and Buffalo", "#d75500"),
    major("CNR", "Canadian Northern Railway", "#3c7b5c"),
    major("CPR", "Canadian Pacific Railway", "#ef4223"),
    major("C&O", "Chesapeake and Ohio Railway", "#0189d1"),
    major("GTR", "Grand Trunk Railway", "#d75500"),
    major("GWR", "Great Western Railway", "#00008b"),
    major("ICR", "Intercolonial Railway", "#7b352a"),
    major("NTR", "National Transcontinental Railway", "#3c7b5c"),
    major("NYC", "New York Central Railroad", "#772282"),
    national("CN", "Canadian National", "#ef4223"),
)

LATE_MINORS = frozenset(map(as_company, ("BBG", "LPS", "SLA", "TGB", "QLS", "THB")))

PRIVATES = index_by_id(
    private("C&SL", "Champlain & St. Lawrence", 30, 10, section="1867"),
    private("NFB", "Niagara Falls Bridge", 45, 15, "owned by a company: Buffalo earns it $10 more", section="1867"),
    private("MB", "Montreal Bridge", 60, 20, "owned by a company: Montreal earns it $10 more", section="1867"),
    private("QB", "Quebec Bridge", 75, 25, "owned by a company: Quebec earns it $10 more", section="1867"),
    private("SCT", "St. Clair Tunnel", 90, 30, "owned by a company: Detroit earns it $10 more", section="1867"),
)

BUFFALO, DETROIT = frozenset({HexId("F18")}), frozenset({HexId("A17"), HexId("A19")})
TORONTO, MONTREAL, QUEBEC, TIMMINS = map(HexId, ("F16", "L12", "O7", "D2"))

HELPED = {
    as_private("NFB"): BUFFALO,
    as_private("MB"): frozenset({MONTREAL}),
    as_private("QB"): frozenset({QUEBEC}),
    as_private("SCT"): DETROIT,
}
"""The hexes where a private earns its company more."""

MARKETS = Option(
    VARIANT, "the chart of share prices", {"column": "one column of prices", "grid": "the grid of prices of 1861"}
)
