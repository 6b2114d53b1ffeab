"""Counts and measurements for operators. Every room may count; `ops/endpoint.py` shows it."""

from prometheus_client import Counter, Gauge, Histogram

FINE = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds in seconds, from a row written to a picture painted."""

MOVES = Counter("signalbox_moves", "Moves that were saved.", ["title"])
REFUSALS = Counter("signalbox_refusals", "Refused requests of people, by kind of refusal.", ["kind"])
SAVE_SECONDS = Histogram("signalbox_save_seconds", "Time of a writing transaction, waiting included.", buckets=FINE)
STORE_ERRORS = Counter("signalbox_store_errors", "Failures of the database, by kind of error.", ["kind"])
PICTURE_SECONDS = Histogram("signalbox_picture_seconds", "Time until a picture was there.", ["kind"], buckets=FINE)
PICTURES_WAITING = Gauge("signalbox_pictures_waiting", "Pictures that are being painted or wait for a painter.")
PICTURES_FAILED = Counter("signalbox_pictures_failed", "Pictures that were given up.")
POSTS = Counter("signalbox_posts", "Notices by what became of them.", ["kind", "outcome"])
OUTBOX = Gauge("signalbox_outbox_notices", "Notices that wait to be posted.")
OUTBOX_AGE = Gauge("signalbox_outbox_oldest_seconds", "Age of the oldest notice that waits.")
SET_ASIDE = Gauge("signalbox_rows_set_aside", "Rows that were given up after several tries, by queue.", ["queue"])
MAILS_UNANSWERED = Counter(
    "signalbox_mails_unanswered", "Letters without moves that were too many in a day to be answered."
)
GATEWAY_READY = Gauge("signalbox_gateway_ready", "1 while Discord's gateway is open and ready.")
GATEWAY_LATENCY = Gauge("signalbox_gateway_latency_seconds", "Time of the last heartbeat.")
GATEWAY_SESSIONS = Counter("signalbox_gateway_sessions", "Connections to the gateway, by how they began.", ["how"])
LOOP_LAG = Histogram("signalbox_event_loop_lag_seconds", "How late the event loop runs.", buckets=FINE)
LOOP_LAG_MAX = Gauge("signalbox_event_loop_lag_max_seconds", "The longest of these since the start.")
BACKUPS = Counter("signalbox_backups", "Scheduled backups by outcome.", ["outcome"])
BACKUP_TIME = Gauge("signalbox_backup_timestamp_seconds", "When the newest backup was made.")
IN_FLIGHT = Gauge("signalbox_requests_in_hand", "Interactions and messages that are being answered.")
IMPORTS_WAITING = Gauge("signalbox_porter_waiting", "Games that are brought in or out, or wait for their turn.")
IMPORT_JOBS = Counter("signalbox_porter_jobs", "Games that were brought in or out, by outcome.", ["outcome"])
