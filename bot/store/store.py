"""The database: every change is one transaction, every read a few rows, however long a game is."""

from .failures import Failures
from .links import LinkRepository
from .mail import Mails
from .moves import MoveRepository
from .notices import Notices
from .orders import Orders
from .posts import PostRepository
from .privacy import PrivacyRepository
from .questions import Questions
from .raw_rows import RawRows
from .talk import TalkRepository


class Store(
    MoveRepository,
    Notices,
    Orders,
    Questions,
    PostRepository,
    LinkRepository,
    TalkRepository,
    Mails,
    Failures,
    PrivacyRepository,
    RawRows,
):
    """All that is kept: games and seats, their records and positions, clocks and notices, orders, questions, posts, links, people,
    mails, failures."""
