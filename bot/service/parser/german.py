"""German words that people type: for verbs, places and commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

WIDE = {chr(0xFEE0 + plain): chr(plain) for plain in range(ord("!"), ord("~") + 1)} | {"\u3000": " "}
"""Letters, digits and signs as wide as Chinese letters, which keyboards for Chinese, Japanese and Korean type."""

UMLAUTS = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "Ä": "A", "Ö": "O", "Ü": "U", "ß": "ss", **WIDE})
"""Moves are plain letters: `für` is read as `fur`, `Ｐ１` as `P1`."""

NOT_PLAIN = {"fähre": "ferry", "aktien? von": "of"}
"""Words that would mean something else in plain letters or one by one: `fahre` is `run`, `von` is `from`."""


SPELT: dict[str, str] = {}
"""German words with their umlauts, by their plain letters."""


def each(words: Mapping[str, str]) -> dict[str, str]:
    """The English word of every German one in plain letters."""
    found = {german.translate(UMLAUTS): english for english, many in words.items() for german in many.split()}
    SPELT.update((german.translate(UMLAUTS), german) for many in words.values() for german in many.split())
    return found


def written_words(words: Iterable[str]) -> list[str]:
    """These words with their umlauts."""
    return [SPELT.get(word, word) for word in words]


GERMAN_VERBS = each(
    {
        "lay": "lege legen baue bauen ausbauen",
        "token": "setze setzen marker bahnhof",
        "run": "fahre fahren",
        "pay": "zahle zahlen schütte ausschütten ausschüttung",
        "withhold": "einbehalten behalte behalten",
        "half": "halbe halb",
        "pass": "passe passen",
        "buy": "kaufe kaufen kauf",
        "sell": "verkaufe verkaufen verkauf",
        "par": "gründe gründen starte starten",
        "bid": "biete bieten gebot",
        "reduce": "senke senken",
        "loan": "leihe leihen kredit",
        "discard": "verschrotte verschrotten abgeben",
        "agree": "annehmen zustimmen",
        "refuse": "ablehnen",
        "withdraw": "zurückziehen",
    }
)
GERMAN_CHATTY = each(
    {
        "pass": "weiter",
        "done": "fertig",
        "agree": "ja",
        "refuse": "nein",
        "exchange": "tausche tauschen umtauschen",
        "bankrupt": "bankrott konkurs",
        "convert": "wandle wandeln umwandeln",
        "close": "schließe schließen",
        "repay": "tilge tilgen zurückzahlen",
        "claim": "beanspruche beanspruchen",
        "return": "zurückgeben",
        "redeem": "zurückkaufen",
        "merge": "fusioniere fusionieren",
        "join": "beitreten anschliessen",
        "form": "bilde bilden",
        "stations": "stationen",
        "overpay": "überzahle überzahlen",
        "take": "nimm nehme nehmen",
        "decline": "verzichte verzichten",
        "ask": "frage fragen",
        "fund": "finanziere finanzieren",
        "increase": "vergrößere vergrößern",
        "decrease": "verkleinere verkleinern",
        "director": "direktor",
        "contribute": "beisteuern",
        "use": "nutze nutzen benutze benutzen",
        "cover": "decke decken begleiche begleichen",
        "neglect": "vernachlässige vernachlässigen versäume versäumen",
        "assign": "zuteilen zuordnen",
        "offer": "anbieten",
        "issue": "ausgeben",
        "acquire": "übernimm übernehme übernehmen",
        "abandon": "aufgeben",
        "nationalise": "verstaatliche verstaatlichen",
        "remove": "entferne entfernen",
    }
)
"""Words that begin many a sentence which is no move, and those that only one title knows."""

GERMAN_NAMES = each({"best": "beste", "bank": "kasse"})
"""Words that name something in a move."""

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
        "marker",
        "bahnhofsmarker",
        "gleis",
        "gleisteil",
        "gleisplattchen",
        "teil",
        "plattchen",
        "feld",
        "gelbe",
        "gelbes",
        "grune",
        "grunes",
        "braune",
        "braunes",
        "graue",
        "graues",
        "auf",
        "aus",
        "in",
        "zu",
        "gedreht",
        "um",
        "und",
    ]
)
"""Words that no move needs."""

GERMAN_COMMANDS = each(
    {
        "new": "neu",
        "lesson": "lektion lehrgang",
        "puzzle": "rätsel",
        "history": "verlauf",
        "games": "spiele",
        "open": "öffne",
        "help": "hilfe",
        "status": "stand",
        "map": "karte",
        "market": "markt",
        "company": "gesellschaft",
        "private": "privatbahn",
        "train": "zug",
        "cousin": "vetter",
        "minor": "kleinbahn",
        "player": "spieler",
        "trains": "züge",
        "tiles": "gleisplättchen plättchen gleisteile teile",
        "log": "protokoll",
        "routes": "strecken",
        "undo": "zurück rückgängig",
        "export": "ausfuhr",
        "try": "probiere",
        "report": "bericht",
        "results": "ergebnisse",
        "record": "bilanz",
        "language": "sprache",
        "rewind": "zurückspulen",
        "turn": "dran",
        "board": "spielplan brett",
        "whatif": "probestellung sandkasten",
        "auto": "automatik",
        "moderate": "moderiere",
        "import": "einfuhr",
        "clone": "kopie",
        "chart": "diagramm",
        "timelapse": "zeitraffer",
        "why": "warum",
        "advice": "rat ratschlag",
        "quit": "ende schluss beenden",
        "commands": "befehle",
        "join": "beitreten",
        "start": "beginnen",
        "invite": "einladen",
        "leave": "verlassen",
        "stop": "stopp abbestellen",
        "vote": "abstimmen",
    }
)

GERMAN_PHRASES = {
    r"bis zu": "up to",
    r"bis": "until",
    r"außer wenn|ausser wenn|außer|ausser": "unless",
    r"falls|wenn": "if",
    r"sonst": "else",
    r"und": "and",
    r"oder": "or",
    r"höchstens ausgeben|gib höchstens": "spend at most",
    r"höchstens": "at most",
    r"behalte|lass übrig": "leave",
    r"jeden zug|jedes mal": "every turn",
    r"jede runde": "every round",
    r"frag|frage": "ask",
    r"von mir|meine[rsn]?": "of mine",
    r"für (\d+) (?:züge|zug|runden|runde)": r"for \1 turns",
}
"""Phrases of plans in German; moves have their own."""

GERMAN_WAKES = {
    "verkauf": "sale",
    "kauf": "buy",
    "start": "start",
    "gründung": "start",
    "züge": "trains",
    "zug": "next",
    "preis": "price",
    "kursfall": "fall",
    "direktor": "president",
    "gefahr": "danger",
}
GERMAN_FACTS = {
    "preis": "price",
    "kurs": "price",
    "geld": "cash",
    "kasse": "cash",
    "besitzer": "owner",
    "direktor": "president",
    "anteil": "held",
    "nächster zug": "next train",
    "züge der bank": "bank trains",
    "züge": "trains",
}
"""Events and facts of plans in German."""
