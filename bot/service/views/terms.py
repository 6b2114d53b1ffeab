"""The words of 18xx games and of this table, explained in a sentence or two each: `help rust`."""

from __future__ import annotations

from bot.engine.message import Message, msg
from bot.i18n import tr

TERMS: tuple[tuple[Message, tuple[str, ...]], ...] = (
    (msg("bankrupt: a player who cannot pay what they must. In most titles that ends the game."), ()),
    (msg("bank pool: the shares that players have sold; anybody may buy them at the share price."), ("pool",)),
    (
        msg("certificate: the card that stands for one or more shares. The number that a player may hold is limited."),
        ("certificates",),
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
        ("emergency",),
    ),
    (msg("home: the city where a company places its first token. Its track begins there."), ("heimat",)),
    (msg("initial offering: the shares of a company that nobody has bought yet, at the par price."), ("ipo",)),
    (
        msg("stock market: the table of share prices. Dividends, withholding and sales move a company on it."),
        ("market",),
    ),
    (
        msg("off-board area: a red hex at the edge of the map. Routes end there; its value rises with the phases."),
        ("offboard",),
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


def term_text(typed: str) -> Message | None:
    """The explanation of a word in English or in the reader's language; None where it is no such word."""
    word = typed.strip().casefold()
    for text, others in TERMS:
        if word in others or word in [*_heads(text.template), *_heads(tr(text))]:
            return text
    return None


def term_names() -> list[str]:
    """The words in the reader's language, in its order."""
    return sorted((tr(text).partition(":")[0] for text, _ in TERMS), key=str.casefold)


def _heads(sentence: str) -> list[str]:
    """The word that a sentence explains, and the other word for it in brackets."""
    outside, _, inside = sentence.partition(":")[0].casefold().partition(" (")
    return [outside, *([inside.rstrip(")")] if inside else [])]
