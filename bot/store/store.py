"""The database: every change is one transaction, every read a few rows, however long a game is."""

from .failures import Failures
from .journal import Journal
from .links import Links
from .mail import Mails
from .mending import Mending
from .notices import Notices
from .orders import Orders
from .posts import Posts
from .privacy import Privacy
from .questions import Questions


class Store(Journal, Notices, Orders, Questions, Posts, Links, Mails, Failures, Privacy, Mending):
    """All that is kept: games and seats, their records and positions, clocks and notices, orders, questions, posts, links, people,
    mails, failures."""
