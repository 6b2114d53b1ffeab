"""Recorded openings, for what is judged in one position of them."""

from __future__ import annotations

from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game, options_for_chance
from bot.titles.registry import TITLES

OPENINGS = {
    "1848": """
@1 buy P6 for 230|@2 buy P3 for 110|@3 buy P4 for 170|@1 buy P2 for 70|@2 buy P1 for 30|@3 reduce P5|@1 pass|@2 reduce P5
@3 buy P5 for 160|@1 buy BOE from pool|@2 par SAR 90|@3 par QR 90|@1 buy BOE from pool|@2 buy SAR|@3 buy QR|@1 buy CAR
@2 buy BOE from pool|@3 buy QR|@1 buy CAR|@2 buy SAR|@3 buy QR|@1 buy CAR|@2 buy QR|@3 pass|@1 buy CAR|@2 buy SAR|@3 pass
@1 pass|@2 buy SAR|@3 pass|@1 pass|@2 pass|CAR lay 5 E4 2|CAR pass|SAR lay 57 G6 5|SAR buy 2 for 100|SAR buy 2 for 100
SAR buy 2+ for 120|SAR buy 2 for 100|QR lay 57 B19 5|QR buy 2 for 100|QR pass|@3 buy SAR|@1 sell 1 BOE|@1 buy SAR
@2 sell 1 BOE|@2 buy SAR|@3 pass|@1 sell 1 BOE|@1 buy SAR|@2 pass|@3 pass|@1 pass|CAR lay 1 D3 1|CAR buy 2+ for 120
CAR buy 3+ for 230|CAR buy 3 for 200|CAR pass|SAR lay 5 F5 4|SAR lay 5 H7 2|SAR loan|SAR lay 241 I10 1|SAR token H7
SAR run 2-0=H7.c0>G6.c0 2-1=F5.c0>G6.c0|SAR pay
""",
    "18GB": """
@1 bid GN 70|@2 bid GN 75|@3 bid LM 45|@1 bid LB 40|@2 bid SD 35|@3 bid AF 30|@1 bid LS 30|@2 bid LM 50|@3 bid GN 80
@1 bid SD 40|@2 bid LB 45|@3 pass|@1 bid AF 35|@2 pass|@3 pass|@1 pass|@1 par GWR 100|@2 par LNWR 100|@3 par CR 100
@1 pass|@2 pass|@3 pass|GWR lay G19 D23 0|GWR lay 58 C24 1|GWR buy 2+1 for 80|GWR buy 2+1 for 80|GWR buy 2+1 for 80
""",
}
"""Games of three computer players."""


def position(moves: int, title: str = "1848") -> Game:
    """The position after so many of them."""
    game = Game.new(TITLES[title], ["Ann", "Bob", "Cid"], options_for_chance(TITLES[title], {}), 1)
    for text in OPENINGS[title].replace("\n", "|").strip("|").split("|")[:moves]:
        game.apply(parse_action(game.title, text))
    return game
