"""German words that people type: for verbs, details and commands, in plain letters."""

from __future__ import annotations

from collections.abc import Mapping

UMLAUTS = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "Ä": "A", "Ö": "O", "Ü": "U", "ß": "ss"})
"""Moves are plain letters: `für` is read as `fur`."""


def each(words: Mapping[str, str]) -> dict[str, str]:
    """The English word of every German one."""
    return {german: english for english, many in words.items() for german in many.split()}


GERMAN_VERBS = each(
    {
        "lay": "lege legen baue bauen ausbauen",
        "token": "setze setzen bahnhof",
        "run": "fahre fahren",
        "pay": "zahle zahlen ausschutten ausschuttung",
        "withhold": "einbehalten behalte behalten",
        "half": "halbe halb",
        "pass": "passe passen",
        "done": "fertig",
        "buy": "kaufe kaufen kauf",
        "sell": "verkaufe verkaufen verkauf",
        "par": "grunde grunden starte starten",
        "bid": "biete bieten gebot",
        "reduce": "senke senken",
        "loan": "leihe leihen kredit",
        "discard": "verschrotte verschrotten",
        "agree": "ja annehmen zustimmen",
        "refuse": "nein ablehnen",
        "withdraw": "zuruckziehen",
    }
)
GERMAN_DETAILS = each(
    {"for": "fur", "from": "von aus", "with": "mit", "to": "nach", "trade": "gegen", "best": "beste", "bank": "kasse"}
)
GERMAN_FILLERS = frozenset(
    [
        "ein",
        "eine",
        "einen",
        "den",
        "die",
        "das",
        "dem",
        "der",
        "zug",
        "aktie",
        "aktien",
        "auf",
        "in",
        "zu",
        "gedreht",
        "um",
    ]
)
"""Words that no move needs."""

GERMAN_COMMANDS = each(
    {
        "new": "neu",
        "games": "spiele",
        "open": "offne",
        "help": "hilfe",
        "status": "stand",
        "map": "karte plan",
        "market": "markt",
        "company": "gesellschaft",
        "private": "privatbahn",
        "train": "zug",
        "player": "spieler",
        "trains": "zuge",
        "tiles": "teile plattchen",
        "log": "protokoll",
        "routes": "strecken",
        "undo": "zuruck ruckgangig",
        "export": "ausfuhr",
        "try": "probiere",
        "report": "bericht",
        "results": "ergebnisse",
        "language": "sprache",
        "quit": "ende schluss beenden",
    }
)
