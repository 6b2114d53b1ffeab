"""Commands for plans, which only their owner sees."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import GameId, IllegalMove, Text, msg
from bot.engine.play.game import Game
from bot.i18n import tr
from bot.service.features.plans.executor import ShownPlan
from bot.service.plans.conditions import WAKES

from .command import Choice, Flag, Number, Plans, Reply, Request, Spelling, Words, command, parameter
from .completion import lots, own_plans, plan_texts, playing_companies
from .move_commands import offered_plans

REVENUE = Choice({"pay": "pay", "withhold": "withhold", "half": "half"})
ASKED = Choice({"track": "track", "token": "token", "trains": "trains", "routes": "routes", "dividend": "dividend"})
ANY_TRADE = "sale buy start president"
WAKE_UP = Choice(
    {
        "": "nothing: until the round ends",
        ANY_TRADE: "anyone buys or sells shares, starts or takes over a company",
        **dict(WAKES.items()),
    }
)


@command(
    "plan",
    "Plan ahead in words, e.g. pass until sale start",
    right="order",
    changes=True,
    words=("auto", Spelling("auto say", is_old=True)),
    order=parameter(Words(500), "buy VR; pass until start | bid P4 up to 200 | VR: run best; pay | refuse", plan_texts),
    example="plan pass until sale",
)
async def give_plan(request: Request, order: str = "") -> Reply:
    """`Ann: pass` gives it for the seat of that name; `drop 2` drops one."""
    if not order:
        return await list_plans(request)
    verb, _, number = order.strip().partition(" ")
    if verb.lower() in ("drop", "list") and (not number or number.isdecimal()):
        return await (
            drop_plan(request, int(number) if number else None) if verb.lower() == "drop" else list_plans(request)
        )
    game_id = await request.game_id()
    given = await request.tables.plans.give_plan(game_id, request.person, order)
    lost = [msg("It replaces: {plan}.", one) for one in given.replaced]
    return await plans_reply(request, game_id, msg("Noted, visible only to you: {order}", given.text), *lost)


@command(
    "auto say",
    "Plan ahead in words, as with the command plan",
    right="order",
    changes=True,
    form_of="plan",
    order=parameter(Words(500), "buy VR; pass until start | bid P4 up to 200 | VR: run best; pay | refuse", plan_texts),
)
async def say_plan(request: Request, order: str = "") -> Reply:
    return await give_plan(request, order)


async def plans_reply(request: Request, game_id: GameId, *before: Text) -> Reply:
    """One's own plans: the text of each, its present effect, why it has ended."""
    table = await request.tables.desk.table(game_id)
    names = {held.number: held.name for held in table.seats}
    found = await request.tables.plans.own_plans(game_id, request.person)
    several = len(table.held_by(request.person)) > 1
    lines: list[Text] = list(before)
    for number, plan in enumerate(found, 1):
        who = f"{names.get(plan.record.seat, '')}: " if several else ""
        text, *effect = plan_lines(plan)
        lines.append(" ".join([f"{number}. {who}{text}", *effect]))
    if not found:
        lines.append(msg("You have no plans here. Only you see them until they act."))
        examples = " | ".join(examples_in(await request.position()))
        lines.append(
            msg("To plan ahead: {command}; for example {example}.", request.spell("plan", order="…"), examples)
        )
    return Reply(lines, follow_ups=await offered_plans(request, game_id), subject=Plans(game_id, found))


def plan_lines(plan: ShownPlan) -> Iterator[str]:
    """A plan in words, then what it would do."""
    yield plan.text
    if plan.effect:
        yield plan.effect
    if plan.later:
        yield tr("If it were the company's turn now: {moves}", plan.later)


def examples_in(game: Game) -> list[str]:
    """Plans as they may be typed, with names of this game."""
    one, other = [*game.state.companies, "VR", "NSW"][:2]
    lots = [private.id for private in game.state.privates.values() if private.owner is None and not private.closed]
    bids = [f"bid {lot} up to 200; pass" for lot in lots[-1:]]
    return ["pass until start, sale of mine", f"buy {one}; buy {other}; pass", f"run {one} pay", *bids]


@command(
    "auto pass",
    "Pass for you until something happens",
    right="order",
    changes=True,
    form_of="plan",
    wake=parameter(WAKE_UP, "Event that ends it immediately"),
    every_round=parameter(Flag(), "Also in later rounds"),
)
async def plan_to_pass(request: Request, wake: str = "", every_round: bool = False) -> Reply:
    return await give_plan(request, f"pass{' all' if every_round else ''}{f' until {wake}' if wake else ''}")


@command(
    "auto buy",
    "Buy shares of a company, one per turn",
    right="order",
    changes=True,
    form_of="plan",
    company=parameter(Words(20), "Its abbreviation, e.g. VR", playing_companies),
    to=parameter(Number(1, 100), "Until you hold this percentage"),
    most=parameter(Number(1, 9_999), "Maximum price per share"),
)
async def plan_to_buy(request: Request, company: str, to: int | None = None, most: int | None = None) -> Reply:
    return await give_plan(request, f"buy {company} to {to or 'limit'}{f' max {most}' if most else ''}")


@command(
    "auto bid",
    "Bid on a lot up to a secret maximum",
    right="order",
    changes=True,
    form_of="plan",
    lot=parameter(Words(20), "The lot you bid for, e.g. P4", lots),
    most=parameter(Number(1, 99_999), "Your highest bid"),
)
async def plan_to_bid(request: Request, lot: str, most: int) -> Reply:
    return await give_plan(request, f"bid {lot} up to {most}")


@command(
    "auto run",
    "Run a company: no track, no token, best routes, pay or withhold",
    right="order",
    changes=True,
    form_of="plan",
    company=parameter(Words(20), "Its abbreviation, e.g. VR", playing_companies),
    revenue=parameter(REVENUE, "Pay or withhold the revenue"),
    ask=parameter(ASKED, "Decisions you still want to make yourself"),
)
async def plan_to_run(request: Request, company: str, revenue: str = "pay", ask: str = "") -> Reply:
    return await give_plan(request, f"run {company} {revenue}{f' {ask} ask' if ask else ''}")


@command("auto list", "Your plans, what each would do now, and why some ended", right="order")
async def list_plans(request: Request) -> Reply:
    return await plans_reply(request, await request.game_id())


@command(
    "auto drop",
    "Drop a plan in this game, or all of them",
    right="order",
    changes=True,
    order=parameter(Number(1, 999), "Its number (default: all of them)", own_plans),
    example="auto drop 1",
)
async def drop_plan(request: Request, order: int | None = None) -> Reply:
    game_id = await request.game_id()
    chosen = None
    if order is not None:
        found = await request.tables.plans.own_plans(game_id, request.person)
        if order > len(found):
            raise IllegalMove("You have {number} plans here.", "", len(found))
        chosen = found[order - 1].record.plan
    dropped = await request.tables.plans.drop_plans(game_id, request.person, chosen)
    return await plans_reply(request, game_id, msg("{number} dropped.", dropped))
