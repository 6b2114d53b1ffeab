"""Differences that are known, each with its reason; the titles' pages tell of them. A game ends where it meets one."""

from __future__ import annotations

import re

EVERYWHERE = (
    (
        r"Timeout::Error",
        "the searches there for what companies reach took more than a minute",
    ),
    (
        r" lay .*refused there: Must use new track",
        "the search there enters no stop twice, by whatever way it comes, and so overlooks walks along the new track; a file is loaded"
        " without this question",
    ),
)
"""What may happen in every title: what the difference says, and why it is there."""

REASONS: dict[str, tuple[tuple[str, str], ...]] = {
    "1848": (
        (
            r"corps\.(\w+)\.price: here .*there \1 is asked at dividend"
            r"|there (\w+) is asked at dividend: dividend; written: entity=\2 entity_type=corporation type=(pass|lay_tile)"
            r"|^move 331, NSW lay 9 D17 3 .* there NSW is asked at buy_train",
            "the run of a company that fell before it paid is there for the next one to pay",
        ),
        (
            r"cannot process action \w+ at .*is asked at cash_crisis",
            "a debtor who had nothing to sell is asked there again as soon as he has",
        ),
        (
            r"No step found for action .*there None is asked|there None is asked at cash_crisis",
            "the game stops there: a debtor has nothing to sell when the last company of a round has fallen",
        ),
        (
            r"there COM is asked at (?!dividend)|cannot process action .* there COM is asked",
            "COM, last in the order and without its link, is asked there for what the company before it was not asked",
        ),
        (
            r"corps\.\w+\.tokens: here \[\], .*is asked at (cash_crisis|tasmania_tile)"
            r"|Blocking step Lay/Upgrade Track .*before: [^;]* \(at (sell shares to pay the compensation|lay the Tasmania tile)\)",
            "there the turn of the company next in order has begun already while something is done for the one before it",
        ),
        (
            r"\(at sell shares to pay the compensation\): (action 1 refused there|.* there (BOE|None) is asked at)"
            r"|Blocking step Sell then Buy Shares .*before: [^;]* \(at sell shares to pay the compensation\)"
            r"|end_reason: here None, .*; here sell shares to pay the compensation"
            r"|^move 237, @2 buy QR from pool .* Cannot buy a share of QR",
            "a debtor sells once there if his company was the last to operate, and owes the rest until his turn in the stock round",
        ),
        (
            r"^move 410, WA run .* there WA is asked at token",
            "the space that COM's token makes for itself beside a reserved one leaves that one empty: the city shuts nobody out",
        ),
        (
            r"Blocking step Discard Trains cannot process action",
            "trains above a limit that a removal lowered are given up there after the next company's dividend, even if it falls by it",
        ),
    ),
    "1844": (
        (
            r"sell \d SBB.*corps\.SBB\.pool",
            "who gives the directorship of the SBB away with a sale gets a double certificate back there for one share too many",
        ),
        (
            r"sell \d+ SBB(?: doubles \d)? \(.*: players\.\d+\.certs",
            "a director of the SBB who sells gives first what he gets for his certificate here; there he keeps it",
        ),
        (
            r"sell 1 SBB doubles 0 .*Blocking step Sell then Buy Shares cannot process action sell_shares",
            "who holds nothing but double certificates of the SBB is offered no sale of a single share there",
        ),
        (
            r"refused there: undefined method `name' for nil",
            "the game stops there: nobody acts for the SBB, which has no director",
        ),
        (
            r"buy SBB from pool \(.*: players\.\d+\.certs",
            "who comes to direct an SBB without a director, by a single certificate, does not exchange it for the director's there",
        ),
        (
            r"^move 1487, JN bankrupt .*: bank_broken: here False, there True",
            "that the bank had broken before is remembered there, whatever came back to it by the bankruptcy",
        ),
        (
            r"NotImplementedError.*`home_token_locations'",
            "the game stops there: the SBB forms of companies of which none has a station",
        ),
    ),
    "1830": (
        (
            r"buy \S+ from pool .* Not a buyable train",
            "of several trains of a kind in the pool it sells the one alone that came there first; ours do not say which that is",
        ),
    ),
    "18GB": (
        (
            r"No step found for action pass.*there None is asked"
            r"|Blocking step Buy Trains cannot process action pass at .*there \w+ is asked at buy_train: buy_train; ",
            "the game stops there: a company in receivership that can pay for nothing, or to the pound, after its run is made to pass"
            " where nobody waits, or where it must buy",
        ),
        (
            r"^move 132, @2 buy GWR .*Cannot buy a share of GWR; .*before: GWR buy 4\+2 from LSWR for 1 ",
            "who has closed the London & Birmingham may buy nothing any more there once the LNWR, which has not floated, is removed",
        ),
        (
            r"^move 130, LYR token I14 .*cannot process action place_token at .*before: CR buy 4\+2 for 300 ",
            "what a company reaches is kept there from before it could place a token",
        ),
    ),
}
"""By title: what the difference says, and why it is there."""


def reason_of(title: str, difference: str) -> str | None:
    """Why the difference is known, if it is."""
    return next((reason for pattern, reason in (*EVERYWHERE, *REASONS[title]) if re.search(pattern, difference)), None)
