"""The lesson: three railways on Shikoku, from the first share to a forced train purchase."""

from __future__ import annotations

from bot.engine import IPO, POOL
from bot.engine.play import Game
from bot.engine.play.steps import best_set, operating_turn
from bot.engine.state import Action, BuyShares, BuyTrain, Dividend, LayTile, Par, RunRoutes, SellShares
from bot.titles.lessons import Lesson, LessonStep, Slip, Test, is_pass, script

from . import components as box

OWN = box.COMPANIES["KO"].id
"""The learner's company."""

PAR = 75


def share_purchase(company: str, source: str = IPO) -> Test:
    return lambda after, action: isinstance(action, BuyShares) and (action.company, action.source) == (company, source)


def train_purchase(kind: str) -> Test:
    return lambda after, action: (
        isinstance(action, BuyTrain) and (action.by, action.kind, action.source) == (OWN, kind, "depot")
    )


def lay_on(hex_id: str) -> Test:
    return lambda after, action: isinstance(action, LayTile) and action.hex == hex_id


def lay_for(revenue: int) -> Test:
    """A lay after which the trains of the learner's company can run for as much."""
    return lambda after, action: isinstance(action, LayTile) and best_set(after, OWN).revenue == revenue


def run_for(revenue: int) -> Test:
    return lambda after, action: operating_turn(after).revenue == revenue


def use_for(kind: str) -> Test:
    return lambda after, action: isinstance(action, Dividend) and action.kind == kind


def par_where(test: Test) -> Test:
    return lambda after, action: isinstance(action, Par) and test(after, action)


def move_of(kind: type[Action]) -> Test:
    return lambda after, action: isinstance(action, kind)


def purchase_between_companies(after: Game, action: Action) -> bool:
    """A train of another company, or from one."""
    return isinstance(action, BuyTrain) and action.source in after.state.companies


def purchase_from_pool(after: Game, action: Action) -> bool:
    return isinstance(action, BuyTrain) and (action.by, action.source) == ("IR", POOL)


WORSE_RUN = Slip(
    move_of(RunRoutes), "Another run earns more. Nobody gives revenue away: `run best` finds the highest run."
)
OTHERS_FLOAT = Slip(
    move_of(BuyShares),
    "That helps another player's company to float. First float your own: KO must sell half its shares.",
)
TWO_COMPANIES = Slip(move_of(Par), "Your money floats one company, not two. First float KO.")
NO_FLOAT = Slip(is_pass, "If you pass now, KO may not float in this round, and your money earns nothing.")
DEARER_SHARE = Slip(
    share_purchase("IR", POOL),
    "A share from the pool costs the share price, ¥70. A new share costs the par price, ¥65, and is worth the same: buy a new share.",
)
TRAIN_FROM_OTHERS = Slip(
    purchase_between_companies,
    "Companies may buy trains from each other, if both presidents agree. Here buy one from the bank.",
)

STEPS = (
    LessonStep(
        "You have ¥380 and a small private company, which pays you ¥15 in every operating round. Start a railway: choose "
        "a par price and buy its first certificate, two of its ten shares. When five shares are sold, it floats: it gets "
        "ten times the par price and begins to build. Start KO, whose home Takamatsu pays ¥30 and has track already, at "
        "the highest par price at which you can pay for five shares.",
        script("par KO 75"),
        Par,
        par_where(lambda after, action: isinstance(action, Par) and (action.company, action.price) == (OWN, PAR)),
        "You are the president of KO: you decide what it does.",
        (
            Slip(
                par_where(lambda after, action: isinstance(action, Par) and action.company != OWN),
                "Start KO: its home Takamatsu pays ¥30 and has track already.",
            ),
            Slip(
                par_where(lambda after, action: isinstance(action, Par) and action.price > PAR),
                "At this par price five shares cost more than your ¥380. KO might never float.",
            ),
            Slip(
                par_where(lambda after, action: True),
                "That would work, but KO gets ten times its par price, and you can pay more.",
            ),
            Slip(is_pass, "Money in your hand earns nothing: start a company."),
        ),
        script("@2 par IR 65\n@3 par KU 70"),
    ),
    LessonStep(
        "Aki and Ben have started companies too. A turn in a stock round is one purchase. Buy another share of KO. "
        "(`undo` takes a move back, here as in every game.)",
        script("buy KO"),
        BuyShares,
        share_purchase(OWN),
        "A new share always costs the par price, also when the share price has changed.",
        (OTHERS_FLOAT, TWO_COMPANIES, NO_FLOAT),
        script("@2 buy IR\n@3 buy KU"),
    ),
    LessonStep(
        "You have three shares of KO. Buy another.",
        script("buy KO"),
        BuyShares,
        share_purchase(OWN),
        "One share is missing.",
        (OTHERS_FLOAT, TWO_COMPANIES, NO_FLOAT),
        script("@2 buy IR\n@3 buy KU"),
    ),
    LessonStep(
        "The fifth share floats KO. Buy it. (`help float` explains a word, `market` shows the share prices.)",
        script("buy KO"),
        BuyShares,
        share_purchase(OWN),
        "KO has ¥750 now. This is its treasury, for track and trains; it is not yours.",
        (OTHERS_FLOAT, NO_FLOAT),
        script("@2 buy IR\n@3 buy KU\n@1 pass\n@2 pass\n@3 pass"),
    ),
    LessonStep(
        "All have passed, and an operating round begins. Companies act in the order of their share prices, KO first. Each "
        "may lay one tile, then runs its trains, pays or keeps what they earn, and may buy trains. A train needs a route "
        "of two stops. `map` shows Takamatsu (K4) and the town Ritsurin Kouen (J5) beside it. Lay a tile with a town on J5.",
        script("lay 3 J5 4"),
        LayTile,
        lay_on("J5"),
        "Takamatsu and the town make a route worth 30 + 10. KO has no train yet, so its share price falls by a step.",
        (
            Slip(is_pass, "Without track a train has nowhere to go."),
            Slip(move_of(LayTile), "Lay on J5: it costs nothing and joins Takamatsu to a second stop at once."),
        ),
    ),
    LessonStep(
        "Now a train. A 2-train costs ¥80 and visits two stops. It rusts when the first 4-train is sold: then it leaves "
        "the game. `trains` lists all kinds. Buy a 2-train.",
        script("buy 2"),
        BuyTrain,
        train_purchase("2"),
        "It runs from the next operating round on.",
    ),
    LessonStep(
        "KO can soon have a second route. Buy a train for it too.",
        script("buy 2"),
        BuyTrain,
        train_purchase("2"),
        "¥590 stay in the treasury for track and better trains.",
        (Slip(is_pass, "Two trains on two routes earn twice as much, and ¥80 is little for a train."),),
        script(
            """
            KO pass
            KU lay 57 C10 1
            KU buy 2 for 80
            KU buy 2 for 80
            KU pass
            IR lay 6 E2 4
            IR buy 2 for 80
            IR buy 2 for 80
            IR pass
            @1 pass
            @2 pass
            @3 pass
            """
        ),
    ),
    LessonStep(
        "Nobody had the money for a share in stock round 2, so it was short. KO acts again. Two trains must not use the same "
        "track. Give the second train a route: lay a tile on J3 that leads from Takamatsu (K4) to Sakaide & Okayama (J1), "
        "a red off-board area.",
        script("lay 8 J3 3"),
        LayTile,
        lambda after, action: lay_on("J3")(after, action) and lay_for(90)(after, action),
        "An off-board area ends a route, and pays more in later phases.",
        (
            Slip(is_pass, "Then one of KO's trains stays at home."),
            Slip(lay_for(90), "That route is good too, but water costs ¥80. On J3 a tile costs nothing."),
            Slip(move_of(LayTile), "That gives the second train no route. The tile on J3 must join K4 and J1."),
        ),
    ),
    LessonStep(
        "Run the trains. A route joins two stops or more, and a token of KO is at one of them. You need not look for the "
        "best routes: the program finds them, and `routes` proves it.",
        script("run best"),
        RunRoutes,
        run_for(90),
        "¥50 on the one route, ¥40 on the other.",
        (WORSE_RUN,),
    ),
    LessonStep(
        "Who gets the ¥90? If KO pays, each share gets ¥9, your five ¥45, and the share price rises. If KO withholds, its "
        "treasury gets all of it, and the share price falls. KO has ¥590, enough for the next train. Pay.",
        script("pay"),
        Dividend,
        use_for("pay"),
        "Dividends and rising prices are how you win.",
        (Slip(use_for("withhold"), "KO has money enough. Withhold when it needs some: that comes later."),),
    ),
    LessonStep(
        "The 2-trains are sold out. A 3-train costs ¥180 and visits three stops. The first 3-train begins phase 3: green "
        "tiles, and two operating rounds between stock rounds. Buy one before the others do.",
        script("buy 3"),
        BuyTrain,
        train_purchase("3"),
        "The company that buys the first train of a kind begins a phase for all.",
        (
            Slip(is_pass, "KO's 2-trains rust soon. A company that buys too late has none."),
            TRAIN_FROM_OTHERS,
        ),
        script(
            """
            KO pass
            KU lay 3 B11 3
            KU run 2-2=B11.t0>C10.c0
            KU withhold
            KU buy 3 for 180
            KU buy 3 for 180
            IR lay 9 E4 0
            IR run 2-4=F1.o0>E2.c0
            IR pay
            IR pass
            """
        ),
    ),
    LessonStep(
        "Stock round 3. You have ¥80. A share of KO costs ¥75, and each has just paid ¥9. A share of IR costs ¥65, and "
        "has paid ¥5. Which is better? Buy it.",
        script("buy KO"),
        BuyShares,
        share_purchase(OWN),
        "You have 60% of KO, the most that a player may hold.",
        (
            Slip(move_of(BuyShares), "Compare: KO has paid ¥9 for a share of ¥75, IR ¥5 for one of ¥65, KU nothing."),
            Slip(move_of(SellShares), "A sale may lower the share price, and you have money enough without it."),
            Slip(is_pass, "¥80 in your hand earn nothing; a share earns in every operating round."),
        ),
        script("@1 pass\n@2 pass\n@3 pass\n@1 pass"),
    ),
    LessonStep(
        "Green tiles are available now. An upgrade replaces a tile and keeps its track: Takamatsu then pays 40 instead of "
        "30. All routes of KO end there. Upgrade K4.",
        script("lay 440 K4 0"),
        LayTile,
        lay_on("K4"),
        "Each of its routes earns ¥10 more.",
        (
            Slip(is_pass, "An upgrade of Takamatsu costs nothing and earns more on every route."),
            Slip(move_of(LayTile), "Takamatsu (K4) is on every route of KO. Upgrade that tile."),
        ),
    ),
    LessonStep(
        "Run the trains.",
        script("run best"),
        RunRoutes,
        run_for(110),
        "¥110, ¥20 more than last time.",
        (WORSE_RUN,),
    ),
    LessonStep(
        "KO has ¥410, and a train costs ¥180. Pay or withhold?",
        script("pay"),
        Dividend,
        use_for("pay"),
        "Your six shares brought ¥66.",
        (Slip(use_for("withhold"), "KO can pay for its next train without that. Take the dividend."),),
    ),
    LessonStep(
        "KO may own four trains. Two of its three rust with the first 4-train. Buy another 3-train.",
        script("buy 3"),
        BuyTrain,
        train_purchase("3"),
        "KO is ready for the rust.",
        (
            Slip(is_pass, "After the first 4-train KO would have a single train left."),
            TRAIN_FROM_OTHERS,
        ),
        script(
            """
            IR lay 8 E6 3
            IR run 2-4=F1.o0>E2.c0
            IR pay
            IR buy 2 from KU for 100
            @3 agree
            IR pass
            KU pass
            KU run 2-3=B11.t0>C10.c0
            KU withhold
            KU buy 3 for 180
            """
        ),
    ),
    LessonStep(
        "One of KO's trains has no route. Water and mountains cost money: a tile on K6 costs ¥80. It leads to Naruto & "
        "Awaji (L7), off-board, and earns ¥60 in every round. Lay it.",
        script("lay 8 K6 3"),
        LayTile,
        lay_for(170),
        "After two rounds the track has paid for itself. KO runs for ¥170 and pays; your six shares bring ¥102.",
        (
            Slip(is_pass, "¥80 once for ¥60 in every round is a good purchase."),
            Slip(move_of(LayTile), "That gives the idle train no route. The tile on K6 must join K4 and L7."),
        ),
        script(
            """
            KO run 2-0=J5.t0>K4.c0 3-0=L7.o0>K6>K4.c0 3-3=J1.o0>J3>K4.c0
            KO pay
            IR lay 9 F7 2
            IR run 2-2=F1.o0>E2.c0
            IR pay
            IR buy 2 from KU for 120
            @3 agree
            KU pass
            KU run 3-1=B11.t0>C10.c0
            KU pay
            KU pass
            @2 sell 3 IR
            @2 pass
            @3 pass
            """
        ),
    ),
    LessonStep(
        "Stock round 4. Aki has sold three shares of IR to the bank pool, and its share price has fallen. IR has four "
        "trains and pays ¥5 a share; a new share still costs ¥65. You have ¥203 and may hold no more of KO. Buy IR.",
        script("buy IR"),
        BuyShares,
        share_purchase("IR"),
        "Do you wonder why Aki sells?",
        (
            Slip(move_of(Par), "You cannot pay for five shares of a new company now."),
            DEARER_SHARE,
            Slip(move_of(BuyShares), "KU earns ¥30 at most. IR pays more."),
            Slip(move_of(SellShares), "KO is your best company: keep its shares."),
            Slip(is_pass, "¥203 in your hand earn nothing."),
        ),
        script("@1 pass\n@2 pass\n@3 pass"),
    ),
    LessonStep(
        "There is money for another share of IR. Buy it.",
        script("buy IR"),
        BuyShares,
        share_purchase("IR"),
        "You have two shares of IR, as many as Aki.",
        (
            Slip(move_of(Par), "You cannot pay for five shares of a new company now."),
            DEARER_SHARE,
            Slip(move_of(BuyShares), "KU earns ¥30 at most. IR pays more."),
            Slip(move_of(SellShares), "KO is your best company: keep its shares."),
            Slip(is_pass, "¥138 in your hand earn nothing."),
        ),
        script(
            """
            @1 pass
            @2 sell 2 IR
            @2 pass
            @3 pass
            @1 pass
            @2 pass
            KO pass
            KO run 2-0=J5.t0>K4.c0 3-0=L7.o0>K6>K4.c0 3-3=J1.o0>J3>K4.c0
            """
        ),
    ),
    LessonStep(
        "Aki has sold the rest. Now you hold most of IR, so you are its president, and answer for it. All four trains of IR are 2-trains, and Ben's KU is saving for a 4-train. KO has run for ¥170. It has ¥150, and a 4-train costs ¥300. Pay or withhold?",
        script("withhold"),
        Dividend,
        use_for("withhold"),
        "The share price of KO falls, but it can buy a 4-train in the next round.",
        (Slip(use_for("pay"), "KO would have only ¥150 in the next round, and no 4-train. This time withhold."),),
        script(
            """
            IR pass
            IR run 2-2=F1.o0>E2.c0
            IR pay
            KU pass
            KU run 3-1=B11.t0>C10.c0
            KU withhold
            KU buy 4 for 300
            KU discard 3
            KO pass
            KO run 3-0=L7.o0>K6>K4.c0>J3>J1.o0 3-3=J5.t0>K4.c0
            """
        ),
    ),
    LessonStep(
        "Rust! KU has bought the first 4-train. All 2-trains are gone: two of KO's, all of IR's. KO's 3-trains have run for "
        "¥130, and it has ¥320. But a company with a route must own a train: IR must buy one. The bank's cheapest costs "
        "¥180: a 3-train in the pool, which KU had to discard. IR has ¥55, you have ¥113. Pay or withhold?",
        script("pay"),
        Dividend,
        use_for("pay"),
        "Your six shares bring ¥78. You will need them.",
        (
            Slip(
                use_for("withhold"),
                "Then you could not pay the ¥125 that IR lacks, and would have to sell shares. KO has its ¥300 already: pay.",
            ),
        ),
    ),
    LessonStep(
        "KO has saved for this: buy its 4-train.",
        script("buy 4"),
        BuyTrain,
        train_purchase("4"),
        "It lasts until the first D-train.",
        (
            Slip(is_pass, "Later trains cost more. KO has the money now."),
            TRAIN_FROM_OTHERS,
            Slip(
                move_of(BuyTrain),
                "The 3-train rusts with the first 6-train. A 4-train lasts longer, and KO can pay for it.",
            ),
        ),
        script("IR pass"),
    ),
    LessonStep(
        "IR earned nothing and has no train: this is a forced train purchase. IR gives all its money, and you pay the rest. "
        "A president who has too little must sell shares; if that is not enough either, they are bankrupt and the game ends. Buy the "
        "discarded 3-train from the pool for IR.",
        script("buy 3 from pool"),
        BuyTrain,
        purchase_from_pool,
        "You paid ¥125 for a company of which you own a fifth. Look at the trains and the treasury of a company before you buy its shares.",
        (
            Slip(
                purchase_between_companies,
                "A good idea: a president may move a train between their companies for little money. This time see what a forced "
                "purchase costs, and buy from the pool.",
            ),
        ),
    ),
)

LESSON = Lesson(
    ("Aki", "Ben"),
    2,
    STEPS,
    "That was the lesson. A game ends when the bank has paid out all its money or a player is bankrupt. The player with the most cash "
    "and shares, at their prices, wins. You can play on here: Aki and Ben now think for themselves. `new 1889 me computer computer` "
    "begins a whole game.",
    {box.BEGINNING.name: "dealt"},
)
