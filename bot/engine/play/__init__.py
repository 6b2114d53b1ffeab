"""A title and a state make a game: steps are asked, actions applied, reactions run."""

from .game import Game, chosen_options, options_for_chance, title_state_getter
from .title import (
    PHASES_OF_1830,
    AutomaticStep,
    CompanySpec,
    Option,
    Phase,
    Policies,
    PrivateSpec,
    Procedure,
    Step,
    Title,
    TrainKind,
    filter_allowed,
    has_options,
    holder_of_presidency,
    index_by_id,
    index_by_name,
)

__all__ = [
    "PHASES_OF_1830",
    "AutomaticStep",
    "CompanySpec",
    "Game",
    "Option",
    "Phase",
    "Policies",
    "PrivateSpec",
    "Procedure",
    "Step",
    "Title",
    "TrainKind",
    "chosen_options",
    "filter_allowed",
    "has_options",
    "holder_of_presidency",
    "index_by_id",
    "index_by_name",
    "options_for_chance",
    "title_state_getter",
]
