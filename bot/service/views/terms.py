"""The words of 18xx games and of this table, explained in a sentence or two each: `help rust`."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.message import Message, msg
from bot.engine.play import Game, Title
from bot.i18n import tr, use_language

TERMS: tuple[tuple[Message, tuple[str, ...]], ...] = (
    (
        msg(
            "auction: players bid, and the highest bid buys. Many titles sell their private companies like this before "
            "the first stock round."
        ),
        ("auctions",),
    ),
    (msg("bank: it pays revenue and sells trains and new shares. Most titles end when its money runs out."), ()),
    (msg("city: a stop with places for tokens. A tile that replaces it may have more of them."), ("cities",)),
    (msg("town: a small stop without places for tokens. Only tiles with a town fit there."), ("towns",)),
    (
        msg(
            "holds: what a player owns, in the last column of the table: companies with their percentage, * for their "
            "president, and private companies."
        ),
        (),
    ),
    (msg("bankrupt: a player who cannot pay what they must. In most titles that ends the game."), ()),
    (msg("bank pool: the shares that players have sold; anybody may buy them at the share price."), ("pool",)),
    (
        msg("certificate: the card that stands for one or more shares. The number that a player may hold is limited."),
        ("certificates", "certs", "cert"),
    ),
    (msg("company: it has shares, money, trains and tokens of its own. Its president decides for it."), ("companies",)),
    (
        msg("dividend: revenue that a company pays out, an equal sum for each share. Paying usually raises its price."),
        ("dividends",),
    ),
    (
        msg("float: a company floats when enough of its shares are sold: it gets its money and begins to operate."),
        ("floats",),
    ),
    (
        msg(
            "forced train purchase: a company that has a route but no train must buy one. If it has too little money, its "
            "president pays the rest, and sells shares for it if they must."
        ),
        ("emergency", "forced"),
    ),
    (msg("hex: a space of the map. Its name is a letter and a number: `G10`."), ("hexes",)),
    (msg("home: the city where a company places its first token. Its track begins there."), ("heimat",)),
    (msg("initial offering: the shares of a company that nobody has bought yet, at the par price."), ("ipo",)),
    (
        msg("stock market: the table of share prices. Dividends, withholding and sales move a company on it."),
        ("market",),
    ),
    (
        msg("off-board area: a red hex at the edge of the map. Routes end there; its value rises with the phases."),
        ("offboard", "off-board"),
    ),
    (msg("operating round: each company, highest price first, builds track, runs its trains and buys trains."), ()),
    (
        msg(
            "par price: the price of a company's first share, chosen by its buyer. It decides how much money the company gets."
        ),
        ("par",),
    ),
    (msg("phase: it begins with the first train of a kind, and says which tiles and how many trains are allowed."), ()),
    (
        msg("plan: instructions that move for you while you are away, for example passing until something happens."),
        ("dauerbefehl",),
    ),
    (
        msg(
            "president (director): the player with the most shares of a company. They decide for it, and answer for its trains "
            "with their own money."
        ),
        (),
    ),
    (msg("priority deal: the right to act first in the next stock round."), ("priority",)),
    (
        msg(
            "private company: it pays its owner an income, and may have an ability. It is bought before the first round."
        ),
        ("private", "privates"),
    ),
    (msg("computer player: a seat that the program plays, at one of several strengths."), ("computer", "bot")),
    (msg("log entry: one numbered line of everything that happened in a game."), ("log", "record")),
    (
        msg(
            "look link: the address of a game's page, for people who only watch. With a play link its owner can move, too."
        ),
        ("link",),
    ),
    (msg("lobby: a game before it begins: people take seats until its opener begins it."), ()),
    (msg("moderator: a person who looks after a game: they can pause it, go back, and give away a seat."), ()),
    (msg("forced pass: a pass that the program makes, because nothing else is legal."), ()),
    (msg("correction: a moderator's change of money or tokens."), ("corrections",)),
    (msg("offer: a proposal of a trade, which other players accept or refuse."), ("offers",)),
    (msg("vote: a question to the table, for example whether the game should end now."), ("votes",)),
    (
        msg(
            "reminder: a later message to the player for whom everyone is waiting. The pace says after how many hours."
        ),
        ("ping", "pace"),
    ),
    (msg("seat: a place at a table. A person can hold several."), ("seats",)),
    (msg("sitter: a person who moves for another player for some days."), ()),
    (
        msg(
            "tile: a piece with track for a hex: yellow on an empty hex, later green and brown. `lay 57 H9 1` is to lay "
            "tile 57 on H9, rotated once."
        ),
        ("gleisteil",),
    ),
    (msg("receivership: a company that no player directs. The bank runs it by fixed rules."), ()),
    (msg("revenue: what a company's trains earn in a round: the values of all stops that they count."), ()),
    (
        msg("route: the path of one train. It joins at least two stops, and one of them has a token of the company."),
        ("routes",),
    ),
    (msg("rust: trains leave the game when the first train of a later kind is bought."), ("rusts",)),
    (msg("sandbox: a private copy of the position, in which you try moves that nobody sees."), ()),
    (
        msg("share: a part of a company. It earns dividends and counts at the share price at the end of the game."),
        ("shares",),
    ),
    (
        msg("stock round: players take turns selling and buying shares and starting companies, until everyone passes."),
        (),
    ),
    (msg("stop: a place that pays revenue: a city, a town or an off-board area."), ("stops",)),
    (
        msg("token (station marker): marks a city as a company's station. A full city stops the trains of others."),
        ("station",),
    ),
    (
        msg("train limit: how many trains a company may own. It falls in later phases; trains above it are discarded."),
        ("limit",),
    ),
    (msg("treasury: the money of a company. It belongs to no player, and pays for track, tokens and trains."), ()),
    (
        msg("upgrade: to replace a tile by one of the next colour: yellow, green, brown, grey. The old track stays."),
        ("upgrades",),
    ),
    (msg("withhold: the revenue goes to the company's treasury. Its price usually falls."), ("withholding",)),
)
"""Each begins with its word, in English and in every translation; other words that are typed for it."""


def term_text(typed: str, title: Title | None = None) -> Message | None:
    """The explanation of a word, of a title or of all games, in English or in the reader's language; None where it is no
    such word."""
    word = typed.strip().casefold()
    for text, others in (*terms_of(title), *TERMS):
        if word in others or word in [*_heads(text.template), *_heads(tr(text))]:
            return text
    return None


def term_names(title: Title | None = None) -> list[str]:
    """The words in the reader's language, in its order."""
    return sorted({tr(text).partition(":")[0] for text, _ in (*terms_of(title), *TERMS)}, key=str.casefold)


def terms_of(title: Title | None) -> list[tuple[Message, tuple[str, ...]]]:
    """The words that only this title uses."""
    return [(msg(text), ()) for text in title.words.terms] if title is not None else []


def glossary_rows(terms: Iterable[tuple[Message, tuple[str, ...]]]) -> list[tuple[str, str, str]]:
    """Each word in English, its meaning, the word in German; in the English order."""
    rows = []
    for text, _ in terms:
        word, _, meaning = text.template.partition(": ")
        with use_language("de"):
            rows.append((word, meaning, tr(text).partition(":")[0]))
    return sorted(rows, key=lambda row: row[0].casefold())


def term_elsewhere(typed: str, titles: Iterable[Title]) -> Message | None:
    """The explanation of a word of other titles, with the title; None where none has it."""
    for title in titles:
        if any(text == term_text(typed, title) for text, _ in terms_of(title)):
            return msg("In {title}: {text}", title.name, term_text(typed, title) or "")
    return None


def label_text(game: Game, typed: str) -> Message | None:
    """The explanation of a label of the map; None where no hex has it."""
    spaces = game.board_rules.map.hexes.values()
    found = [str(one.id) for one in spaces if typed in one.printed.labels or typed == one.later_label]
    return (
        msg("{label}: a mark on {hexes}. Only tiles with the same mark fit there.", typed, ", ".join(found))
        if found
        else None
    )


def _heads(sentence: str) -> list[str]:
    """The word that a sentence explains, and the other word for it in brackets."""
    outside, _, inside = sentence.partition(":")[0].casefold().partition(" (")
    return [outside, *([inside.rstrip(")")] if inside else [])]
