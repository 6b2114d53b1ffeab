"""The contents of the box of 1861 that 1867 has otherwise: companies, privates, places."""

from __future__ import annotations

from bot.engine import HexId, as_company, as_private
from bot.engine.play import VARIANT, Option, index_by_id
from bot.titles.merging import major, minor, national, private

NATIONAL = as_company("RSR")

COMPANIES = index_by_id(
    minor("RO", "Riga-Orel Railway", "#009595", "B4"),
    minor("KB", "Kiev-Brest Railway", "#4cb5d2", "D14", 1),
    minor("OK", "Odessa-Kiev Railway", "#0097df", "D20"),
    minor("KK", "Kiev-Kursk Railway", "#0097df", "D14", 2),
    minor("SPW", "St. Petersburg Warsaw", "#0189d1", "E1", 0),
    minor("KR", "Kharkiv-Rostov Railway", "#772282", "G15"),
    minor("N", "Nikolaev Railway", "#d30869", "H8", 1),
    minor("M-K", "Moscow-Kursk Railway", "#d75500", "H8", 0),
    minor("MNN", "Moscow-Nizhnii Novgorod", "#ef4223", "H8", 2),
    minor("MV", "Moscow-Voronezh Railway", "#b7274c", "I13"),
    minor("MB", "Moscow-Brest Railway", "#000080", "E9"),
    minor("Y", "Yuzovka Railway", "#f3716d", "H18"),
    minor("V", "Vladikavkaz Railway", "#7c7b8c", "I19"),
    minor("TR", "Tsaritsyn-Riga Railway", "#7c7b8c", "K17"),
    minor("SV", "Samara-Vyazma Railway", "#7c7b8c", "N10"),
    minor("E", "Ekaterinin Railway", "#000080", "Q3"),
    major("NW", "North Western Railway", "#000080"),
    major("SW", "Southwestern Railway", "#d75500"),
    major("SE", "Southeastern Railway", "#772282"),
    major("MVR", "Moscow, Vindava & Rybinsk Railway", "#808000"),
    major("MK", "Moscow & Kazan Railway", "#7b352a"),
    major("GRR", "Grand Russian Railway", "#ef4223"),
    major("MKN", "Moscow, Kursk & Nizhnii Novgorod", "#0189d1"),
    major("MKV", "Moscow, Kiev & Voronezh Railway", "#3c7b5c"),
    national("RSR", "Russian State Railway", "#fffdd0", "#000000", "E1", 1),
)

LATE_MINORS = frozenset(map(as_company, ("MB", "Y", "V", "TR", "SV", "E")))

PRIVATES = index_by_id(
    private("TSR", "Tsarskoye Selo Railway", 30, 10, section="1861"),
    private(
        "BSS", "Black Sea Shipping Company", 45, 15, "owned by a company: Odessa earns it ₽10 more", section="1861"
    ),
    private(
        "MYR", "Moscow - Yaroslavl Railway", 60, 20, "owned by a company: Moscow earns it ₽10 more", section="1861"
    ),
    private("MRR", "Moscow - Ryazan Railway", 75, 25, "owned by a company: Moscow earns it ₽10 more", section="1861"),
    private("WVR", "Warsaw - Vienna Railway", 90, 30, "owned by a company: Poland earns it ₽10 more", section="1861"),
)

MOSCOW, ODESSA, EKATERINBURG, ST_PETERSBURG = map(HexId, ("H8", "D20", "Q3", "E1"))
POLAND = frozenset(map(HexId, ("A9", "A11", "A13", "A15")))

HELPED = {
    as_private("BSS"): frozenset({ODESSA}),
    as_private("MYR"): frozenset({MOSCOW}),
    as_private("MRR"): frozenset({MOSCOW}),
    as_private("WVR"): POLAND,
}
"""The hexes where a private earns its company more."""

CLOSED = frozenset(map(HexId, ("E3", "H6", "I5", "I9", "J10")))

MARKETS = Option(VARIANT, "the chart of share prices", {"grid": "the grid of prices", "column": "one column of prices"})
