"""The database: every change is one transaction, every read a few rows, however long a game is."""

from .backends.backend import Backend
from .bans import BanRepository
from .calls import CallRepository
from .database import Database
from .failures import FailureRepository
from .follows import FollowRepository
from .games import GameRepository
from .ledger import LedgerRepository
from .links import LinkRepository
from .mail import MailRepository
from .moves import MoveRepository
from .notices import ClockRepository, OutboxRepository
from .openings import OpeningRepository
from .orders import OrderRepository
from .people import PersonRepository
from .posts import PostRepository
from .privacy import PrivacyRepository
from .questions import QuestionRepository
from .raw_rows import RowRepository
from .results import ResultRepository
from .seasons import SeasonRepository
from .substitutes import SubstituteRepository
from .talk import TalkRepository


class Store(Database):
    """All that is kept, a repository for each subject."""

    def __init__(self, opened: Backend) -> None:
        super().__init__(opened)
        self.games = GameRepository(self)
        self.moves = MoveRepository(self)
        self.clocks = ClockRepository(self)
        self.ledger = LedgerRepository(self)
        self.outbox = OutboxRepository(self)
        self.orders = OrderRepository(self)
        self.questions = QuestionRepository(self)
        self.people = PersonRepository(self)
        self.posts = PostRepository(self)
        self.links = LinkRepository(self)
        self.calls = CallRepository(self)
        self.talk = TalkRepository(self)
        self.mail = MailRepository(self)
        self.failures = FailureRepository(self)
        self.openings = OpeningRepository(self)
        self.bans = BanRepository(self)
        self.follows = FollowRepository(self)
        self.substitutes = SubstituteRepository(self)
        self.results = ResultRepository(self)
        self.seasons = SeasonRepository(self)
        self.privacy = PrivacyRepository(self)
        self.rows = RowRepository(self)
