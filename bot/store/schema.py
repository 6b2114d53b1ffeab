"""The tables. A change here needs a migration in `migrations/versions`."""

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("title", String, nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("moderator", String, nullable=False),
    Column("pace_hours", Float, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
    Column("rules", Integer, nullable=False, server_default="1"),
    Column("language", String, nullable=False, server_default=""),
    Column("seats_each", Integer, nullable=False, server_default="1"),
    Column("invitation", String, nullable=False, server_default=""),
    Column("asks_always", Integer, nullable=False, server_default="0"),
    Column("shows_both", Integer, nullable=False, server_default="0"),
    Column("retold", Integer, nullable=False, server_default="0"),
    Column("clock", Text, nullable=False, server_default="null"),
    Column("unrated", Integer, nullable=False, server_default="0"),
    Column("watchable", Integer, nullable=False, server_default="0"),
    Index("games_of_status", "status", "updated_at"),
    Index("games_of_moderator", "moderator"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", String, nullable=False),
    Column("name", String, nullable=False),
    Column("zone", String, nullable=False, server_default="UTC"),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("muted", Integer, nullable=False, server_default="0"),
    Column("away_until", Float),
    Column("sitter", String, nullable=False, server_default=""),
    Column("sitter_until", Float),
    PrimaryKeyConstraint("game", "number"),
    Index("seats_of_person", "person"),
    Index("seats_of_sitter", "sitter"),
)

moves = Table(
    "moves",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("parent", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("person", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("lines", Text, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("seat", Integer),
    Column("auto", Integer, nullable=False, server_default="0"),
    Column("seal", Integer),
    PrimaryKeyConstraint("game", "number"),
    Index("moves_of_seat", "game", "seat", "number"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),
    PrimaryKeyConstraint("game", "number"),
)

clocks = Table(
    "clocks",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("since", Float, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("reminders", Integer, nullable=False),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("reminded_at", Float),
    Column("snoozed_until", Float),
    Column("zone", String, nullable=False, server_default="UTC"),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    PrimaryKeyConstraint("game", "seat"),
    Index("clocks_due", "due_at"),
)

ledger = Table(
    "ledger",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("topic", String, nullable=False),
    Column("since", Float, nullable=False),
    Column("seat", Integer),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("until", Float),
    Column("seconds", Float, nullable=False, server_default="0"),
    Column("zone", String, nullable=False, server_default="UTC"),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Index("ledger_of_game", "game", "seat", "topic", unique=True),
)

pulses = Table("pulses", metadata, Column("id", Integer, primary_key=True), Column("at", Float, nullable=False))

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("seat", Integer),
    Column("lines", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("posted_at", Float),
    Column("reference", String),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("seal", Integer),
    Index("outbox_waiting", "posted_at", "id"),
)

places = Table(
    "places",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("guild", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("thread", String),
    Column("trouble", String),
    Column("shard_key", Integer),
    Index("places_thread", "thread"),
    Index("places_channel", "channel"),
    Index("places_guild", "guild"),
)

orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("number", Integer, nullable=False),
    Column("ended", Integer),
    Column("reason", Text, nullable=False, server_default='["said",""]'),
    Column("plan", Integer, nullable=False, server_default="0"),
    Index("orders_of_game", "game", "seat"),
)

sandboxes = Table(
    "sandboxes",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("person", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("texts", Text, nullable=False),
    PrimaryKeyConstraint("game", "person"),
)

links = Table(
    "links",
    metadata,
    Column("digest", String, primary_key=True),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("person", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("used_at", Float),
    Column("target", Text, nullable=False, server_default=""),
    Index("links_of_game", "game", "person", "kind"),
    Index("links_of_person", "person", "kind"),
    Index("links_until", "until"),
)

calls = Table(
    "calls",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("link", String, nullable=False),
    Column("notice", Integer, nullable=False),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer),
    Column("made_at", Float, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    UniqueConstraint("link", "notice"),
    Index("calls_due", "due_at"),
    Index("calls_of_game", "game"),
)

keys = Table(
    "keys",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", Text, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("person", String, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("game", "person"),
)

talk = Table(
    "talk",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("person", String, nullable=False),
    Column("lines", Text, nullable=False),
    Column("made_at", Float, nullable=False),
    Index("talk_of_game", "game", "id"),
    Index("talk_of_person", "person", "made_at"),
)

questions = Table(
    "questions",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("person", String, nullable=False),
    Column("data", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("closed_at", Float),
    Column("outcome", String, nullable=False, server_default=""),
    Index("questions_of_game", "game", "closed_at"),
)

answers = Table(
    "answers",
    metadata,
    Column("question", Integer, ForeignKey("questions.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("agree", Integer, nullable=False),
    Column("made_at", Float, nullable=False),
    PrimaryKeyConstraint("question", "seat"),
)

posts = Table(
    "posts",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("slot", String, nullable=False),
    Column("message", String),
    Column("channel", String, nullable=False),
    Column("nonce", String, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("version", Integer, nullable=False),
    Column("digest", String, nullable=False, server_default=""),
    Column("again", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("game", "slot"),
)

people = Table(
    "people",
    metadata,
    Column("person", String, primary_key=True),
    Column("zone", String, nullable=False, server_default="UTC"),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("away_until", Float),
    Column("language", String, nullable=False, server_default=""),
    Column("address", String, nullable=False, server_default=""),
    Column("mail", String, nullable=False, server_default=""),
    Column("written_at", Float),
    Column("returned_at", Float),
    Column("also", String, nullable=False, server_default=""),
    Column("asked", String, nullable=False, server_default=""),
    Column("asked_at", Float),
    Column("erasing_at", Float),
    Column("record", String, nullable=False, server_default=""),
    Column("followers", String, nullable=False, server_default=""),
    Index("people_address", "address"),
    Index("people_asked", "asked"),
    Index("people_asked_at", "asked_at"),
    Index("people_erasing_at", "erasing_at"),
)

mails = Table(
    "mails",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key", String, nullable=False, unique=True),
    Column("person", String, nullable=False),
    Column("game", Integer, ForeignKey("games.id")),
    Column("seat", Integer),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("kind", String, nullable=False),
    Column("notice", Integer),
    Column("lines", Text, nullable=False, server_default="[]"),
    Column("attached", Text, nullable=False, server_default="[]"),
    Column("made_at", Float, nullable=False),
    Column("sent_at", Float),
    Column("reference", String),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Index("mails_waiting", "sent_at", "id"),
    Index("mails_of_person", "person"),
    Index("mails_reference", "reference"),
)

results = Table(
    "results",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("title", String, nullable=False),
    Column("began_at", Float, nullable=False),
    Column("ended_at", Float, nullable=False),
    Column("players", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("whole", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Index("results_ended", "ended_at", "game"),
    Index("results_of_title", "title", "ended_at"),
)

standings = Table(
    "standings",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("inherited", Integer, nullable=False),
    Column("companies", Text, nullable=False),
    Column("privates", Text, nullable=False),
    Column("answers", Text, nullable=False),
    Column("expected", Float),
    Column("mu", Float),
    Column("sigma", Float),
    Column("title_mu", Float),
    Column("title_sigma", Float),
    PrimaryKeyConstraint("game", "seat"),
)

departures = Table(
    "departures",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("person", String, nullable=False),
    PrimaryKeyConstraint("game", "person"),
    Index("departures_of_person", "person"),
)

openings = Table(
    "openings",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("reach", String, nullable=False),
    Column("level", String, nullable=False),
    Column("note", Text, nullable=False),
    Column("vouched", Integer, nullable=False),
    Column("opened_at", Float, nullable=False),
)

sharing = Table("sharing", metadata, Column("guild", String, primary_key=True), Column("since", Float, nullable=False))

server_pages = Table(
    "server_pages",
    metadata,
    Column("guild", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("since", Float, nullable=False),
)

wishes = Table(
    "wishes",
    metadata,
    Column("person", String, nullable=False),
    Column("title", String, nullable=False),
    Column("guild", String, nullable=False),
    Column("made_at", Float, nullable=False),
    PrimaryKeyConstraint("person", "title"),
    Index("wishes_for_title", "title", "made_at"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("person", String, nullable=False),
    Column("other", String, nullable=False),
    PrimaryKeyConstraint("person", "other"),
    Index("blocks_of_other", "other"),
)

bans = Table(
    "bans",
    metadata,
    Column("digest", String, primary_key=True),
    Column("since", Float, nullable=False),
    Column("mailbox", String, nullable=False, server_default=""),
    Index("bans_of_mailbox", "mailbox"),
)

follows = Table(
    "follows",
    metadata,
    Column("person", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("target", String, nullable=False),
    Column("name", String, nullable=False),
    Column("seen", String, nullable=False),
    Column("since", Float, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("interval", String, nullable=False, server_default="day"),
    PrimaryKeyConstraint("person", "kind", "target"),
    Index("follows_of_target", "kind", "target"),
    Index("follows_due", "due_at"),
)

volunteers = Table(
    "volunteers",
    metadata,
    Column("person", String, nullable=False),
    Column("title", String, nullable=False),
    Column("since", Float, nullable=False),
    PrimaryKeyConstraint("person", "title"),
    Index("volunteers_for_title", "title", "since"),
)

offers = Table(
    "offers",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("offered_at", Float, nullable=False),
    PrimaryKeyConstraint("game", "seat"),
)

seasons = Table(
    "seasons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("guild", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("name", String, nullable=False),
    Column("title", String, nullable=False),
    Column("size", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("pace_hours", Float, nullable=False),
    Column("clock", Text, nullable=False, server_default="null"),
    Column("by_level", Integer, nullable=False),
    Column("language", String, nullable=False),
    Column("organiser", String, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("opened_at", Float, nullable=False),
    Column("draws_at", Float, nullable=False),
    Index("seasons_of_guild", "guild", "id"),
)

entrants = Table(
    "entrants",
    metadata,
    Column("season", Integer, ForeignKey("seasons.id"), nullable=False),
    Column("person", String, nullable=False),
    Column("name", String, nullable=False),
    Column("entered_at", Float, nullable=False),
    Column("left_at", Float),
    PrimaryKeyConstraint("season", "person"),
    Index("entrants_by_person", "person"),
)

draws = Table(
    "draws",
    metadata,
    Column("season", Integer, ForeignKey("seasons.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", String, nullable=False),
    Column("game", Integer, ForeignKey("games.id")),
    PrimaryKeyConstraint("season", "round", "person"),
    Index("draws_of_game", "game"),
)

failures = Table(
    "failures",
    metadata,
    Column("queue", String, nullable=False),
    Column("key", String, nullable=False),
    Column("game", Integer),
    Column("tries", Integer, nullable=False),
    Column("error", String, nullable=False),
    Column("first_at", Float, nullable=False),
    Column("last_at", Float, nullable=False),
    Column("set_aside_at", Float),
    Column("reported_at", Float),
    PrimaryKeyConstraint("queue", "key"),
)
